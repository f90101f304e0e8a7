// SPDX-License-Identifier: Apache-2.0
#include "tests/check.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "tests/pattern.h"
#include "tests/red_zone.h"
#include "tests/run.h"

// The destination starts as canaries everywhere; the oracle's result on the same canaries is what it must be
// afterwards, gaps and margins included. Under AddressSanitizer the margins may not even be read.
namespace dimorder::test {
namespace {

constexpr size_t kLine = 64;
constexpr size_t kMargin = 64;

// Memory for an image whose first byte after `margin` lies `phase` bytes past a line, between red zones.
class Placed {
 public:
  Placed(size_t bytes, int64_t phase)
      : bytes_(bytes),
        start_(kMargin + static_cast<size_t>(phase)),
        total_((start_ + bytes + kMargin + kLine - 1) / kLine * kLine),
        memory_(static_cast<uint8_t*>(std::aligned_alloc(kLine, total_))) {}

  uint8_t* first() const { return memory_.get() + start_; }
  RedZone Before() const { return {memory_.get(), start_}; }
  RedZone After() const { return {first() + bytes_, total_ - start_ - bytes_}; }

 private:
  struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
  };
  size_t bytes_, start_, total_;
  std::unique_ptr<uint8_t, Free> memory_;
};

// Says which element, gap or margin holds the byte at `at` (from the destination pointer).
std::string Where(const Move& move, const Extent& extent, int64_t at) {
  if (at < extent.begin) return "a byte before the destination";
  if (at >= extent.end) return "a byte after the destination";
  int64_t number = 0, found = -1;
  ForEachElement(move, [&](int64_t, int64_t to) {
    if (at >= to && at < to + move.element_bytes) found = number;
    ++number;
  });
  return found < 0 ? "a gap of the destination" : "element " + std::to_string(found);
}

std::string Mismatch(const std::string& where, int64_t at, int got, int want) {
  return "mismatch: " + where + ", byte " + std::to_string(at) + ": got " + std::to_string(got) + ", want " +
         std::to_string(want);
}

}  // namespace

MoveCheck::MoveCheck(const Move& move)
    : move_(move),
      src_extent_(ReferenceExtent(move.src, move.element_bytes)),
      dst_extent_(ReferenceExtent(move.dst, move.element_bytes)),
      source_(src_extent_.bytes()),
      expected_(dst_extent_.bytes() + 2 * kMargin, kCanary) {
  FillPattern(source_.data(), source_.size());
  ReferenceMove(move, source_.data() - src_extent_.begin, expected_.data() + kMargin - dst_extent_.begin);
}

std::string MoveCheck::Run(const Conditions& conditions) const {
  const Placed src(source_.size(), conditions.src_phase);
  const Placed dst(dst_extent_.bytes(), conditions.dst_phase);
  std::copy(source_.begin(), source_.end(), src.first());
  std::memset(dst.first() - kMargin, kCanary, expected_.size());
  Status status;
  {
    [[maybe_unused]] const RedZone zones[] = {src.Before(), src.After(), dst.Before(), dst.After()};
    status = RunMove(move_, conditions, src.first() - src_extent_.begin, dst.first() - dst_extent_.begin);
  }
  if (!status.ok()) return "failed: " + status.ToString();
  if (!std::equal(source_.begin(), source_.end(), src.first())) return "mismatch: the source was written to";
  const uint8_t* image = dst.first() - kMargin;
  if (std::memcmp(image, expected_.data(), expected_.size()) == 0) return {};
  const size_t i =
      static_cast<size_t>(std::mismatch(expected_.begin(), expected_.end(), image).first - expected_.begin());
  const int64_t at = static_cast<int64_t>(i) - static_cast<int64_t>(kMargin) + dst_extent_.begin;
  return Mismatch(Where(move_, dst_extent_, at), at, image[i], expected_[i]);
}

}  // namespace dimorder::test
