// SPDX-License-Identifier: Apache-2.0
// From a move and its options to a request: everything that can be wrong with them is said here.
#include <algorithm>
#include <cstddef>

#include "dispatch/choose.h"
#include "dispatch/classify.h"
#include "dispatch/plan.h"
#include "dispatch/status_values.h"
#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Each may take scratch of its own, and an executor may name any concurrency.
constexpr size_t kMostThreads = 1024;

// The executor, with no parallel_for where there is none.
Status ReadExecutor(const Options& options, dimorder_executor* executor) {
  *executor = dimorder_executor{};
  if (options.executor == nullptr) return Status();
  const Status status = ReadStruct(*options.executor, kFirstExecutorBytes, StructName::kExecutor, executor);
  if (!status.ok()) return status;
  if (executor->parallel_for != nullptr && executor->concurrency >= 1) return Status();
  return Status(StatusCode::kInvalidArgument, Rule::kExecutor, static_cast<int64_t>(executor->concurrency));
}

template <class Enum>
Status CheckEnum(Enum value, Enum last, EnumOption option) {
  if (value >= Enum{0} && value <= last) return Status();
  return Status(StatusCode::kInvalidArgument, Rule::kEnumValue, static_cast<int64_t>(value),
                static_cast<int64_t>(option));
}

int32_t ChooseThreads(size_t concurrency, int64_t bytes) {
  const auto useful = static_cast<size_t>(bytes < kBytesPerThread ? 1 : bytes / kBytesPerThread);
  return static_cast<int32_t>(std::min({concurrency, useful, kMostThreads}));
}

}  // namespace

Status ReadRequest(const Move& move, const Options& options, Request* request) noexcept {
  if (Status status = ReadExecutor(options, &request->executor); !status.ok()) return status;
  if (Status status = CheckEnum(options.stores, Stores::kNonTemporal, EnumOption::kStores); !status.ok()) return status;
  if (Status status = CheckEnum(options.tuning, Tuning::kMeasure, EnumOption::kTuning); !status.ok()) return status;
  const Result<int64_t> named = NamedTarget(options.target);
  if (!named.ok()) return named.status();
  Problem& problem = request->problem;
  if (Status status = MakeProblem(move, &problem); !status.ok()) return status;
  if (Status status = Canonicalize(&problem); !status.ok()) return status;
  request->target = *named != kNoTarget ? *named : BestTarget();
  request->threads = 1;
  request->stores = options.stores;
  request->assume_disjoint = options.assume_disjoint;
  if (problem.bytes == 0) return Status();
  const bool is_lookup = HasVectors(request->target) && ClassifyLookup(problem, &request->shape);
  if (!is_lookup) Classify(problem, &request->shape);
  if (options.executor != nullptr) {
    request->threads = ChooseThreads(request->executor.concurrency, problem.bytes);
  }
  if (*named == kNoTarget) request->target = ChooseTarget(*request);
  return Status();
}

}  // namespace v1
}  // namespace dimorder
