// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "dispatch/target.h"
#include "tests/fault.h"
#include "tests/guard.h"
#include "tests/kernels/box_calls.h"
#include "tests/kernels/boxes.h"
#include "tests/targets.h"

// Every kernel of kernels.inc on every target of this machine, on boxes that its family's contract allows, between
// guard pages. A box is a move of rank 4, so the oracle is the same as everywhere.
namespace dimorder::test {
namespace {

// The arguments of a kernel of kTwoPass for a box: element by element, by way of a dense copy in the order of the box.
// It is a last box of fewer steps, or a whole one; the passes of the other kind are missing.
void SetPasses(const Box& box, int64_t element_bytes, int64_t target, size_t number, KernelArgs* args, Passes* passes) {
  *passes = Passes{};
  passes->cut = static_cast<int>(number % kInnerAxes);
  const bool whole = number / kInnerAxes % 2 == 0;
  passes->block = box.inner[passes->cut].n + (whole ? 0 : 1);
  Pass* pass = whole ? passes->whole : passes->rest;
  pass[0].kernel = pass[1].kernel = GetKernel(FindKernelId(Family::kGeneric, element_bytes), target);
  int64_t stride = element_bytes;
  for (int i = 0; i < kInnerAxes; ++i) {
    const Axis& axis = box.inner[i];
    pass[0].args.inner[i] = {axis.n, axis.is, stride};
    pass[1].args.inner[i] = {axis.n, stride, axis.os};
    stride *= axis.n;
  }
  args->SetTables(passes);
}

std::string TextOf(const Box& box) {
  std::string text;
  for (const Axis& a : box.inner) {
    text += " {" + std::to_string(a.n) + "," + std::to_string(a.is) + "," + std::to_string(a.os) + "}";
  }
  return text;
}

size_t ScratchBytes(const KernelInfo& info, const Box& box, size_t number) {
  const int64_t run = RunOf(info, box, number);
  if (info.family == Family::kStageRuns) return static_cast<size_t>(ColumnStageBytes(box.inner[2].n, run));
  if (IsRegrouped(info.family)) {
    return static_cast<size_t>(RegroupBytes(box.inner[1].n, box.inner[0].n, run, info.family == Family::kStageRegroup));
  }
  if (info.family == Family::kTwoPass) {
    int64_t bytes = info.element_bytes;
    for (const Axis& axis : box.inner) bytes *= axis.n;
    return static_cast<size_t>(bytes);
  }
  if (info.family != Family::kStage) return 0;
  return static_cast<size_t>(StageBytes(box.inner, info.element_bytes, run, GroupOf(info, box, number)));
}

size_t MaxScratchBytes(const KernelInfo& info, const std::vector<Box>& boxes) {
  size_t most = 1;
  for (size_t i = 0; i < boxes.size(); ++i) {
    most = std::max(most, ScratchBytes(info, boxes[i], i));
  }
  return most;
}

// Whether KernelArgs::ahead says only that lines are asked for.
bool IsAskingFlag(Family family) {
  return family == Family::kTile || family == Family::kAhead || family == Family::kRegroup;
}

class KernelTest : public testing::TestWithParam<std::tuple<int, std::string>> {};

TEST_P(KernelTest, StaysInsideAndMovesEveryByte) {
  const auto [id, target] = GetParam();
  const KernelInfo& info = GetKernelInfo(static_cast<KernelId>(id));
  const Result<int64_t> bit = ResolveTarget(target.c_str());
  ASSERT_TRUE(bit.ok());
  const KernelFn kernel = GetKernel(static_cast<KernelId>(id), *bit);
  ASSERT_NE(kernel, nullptr);
  const std::string name = std::string(info.name) + " on " + target;

  const std::vector<Box> boxes = BoxesOf(info);
  const Mapping scratch(MaxScratchBytes(info, boxes));
  const Mapping pack(std::max(PackBytes(Pack::kLongColumns), kJoinedPackBytes));
  GuardedBuffers buffers(8 << 20);
  for (size_t number = 0; number < boxes.size(); number += DIMORDER_SLOW_BUILD ? 5 : 1) {
    const Box& box = boxes[number];
    constexpr int64_t kAheads[] = {kLineBytes, 8 * kLineBytes};
    const bool packs = info.family != Family::kBatch && !IsRegrouped(info.family);
    const auto packing =
        packs ? static_cast<Pack>((number / 3 + number / 36) % (info.family == Family::kJoined ? 3 : 4)) : Pack::kNone;
    const auto run = [&](const void* src, void* dst) {
      KernelArgs args{};
      std::copy(std::begin(box.inner), std::end(box.inner), args.inner);
      args.panel = PanelOf(info, number);
      args.run = RunOf(info, box, number);
      args.group = GroupOf(info, box, number);
      args.abreast = AbreastOf(info, number);
      args.lines_panel = LinesPanelOf(info, number);
      args.ahead = IsAskingFlag(info.family) ? static_cast<int64_t>(number / 12 % 2) : kAheads[number / 6 % 2];
      args.packing = packing;
      if (packing != Pack::kNone) {
        args.pack = pack.end() - (info.family == Family::kJoined ? kJoinedPackBytes : PackBytes(packing));
      }
      // Flush against the guard page behind it, as far as its alignment lets it be.
      args.scratch = scratch.end() - (ScratchBytes(info, box, number) + kLineBytes - 1) / kLineBytes * kLineBytes;
      JoinedAxes joined;
      if (info.family == Family::kJoined) {
        joined = Join(args.inner);
        args.SetTables(&joined);
      }
      BlockTables tables;
      if (info.family == Family::kLookup) {
        tables = LookUp(args.inner);
        args.SetTables(&tables);
      }
      Passes passes;
      if (info.family == Family::kTwoPass) SetPasses(box, info.element_bytes, *bit, number, &args, &passes);
      kernel(static_cast<const uint8_t*>(src), static_cast<uint8_t*>(dst), args);
    };
    ASSERT_EQ(buffers.Check(MoveOf(box.inner, info.element_bytes), name + TextOf(box), run), "");
  }
}

std::string TestName(const testing::TestParamInfo<std::tuple<int, std::string>>& test) {
  const auto [id, target] = test.param;
  return std::string(GetKernelInfo(static_cast<KernelId>(id)).name) + "_" + target;
}

INSTANTIATE_TEST_SUITE_P(All, KernelTest,
                         testing::Combine(testing::Range(0, static_cast<int>(kNumKernels)),
                                          testing::ValuesIn(TargetNames())),
                         &TestName);

}  // namespace
}  // namespace dimorder::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  dimorder::test::InstallFaultHandler();
  return RUN_ALL_TESTS();
}
