// SPDX-License-Identifier: Apache-2.0
#include "bench/limit.h"

#include <algorithm>
#include <cstring>

#include "dispatch/integers.h"
#include "kernels/kernels.h"

namespace dimorder::bench {
namespace {

constexpr int64_t kRaceBlocks = 15;
constexpr double kRaceSeconds = 0.1;

// Threads get whole cache lines, and enough of them that waking a thread is worth it.
constexpr int64_t kMinSlice = int64_t{64} * 1024;

struct SliceJob {
  const uint8_t* src;
  uint8_t* dst;
  int64_t bytes;
  int64_t slice;
  KernelFn stream;  // null: memcpy
};

void CopySlice(void* arg, size_t i) {
  const SliceJob& job = *static_cast<const SliceJob*>(arg);
  const int64_t begin = static_cast<int64_t>(i) * job.slice;
  const int64_t bytes = std::min(job.slice, job.bytes - begin);
  if (bytes <= 0) return;
  if (job.stream == nullptr) {
    std::memcpy(job.dst + begin, job.src + begin, static_cast<size_t>(bytes));
    return;
  }
  KernelArgs args{};
  args.inner[0] = Axis{bytes, 1, 1};
  args.inner[1] = args.inner[2] = args.inner[3] = Axis{1, 0, 0};
  job.stream(job.src + begin, job.dst + begin, args);
  FenceStreams();
}

// Copies `bytes` bytes in slices of equal size, one for each thread that has enough to do.
class SplitCopy {
 public:
  static size_t Tasks(int64_t bytes, const Threads& threads) {
    return static_cast<size_t>(std::clamp<int64_t>(bytes / kMinSlice, 1, static_cast<int64_t>(threads.count())));
  }

  SplitCopy(int64_t bytes, const Threads& threads, KernelFn stream)
      : bytes_(bytes), stream_(stream), tasks_(Tasks(bytes, threads)) {
    if (tasks_ > 1) executor_ = *threads.executor();
    slice_ = RoundUp(CeilDivide(bytes, static_cast<int64_t>(tasks_)), kLineBytes);
  }

  void operator()(const uint8_t* src, uint8_t* dst) const {
    SliceJob job{src, dst, bytes_, slice_, stream_};
    if (tasks_ == 1) return CopySlice(&job, 0);
    executor_.parallel_for(executor_.ctx, tasks_, CopySlice, &job);
  }

 private:
  int64_t bytes_;
  KernelFn stream_;
  size_t tasks_;
  int64_t slice_;
  dimorder_executor executor_{};
};

}  // namespace

std::unique_ptr<Contender> MakeMemcpy(int64_t bytes, const Threads& threads) {
  if (SplitCopy::Tasks(bytes, threads) > 1) return MakeContender("memcpy", SplitCopy(bytes, threads, nullptr));
  return MakeContender("memcpy", [n = static_cast<size_t>(bytes)](const uint8_t* src, uint8_t* dst) {
    std::memcpy(dst, src, n);  // nothing round it: at 512 bytes it would show
  });
}

std::unique_ptr<Contender> MakeStreamCopy(int64_t bytes, const Threads& threads, int64_t target) {
  return MakeContender("stream copy", SplitCopy(bytes, threads, GetKernel(kStream, target)));
}

Limit FindLimit(const BufferPairs& pairs, int64_t bytes, const Threads& threads, int64_t target) {
  Limit memcpy_limit{MakeMemcpy(bytes, threads), 1};
  std::unique_ptr<Contender> stream = MakeStreamCopy(bytes, threads, target);
  const double ratio = RunDuet(*memcpy_limit.copy, *stream, pairs, kRaceBlocks, kRaceSeconds).ratio;
  if (ratio >= 1) return memcpy_limit;
  return {std::move(stream), ratio};
}

}  // namespace dimorder::bench
