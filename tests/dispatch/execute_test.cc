// SPDX-License-Identifier: Apache-2.0
#include "dispatch/execute.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "dimorder/dimorder.h"
#include "dispatch/plan.h"
#include "tests/pattern.h"
#include "tests/reference.h"

// Where a plan's scratch comes from: the caller, a slot, the stack, or nowhere.
namespace dimorder::test {
namespace {

struct Buffers {
  explicit Buffers(const Move& move)
      : src(ReferenceExtent(move.src, move.element_bytes).bytes()),
        dst(ReferenceExtent(move.dst, move.element_bytes).bytes()),
        expected(dst.size()) {
    FillPattern(src.data(), src.size());
    ReferenceMove(move, src.data(), expected.data());
  }
  std::vector<uint8_t> src, dst, expected;
};

// A transpose that is staged, in more scratch than tasks may put on their stack.
Move Wide() { return Move::Permute({300, 2500}, {1, 0}, 1); }

PlanStorage<1> StagedPlan(const Move& move) {
  Options options;
  options.stores = Stores::kNonTemporal;
  PlanStorage<1> plan;
  EXPECT_TRUE(MakePlan(move, options, &plan).ok());
  return plan;
}

TEST(Scratch, WorkspaceOfTheStatedSizeServesAtAnyAddress) {
  Options options;
  options.stores = Stores::kNonTemporal;
  const Result<Plan> plan = Plan::Create(Wide(), options);
  ASSERT_TRUE(plan.ok());
  const size_t bytes = plan->ScratchBytes() * plan->Threads();
  std::vector<std::byte> memory(bytes + 2 * 64, std::byte{0x5a});
  for (size_t phase = 0; phase < 64; phase += 7) {
    Buffers buffers(Wide());
    const std::span<std::byte> workspace(memory.data() + phase, bytes);
    ASSERT_TRUE(plan->Execute(buffers.src.data(), buffers.dst.data(), workspace).ok());
    EXPECT_EQ(buffers.dst, buffers.expected);
    for (size_t i = bytes + phase; i < memory.size(); ++i) ASSERT_EQ(memory[i], std::byte{0x5a});
  }
  Buffers buffers(Wide());
  const std::span<std::byte> too_small(memory.data(), bytes - 1);
  EXPECT_EQ(plan->Execute(buffers.src.data(), buffers.dst.data(), too_small).rule(), Rule::kWorkspaceSize);
}

TEST(Scratch, TargetsWithoutStagingNeedNone) {
  const Result<Plan> plan = Plan::Create(Move::Permute({8, 8}, {1, 0}, 4));
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->ScratchBytes(), 0u);
  Buffers buffers(Move::Permute({8, 8}, {1, 0}, 4));
  EXPECT_TRUE(plan->Execute(buffers.src.data(), buffers.dst.data(), {}).ok());
  EXPECT_EQ(buffers.dst, buffers.expected);
}

TEST(Scratch, WithoutAnyTheDirectKernelRuns) {
  const PlanStorage<1> plan = StagedPlan(Wide());
  EXPECT_GT(plan.data.scratch_bytes, kStackScratchBytes);
  Buffers buffers(Wide());
  ASSERT_TRUE(ExecutePlan(plan.data, buffers.src.data(), buffers.dst.data(), nullptr).ok());
  EXPECT_EQ(buffers.dst, buffers.expected);
}

TEST(Scratch, SlotsAreTakenAndGivenBack) {
  const PlanStorage<1> plan = StagedPlan(Wide());
  std::vector<uint8_t> memory(static_cast<size_t>(2 * plan.data.scratch_bytes + kLineBytes));
  std::atomic<bool> taken[2] = {true, false};
  const ScratchSlots slots = {taken,
                              memory.data() + kLineBytes - reinterpret_cast<uintptr_t>(memory.data()) % kLineBytes,
                              plan.data.scratch_bytes, 2};
  for (bool second_taken : {false, true}) {
    taken[1] = second_taken;
    Buffers buffers(Wide());
    ASSERT_TRUE(ExecutePlan(plan.data, buffers.src.data(), buffers.dst.data(), &slots).ok());
    EXPECT_EQ(buffers.dst, buffers.expected);
    EXPECT_TRUE(taken[0]);
    EXPECT_EQ(taken[1], second_taken);
  }
}

TEST(Scratch, SmallScratchLivesOnTheStack) {
  const Move move = Move::Permute({700, 24}, {1, 0}, 4);
  const PlanStorage<1> plan = StagedPlan(move);
  EXPECT_LE(plan.data.scratch_bytes, kStackScratchBytes);
  Buffers buffers(move);
  ASSERT_TRUE(ExecutePlan(plan.data, buffers.src.data(), buffers.dst.data(), nullptr).ok());
  EXPECT_EQ(buffers.dst, buffers.expected);
}

}  // namespace
}  // namespace dimorder::test
