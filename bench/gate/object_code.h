// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_GATE_OBJECT_CODE_H_
#define DIMORDER_BENCH_GATE_OBJECT_CODE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dimorder::bench::gate {

// The machine code of a build: the sections of its object files and who refers to whom. Two builds are compared by what
// can be reached from a function in each.
class ObjectCode {
 public:
  // Tells sections by one of their symbols, demangled and without "(anonymous namespace)::".
  using Predicate = std::function<bool(std::string_view symbol)>;

  // Reads all *.o files below a directory: ELF for 64 bits, compiled with -ffunction-sections and -fdata-sections.
  // Throws std::runtime_error that names the file.
  explicit ObjectCode(const std::filesystem::path& directory);

  // A text of everything that functions taken by `is_root` can reach, without what `is_border` takes and lies beyond.
  // Equal texts: equal instructions and constants. Empty when no function is taken.
  std::string Reach(const Predicate& is_root, const Predicate& is_border) const;

 private:
  struct Section {
    std::string content;  // name, bytes and references
    std::vector<std::string> symbols;
    std::vector<size_t> sections;    // those referred to in the same file
    std::vector<std::string> names;  // symbols referred to in others
  };

  friend class ObjectReader;

  std::vector<Section> sections_;
  std::map<std::string, size_t> definitions_;  // mangled names of global symbols
};

}  // namespace dimorder::bench::gate

#endif  // DIMORDER_BENCH_GATE_OBJECT_CODE_H_
