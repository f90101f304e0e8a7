// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/object_code.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include "bench/gate/scope.h"

namespace dimorder::bench::gate {
namespace {

constexpr char kTilePlan[] = "AVX2 Tile4 {8:64>4}{16:4>32} panel 32 threads 1 by estimate bytes 512";
constexpr char kRunPlan[] = "AVX2 Run {64:1>1} loops 4{:64>128} threads 1 by estimate bytes 512";

// One compilation of fixture.cc.
ObjectCode Fixture(const std::string& name) {
  return ObjectCode(std::string(GATE_FIXTURES) + "/gate_fixture_" + name + ".dir");
}

// What is the same between the plain fixture and another one.
struct Sameness {
  bool planner, tile, run;
  bool operator==(const Sameness&) const = default;
};
Sameness Compare(const std::string& name) {
  const ObjectCode base = Fixture("plain");
  const ObjectCode head = Fixture(name);
  Scope scope(base, head);
  return {scope.SamePlanner(), scope.SameKernels(kTilePlan), scope.SameKernels(kRunPlan)};
}

TEST(ObjectCodeTest, SameSourceIsSameCode) { EXPECT_EQ(Compare("plain"), (Sameness{true, true, true})); }

TEST(ObjectCodeTest, CodeThatMovesIsSameCode) { EXPECT_EQ(Compare("moved"), (Sameness{true, true, true})); }

TEST(ObjectCodeTest, CalleesBelongToAKernel) { EXPECT_EQ(Compare("kernel"), (Sameness{true, false, true})); }

TEST(ObjectCodeTest, ConstantsBelongToAKernel) { EXPECT_EQ(Compare("table"), (Sameness{true, false, true})); }

TEST(ObjectCodeTest, ThePlannerEndsWhereKernelsBegin) { EXPECT_EQ(Compare("planner"), (Sameness{false, true, true})); }

TEST(ObjectCodeTest, WhatIsNotFoundIsNotTheSame) {
  const ObjectCode code = Fixture("plain");
  Scope scope(code, code);
  EXPECT_FALSE(scope.SameKernels("AVX2 Stage4 {8:64>4}"));
  EXPECT_FALSE(scope.SameKernels("SSE4 Tile4 {8:64>4}"));
  EXPECT_FALSE(scope.SameKernels("AVX2 nothing to move"));
  EXPECT_FALSE(scope.SameKernels(""));
}

TEST(ObjectCodeTest, OtherFilesAreErrors) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("gate_test_" + std::to_string(getpid()));
  std::filesystem::create_directory(directory);
  EXPECT_THROW(ObjectCode{directory}, std::runtime_error);  // none
  for (const std::string content : {"", "no object file", "\177ELF\2\1\1"}) {
    std::ofstream(directory / "broken.o") << content;
    EXPECT_THROW(ObjectCode{directory}, std::runtime_error) << content;
  }
  std::filesystem::remove_all(directory);
}

TEST(ScopeTest, KernelsByName) {
  constexpr char kTile[] =
      "void dimorder::v1::N_AVX2::Tile<unsigned int>(unsigned char const*, unsigned char*, dimorder::v1::KernelArgs "
      "const&)";
  EXPECT_TRUE(IsKernel(kTile, "AVX2", "Tile4"));
  EXPECT_TRUE(IsKernel(kTile, "AVX2", "Tile16"));
  EXPECT_FALSE(IsKernel(kTile, "AVX2", "Run"));
  EXPECT_FALSE(IsKernel(kTile, "AVX", "Tile4"));
  EXPECT_FALSE(IsKernel(kTile, "AVX2", "4"));
  EXPECT_TRUE(
      IsKernel("dimorder::v1::N_SSE4::Run(unsigned char const*, unsigned char*, dimorder::v1::KernelArgs const&)",
               "SSE4", "Run"));
  EXPECT_FALSE(IsKernel("dimorder::v1::N_SSE4::FindRun(dimorder::v1::Family)", "SSE4", "Run"));
  EXPECT_EQ(KernelWords(kTilePlan), std::vector<std::string>{"Tile4"});
  EXPECT_EQ(KernelWords("AVX2 Stage4 non-temporal {1:2>3} Run {4:5>6}"), (std::vector<std::string>{"Stage4", "Run"}));
  EXPECT_TRUE(KernelWords("AVX2").empty());
}

}  // namespace
}  // namespace dimorder::bench::gate
