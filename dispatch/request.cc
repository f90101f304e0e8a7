// SPDX-License-Identifier: Apache-2.0
// From a move and its options to a request: everything that can be wrong with them is said here.
#include "dispatch/classify.h"
#include "dispatch/plan.h"
#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Less than this per thread does not pay for waking it.
constexpr int64_t kBytesPerThread = int64_t{128} * 1024;

Status CheckOptions(const Options& options) {
  const auto invalid = [](Rule rule, int64_t v0 = 0, int64_t v1 = 0) {
    return Status(StatusCode::kInvalidArgument, rule, v0, v1);
  };
  if (const dimorder_executor* executor = options.executor; executor != nullptr) {
    if (executor->struct_size < sizeof(dimorder_executor)) {
      return invalid(Rule::kStructSize, static_cast<int64_t>(executor->struct_size), sizeof(dimorder_executor));
    }
    if (executor->parallel_for == nullptr || executor->concurrency < 1) {
      return invalid(Rule::kExecutor, static_cast<int64_t>(executor->concurrency));
    }
  }
  const int32_t stores = static_cast<int32_t>(options.stores);
  if (stores < 0 || stores > static_cast<int32_t>(Stores::kNonTemporal)) return invalid(Rule::kEnumValue, stores);
  const int32_t tuning = static_cast<int32_t>(options.tuning);
  if (tuning < 0 || tuning > static_cast<int32_t>(Tuning::kMeasure)) return invalid(Rule::kEnumValue, tuning);
  return Status();
}

int32_t ChooseThreads(size_t concurrency, int64_t bytes) {
  const auto useful = static_cast<size_t>(bytes < kBytesPerThread ? 1 : bytes / kBytesPerThread);
  const size_t threads = concurrency < useful ? concurrency : useful;
  return static_cast<int32_t>(threads < INT32_MAX ? threads : INT32_MAX);
}

}  // namespace

Status ReadRequest(const Move& move, const Options& options, Request* request) noexcept {
  if (Status status = CheckOptions(options); !status.ok()) return status;
  const Result<int64_t> target = ResolveTarget(options.target);
  if (!target.ok()) return target.status();
  Problem& problem = request->problem;
  if (Status status = MakeProblem(move, &problem); !status.ok()) return status;
  if (Status status = Canonicalize(&problem); !status.ok()) return status;
  request->target = *target;
  request->threads = 1;
  request->executor = dimorder_executor{};
  request->stores = options.stores;
  request->assume_disjoint = options.assume_disjoint;
  if (problem.bytes == 0) return Status();
  Classify(problem, &request->shape);
  if (options.executor != nullptr) {
    request->executor = *options.executor;
    request->threads = ChooseThreads(request->executor.concurrency, problem.bytes);
  }
  return Status();
}

}  // namespace v1
}  // namespace dimorder
