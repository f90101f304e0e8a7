// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TARGETS_H_
#define DIMORDER_TARGETS_H_

#include <array>
#include <cstddef>

#include "dimorder/export.h"
#include "dimorder/status.h"

// Which instruction set the kernels use. Where none is named, that is the best one that the machine runs, or for some
// moves one with shorter vectors, where these are faster: on Zen 4 many transposes go by AVX2. Plan::Describe() names a
// plan's. Options::target names one for a plan; the environment variable DIMORDER_TARGET (read once, at the first use)
// or SetTarget for all that have none, as in
//
//   DIMORDER_TARGET=SSE4 ./app
//   for (const char* name : dimorder::SupportedTargets()) { dimorder::SetTarget(name); ... }
//
// Names are Highway's: SSE4, AVX2, AVX3, AVX3_DL, NEON, SVE, ... What the compiler's own flags allow is always there:
// SCALAR or EMU128 where that is no vectors, as on x86 mostly, or else such as NEON.
namespace dimorder {
inline namespace v1 {

// Names, best first.
struct TargetList {
  std::array<const char*, 32> names;
  size_t count = 0;

  const char* const* begin() const { return names.data(); }
  const char* const* end() const { return names.data() + count; }
  size_t size() const { return count; }
  const char* operator[](size_t i) const { return names[i]; }
};

// The targets that this build holds, whether the machine runs them or not.
DIMORDER_EXPORT TargetList CompiledTargets() noexcept;

// Those of them that this machine runs. Never empty.
DIMORDER_EXPORT TargetList SupportedTargets() noexcept;

// The name of the target that SetTarget or the environment names, or of the best one if neither does; nullptr when
// DIMORDER_TARGET holds a name that is not supported: Plan::Create then returns kUnknownTarget or kUnsupportedTarget
// until a call of SetTarget succeeds.
DIMORDER_EXPORT const char* ActiveTarget() noexcept;

// Makes later plans use `name`; nullptr names none, whatever the environment says. Existing plans keep theirs.
// Thread-safe.
// Errors: kUnknownTarget, kUnsupportedTarget (the text lists the supported names); the active target then stays.
DIMORDER_EXPORT Status SetTarget(const char* name) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_TARGETS_H_
