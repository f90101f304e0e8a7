// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_WISDOM_H_
#define DIMORDER_WISDOM_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dimorder/export.h"
#include "dimorder/status.h"

// Wisdom is what Tuning::kMeasure found out: for a problem, a target and a number of threads, the fastest choice of
// kernel, blocks, order and stores. All plans made later in the process for the same problem, target and threads use
// it, whatever their tuning. (Measuring tries no other target: targets.h says which one a plan has.) It is kept as
// text, so that one run on a machine of a kind serves all runs on machines of that kind:
//
//   dimorder-wisdom 2 l2=524288 last=33554432
//   AVX2 threads=1 problem=0f8e... Stage4 pack=0 panel=8 run=512 rows=1024 cols=256 swap=0 copy=0
//   end 1
//
// A problem is a hash of its canonical form (fused axes, strides, element size) and of Options::stores. All functions
// are thread-safe.
namespace dimorder {
inline namespace v1 {

// At most this many problems are remembered; later ones are measured anew each time.
inline constexpr size_t kMaxWisdom = 1024;

// Writes all of it, or nothing where another call does not end (WisdomImport::skipped); the same contract as
// Status::Format.
DIMORDER_EXPORT size_t ExportWisdom(char* buffer, size_t capacity) noexcept;

inline std::string ExportWisdom() {
  std::string text;
  for (size_t bytes = ExportWisdom(nullptr, 0); bytes != text.size(); bytes = ExportWisdom(nullptr, 0)) {
    text.resize(bytes);
    ExportWisdom(text.data(), bytes + 1);
  }
  return text;
}

struct WisdomImport {
  size_t taken = 0;
  size_t skipped = 0;  // lines for a kernel or a target that this build lacks; all where another call did not end
                       // within a quarter of a second, as in a child that was forked amid it
};

// Adds the problems in `text` to those remembered, in their place where both know one. All or nothing: a text that is
// not wisdom of this version, is incomplete or malformed (kWisdomLine, with the line's number), comes from a machine
// with other caches (kWisdomMachine) or holds too much (kWisdomSize) is refused and changes nothing.
DIMORDER_EXPORT Result<WisdomImport> ImportWisdom(std::string_view text) noexcept;

// Forgets everything, unless another call does not end (WisdomImport::skipped).
DIMORDER_EXPORT void ForgetWisdom() noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_WISDOM_H_
