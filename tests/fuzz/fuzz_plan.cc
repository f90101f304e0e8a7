// SPDX-License-Identifier: Apache-2.0
// Fuzzes Plan::Create and Execute, with the oracle as the judge.
//
// The bytes are read as a request: element size, rank, sizes, then one of the three kinds of move with whatever orders,
// strides and offsets follow, and the conditions of the run. Nothing is made valid: Create has to refuse what is not,
// and nothing else. What it accepts is run and compared byte by byte, gaps and margins included, as long as it fits the
// memory at hand.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "dimorder/targets.h"
#include "tests/check.h"
#include "tests/fuzz/byte_reader.h"
#include "tests/reference_rules.h"
#include "tests/trial.h"

namespace dimorder::test {
namespace {

constexpr int64_t kMaxReach = int64_t{1} << 20;

[[noreturn]] void Fail(const Trial& trial, const std::string& what) {
  std::fprintf(stderr, "%s\n%s\n", what.c_str(), ToText(trial).c_str());
  std::abort();
}

AxisList ReadOrder(ByteReader& bytes, size_t rank) {
  std::vector<int> axes(rank);
  for (size_t i = 0; i < rank; ++i) axes[i] = static_cast<int>(i);
  // Mostly permutations, by swaps; at times whatever the bytes say.
  const bool any = bytes.OneIn(16);
  for (size_t i = 0; i < rank; ++i) {
    const size_t other = bytes.Next() % rank;
    if (any) {
      axes[i] = static_cast<int>(other) - static_cast<int>(bytes.OneIn(8));
    } else {
      std::swap(axes[i], axes[other]);
    }
  }
  return AxisList(axes.data(), axes.size());
}

std::vector<int64_t> ReadSizes(ByteReader& bytes) {
  std::vector<int64_t> sizes(bytes.OneIn(16) ? bytes.Next() % 36 : bytes.Next() % 6);
  int64_t room = 4096;
  for (int64_t& n : sizes) {
    const bool any = bytes.OneIn(32);
    n = any ? bytes.Wide() : std::min<int64_t>(1 + bytes.Next() % 80, room);
    if (!any) room /= n;
  }
  return sizes;
}

// Strides that nest, each a little more than it needs, or anything. Huge elements make them wrap, hence unsigned.
Layout ReadStrided(ByteReader& bytes, const std::vector<int64_t>& sizes, int64_t element) {
  if (sizes.size() > kMaxRank) return Layout::Strided(sizes, sizes);
  const AxisList order = ReadOrder(bytes, sizes.size());
  std::vector<int64_t> strides(sizes.size());
  uint64_t span = static_cast<uint64_t>(element);
  for (size_t i = sizes.size(); i-- > 0;) {
    const int entry = order[i % kMaxRank];
    const size_t axis = static_cast<size_t>(entry < 0 ? 0 : entry) % sizes.size();
    const uint64_t stride = span + (bytes.OneIn(4) ? bytes.Next() % 70 : 0);
    const uint64_t varied = bytes.OneIn(8) ? 0 - stride : bytes.OneIn(8) ? 0 : stride;
    strides[axis] = bytes.OneIn(16) ? bytes.Wide() : static_cast<int64_t>(varied);
    if (sizes[axis] > 1) span = stride * static_cast<uint64_t>(sizes[axis]);
  }
  if (bytes.OneIn(64)) strides.push_back(1);
  return Layout::Strided(sizes, strides, bytes.OneIn(8) ? bytes.Wide() : bytes.Next());
}

Layout ReadLayout(ByteReader& bytes, const std::vector<int64_t>& sizes, int64_t element) {
  if (bytes.OneIn(2) || sizes.empty()) return Layout::InOrder(sizes, ReadOrder(bytes, sizes.size()));
  return ReadStrided(bytes, sizes, element);
}

Move ReadMove(ByteReader& bytes) {
  static constexpr int64_t kElements[] = {1, 2, 4, 8, 16, 3, 6, 12};
  const int64_t element = bytes.OneIn(16) ? bytes.Wide() : kElements[bytes.Next() % 8];
  const std::vector<int64_t> sizes = ReadSizes(bytes);
  switch (bytes.Next() % 4) {
    case 0:
      return Move::Permute(sizes, ReadOrder(bytes, sizes.size()), element);
    case 1: {
      const DimOrder from = ReadOrder(bytes, sizes.size());
      return Move::ToDimOrder(sizes, from, ReadOrder(bytes, sizes.size()), element);
    }
    default: {
      const Layout src = ReadLayout(bytes, sizes, element);
      return Move::Between(src, ReadLayout(bytes, sizes, element), element);
    }
  }
}

Conditions ReadConditions(ByteReader& bytes) {
  const TargetList targets = SupportedTargets();
  Conditions conditions;
  conditions.target = targets[bytes.Next() % targets.size()];
  conditions.src_phase = bytes.Next() % 64;
  conditions.dst_phase = bytes.Next() % 64;
  conditions.stores = static_cast<Stores>(bytes.Next() % 3);
  conditions.runner = bytes.OneIn(4) ? Runner::kReversed : Runner::kSerial;
  conditions.tasks = 1 + bytes.Next() % 5;
  conditions.call = static_cast<Call>(bytes.Next() % 3);
  return conditions;
}

// Whether an accepted layout lies near its pointer, so that there is memory for it.
bool IsNear(const Layout& layout, int64_t element_bytes) {
  const Extent extent = ReferenceExtent(layout, element_bytes);
  return extent.begin >= -kMaxReach && extent.end <= kMaxReach;
}

void CheckBytes(const uint8_t* data, size_t size) {
  ByteReader bytes(data, size);
  const Move move = ReadMove(bytes);
  const Trial trial{move, ReadConditions(bytes)};
  Options options;
  options.target = trial.conditions.target.c_str();
  options.stores = trial.conditions.stores;
  const Result<Plan> plan = Plan::Create(move, options);
  if (plan.ok() != ReferenceAccepts(move)) Fail(trial, plan.ok() ? "accepted" : plan.status().ToString());
  if (!plan.ok()) {
    if (plan.status().ToString().empty()) Fail(trial, "a status without text");
    return;
  }
  if (plan->Describe().empty()) Fail(trial, "a plan without text");
  if (!IsNear(move.src, move.element_bytes) || !IsNear(move.dst, move.element_bytes)) return;
  const std::string wrong = MoveCheck(move).Run(trial.conditions);
  if (!wrong.empty()) Fail(trial, wrong);
}

}  // namespace
}  // namespace dimorder::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  dimorder::test::CheckBytes(data, size);
  return 0;
}
