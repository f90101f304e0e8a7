// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_KERNELS_KERNELS_H_
#define DIMORDER_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>

// Microkernels: one function type, one list (kernels.inc), built once per target. Code here moves bytes between
// pointers; it does not allocate, decide, split work or report errors, and it never touches a byte outside of its box.
namespace dimorder {
inline namespace v1 {

// One loop of a move: `n` steps, `is` source bytes and `os` destination bytes apart. (FFTW's iodim, in bytes.)
struct Axis {
  int64_t n;
  int64_t is;
  int64_t os;
};

// Axes that one kernel call walks.
inline constexpr int kInnerAxes = 3;

// A box of inner[0].n * inner[1].n * inner[2].n elements. Unused axes have n = 1. What inner[0] and inner[1] mean is
// the family's business (below); inner[2] is any further axis, walked outermost.
struct KernelArgs {
  const uint8_t* src;  // element (0,0,0)
  uint8_t* dst;
  Axis inner[kInnerAxes];
  int64_t panel;       // kTile, kStage: source rows, at least 1, that are walked side by side
  uint8_t* scratch;    // kStage: StageBytes() bytes, aligned to kLineBytes; else unused
  const void* params;  // of value transforms; moves leave it null
};

using KernelFn = void (*)(const KernelArgs& args);

// Families. E is the element's bytes, 1, 2, 4, 8 or 16. Strides named "any" have either sign on the source and are
// positive on the destination.
enum class Family : uint8_t {
  kRun,      // inner[0] = {bytes, 1, 1}: contiguous runs of any length
  kStream,   // kRun with full cache lines written past the caches
  kTile,     // inner[0] = {rows, any, E}, inner[1] = {cols, E, any}: a transpose, rows and cols as in the source
  kStage,    // kTile by way of scratch, full cache lines written past the caches
  kZip,      // inner[0] = {C, any, E}, inner[1] = {n, E, C * E}: interleaves C rows, IsZipCount(C, E)
  kUnzip,    // inner[0] = {n, C * E, E}, inner[1] = {C, E, any}: deinterleaves into C rows, IsZipCount(C, E)
  kGeneric,  // any strides on all axes
};

// Ids in the order of kernels.inc.
enum KernelId : uint8_t {
#define DIMORDER_KERNEL(name, family, bytes) k##name,
#include "kernels/kernels.inc"
#undef DIMORDER_KERNEL
  kNumKernels
};

struct KernelInfo {
  const char* name;
  Family family;
  uint8_t element_bytes;  // 1 for kRun and kStream, which take any run
};
const KernelInfo& GetKernelInfo(KernelId id) noexcept;

// The kernel of a family and element size; kNumKernels when there is none.
KernelId FindKernelId(Family family, int64_t element_bytes) noexcept;

// The kernel built for one Highway target (HWY_AVX2, ...), which must be one of CompiledTargetMask().
KernelFn GetKernel(KernelId id, int64_t target) noexcept;

// The Highway targets that this build holds, as a bit mask.
int64_t CompiledTargetMask() noexcept;

inline constexpr int64_t kLineBytes = 64;

// Counts for which kZip and kUnzip are made: 2, 3, 4, and up to what fits into a 16-byte block. From there on a
// transpose has enough rows and columns for whole tiles.
constexpr bool IsZipCount(int64_t count, int64_t element_bytes) {
  return count >= 2 && (count <= 4 || count * element_bytes < 16);
}

// kStage gathers this many bytes of each destination row before it streams them.
inline constexpr int64_t kStageRunBytes = 512;
// Bytes from one staged row to the next, less the destination's phase: an odd number of lines, so that rows do not
// fall into the same cache set, with one line more than the run for the row's phase.
inline constexpr int64_t kStagePitch = kStageRunBytes + kLineBytes;
// Scratch of kStage for a box of `cols` columns: a multiple of a line.
constexpr int64_t StageBytes(int64_t cols) { return cols * (kStagePitch + kLineBytes); }

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_KERNELS_KERNELS_H_
