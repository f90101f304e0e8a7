// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/sweep/families.h"

namespace dimorder::test {
namespace {

// Larger rows are timed, and checked then, by the benchmark.
constexpr int64_t kMaxBytes = 4 << 20;

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

// "0231", or "10.9.8" where an axis has two digits.
std::vector<int> ParsePerm(const std::string& text) {
  std::vector<int> perm;
  if (text.find('.') == std::string::npos) {
    for (char digit : text) perm.push_back(digit - '0');
  } else {
    for (const std::string& axis : Split(text, '.')) perm.push_back(std::atoi(axis.c_str()));
  }
  return perm;
}

// A dense source of `allocated` elements on each axis, of which `sizes` are moved, in the order of `perm`.
Move MoveOfView(const std::vector<int64_t>& sizes, const std::vector<int64_t>& allocated, const std::vector<int>& perm,
                int64_t element) {
  std::vector<int64_t> strides(sizes.size(), element);
  for (size_t axis = sizes.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * allocated[axis];
  std::vector<int64_t> moved, src_strides;
  for (const int axis : perm) {
    moved.push_back(sizes[static_cast<size_t>(axis)]);
    src_strides.push_back(strides[static_cast<size_t>(axis)]);
  }
  return Move::Between(Layout::Strided(moved, src_strides), Layout::Contiguous(moved), element);
}

// Appends the move of one line "name,element bytes,1x3x224x224,0231,...", with "1:3" for one of 3; the header line and
// large moves have none.
void AddRow(const std::string& line, std::vector<Move>* moves) {
  const std::vector<std::string> fields = Split(line, ',');
  if (fields.size() < 4) return;
  const int64_t element = std::atoll(fields[1].c_str());
  int64_t bytes = element;
  std::vector<int64_t> sizes, allocated;
  for (const std::string& size : Split(fields[2], 'x')) {
    const std::vector<std::string> parts = Split(size, ':');
    sizes.push_back(std::atoll(parts.front().c_str()));
    allocated.push_back(std::atoll(parts.back().c_str()));
    bytes *= sizes.back();
  }
  if (bytes < 1 || bytes > kMaxBytes) return;
  const std::vector<int> perm = ParsePerm(fields[3]);
  moves->push_back(sizes == allocated ? Move::Permute(sizes, AxisList(perm.data(), perm.size()), element)
                                      : MoveOfView(sizes, allocated, perm, element));
}

}  // namespace

Family BenchCases(const std::vector<std::string>& tables) {
  auto moves = std::make_shared<std::vector<Move>>();
  for (const std::string& table : tables) {
    std::ifstream file(table);
    for (std::string line; std::getline(file, line);) AddRow(line, moves.get());
  }
  return {"bench", static_cast<int64_t>(moves->size()), 2,
          [moves](int64_t i) { return (*moves)[static_cast<size_t>(i)]; }};
}

}  // namespace dimorder::test
