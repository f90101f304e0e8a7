// SPDX-License-Identifier: Apache-2.0
#include "tests/trial.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <sstream>
#include <vector>

namespace dimorder::test {
namespace {

constexpr const char* kRunnerNames[] = {"serial", "reversed", "threads"};
constexpr const char* kCallNames[] = {"plan", "workspace", "oneshot"};

// At most kMaxRank numbers: layouts store no more of a larger rank.
template <class Numbers>
std::string Join(size_t n, const Numbers& number) {
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(n, kMaxRank); ++i) text += (i == 0 ? "" : ",") + std::to_string(number(i));
  return text;
}

std::string LayoutText(const Layout& layout) {
  if (layout.has_order()) {
    return "order:" + Join(layout.order().size(), [&](size_t i) { return layout.order()[i]; });
  }
  return "strides:" + Join(layout.num_strides(), [&](size_t i) { return layout.stride(i); }) + "@" +
         std::to_string(layout.byte_offset());
}

std::vector<int64_t> Numbers(const std::string& text) {
  std::vector<int64_t> numbers;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) numbers.push_back(std::strtoll(part.c_str(), nullptr, 10));
  return numbers;
}

bool ParseLayout(const std::vector<int64_t>& sizes, const std::string& text, Layout* layout) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return false;
  const std::string kind = text.substr(0, colon);
  const size_t at = text.find('@');
  const std::vector<int64_t> numbers = Numbers(text.substr(colon + 1, at == std::string::npos ? at : at - colon - 1));
  if (kind == "order") *layout = Layout::InOrder(sizes, DimOrder(numbers.data(), numbers.size()));
  if (kind == "strides") {
    const int64_t offset = at == std::string::npos ? 0 : std::strtoll(text.c_str() + at + 1, nullptr, 10);
    *layout = Layout::Strided(sizes, numbers, offset);
  }
  return kind == "order" || kind == "strides";
}

bool ParseCall(const std::string& text, Conditions* conditions) {
  for (size_t i = 0; i < std::size(kCallNames); ++i) {
    if (text != kCallNames[i]) continue;
    conditions->call = static_cast<Call>(i);
    return true;
  }
  return false;
}

bool ParseRunner(const std::string& text, Conditions* conditions) {
  const size_t colon = text.find(':');
  for (size_t i = 0; i < std::size(kRunnerNames); ++i) {
    if (text.substr(0, colon) != kRunnerNames[i]) continue;
    conditions->runner = static_cast<Runner>(i);
    conditions->tasks = colon == std::string::npos ? 1 : std::atoi(text.c_str() + colon + 1);
    return conditions->tasks >= 1;
  }
  return false;
}

}  // namespace

std::string ToText(const Trial& trial) {
  const Move& move = trial.move;
  const Conditions& c = trial.conditions;
  std::string text = "element=" + std::to_string(move.element_bytes) +
                     " sizes=" + Join(move.src.rank(), [&](size_t i) { return move.src.size(i); }) +
                     " src=" + LayoutText(move.src) + " dst=" + LayoutText(move.dst) +
                     " phases=" + std::to_string(c.src_phase) + "," + std::to_string(c.dst_phase);
  if (!c.target.empty()) text += " target=" + c.target;
  text += " stores=" + std::to_string(static_cast<int>(c.stores)) +
          " runner=" + kRunnerNames[static_cast<int>(c.runner)] + ":" + std::to_string(c.tasks) +
          " call=" + kCallNames[static_cast<int>(c.call)];
  return text;
}

bool FromText(const std::string& text, Trial* trial) {
  std::map<std::string, std::string> values{{"phases", "0,0"}, {"stores", "0"}, {"runner", "serial"}, {"call", "plan"}};
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) return false;
    values[word.substr(0, equals)] = word.substr(equals + 1);
  }
  const std::vector<int64_t> sizes = Numbers(values["sizes"]);
  const std::vector<int64_t> phases = Numbers(values["phases"]);
  Layout src, dst;
  if (phases.size() != 2 || !ParseLayout(sizes, values["src"], &src) || !ParseLayout(sizes, values["dst"], &dst)) {
    return false;
  }
  *trial = {Move::Between(src, dst, std::atoll(values["element"].c_str())), {}};
  Conditions& c = trial->conditions;
  c.target = values["target"];
  c.src_phase = phases[0];
  c.dst_phase = phases[1];
  c.stores = static_cast<Stores>(std::atoi(values["stores"].c_str()));
  return ParseRunner(values["runner"], &c) && ParseCall(values["call"], &c);
}

}  // namespace dimorder::test
