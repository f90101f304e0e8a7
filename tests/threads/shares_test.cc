// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include "dimorder/dimorder.h"

// What each task of a plan writes.
namespace dimorder::test {
namespace {

constexpr int64_t kLine = 64;
constexpr size_t kTasks = 4;

struct LineBuffer {
  explicit LineBuffer(size_t bytes)
      : data(static_cast<uint8_t*>(::operator new (bytes, std::align_val_t{kLine}))), size(bytes) {}
  ~LineBuffer() { ::operator delete (data, std::align_val_t{kLine}); }
  LineBuffer(const LineBuffer&) = delete;
  LineBuffer& operator=(const LineBuffer&) = delete;
  uint8_t* const data;
  const size_t size;
};

// Runs tasks one after the other, each on a destination of zeros, and keeps what they wrote.
struct Recorder {
  explicit Recorder(LineBuffer* to) : dst(to) {}
  dimorder_executor Executor() {
    const auto run = [](void* ctx, size_t n, dimorder_task task, void* arg) {
      auto* recorder = static_cast<Recorder*>(ctx);
      for (size_t i = 0; i < n; ++i) {
        std::memset(recorder->dst->data, 0, recorder->dst->size);
        task(arg, i);
        recorder->written.emplace_back(recorder->dst->data, recorder->dst->data + recorder->dst->size);
      }
    };
    return {sizeof(dimorder_executor), kTasks, run, this};
  }
  LineBuffer* dst;
  std::vector<std::vector<uint8_t>> written;
};

// What the tasks of a permutation wrote, of a source of ones.
std::vector<std::vector<uint8_t>> TasksOf(const std::vector<int64_t>& sizes, const Perm& perm, int64_t element,
                                          Stores stores) {
  auto bytes = static_cast<size_t>(element);
  for (const int64_t size : sizes) bytes *= static_cast<size_t>(size);
  LineBuffer dst(bytes);
  Recorder recorder(&dst);
  const dimorder_executor executor = recorder.Executor();
  Options options;
  options.executor = &executor;
  options.stores = stores;
  const Result<Plan> plan = Plan::Create(Move::Permute(sizes, perm, element), options);
  EXPECT_TRUE(plan.ok());
  const std::vector<uint8_t> src(bytes, 1);
  EXPECT_TRUE(plan->Execute(src.data(), dst.data).ok());
  EXPECT_EQ(recorder.written.size(), kTasks);
  return recorder.written;
}

// No task takes a fifth more than its share, in shapes that blocks do not divide.
TEST(Shares, AreEven) {
  for (const Stores stores : {Stores::kTemporal, Stores::kNonTemporal}) {
    for (const auto& tasks : {TasksOf({1025, 1025}, {1, 0}, 8, stores), TasksOf({1025, 1025}, {1, 0}, 4, stores),
                              TasksOf({1000, 1000}, {1, 0}, 8, stores), TasksOf({1000, 1100}, {1, 0}, 1, stores),
                              TasksOf({12544, 96}, {1, 0}, 4, stores), TasksOf({3, 270000}, {1, 0}, 4, stores),
                              TasksOf({270000, 3}, {1, 0}, 4, stores), TasksOf({128, 30, 512}, {1, 0, 2}, 4, stores),
                              TasksOf({1080, 960, 3}, {1, 0, 2}, 1, stores), TasksOf({3136, 64}, {1, 0}, 8, stores)}) {
      for (const std::vector<uint8_t>& task : tasks) {
        const auto share = static_cast<double>(std::count(task.begin(), task.end(), 1));
        EXPECT_LE(share * kTasks / static_cast<double>(task.size()), 1.2);
      }
    }
  }
}

// Where columns of the destination are whole lines, no two tasks write to one line.
TEST(Shares, AreWholeLines) {
  for (const Stores stores : {Stores::kTemporal, Stores::kNonTemporal}) {
    for (const auto& tasks :
         {TasksOf({1024, 1024}, {1, 0}, 4, stores), TasksOf({512, 1000}, {1, 0}, 8, stores),
          TasksOf({128, 30, 512}, {1, 0, 2}, 4, stores), TasksOf({64, 100, 48}, {1, 0, 2}, 4, stores),
          TasksOf({3, 96000}, {1, 0}, 4, stores), TasksOf({32, 3, 12544}, {0, 2, 1}, 1, stores),
          TasksOf({24, 7, 3136}, {0, 2, 1}, 2, stores), TasksOf({2048, 320, 14}, {1, 0, 2}, 1, stores)}) {
      for (size_t at = 0; at < tasks[0].size(); at += kLine) {
        const auto writes_here = [at](const std::vector<uint8_t>& task) {
          return std::memchr(task.data() + at, 1, std::min<size_t>(kLine, task.size() - at)) != nullptr;
        };
        ASSERT_EQ(std::count_if(tasks.begin(), tasks.end(), writes_here), 1) << "line at " << at;
      }
    }
  }
}

}  // namespace
}  // namespace dimorder::test
