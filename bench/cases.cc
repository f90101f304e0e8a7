// SPDX-License-Identifier: Apache-2.0
#include "bench/cases.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "bench/cases_data.h"

namespace dimorder::bench {
namespace {

constexpr std::string_view kHeader = "name,element_bytes,sizes,perm,class,suite,best_peer_ratio,best_peer,why";
constexpr size_t kFields = 9;

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
Number ParseNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::runtime_error("\"" + std::string(text) + "\" is no number");
  }
  return number;
}

template <class Number>
std::vector<Number> ParseNumbers(const std::vector<std::string_view>& parts) {
  std::vector<Number> numbers;
  for (std::string_view part : parts) numbers.push_back(ParseNumber<Number>(part));
  return numbers;
}

// "0231", or "10.9.8.7.6.5.4.3.2.1.0" where an axis needs two digits.
std::vector<int> ParsePerm(std::string_view text) {
  if (text.find('.') != std::string_view::npos) return ParseNumbers<int>(Split(text, '.'));
  std::vector<int> perm;
  for (const char& digit : text) perm.push_back(ParseNumber<int>({&digit, 1}));
  return perm;
}

// "1x224x224x3"; of a view "1x224x224x1:3", one of 3.
void ParseSizes(std::string_view text, Case* c) {
  for (std::string_view axis : Split(text, 'x')) {
    const std::vector<int64_t> parts = ParseNumbers<int64_t>(Split(axis, ':'));
    if (parts.size() > 2 || parts.back() < parts.front()) {
      throw std::runtime_error("\"" + std::string(axis) + "\" is no part of an axis");
    }
    c->sizes.push_back(parts.front());
    c->allocated.push_back(parts.back());
  }
  if (c->allocated == c->sizes) c->allocated.clear();
}

int64_t Product(const std::vector<int64_t>& sizes, int64_t element_bytes) {
  return std::accumulate(sizes.begin(), sizes.end(), element_bytes, std::multiplies<>());
}

void CheckShape(const Case& c) {
  if (c.element_bytes < 1) throw std::runtime_error("element_bytes below 1");
  for (const int64_t size : c.sizes) {
    if (size < 1) throw std::runtime_error("a size below 1");
  }
  std::vector<int> sorted = c.perm;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int>(i)) throw std::runtime_error("perm is no permutation");
  }
  if (c.perm.size() != c.sizes.size()) throw std::runtime_error("perm and sizes differ in length");
}

Case ParseRow(std::string_view line, bool own) {
  const std::vector<std::string_view> fields = Split(line, ',');
  if (fields.size() != kFields) throw std::runtime_error("not 9 fields");
  Case c;
  c.name = fields[0];
  c.element_bytes = ParseNumber<int64_t>(fields[1]);
  ParseSizes(fields[2], &c);
  c.perm = ParsePerm(fields[3]);
  c.group = fields[4];
  if (!ParseSuite(fields[5], &c.suite)) throw std::runtime_error("\"" + std::string(fields[5]) + "\" is no suite");
  if (!fields[6].empty()) c.peer_ratio = ParseNumber<double>(fields[6]);
  c.peer = fields[7];
  c.why = fields[8];
  c.own = own;
  CheckShape(c);
  return c;
}

}  // namespace

bool ParseSuite(std::string_view name, Suite* suite) {
  constexpr std::string_view kNames[] = {"quick", "standard", "full"};
  const auto* found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return false;
  *suite = static_cast<Suite>(found - std::begin(kNames));
  return true;
}

std::vector<int64_t> DenseStrides(const std::vector<int64_t>& sizes, int64_t element_bytes) {
  std::vector<int64_t> strides(sizes.size(), element_bytes);
  for (size_t axis = sizes.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * sizes[axis];
  return strides;
}

std::string Case::Key() const { return name + "/" + std::to_string(element_bytes); }

int64_t Case::Bytes() const { return Product(sizes, element_bytes); }

int64_t Case::SourceBytes() const { return Product(IsView() ? allocated : sizes, element_bytes); }

Case::View Case::ToView() const {
  const std::vector<int64_t> strides = DenseStrides(IsView() ? allocated : sizes, element_bytes);
  View view;
  for (const int axis : perm) {
    view.sizes.push_back(sizes[static_cast<size_t>(axis)]);
    view.src_strides.push_back(strides[static_cast<size_t>(axis)]);
  }
  view.dst_strides = DenseStrides(view.sizes, element_bytes);
  return view;
}

Move Case::ToMove() const {
  if (!IsView()) return Move::Permute(sizes, Perm(perm.data(), perm.size()), element_bytes);
  const View view = ToView();
  return Move::Between(Layout::Strided(view.sizes, view.src_strides), Layout::Contiguous(view.sizes), element_bytes);
}

std::vector<Case> ParseCases(std::string_view csv, bool own) {
  std::vector<Case> cases;
  size_t number = 0;
  for (std::string_view line : Split(csv, '\n')) {
    ++number;
    if (line.empty()) continue;
    try {
      if (number == 1 && line != kHeader) throw std::runtime_error("not the header \"" + std::string(kHeader) + "\"");
      if (number > 1) cases.push_back(ParseRow(line, own));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("case table, line " + std::to_string(number) + ": " + error.what());
    }
  }
  return cases;
}

const std::vector<Case>& AllCases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> cases = ParseCases(kCasesCsv, false);
    const std::vector<Case> own = ParseCases(kOwnCasesCsv, true);
    cases.insert(cases.end(), own.begin(), own.end());
    return cases;
  }();
  return all;
}

}  // namespace dimorder::bench
