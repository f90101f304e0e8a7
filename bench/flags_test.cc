// SPDX-License-Identifier: Apache-2.0
#include "bench/flags.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace dimorder::bench {
namespace {

struct Taken {
  Flags flags;
  std::vector<std::string> left;
};

Taken Take(std::initializer_list<std::string> arguments) {
  std::vector<std::string> text = {"dimorder-bench"};
  text.insert(text.end(), arguments);
  std::vector<char*> argv;
  for (std::string& argument : text) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(text.size());
  Taken taken;
  taken.flags = TakeFlags(&argc, argv.data());
  taken.left.assign(argv.begin() + 1, argv.begin() + argc);
  return taken;
}

TEST(FlagsTest, Defaults) {
  const Flags flags = Take({}).flags;
  EXPECT_EQ(flags.suite, Suite::kQuick);
  EXPECT_EQ(flags.threads, 1u);
  EXPECT_TRUE(flags.target.empty());
  EXPECT_FALSE(flags.list || flags.has_format || flags.has_min_time || flags.json_file);
}

TEST(FlagsTest, TakesOursAndLeavesTheOthers) {
  const Taken taken =
      Take({"--suite=full", "--benchmark_filter=t2d", "--threads=4", "--target=SSE4", "--suite_of=x", "t2d"});
  EXPECT_EQ(taken.flags.suite, Suite::kFull);
  EXPECT_EQ(taken.flags.suite_name, "full");
  EXPECT_EQ(taken.flags.threads, 4u);
  EXPECT_EQ(taken.flags.target, "SSE4");
  EXPECT_EQ(taken.left, (std::vector<std::string>{"--benchmark_filter=t2d", "--suite_of=x", "t2d"}));
}

TEST(FlagsTest, NotesWhatTheLibraryIsTold) {
  EXPECT_TRUE(Take({"--benchmark_list_tests"}).flags.list);
  EXPECT_FALSE(Take({"--benchmark_list_tests=false"}).flags.list);
  const Taken taken = Take({"--benchmark_format=json", "--benchmark_min_time=0.1", "--benchmark_out=x.json"});
  EXPECT_TRUE(taken.flags.has_format && taken.flags.has_min_time && taken.flags.json_file);
  EXPECT_EQ(taken.left.size(), 3u);
  EXPECT_FALSE(Take({"--benchmark_out=x.csv", "--benchmark_out_format=csv"}).flags.json_file);
}

TEST(FlagsTest, Peers) {
  EXPECT_FALSE(Take({}).flags.peers);
  EXPECT_TRUE(Take({"--peers"}).flags.peers);
  EXPECT_TRUE(Take({"--peers=all"}).flags.peers);
  EXPECT_FALSE(Take({"--peers=none"}).flags.peers);
}

TEST(FlagsTest, BadValuesAreNamed) {
  for (const char* bad :
       {"--suite=tiny", "--suite", "--threads=0", "--threads=two", "--threads=9999", "--target=", "--peers=openblas"}) {
    EXPECT_THROW(Take({bad}), std::runtime_error) << bad;
  }
}

}  // namespace
}  // namespace dimorder::bench
