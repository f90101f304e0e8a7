// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_TARGET_H_
#define DIMORDER_DISPATCH_TARGET_H_

#include <atomic>
#include <cstdint>

#include "dimorder/status.h"

namespace dimorder {
inline namespace v1 {

inline constexpr int64_t kNoTarget = 0;
// Highway's bit of the target that is named: by `name`, or where it is null by SetTarget or the environment (targets.h
// has the rules); kNoTarget if none is.
Result<int64_t> NamedTarget(const char* name) noexcept;
// The best one that this machine runs.
int64_t BestTarget() noexcept;
// The named one, or the best if none is. (Plans may go by another one then: ChooseTarget.)
Result<int64_t> ResolveTarget(const char* name) noexcept;
const char* TargetName(int64_t target) noexcept;
// Whether its kernels have vectors; without, most go element by element.
bool HasVectors(int64_t target) noexcept;
// Bytes of a vector of its kernels; 16 where they have none, or none of a fixed size, or are of SVE_256 or WASM_EMU256,
// on which nothing was measured.
int64_t VectorBytes(int64_t target) noexcept;
// AVX2 where it is supported, and `target` is AVX3_DL or better, as Zen 4 has it; else `target`.
int64_t Avx2Beside(int64_t target) noexcept;

// Grows with every event that makes cached plans stale: a change of target, of wisdom, of capacity, ClearPlanCache.
// A plan may be cached under the generation that was read before it was made. Inline: every one-shot call reads it.
inline constinit std::atomic<uint64_t> plan_generation{0};
inline uint64_t PlanGeneration() noexcept { return plan_generation.load(std::memory_order_acquire); }
inline void AdvancePlanGeneration() noexcept { plan_generation.fetch_add(1, std::memory_order_acq_rel); }

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_TARGET_H_
