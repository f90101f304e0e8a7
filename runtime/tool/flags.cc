// SPDX-License-Identifier: Apache-2.0
#include "runtime/tool/flags.h"

#include <charconv>
#include <limits>
#include <string_view>

#include "runtime/error.h"

namespace dimorder {
namespace {

constexpr int64_t kMostThreads = 1024;

int64_t Number(const std::string& name, const std::string& text, int64_t least,
               int64_t most = std::numeric_limits<int64_t>::max()) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least) {
    Fail(name + "=" + text + " is no number of at least " + std::to_string(least));
  }
  if (number > most) Fail(name + "=" + text + " is more than " + std::to_string(most));
  return number;
}

LayoutPolicy Policy(const std::string& text) {
  std::string names;
  for (int i = 0; i < kNumLayoutPolicies; ++i) {
    const auto policy = static_cast<LayoutPolicy>(i);
    if (text == LayoutPolicyName(policy)) return policy;
    names += std::string(names.empty() ? "" : ", ") + LayoutPolicyName(policy);
  }
  Fail("--layout=" + text + " is none of " + names);
}

// At each comma.
std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

void SetFlag(Flags& flags, const std::string& name, const std::string& value) {
  if (name == "--input") return flags.inputs.push_back(value);
  if (name == "--output") return flags.outputs.push_back(value);
  if (name == "--layout") return void(flags.layout = Policy(value));
  if (name == "--threads") return void(flags.threads = Number(name, value, 1, kMostThreads));
  if (name == "--repeat") return void(flags.repeat = Number(name, value, 1));
  if (name == "--batch") return void(flags.batch = Number(name, value, 1));
  if (name == "--strict-copies") return void(flags.strict_copies = Number(name, value, 0));
  if (name == "--strict-bytes") return void(flags.strict_bytes = Number(name, value, 0));
  if (name == "--delegate") return void(flags.delegates = Split(value));
  if (name == "--save-blobs") return void(flags.save_blobs = value);
  if (name == "--trace") return void(flags.trace = value);
  if (name == "--dot") return void(flags.dot = value);
  if (name == "--report" && (value == "text" || value == "json" || value == "layouts"))
    return void(flags.report = value);
  if (name == "--guard" && (value == "error" || value == "convert")) {
    return void(flags.guard = value == "error" ? GuardPolicy::kError : GuardPolicy::kConvert);
  }
  Fail(name + "=" + value + " is not known");
}

}  // namespace

const char kUsage[] =
    R"(dimorder-run MODEL.onnx [--input=X.npy]... [--output=Y.npy]...
  --delegate=NAME,...     who runs what it can (xnnpack), the first one that takes a node; default none
  --layout=annotate|global|boundary|greedy|optimal  who decides where copies go; default optimal
  --guard=error|convert   an input in another dim order than the model's; default error
  --threads=N --repeat=N  default 1
  --batch=N               the size of a symbolic first axis; default 1
  --report[=json]         copies kept and cancelled, time per op, totals
  --report=layouts        instead of running: what each --layout leaves of copies, as a row of a table
  --trace=FILE            for a Chrome or Perfetto viewer
  --save-blobs=DIR        what the delegates made of their parts
  --dot=FILE              the compiled graph, for Graphviz
  --strict-copies=N --strict-bytes=N  fail when more copies, or bytes in them, are left
Inputs that are not given are ones. "--flag value" is the same as "--flag=value".
)";

Flags ParseFlags(const std::vector<std::string>& arguments) {
  Flags flags;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("--")) {
      if (!flags.model.empty()) Fail("there are two models: " + flags.model + " and " + argument);
      flags.model = argument;
      continue;
    }
    const size_t equals = argument.find('=');
    if (equals != std::string::npos) {
      SetFlag(flags, argument.substr(0, equals), argument.substr(equals + 1));
    } else if (argument == "--report") {
      flags.report = "text";
    } else if (i + 1 < arguments.size()) {
      SetFlag(flags, argument, arguments[++i]);
    } else {
      Fail(argument + " needs a value");
    }
  }
  if (flags.model.empty()) Fail("there is no model");
  return flags;
}

}  // namespace dimorder
