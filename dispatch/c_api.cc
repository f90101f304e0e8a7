// SPDX-License-Identifier: Apache-2.0
//
// The C interface: each function checks its pointers, turns its arguments into those of C++ and calls that. A
// dimorder_plan is a PlanHandle under its C name.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>

#include "dimorder/dimorder.h"
#include "dimorder/dimorder_c.h"
#include "dimorder/targets.h"
#include "dimorder/wisdom.h"
#include "dispatch/execute.h"
#include "dispatch/plan.h"
#include "dispatch/plan_handle.h"
#include "dispatch/status_values.h"
#include "dispatch/text.h"

namespace {

using dimorder::CheckRank;
using dimorder::CreateHandle;
using dimorder::DimOrder;
using dimorder::Dims;
using dimorder::Layout;
using dimorder::MeasureHandle;
using dimorder::Move;
using dimorder::NullArgument;
using dimorder::Options;
using dimorder::Perm;
using dimorder::PlanHandle;
using dimorder::ReadStruct;
using dimorder::Result;
using dimorder::Rule;
using dimorder::Status;
using dimorder::StatusCode;
using dimorder::Stores;
using dimorder::StructName;
using dimorder::Tuning;

// The numbers of the C header are those of C++: the first and the last of each enumeration stand for all.
static_assert(DIMORDER_OUT_OF_MEMORY == static_cast<int>(StatusCode::kOutOfMemory));
static_assert(DIMORDER_RULE_RANK_LIMIT == static_cast<int>(Rule::kRankLimit));
static_assert(DIMORDER_RULE_NULL_POINTER == static_cast<int>(Rule::kNullPointer));
static_assert(DIMORDER_RULE_WISDOM_SIZE == static_cast<int>(Rule::kWisdomSize));
static_assert(DIMORDER_STORES_NON_TEMPORAL == static_cast<int>(Stores::kNonTemporal));
static_assert(DIMORDER_TUNING_MEASURE == static_cast<int>(Tuning::kMeasure));
static_assert(DIMORDER_MAX_RANK == dimorder::kMaxRank);

// Nothing but its code is read of a Status that is ok: its zeros were stored by vectors just now, and where words of
// them cannot be forwarded (Zen 4), reading waits for all stores of the move (64x64 bytes took 1.06 times as long).
dimorder_status ToC(const Status& status) {
  if (status.ok()) return {};
  return {static_cast<int32_t>(status.code()),
          static_cast<int32_t>(status.rule()),
          {status.value(0), status.value(1), status.value(2), status.value(3)}};
}

Status FromC(const dimorder_status& status) {
  return Status(static_cast<StatusCode>(status.code), static_cast<Rule>(status.rule), status.values[0],
                status.values[1], status.values[2], status.values[3]);
}

dimorder_plan* ToC(PlanHandle* handle) { return reinterpret_cast<dimorder_plan*>(handle); }
const PlanHandle* FromC(const dimorder_plan* plan) { return reinterpret_cast<const PlanHandle*>(plan); }

struct Array {
  const char* name;
  const void* data;
};

// Arrays of `rank` entries may be null at rank 0 only, and are not read where the rank is beyond all.
Status CheckArrays(size_t rank, std::initializer_list<Array> arrays) {
  for (const Array& array : arrays) {
    if (rank != 0 && array.data == nullptr) return NullArgument(array.name);
  }
  return CheckRank(rank);
}

Status ReadOptions(const dimorder_options* from, Options* to) {
  if (from == nullptr) return Status();
  dimorder_options options = DIMORDER_OPTIONS_INIT;
  constexpr size_t kFirstBytes = offsetof(dimorder_options, tuning_ns) + sizeof(options.tuning_ns);
  if (const Status status = ReadStruct(*from, kFirstBytes, StructName::kOptions, &options); !status.ok()) return status;
  to->executor = options.executor;
  to->allocator = options.allocator;
  to->target = options.target;
  to->stores = static_cast<Stores>(options.stores);
  to->tuning = static_cast<Tuning>(options.tuning);
  to->tuning_ns = options.tuning_ns;
  to->assume_disjoint = options.assume_disjoint != 0;
  return Status();
}

Dims MakeDims(size_t rank, const int64_t* values) { return std::span<const int64_t>(values, rank); }

// The arguments of the calls that take strides.
struct Strided {
  size_t rank;
  const int64_t *sizes, *src_strides;
  int64_t src_byte_offset;
  const int64_t* dst_strides;
  int64_t dst_byte_offset, element_bytes;

  Move ToMove() const {
    const Dims dims = MakeDims(rank, sizes);
    return Move::Between(Layout::Strided(dims, MakeDims(rank, src_strides), src_byte_offset),
                         Layout::Strided(dims, MakeDims(rank, dst_strides), dst_byte_offset), element_bytes);
  }
};

// Checks what all kinds of requests share; `make_handle` gets the options.
template <class MakeHandle>
dimorder_status CreatePlan(dimorder_plan** plan, size_t rank, std::initializer_list<Array> arrays,
                           const dimorder_options* options, const MakeHandle& make_handle) {
  if (plan == nullptr) return ToC(NullArgument("plan"));
  *plan = nullptr;
  if (const Status status = CheckArrays(rank, arrays); !status.ok()) return ToC(status);
  Options read;
  if (const Status status = ReadOptions(options, &read); !status.ok()) return ToC(status);
  const Result<PlanHandle*> handle = make_handle(read);
  if (handle.ok()) *plan = ToC(*handle);
  return ToC(handle.status());
}

// The same for the calls that take strides; `make_handle` gets the move, too.
template <class MakeHandle>
dimorder_status CreateStrided(dimorder_plan** plan, const Strided& s, const dimorder_options* options,
                              const MakeHandle& make_handle) {
  return CreatePlan(plan, s.rank, {{"sizes", s.sizes}, {"src_strides", s.src_strides}, {"dst_strides", s.dst_strides}},
                    options, [&](const Options& read) { return make_handle(s.ToMove(), read); });
}

// What CreatePlan checks, for the one-shot calls; `run` gets the options.
template <class Run>
dimorder_status RunOneShot(size_t rank, std::initializer_list<Array> arrays, const dimorder_options* options,
                           const Run& run) {
  if (const Status status = CheckArrays(rank, arrays); !status.ok()) return ToC(status);
  Options read;
  if (const Status status = ReadOptions(options, &read); !status.ok()) return ToC(status);
  return ToC(run(read));
}

size_t NoText(char* buffer, size_t capacity) { return dimorder::TextWriter(buffer, capacity).Finish(); }

size_t CopyNames(const dimorder::TargetList& targets, const char** names, size_t capacity) {
  for (size_t i = 0; names != nullptr && i < targets.size() && i < capacity; ++i) names[i] = targets[i];
  return targets.size();
}

}  // namespace

size_t dimorder_status_format(dimorder_status status, char* buffer, size_t capacity) {
  return FromC(status).Format(buffer, capacity);
}

dimorder_status dimorder_plan_create_permute(dimorder_plan** plan, size_t rank, const int64_t* sizes,
                                             const int32_t* perm, int64_t element_bytes,
                                             const dimorder_options* options) {
  return CreatePlan(plan, rank, {{"sizes", sizes}, {"perm", perm}}, options, [&](const Options& read) {
    return CreateHandle(Move::Permute(MakeDims(rank, sizes), Perm(perm, rank), element_bytes), read);
  });
}

dimorder_status dimorder_plan_create_to_dim_order(dimorder_plan** plan, size_t rank, const int64_t* sizes,
                                                  const int32_t* from, const int32_t* to, int64_t element_bytes,
                                                  const dimorder_options* options) {
  return CreatePlan(plan, rank, {{"sizes", sizes}, {"from", from}, {"to", to}}, options, [&](const Options& read) {
    const Dims dims = MakeDims(rank, sizes);
    return CreateHandle(Move::ToDimOrder(dims, DimOrder(from, rank), DimOrder(to, rank), element_bytes), read);
  });
}

dimorder_status dimorder_plan_create_strided(dimorder_plan** plan, size_t rank, const int64_t* sizes,
                                             const int64_t* src_strides, int64_t src_byte_offset,
                                             const int64_t* dst_strides, int64_t dst_byte_offset, int64_t element_bytes,
                                             const dimorder_options* options) {
  return CreateStrided(plan, {rank, sizes, src_strides, src_byte_offset, dst_strides, dst_byte_offset, element_bytes},
                       options, [](const Move& move, const Options& read) { return CreateHandle(move, read); });
}

dimorder_status dimorder_plan_measure_strided(dimorder_plan** plan, const void* src, void* dst, size_t rank,
                                              const int64_t* sizes, const int64_t* src_strides, int64_t src_byte_offset,
                                              const int64_t* dst_strides, int64_t dst_byte_offset,
                                              int64_t element_bytes, const dimorder_options* options) {
  return CreateStrided(plan, {rank, sizes, src_strides, src_byte_offset, dst_strides, dst_byte_offset, element_bytes},
                       options,
                       [&](const Move& move, const Options& read) { return MeasureHandle(move, src, dst, read); });
}

void dimorder_plan_destroy(dimorder_plan* plan) { dimorder::ReleaseHandle(reinterpret_cast<PlanHandle*>(plan)); }

dimorder_status dimorder_plan_execute(const dimorder_plan* plan, const void* src, void* dst) {
  if (plan == nullptr) return ToC(NullArgument("plan"));
  return ToC(dimorder::ExecuteHandle(FromC(plan), src, dst));
}

dimorder_status dimorder_plan_execute_with_workspace(const dimorder_plan* plan, const void* src, void* dst,
                                                     void* workspace, size_t workspace_bytes) {
  if (plan == nullptr) return ToC(NullArgument("plan"));
  if (workspace == nullptr && workspace_bytes != 0) return ToC(NullArgument("workspace"));
  const std::span<std::byte> bytes(static_cast<std::byte*>(workspace), workspace_bytes);
  return ToC(dimorder::ExecutePlan(dimorder::PlanOf(*FromC(plan)), src, dst, bytes));
}

size_t dimorder_plan_scratch_bytes(const dimorder_plan* plan) {
  return plan == nullptr ? 0 : static_cast<size_t>(dimorder::PlanOf(*FromC(plan)).scratch_bytes);
}

size_t dimorder_plan_threads(const dimorder_plan* plan) {
  return plan == nullptr ? 0 : static_cast<size_t>(dimorder::PlanOf(*FromC(plan)).threads);
}

int64_t dimorder_plan_bytes(const dimorder_plan* plan) {
  return plan == nullptr ? 0 : dimorder::PlanOf(*FromC(plan)).bytes;
}

double dimorder_plan_estimated_cost(const dimorder_plan* plan) {
  return plan == nullptr ? 0 : dimorder::PlanOf(*FromC(plan)).cost_ns;
}

size_t dimorder_plan_describe(const dimorder_plan* plan, char* buffer, size_t capacity) {
  if (plan == nullptr) return NoText(buffer, capacity);
  return dimorder::DescribePlan(dimorder::PlanOf(*FromC(plan)), buffer, capacity);
}

dimorder_status dimorder_permute(const void* src, void* dst, size_t rank, const int64_t* sizes, const int32_t* perm,
                                 int64_t element_bytes, const dimorder_options* options) {
  return RunOneShot(rank, {{"sizes", sizes}, {"perm", perm}}, options, [&](const Options& read) {
    return dimorder::Permute(src, dst, MakeDims(rank, sizes), Perm(perm, rank), element_bytes, read);
  });
}

dimorder_status dimorder_to_dim_order(const void* src, void* dst, size_t rank, const int64_t* sizes,
                                      const int32_t* from, const int32_t* to, int64_t element_bytes,
                                      const dimorder_options* options) {
  return RunOneShot(rank, {{"sizes", sizes}, {"from", from}, {"to", to}}, options, [&](const Options& read) {
    return dimorder::ToDimOrder(src, dst, MakeDims(rank, sizes), DimOrder(from, rank), DimOrder(to, rank),
                                element_bytes, read);
  });
}

dimorder_status dimorder_move_strided(const void* src, void* dst, size_t rank, const int64_t* sizes,
                                      const int64_t* src_strides, int64_t src_byte_offset, const int64_t* dst_strides,
                                      int64_t dst_byte_offset, int64_t element_bytes, const dimorder_options* options) {
  const Strided s = {rank, sizes, src_strides, src_byte_offset, dst_strides, dst_byte_offset, element_bytes};
  return RunOneShot(rank, {{"sizes", sizes}, {"src_strides", src_strides}, {"dst_strides", dst_strides}}, options,
                    [&](const Options& read) { return dimorder::Execute(s.ToMove(), src, dst, read); });
}

void dimorder_plan_cache_set_capacity(size_t plans) { dimorder::SetPlanCacheCapacity(plans); }

void dimorder_plan_cache_clear(void) { dimorder::ClearPlanCache(); }

dimorder_status dimorder_plan_cache_get_stats(dimorder_plan_cache_stats* stats) {
  if (stats == nullptr) return ToC(NullArgument("stats"));
  dimorder_plan_cache_stats known = DIMORDER_PLAN_CACHE_STATS_INIT;
  constexpr size_t kFirstBytes = offsetof(dimorder_plan_cache_stats, capacity) + sizeof(known.capacity);
  const Status status = ReadStruct(*stats, kFirstBytes, StructName::kPlanCacheStats, &known);
  if (!status.ok()) return ToC(status);
  const dimorder::PlanCacheStats read = dimorder::GetPlanCacheStats();
  known = {stats->struct_size, read.hits, read.misses, read.evictions, read.size, read.capacity};
  memcpy(stats, &known, std::min(known.struct_size, sizeof(known)));
  return ToC(Status());
}

size_t dimorder_wisdom_export(char* buffer, size_t capacity) { return dimorder::ExportWisdom(buffer, capacity); }

dimorder_status dimorder_wisdom_import(const char* text, size_t* taken, size_t* skipped) {
  if (text == nullptr) return ToC(NullArgument("text"));
  const Result<dimorder::WisdomImport> result = dimorder::ImportWisdom(text);
  if (!result.ok()) return ToC(result.status());
  if (taken != nullptr) *taken = result->taken;
  if (skipped != nullptr) *skipped = result->skipped;
  return ToC(Status());
}

void dimorder_wisdom_forget(void) { dimorder::ForgetWisdom(); }

dimorder_status dimorder_dim_order_to_strides(size_t rank, const int64_t* sizes, const int32_t* order, int64_t unit,
                                              int64_t* strides) {
  if (const Status status = CheckArrays(rank, {{"sizes", sizes}, {"order", order}, {"strides", strides}}); !status.ok())
    return ToC(status);
  return ToC(dimorder::DimOrderToStrides(MakeDims(rank, sizes), DimOrder(order, rank), unit, strides));
}

dimorder_status dimorder_strides_to_dim_order(size_t rank, const int64_t* strides, int32_t* order) {
  if (const Status status = CheckArrays(rank, {{"strides", strides}, {"order", order}}); !status.ok())
    return ToC(status);
  const Result<DimOrder> result = dimorder::StridesToDimOrder(MakeDims(rank, strides));
  if (!result.ok()) return ToC(result.status());
  for (const int32_t axis : *result) *order++ = axis;
  return ToC(Status());
}

int dimorder_laid_out_alike(size_t rank, const int64_t* sizes, const int64_t* a_strides, const int64_t* b_strides) {
  if (!CheckArrays(rank, {{"sizes", sizes}, {"a_strides", a_strides}, {"b_strides", b_strides}}).ok()) return 0;
  const Dims dims = MakeDims(rank, sizes);
  return dimorder::LaidOutAlike(Layout::Strided(dims, MakeDims(rank, a_strides)),
                                Layout::Strided(dims, MakeDims(rank, b_strides)), /*element_bytes=*/1);
}

dimorder_status dimorder_parse_dim_order(const char* text, int32_t* order, size_t* rank) {
  if (text == nullptr) return ToC(NullArgument("text"));
  if (order == nullptr) return ToC(NullArgument("order"));
  if (rank == nullptr) return ToC(NullArgument("rank"));
  const Result<DimOrder> result = dimorder::ParseDimOrder(text);
  if (!result.ok()) return ToC(result.status());
  for (const int32_t axis : *result) *order++ = axis;
  *rank = result->size();
  return ToC(Status());
}

size_t dimorder_format_dim_order(size_t rank, const int32_t* order, const char* letters, char* buffer,
                                 size_t capacity) {
  if (!CheckArrays(rank, {{"order", order}}).ok()) return NoText(buffer, capacity);
  return dimorder::FormatDimOrder(DimOrder(order, rank), letters == nullptr ? std::string_view() : letters, buffer,
                                  capacity);
}

size_t dimorder_compiled_targets(const char** names, size_t capacity) {
  return CopyNames(dimorder::CompiledTargets(), names, capacity);
}

size_t dimorder_supported_targets(const char** names, size_t capacity) {
  return CopyNames(dimorder::SupportedTargets(), names, capacity);
}

const char* dimorder_active_target(void) { return dimorder::ActiveTarget(); }

dimorder_status dimorder_set_target(const char* name) { return ToC(dimorder::SetTarget(name)); }

const char* dimorder_version(void) { return DIMORDER_VERSION_STRING; }
