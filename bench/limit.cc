// SPDX-License-Identifier: Apache-2.0
#include "bench/limit.h"

#include <algorithm>
#include <cstring>

#include "dispatch/integers.h"
#include "dispatch/plan.h"
#include "kernels/kernels.h"

namespace dimorder::bench {
namespace {

constexpr int64_t kRaceBlocks = 16;
constexpr double kRaceSeconds = 0.1;

// Of the loop: shorter than what a kernel leaves to memcpy.
constexpr int64_t kLoopRun = 2048;

// How a slice is copied.
struct Copying {
  KernelFn kernel;  // null: memcpy
  int64_t run;      // bytes of each run that the kernel copies; what is left makes a shorter one
  bool streams;
};

struct SliceJob {
  const uint8_t* src;
  uint8_t* dst;
  int64_t bytes;
  int64_t slice;
  Copying how;
};

void CopyRuns(KernelFn kernel, int64_t runs, int64_t run, const uint8_t* src, uint8_t* dst) {
  KernelArgs args{};
  args.inner[0] = Axis{run, 1, 1};
  args.inner[1] = Axis{runs, run, run};
  args.inner[2] = args.inner[3] = Axis{1, 0, 0};
  kernel(src, dst, args);
}

void CopySlice(void* arg, size_t i) {
  const SliceJob& job = *static_cast<const SliceJob*>(arg);
  const int64_t begin = static_cast<int64_t>(i) * job.slice;
  const int64_t bytes = std::min(job.slice, job.bytes - begin);
  if (bytes <= 0) return;
  const uint8_t* src = job.src + begin;
  uint8_t* dst = job.dst + begin;
  if (job.how.kernel == nullptr) {
    std::memcpy(dst, src, static_cast<size_t>(bytes));
    return;
  }
  const int64_t run = std::min(job.how.run, bytes);
  const int64_t left = bytes % run;
  CopyRuns(job.how.kernel, bytes / run, run, src, dst);
  if (left != 0) CopyRuns(job.how.kernel, 1, left, src + bytes - left, dst + bytes - left);
  if (job.how.streams) FenceStreams();
}

// Copies `bytes` bytes in slices of equal size, whole cache lines, one for each thread that has enough to do.
class SplitCopy {
 public:
  // As many as a plan has, so that a move and its limit are by the same threads.
  static size_t Tasks(int64_t bytes, const Threads& threads) {
    return static_cast<size_t>(std::clamp<int64_t>(bytes / kBytesPerThread, 1, static_cast<int64_t>(threads.count())));
  }

  SplitCopy(int64_t bytes, const Threads& threads, const Copying& how)
      : bytes_(bytes), how_(how), tasks_(Tasks(bytes, threads)) {
    if (tasks_ > 1) executor_ = *threads.executor();
    slice_ = RoundUp(CeilDivide(bytes, static_cast<int64_t>(tasks_)), kLineBytes);
  }

  void operator()(const uint8_t* src, uint8_t* dst) const {
    SliceJob job{src, dst, bytes_, slice_, how_};
    if (tasks_ == 1) return CopySlice(&job, 0);
    executor_.parallel_for(executor_.ctx, tasks_, CopySlice, &job);
  }

 private:
  int64_t bytes_;
  Copying how_;
  size_t tasks_;
  int64_t slice_;
  dimorder_executor executor_{};
};

}  // namespace

std::unique_ptr<Contender> MakeMemcpy(int64_t bytes, const Threads& threads) {
  if (SplitCopy::Tasks(bytes, threads) > 1)
    return MakeContender("memcpy", SplitCopy(bytes, threads, {nullptr, bytes, false}));
  return MakeContender("memcpy", [n = static_cast<size_t>(bytes)](const uint8_t* src, uint8_t* dst) {
    std::memcpy(dst, src, n);  // nothing round it: at 512 bytes it would show
  });
}

std::unique_ptr<Contender> MakeStreamCopy(int64_t bytes, const Threads& threads, int64_t target) {
  return MakeContender("stream copy", SplitCopy(bytes, threads, {GetKernel(kStream, target), bytes, true}));
}

std::unique_ptr<Contender> MakeLoopCopy(int64_t bytes, const Threads& threads, int64_t target) {
  return MakeContender("loop", SplitCopy(bytes, threads, {GetKernel(kRun, target), kLoopRun, false}));
}

Limit FindLimit(BufferPairs& pairs, int64_t bytes, const Threads& threads, int64_t target) {
  const auto ratio = [&](Contender& a, Contender& b) { return RunDuet(a, b, pairs, kRaceBlocks, kRaceSeconds).ratio; };
  Limit limit{MakeMemcpy(bytes, threads)};
  std::unique_ptr<Contender> stream = MakeStreamCopy(bytes, threads, target);
  if (const double over_memcpy = ratio(*limit.copy, *stream); over_memcpy < 1) {
    limit.copy = std::move(stream);
    limit.over_memcpy = over_memcpy;
  }
  limit.loop = ratio(*limit.copy, *MakeLoopCopy(bytes, threads, target));
  return limit;
}

}  // namespace dimorder::bench
