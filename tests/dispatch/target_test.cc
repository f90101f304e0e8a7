// SPDX-License-Identifier: Apache-2.0
#include "dispatch/target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "dimorder/targets.h"
#include "hwy/targets.h"
#include "kernels/kernels.h"
#include "tests/targets.h"

namespace dimorder::test {
namespace {

// Leaves the target open.
class TargetTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_TRUE(SetTarget(nullptr).ok()); }
};

TEST_F(TargetTest, SupportedOnesAreCompiledOnesBestFirst) {
  const TargetList compiled = CompiledTargets();
  const TargetList supported = SupportedTargets();
  ASSERT_GE(supported.size(), 1u);
  size_t at = 0;
  for (const char* name : supported) {
    while (at < compiled.size() && std::string(compiled[at]) != name) ++at;
    ASSERT_LT(at, compiled.size()) << name;
  }
  EXPECT_EQ(std::string(compiled[compiled.size() - 1]), supported[supported.size() - 1]);
}

TEST_F(TargetTest, EachCanBeForced) {
  for (const std::string& name : TargetNames()) {
    ASSERT_TRUE(SetTarget(name.c_str()).ok());
    EXPECT_EQ(ActiveTarget(), name);
    const Result<Plan> plan = Plan::Create(Move::Permute({64, 64}, {1, 0}, 4));
    ASSERT_TRUE(plan.ok());
    EXPECT_NE(plan->Describe().find(name), std::string::npos) << plan->Describe();
  }
  ASSERT_TRUE(SetTarget(nullptr).ok());
  EXPECT_EQ(ActiveTarget(), TargetNames().front());
}

// Also where a unit of kernels is not compiled for the target. (Without vectors both are kGeneric's.)
TEST_F(TargetTest, AllElementsHaveKernelsWithVectors) {
  for (const std::string& name : TargetNames()) {
    const Result<int64_t> target = ResolveTarget(name.c_str());
    ASSERT_TRUE(target.ok());
    if (!HasVectors(*target)) continue;
    for (const int64_t bytes : {1, 2, 3, 4, 5, 6, 7, 8, 16}) {
      EXPECT_NE(GetKernel(FindKernelId(Family::kTile, bytes), *target),
                GetKernel(FindKernelId(Family::kStage, bytes), *target))
          << name << " " << bytes;
    }
  }
}

TEST_F(TargetTest, Avx3DlHasKernelsOfItsOwnForBytesOnly) {
  const Result<int64_t> avx3 = ResolveTarget("AVX3"), avx3_dl = ResolveTarget("AVX3_DL");
  if (!avx3.ok() || !avx3_dl.ok()) GTEST_SKIP() << "This machine, or build, lacks one of them.";
  for (const int64_t bytes : {1, 2, 3, 4, 8, 16}) {
    const KernelId id = FindKernelId(Family::kTile, bytes);
    EXPECT_EQ(GetKernel(id, *avx3) == GetKernel(id, *avx3_dl), bytes != 1) << bytes;
  }
}

TEST_F(TargetTest, PlansKeepTheirs) {
  const std::string worst = TargetNames().back();
  Options options;
  options.target = worst.c_str();
  const Result<Plan> plan = Plan::Create(Move::Permute({64, 64}, {1, 0}, 4), options);
  ASSERT_TRUE(SetTarget(nullptr).ok());
  EXPECT_NE(plan->Describe().find(worst), std::string::npos);
}

TEST_F(TargetTest, UnknownNamesLeaveTheActiveOneAlone) {
  const std::string before = ActiveTarget();
  for (const char* name : {"", "AVX17", "avx2", "AVX2 ", "Unknown", "a name that is much longer than any target's"}) {
    EXPECT_EQ(SetTarget(name).rule(), Rule::kUnknownTarget) << name;
    Options options;
    options.target = name;
    const Status status = Plan::Create(Move::Permute({2, 2}, {1, 0}, 4), options).status();
    EXPECT_EQ(status.rule(), Rule::kUnknownTarget) << name;
    for (const std::string& supported : TargetNames()) {
      EXPECT_NE(status.ToString().find(supported), std::string::npos) << status.ToString();
    }
  }
  EXPECT_EQ(ActiveTarget(), before);
}

// A target that Highway knows but this machine lacks, if there is one.
TEST_F(TargetTest, UnsupportedNamesAreToldApart) {
  const std::vector<std::string> supported = TargetNames();
  for (int bit = 0; bit < 62; ++bit) {
    const std::string name = hwy::TargetName(int64_t{1} << bit);
    if (name == hwy::TargetName(0) || std::count(supported.begin(), supported.end(), name) != 0) continue;
    const Status status = SetTarget(name.c_str());
    EXPECT_EQ(status.rule(), Rule::kUnsupportedTarget) << name;
    EXPECT_EQ(status.code(), StatusCode::kUnsupported);
    EXPECT_NE(status.ToString().find('"' + name + '"'), std::string::npos) << status.ToString();
    return;
  }
  GTEST_SKIP() << "this machine runs all of them";
}

TEST_F(TargetTest, ChangesMakeCachedPlansStale) {
  const uint64_t before = PlanGeneration();
  ASSERT_TRUE(SetTarget(TargetNames().back().c_str()).ok());
  EXPECT_GT(PlanGeneration(), before);
}

TEST_F(TargetTest, AsksHighwayWithoutWritingItsState) {
  // What another user of Highway in this process has chosen stays.
  hwy::ChosenTarget& shared = hwy::GetChosenTarget();
  shared.Update(hwy::SupportedTargets());
  const size_t chosen = shared.GetIndex();
  ASSERT_TRUE(SetTarget(TargetNames().back().c_str()).ok());
  EXPECT_EQ(shared.GetIndex(), chosen);
}

}  // namespace
}  // namespace dimorder::test
