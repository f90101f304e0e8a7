// SPDX-License-Identifier: Apache-2.0
// Family kStage: a transpose that reaches memory as whole cache lines, past the caches.
//
// A transpose beyond the caches that stores directly reads each destination line before it writes it, and writes it in
// pieces. Here a run of every destination column is gathered in scratch first (which stays in L2), then streamed out
// line by line. Direct non-temporal stores from the microtile were slower: 32 bytes a line at a time leave
// write-combining buffers half full. So was streaming a few columns at a time while the next were gathered, unless
// these are asked for in the right order (group-staging-inl.h). Where columns adjoin in the destination and fit into a
// run, they are one (adjoining-inl.h).
//
// Where columns turn out to begin with lines, or to share them in a way that microtiles can make, there is nothing to
// gather, if the plan says so: see NeedsNoStage.
#if defined(DIMORDER_KERNELS_STAGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_STAGE_INL_H_
#undef DIMORDER_KERNELS_STAGE_INL_H_
#else
#define DIMORDER_KERNELS_STAGE_INL_H_
#endif

#include <type_traits>

#include "kernels/adjoining-inl.h"
#include "kernels/column-staging-inl.h"
#include "kernels/group-staging-inl.h"
#include "kernels/lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Whether kLines can make the lines that adjoining columns share, and columns are so many lines that it is worth it: 64
// and 96 floats at 16 bytes past a line 0.8 and 0.7 of the time, 32 floats 1.15.
template <class T>
HWY_INLINE bool MakesSeams(const uint8_t* dst, const KernelArgs& args) {
  const int64_t os = args.inner[1].os;
  return os % kLineBytes == 0 && os > 2 * kLineBytes && HasSeams<T>(args, static_cast<int64_t>(BytesToLine(dst)));
}

// Whether kLines needs no stage: 0.6 to 0.9 of the time (12544 columns of 96 floats 1.8 -> 1.2 times a copy).
template <class T>
HWY_INLINE bool NeedsNoStage(const uint8_t* dst, const KernelArgs& args) {
  return args.lines_panel != 0 && (OnLines(dst, args) || MakesSeams<T>(dst, args));
}

template <class T>
HWY_NOINLINE void ByLines(const uint8_t* src, uint8_t* dst, KernelArgs args) {
  args.panel = args.lines_panel;
  Lines<T>(src, dst, args);
}

template <class T>
void Stage(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  if constexpr (std::is_integral_v<T>) {
    if (NeedsNoStage<T>(dst, args)) return ByLines<T>(src, dst, args);
    if (args.group != 0) return GroupStaging<T>(src, dst, args).Run();
  }
  if (ColumnsAdjoin(args.inner, sizeof(T), args.run)) {
    StageAdjoining<T>(src, dst, args);
  } else {
    ColumnStaging({sizeof(T), &GatherElements<T>}, src, dst, args).Run<Level::kL2>();
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_STAGE_INL_H_
