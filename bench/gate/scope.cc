// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/scope.h"

#include <algorithm>
#include <sstream>

namespace dimorder::bench::gate {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Highway's namespaces: code that is there once per target, reached through tables that hold all targets and kernels.
bool IsOfTarget(std::string_view symbol) { return symbol.find("dimorder::v1::N_") != std::string_view::npos; }

bool IsApi(std::string_view symbol) {
  constexpr std::string_view kCalls[] = {
      "dimorder_plan_create_permute", "dimorder_plan_create_strided",         "dimorder_plan_destroy",
      "dimorder_plan_execute",        "dimorder_plan_execute_with_workspace", "dimorder_permute"};
  return std::find(std::begin(kCalls), std::end(kCalls), symbol) != std::end(kCalls);
}

bool Never(std::string_view) { return false; }

}  // namespace

std::vector<std::string> KernelWords(std::string_view description) {
  std::vector<std::string> words;
  std::istringstream in{std::string(description)};
  std::string word;
  in >> word;  // the target
  while (in >> word) {
    if (word.front() >= 'A' && word.front() <= 'Z') words.push_back(word);
  }
  return words;
}

bool IsKernel(std::string_view symbol, std::string_view target, std::string_view kernel) {
  while (!kernel.empty() && IsDigit(kernel.back())) kernel.remove_suffix(1);
  if (kernel.empty() || !std::all_of(kernel.begin(), kernel.end(), IsLetter)) return false;
  const std::string name = "N_" + std::string(target) + "::" + std::string(kernel);
  const size_t at = symbol.find(name);
  if (at == std::string_view::npos || symbol.size() == at + name.size()) return false;
  const char next = symbol[at + name.size()];
  return (next == '<' || next == '(') && symbol.ends_with("dimorder::v1::KernelArgs const&)");
}

bool Scope::SamePlanner() { return Same("", &IsApi, &IsOfTarget); }

bool Scope::SameKernels(const std::string& description) {
  const std::string target = description.substr(0, description.find(' '));
  const std::vector<std::string> kernels = KernelWords(description);
  return !kernels.empty() && std::all_of(kernels.begin(), kernels.end(), [&](const std::string& kernel) {
    const auto is_kernel = [&](std::string_view symbol) { return IsKernel(symbol, target, kernel); };
    return Same(target + " " + kernel, is_kernel, &Never);
  });
}

bool Scope::Same(const std::string& key, const ObjectCode::Predicate& is_root, const ObjectCode::Predicate& is_border) {
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const std::string base = base_.Reach(is_root, is_border);
  const bool same = !base.empty() && base == head_.Reach(is_root, is_border);
  known_.emplace(key, same);
  return same;
}

}  // namespace dimorder::bench::gate
