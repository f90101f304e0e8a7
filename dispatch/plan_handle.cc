// SPDX-License-Identifier: Apache-2.0
// The memory of a plan: one allocation that holds the handle, the plan, its pieces and its scratch slots.
#include "dispatch/plan_handle.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <new>

#include "dispatch/execute.h"
#include "dispatch/integers.h"
#include "dispatch/plan.h"
#include "dispatch/status_values.h"
#include "dispatch/tune.h"
#include "dispatch/wisdom.h"

namespace dimorder {
inline namespace v1 {

// What follows it is the plan.
struct PlanHandle {
  dimorder_allocator allocator;  // allocate null: operator new
  size_t bytes;
  ScratchSlots slots;

  const PlanData& plan() const { return *reinterpret_cast<const PlanData*>(this + 1); }
};

namespace {

// Lines are aligned here, and only where there are slots: an aligned allocation leaves remainders that free must merge,
// which showed as a tenth of the time to make a small plan.
static_assert(alignof(PlanHandle) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
static_assert(alignof(PlanData) <= alignof(PlanHandle) && sizeof(PlanHandle) % alignof(PlanData) == 0);

size_t RoundedUp(int64_t bytes, int64_t unit) { return static_cast<size_t>(RoundUp(bytes, unit)); }

// Bytes of the part of a plan that is set: not the loops beyond num_loops, nor tables that the kernel does not use.
// Most are less than malloc keeps apart for its threads (1 KB), which took 0.9 of the time to make one with all.
size_t UsedBytes(const PlanData& plan) {
  if (plan.num_pieces == 0) return sizeof(PlanData);
  if (plan.asks) return sizeof(PlanStorage<1>);
  const Piece& piece = plan.pieces()[0];
  const Family family = GetKernelInfo(piece.kernel_id).family;
  if (family == Family::kJoined || family == Family::kTwoPass) return sizeof(PlanData) + sizeof(Piece);
  if (family == Family::kLookup) return sizeof(PlanData) + offsetof(Piece, blocks) + sizeof(piece.blocks);
  return sizeof(PlanData) + offsetof(Piece, loops) + static_cast<size_t>(piece.num_loops) * sizeof(Loop);
}

// The allocation: handle, plan, then, at the next line, the slots' flags, then their memory, each on pages of its own.
// What is staged is often less than a page, and stores that cross the end of one wait: 26x27 boxes of floats took up to
// twice as long where scratch began elsewhere.
struct Regions {
  size_t plan_bytes, flags_bytes, slot_bytes, total;

  explicit Regions(const PlanData& plan) {
    const size_t slots = plan.scratch_bytes == 0 ? 0 : static_cast<size_t>(plan.threads);
    plan_bytes = UsedBytes(plan);
    flags_bytes = RoundedUp(static_cast<int64_t>(slots * sizeof(std::atomic<bool>)), kLineBytes);
    slot_bytes = RoundedUp(plan.scratch_bytes, kPageBytes);
    total = sizeof(PlanHandle) + plan_bytes;
    if (slots != 0) total += kLineBytes + flags_bytes + kPageBytes + slots * slot_bytes;
  }
};

void* Allocate(const dimorder_allocator& allocator, size_t bytes) {
  if (allocator.allocate != nullptr) return allocator.allocate(allocator.ctx, bytes, kLineBytes);
  return ::operator new(bytes, std::nothrow);
}

void Free(PlanHandle* handle) {
  const dimorder_allocator allocator = handle->allocator;
  const size_t bytes = handle->bytes;
  handle->~PlanHandle();
  if (allocator.release != nullptr) return allocator.release(allocator.ctx, handle, bytes);
  ::operator delete(static_cast<void*>(handle), std::nothrow);
}

Status ReadAllocator(const Options& options, dimorder_allocator* allocator) {
  *allocator = dimorder_allocator{};
  if (options.allocator == nullptr) return Status();
  constexpr size_t kFirstBytes = offsetof(dimorder_allocator, ctx) + sizeof(allocator->ctx);
  const Status status = ReadStruct(*options.allocator, kFirstBytes, StructName::kAllocator, allocator);
  if (!status.ok()) return status;
  if (allocator->allocate != nullptr && allocator->release != nullptr) return Status();
  return Status(StatusCode::kInvalidArgument, Rule::kAllocator);
}

ScratchSlots MakeSlots(uint8_t* after_plan, const Regions& regions, const PlanData& plan) {
  if (plan.scratch_bytes == 0) return ScratchSlots();
  uint8_t* flags = after_plan + (kLineBytes - reinterpret_cast<uintptr_t>(after_plan) % kLineBytes);
  uint8_t* memory = flags + regions.flags_bytes;
  memory += kPageBytes - reinterpret_cast<uintptr_t>(memory) % kPageBytes;
  auto* taken = reinterpret_cast<std::atomic<bool>*>(flags);
  for (int32_t i = 0; i < plan.threads; ++i) new (taken + i) std::atomic<bool>(false);
  return ScratchSlots{taken, memory, static_cast<int64_t>(regions.slot_bytes), plan.threads};
}

// The caller's tensors, to measure on.
struct Tensors {
  const void* src;
  void* dst;
};

// Makes a plan by measuring: on `tensors`, or where that is null on scratch. What was found out before is not measured
// again.
Status MakeTunedPlan(const Move& move, const Options& options, const dimorder_allocator& allocator,
                     const Tensors* tensors, PlanStorage<1>* plan) {
  Request request;
  if (Status status = ReadRequest(move, options, &request); !status.ok()) return status;
  Choice choice = {};
  Origin origin = Origin::kEstimate;
  if (request.problem.bytes != 0) choice = Choose(request, &origin);
  const bool measurable = tensors != nullptr || FitsScratch(request.problem);
  if (request.problem.bytes != 0 && origin == Origin::kEstimate && measurable) {
    const TuneJob job{request, allocator, options.tuning_ns};
    const Status status =
        tensors != nullptr ? TuneOn(job, tensors->src, tensors->dst, &choice) : TuneOnScratch(job, &choice);
    if (!status.ok()) return status;
    origin = Origin::kMeasured;
    AddWisdom(WisdomKeyOf(request), choice, request.shape.element_bytes);
  }
  LayOutPlan(request, choice, origin, plan);
  return Status();
}

Result<PlanHandle*> MakeHandle(const PlanStorage<1>& plan, const dimorder_allocator& allocator) {
  const Regions regions(plan.data);
  void* memory = Allocate(allocator, regions.total);
  if (memory == nullptr) {
    return Status(StatusCode::kOutOfMemory, Rule::kAllocationFailed, static_cast<int64_t>(regions.total));
  }
  auto* handle = new (memory) PlanHandle;
  handle->allocator = allocator;
  handle->bytes = regions.total;
  auto* const copy = reinterpret_cast<uint8_t*>(handle + 1);
  memcpy(copy, &plan, regions.plan_bytes);
  handle->slots = MakeSlots(copy + regions.plan_bytes, regions, plan.data);
  return handle;
}

}  // namespace

Result<PlanHandle*> CreateHandle(const Move& move, const Options& options) noexcept {
  dimorder_allocator allocator;
  if (Status status = ReadAllocator(options, &allocator); !status.ok()) return status;
  PlanStorage<1> plan;
  const Status status = options.tuning == Tuning::kMeasure
                            ? MakeTunedPlan(move, options, allocator, /*tensors=*/nullptr, &plan)
                            : MakePlan(move, options, &plan);
  if (!status.ok()) return status;
  return MakeHandle(plan, allocator);
}

void ReleaseHandle(PlanHandle* handle) noexcept {
  if (handle != nullptr) Free(handle);
}

const PlanData& PlanOf(const PlanHandle& handle) noexcept { return handle.plan(); }

Status ExecuteHandle(const PlanHandle* handle, const void* src, void* dst) noexcept {
  if (handle == nullptr) return Status();
  return ExecutePlan(handle->plan(), src, dst, &handle->slots);
}

Result<PlanHandle*> MeasureHandle(const Move& move, const void* src, void* dst, const Options& options) noexcept {
  dimorder_allocator allocator;
  if (Status status = ReadAllocator(options, &allocator); !status.ok()) return status;
  PlanStorage<1> plan;
  const Tensors tensors{src, dst};
  if (Status status = MakeTunedPlan(move, options, allocator, &tensors, &plan); !status.ok()) return status;
  Result<PlanHandle*> handle = MakeHandle(plan, allocator);
  // Nothing was run where the choice was known already.
  if (!handle.ok() || plan.data.origin != Origin::kWisdom) return handle;
  if (Status status = ExecuteHandle(*handle, src, dst); !status.ok()) {
    ReleaseHandle(*handle);
    return status;
  }
  return handle;
}

Result<Plan> Plan::Create(const Move& move, const Options& options) noexcept {
  Result<PlanHandle*> handle = CreateHandle(move, options);
  if (!handle.ok()) return handle.status();
  return Plan(*handle);
}

Result<Plan> Plan::Measure(const Move& move, const void* src, void* dst, const Options& options) noexcept {
  Result<PlanHandle*> handle = MeasureHandle(move, src, dst, options);
  if (!handle.ok()) return handle.status();
  return Plan(*handle);
}

void Plan::Release() noexcept { ReleaseHandle(std::exchange(handle_, nullptr)); }

Status Plan::Execute(const void* src, void* dst) const noexcept { return ExecuteHandle(handle_, src, dst); }

Status Plan::Execute(const void* src, void* dst, std::span<std::byte> workspace) const noexcept {
  if (handle_ == nullptr) return Status();
  return ExecutePlan(handle_->plan(), src, dst, workspace);
}

size_t Plan::ScratchBytes() const noexcept {
  return handle_ == nullptr ? 0 : static_cast<size_t>(handle_->plan().scratch_bytes);
}

size_t Plan::Threads() const noexcept { return handle_ == nullptr ? 1 : static_cast<size_t>(handle_->plan().threads); }

int64_t Plan::Bytes() const noexcept { return handle_ == nullptr ? 0 : handle_->plan().bytes; }

double Plan::EstimatedCost() const noexcept { return handle_ == nullptr ? 0 : handle_->plan().cost_ns; }

size_t Plan::Describe(char* buffer, size_t capacity) const noexcept {
  if (handle_ != nullptr) return DescribePlan(handle_->plan(), buffer, capacity);
  PlanData nothing = {};
  nothing.threads = 1;
  return DescribePlan(nothing, buffer, capacity);
}

}  // namespace v1
}  // namespace dimorder
