// SPDX-License-Identifier: Apache-2.0
#include "tests/guard.h"

#include <algorithm>

#include "tests/fault.h"
#include "tests/pattern.h"
#include "tests/reference.h"

namespace dimorder::test {
namespace {

uint8_t* Flush(const Mapping& mapping, size_t bytes, bool at_end) {
  return at_end ? mapping.end() - bytes : mapping.begin();
}

}  // namespace

std::string GuardedBuffers::Check(const Move& move, const std::string& note,
                                  const std::function<void(const void*, void*)>& run) {
  const Extent from = ReferenceExtent(move.src, move.element_bytes);
  const Extent to = ReferenceExtent(move.dst, move.element_bytes);
  if (!src_.ok() || !dst_.ok() || from.bytes() > src_.bytes() || to.bytes() > dst_.bytes()) return "no memory";
  source_.resize(from.bytes());
  expected_.assign(to.bytes(), kCanary);
  FillPattern(source_.data(), source_.size());
  ReferenceMove(move, source_.data() - from.begin, expected_.data() - to.begin);

  for (int corner = 0; corner < 4; ++corner) {
    uint8_t* src = Flush(src_, from.bytes(), (corner & 1) != 0);
    uint8_t* dst = Flush(dst_, to.bytes(), (corner & 2) != 0);
    const std::string where = note + (corner & 1 ? " source at end" : " source at start") +
                              (corner & 2 ? " destination at end" : " destination at start");
    std::copy(source_.begin(), source_.end(), src);
    std::fill_n(dst, expected_.size(), kCanary);
    NoteForFault(where);
    run(src - from.begin, dst - to.begin);
    if (!std::equal(expected_.begin(), expected_.end(), dst)) return "mismatch: " + where;
  }
  return {};
}

}  // namespace dimorder::test
