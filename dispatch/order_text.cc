// SPDX-License-Identifier: Apache-2.0
//
// Dim orders as text. Each of the three forms is the same statement, "these logical axes, in that memory order": a
// name stands for the letters of its logical order, and numbers are letters of the order 0, 1, 2, ...
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dimorder/layout.h"
#include "dispatch/order.h"
#include "dispatch/status_values.h"
#include "dispatch/text.h"

namespace dimorder {
inline namespace v1 {
namespace {

// The names that stand alone, with the logical order that each is relative to: the table of layout.h in letters.
struct NamedOrder {
  std::string_view memory;
  std::string_view logical;
};
constexpr NamedOrder kNamedOrders[] = {
    {"NCHW", "NCHW"}, {"NHWC", "NCHW"},   {"CHWN", "NCHW"},   {"HWCN", "NCHW"},   {"NCW", "NCW"},   {"NWC", "NCW"},
    {"CHW", "CHW"},   {"HWC", "CHW"},     {"NCDHW", "NCDHW"}, {"NDHWC", "NCDHW"}, {"OIHW", "OIHW"}, {"OHWI", "OIHW"},
    {"HWIO", "OIHW"}, {"OIDHW", "OIDHW"}, {"ODHWI", "OIDHW"}, {"DHWIO", "OIDHW"}, {"CMHW", "CMHW"}, {"HWCM", "CMHW"},
};

bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The parsers return whether `text` has their form; what they write still has to be a permutation.

// Where each memory letter stands among the logical ones.
bool ParseLetters(std::string_view logical, std::string_view memory, DimOrder* order) {
  if (memory.empty() || memory.size() > kMaxRank || logical.size() != memory.size()) return false;
  int32_t axes[kMaxRank];
  for (size_t i = 0; i < memory.size(); ++i) {
    const size_t axis = logical.find(memory[i]);
    if (!IsLetter(memory[i]) || axis == std::string_view::npos) return false;
    axes[i] = static_cast<int32_t>(axis);
  }
  *order = DimOrder(axes, memory.size());
  return true;
}

bool ParseName(std::string_view text, DimOrder* order) {
  for (const NamedOrder& named : kNamedOrders) {
    if (text == named.memory) return ParseLetters(named.logical, named.memory, order);
  }
  return false;
}

bool ParseArrow(std::string_view text, DimOrder* order) {
  const size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) return false;
  const std::string_view logical(text.data(), arrow);
  text.remove_prefix(arrow + 2);
  return ParseLetters(Trim(logical), Trim(text), order);
}

// One axis number, with spaces around it, off the front of `text`.
bool ParseAxis(std::string_view* text, int32_t* axis) {
  *text = Trim(*text);
  if (text->empty() || !IsDigit(text->front())) return false;
  *axis = 0;
  while (!text->empty() && IsDigit(text->front())) {
    *axis = *axis * 10 + (text->front() - '0');
    if (*axis >= kMaxRank) return false;
    text->remove_prefix(1);
  }
  *text = Trim(*text);
  return true;
}

bool ParseNumbers(std::string_view text, DimOrder* order) {
  const bool parenthesized = text.size() >= 2 && text.front() == '(' && text.back() == ')';
  if (parenthesized) text = Trim(std::string_view(text.data() + 1, text.size() - 2));
  *order = DimOrder();
  if (text.empty()) return parenthesized;
  int32_t axes[kMaxRank];
  for (size_t rank = 0; rank < kMaxRank; text.remove_prefix(1)) {
    if (!ParseAxis(&text, &axes[rank++])) return false;
    if (text.empty()) {
      *order = DimOrder(axes, rank);
      return true;
    }
    if (text.front() != ',') return false;
  }
  return false;
}

bool NamesEachAxis(const DimOrder& order, std::string_view letters) {
  return !letters.empty() && letters.size() == order.size() && order.size() <= kMaxRank &&
         IsPermutation(order, order.size());
}

}  // namespace

Result<DimOrder> ParseDimOrder(std::string_view text) noexcept {
  const std::string_view trimmed = Trim(text);
  DimOrder order;
  if ((ParseName(trimmed, &order) || ParseArrow(trimmed, &order) || ParseNumbers(trimmed, &order)) &&
      IsPermutation(order, order.size())) {
    return order;
  }
  return NameStatus(StatusCode::kInvalidArgument, Rule::kOrderName, text);
}

size_t FormatDimOrder(const DimOrder& order, std::string_view letters, char* buffer, size_t capacity) noexcept {
  TextWriter text(buffer, capacity);
  if (NamesEachAxis(order, letters)) {
    for (const int32_t axis : order) text.Add(std::string_view(letters.data() + axis, 1));
    return text.Finish();
  }
  const char* separator = "(";
  for (const int32_t axis : order) {
    text.Add(separator).Add(int64_t{axis});
    separator = ",";
  }
  if (order.size() == 0) text.Add("(");
  if (order.size() > kMaxRank) text.Add(",...");
  text.Add(")");
  return text.Finish();
}

}  // namespace v1
}  // namespace dimorder
