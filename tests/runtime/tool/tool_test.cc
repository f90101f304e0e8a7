// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/error.h"
#include "runtime/tool/flags.h"
#include "runtime/tool/run_report.h"
#include "tests/runtime/nhwc_delegate.h"

namespace dimorder {
namespace {

using ::testing::HasSubstr;

TEST(Flags, TakeBothForms) {
  const Flags flags = ParseFlags({"m.onnx", "--input", "x.npy", "--input=z.npy", "--layout=greedy", "--repeat", "3",
                                  "--report=json", "--guard=convert", "--strict-copies=0", "--delegate=a,b"});
  EXPECT_EQ(flags.model, "m.onnx");
  EXPECT_THAT(flags.inputs, testing::ElementsAre("x.npy", "z.npy"));
  EXPECT_EQ(flags.layout, LayoutPolicy::kGreedy);
  EXPECT_EQ(flags.repeat, 3);
  EXPECT_EQ(flags.report, "json");
  EXPECT_EQ(flags.guard, GuardPolicy::kConvert);
  EXPECT_EQ(flags.strict_copies, 0);
  EXPECT_THAT(flags.delegates, testing::ElementsAre("a", "b"));
  EXPECT_EQ(ParseFlags({"m.onnx", "--report", "--threads=2"}).report, "text");
}

std::string ErrorOf(const std::vector<std::string>& arguments) {
  try {
    ParseFlags(arguments);
    return "";
  } catch (const Error& error) {
    return error.status().message();
  }
}

TEST(Flags, SayWhatIsWrong) {
  EXPECT_EQ(ErrorOf({"--report"}), "there is no model");
  EXPECT_EQ(ErrorOf({"a", "b"}), "there are two models: a and b");
  EXPECT_EQ(ErrorOf({"a", "--repeat"}), "--repeat needs a value");
  EXPECT_EQ(ErrorOf({"a", "--repeat=0"}), "--repeat=0 is no number of at least 1");
  EXPECT_EQ(ErrorOf({"a", "--repeat=1x"}), "--repeat=1x is no number of at least 1");
  EXPECT_THAT(ErrorOf({"a", "--layout=best"}), HasSubstr("none of annotate, global, boundary, greedy, optimal"));
  EXPECT_EQ(ErrorOf({"a", "--what=1"}), "--what=1 is not known");
}

// Brackets and quotes balance: what a viewer stumbles over first.
bool Balances(const std::string& json) {
  std::string open;
  bool quoted = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '{' || c == '[')) {
      open += c;
    } else if (!quoted && (c == '}' || c == ']')) {
      if (open.empty() || open.back() != (c == '}' ? '{' : '[')) return false;
      open.pop_back();
    }
  }
  return open.empty() && !quoted;
}

TEST(Report, SaysWhereCopiesAreAndWhy) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {1, 4, 8, 8}));
  const ValueId p = b.Add(Op::kMaxPool2d, {x}, Attributes().SetInts("kernel", {2, 2}), "the \"pool\"");
  b.Output(b.Add(Op::kSoftmax, {p}, Attributes().SetInt("dim", 1), "y"));
  const NhwcDelegate nhwc;
  const auto program = Program::Create(b.Finish().value(), {.delegates = {&nhwc}});
  ASSERT_TRUE(program.ok()) << program.status().message();
  RunTimes times;
  for (size_t i = 0; i < program->steps().size(); ++i) {
    times.steps.push_back({i, static_cast<int64_t>(1000 * i), static_cast<int64_t>(1000 * i + 500)});
  }
  times.runs_ns = {2500};
  const std::string text = ReportText(*program, times);
  EXPECT_THAT(text, HasSubstr("1 copies, 1024 bytes, 1024 of them between caller and graph"));
  EXPECT_THAT(text, HasSubstr("1024 bytes, 500 ns; the caller gives (0,1,2,3), 'the \"pool\"' takes (0,2,3,1)"));
  EXPECT_THAT(text, HasSubstr("total 2500 ns, copies 500 ns (20.0 %)"));
  const std::string json = ReportJson(*program, times);
  EXPECT_TRUE(Balances(json)) << json;
  EXPECT_THAT(json, HasSubstr("\"copied_bytes\": 1024"));
  EXPECT_EQ(LayoutsRow("g", {program->report(), {}}).substr(0, 16), "| g | 1, 1 KB, 0");
  EXPECT_THAT(LayoutsRow("g", {program->report(), {}}), testing::EndsWith(" us | 0, 0 KB, 0 us |\n"));
  const std::string trace = TraceJson(*program, times);
  EXPECT_TRUE(Balances(trace)) << trace;
  EXPECT_THAT(trace, HasSubstr("{\"name\": \"the \\\"pool\\\"\", \"cat\": \"max_pool2d\", \"ph\": \"X\", \"pid\": 1, "
                               "\"tid\": 1, \"ts\": 1.000, \"dur\": 0.500}"));
}

}  // namespace
}  // namespace dimorder
