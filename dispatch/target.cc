// SPDX-License-Identifier: Apache-2.0
#include "dispatch/target.h"

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dimorder/targets.h"
#include "dispatch/once.h"
#include "dispatch/status_values.h"
#include "hwy/targets.h"
#include "kernels/kernels.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Highway's bits: the lower the better.
constexpr int kTargetBits = 63;

// The target of SetTarget: kNoTarget if it was told to name none, kUnset before its first success.
constexpr int64_t kUnset = -1;
std::atomic<int64_t> chosen_target{kUnset};

int64_t BestOf(int64_t mask) { return mask & -mask; }

// hwy::SupportedTargets() leaves all that the machine has in the process-wide hwy::ChosenTarget, which would undo an
// hwy::DisableTargets of another user of Highway: put back what its next dispatch would find.
int64_t AskHighway() {
  hwy::ChosenTarget& shared = hwy::GetChosenTarget();
  const bool initialized = shared.IsInitialized();
  const int64_t supported = hwy::SupportedTargets();
  if (initialized) {
    shared.Update(supported);
  } else {
    shared.DeInit();
  }
  return supported;
}

constinit Once<int64_t> supported_mask;

int64_t SupportedMask() {
  return supported_mask.Get([] {
    const int64_t compiled = CompiledTargetMask();
    // The worst target that is compiled is the one of the compiler's own flags: where this code runs, it runs.
    const uint64_t baseline = std::bit_floor(static_cast<uint64_t>(compiled));
    return (compiled & AskHighway()) | static_cast<int64_t>(baseline);
  });
}

// Whether Highway knows the name on this architecture.
bool IsTargetName(std::string_view name) {
  const std::string_view no_name = hwy::TargetName(0);
  if (name == no_name) return false;
  for (int bit = 0; bit < kTargetBits; ++bit) {
    if (name == hwy::TargetName(int64_t{1} << bit)) return true;
  }
  return false;
}

Result<int64_t> FindTarget(std::string_view name) {
  for (int64_t rest = SupportedMask(); rest != 0; rest &= rest - 1) {
    if (name == hwy::TargetName(BestOf(rest))) return BestOf(rest);
  }
  return IsTargetName(name) ? NameStatus(StatusCode::kUnsupported, Rule::kUnsupportedTarget, name)
                            : NameStatus(StatusCode::kInvalidArgument, Rule::kUnknownTarget, name);
}

constinit Once<Result<int64_t>> initial_target;

// What holds until SetTarget: the environment's choice, or its error, or kNoTarget.
Result<int64_t> InitialTarget() {
  return initial_target.Get([] {
    const char* name = getenv("DIMORDER_TARGET");
    return name == nullptr || *name == '\0' ? Result<int64_t>(int64_t{kNoTarget}) : FindTarget(name);
  });
}

TargetList ListOf(int64_t mask) {
  TargetList list{};
  for (; mask != 0 && list.count < list.names.size(); mask &= mask - 1) {
    list.names[list.count++] = hwy::TargetName(BestOf(mask));
  }
  return list;
}

}  // namespace

TargetList CompiledTargets() noexcept { return ListOf(CompiledTargetMask()); }

TargetList SupportedTargets() noexcept { return ListOf(SupportedMask()); }

const char* ActiveTarget() noexcept {
  const Result<int64_t> target = ResolveTarget(nullptr);
  return target.ok() ? TargetName(*target) : nullptr;
}

Status SetTarget(const char* name) noexcept {
  const Result<int64_t> target = name == nullptr ? Result<int64_t>(int64_t{kNoTarget}) : FindTarget(name);
  if (!target.ok()) return target.status();
  // In this order: who reads the new generation makes plans for the new target.
  chosen_target.store(*target, std::memory_order_release);
  AdvancePlanGeneration();
  return Status();
}

Result<int64_t> NamedTarget(const char* name) noexcept {
  if (name != nullptr) return FindTarget(name);
  const int64_t chosen = chosen_target.load(std::memory_order_acquire);
  return chosen != kUnset ? Result<int64_t>(int64_t{chosen}) : InitialTarget();
}

int64_t BestTarget() noexcept { return BestOf(SupportedMask()); }

Result<int64_t> ResolveTarget(const char* name) noexcept {
  const Result<int64_t> named = NamedTarget(name);
  return named.ok() && *named == kNoTarget ? Result<int64_t>(BestTarget()) : named;
}

const char* TargetName(int64_t target) noexcept { return hwy::TargetName(target); }

// Highway's bits are lower for the better of two targets, and for x86 than for the others.
bool HasVectors(int64_t target) noexcept { return target != HWY_SCALAR && target != HWY_EMU128; }

int64_t VectorBytes(int64_t target) noexcept { return target < HWY_AVX2 ? 64 : target == HWY_AVX2 ? 32 : 16; }

int64_t Avx2Beside(int64_t target) noexcept {
  return target < HWY_AVX3 && (SupportedMask() & HWY_AVX2) != 0 ? HWY_AVX2 : target;
}

}  // namespace v1
}  // namespace dimorder
