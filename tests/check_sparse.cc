// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "tests/check.h"
#include "tests/mapping.h"
#include "tests/random.h"
#include "tests/run.h"

namespace dimorder::test {
namespace {

constexpr size_t kSparseBytes = size_t{1} << 28;

// A hash of the element's place, never the zero that fresh pages hold.
void FillElement(uint8_t* element, int64_t from, int64_t bytes) {
  for (int64_t i = 0; i < bytes; ++i) element[i] = static_cast<uint8_t>(Mix(static_cast<uint64_t>(from + i)) | 1);
}

}  // namespace

bool IsSparse(const Move& move) {
  return ReferenceExtent(move.src, move.element_bytes).bytes() > kSparseBytes ||
         ReferenceExtent(move.dst, move.element_bytes).bytes() > kSparseBytes;
}

std::string CheckSparse(const Move& move, const Conditions& conditions, int* skipped) {
  const Extent src_extent = ReferenceExtent(move.src, move.element_bytes);
  const Extent dst_extent = ReferenceExtent(move.dst, move.element_bytes);
  const Mapping src_pages(src_extent.bytes() + 64);
  const Mapping dst_pages(dst_extent.bytes() + 64);
  if (!src_pages.ok() || !dst_pages.ok()) {
    ++*skipped;
    return {};
  }
  uint8_t* src = src_pages.begin() + conditions.src_phase - src_extent.begin;
  uint8_t* dst = dst_pages.begin() + conditions.dst_phase - dst_extent.begin;
  ForEachElement(move, [&](int64_t from, int64_t) { FillElement(src + from, from, move.element_bytes); });

  const Status status = RunMove(move, conditions, src, dst);
  if (!status.ok()) return "failed: " + status.ToString();
  std::string wrong;
  ForEachElement(move, [&](int64_t from, int64_t to) {
    const size_t bytes = static_cast<size_t>(move.element_bytes);
    if (wrong.empty() && std::memcmp(src + from, dst + to, bytes) != 0) {
      wrong = "mismatch: the element at destination byte " + std::to_string(to);
    }
  });
  return wrong;
}

}  // namespace dimorder::test
