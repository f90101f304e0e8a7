// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/object_code.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>

// Comparing libraries byte by byte is no use: one more instruction moves all code behind it, and every call and every
// address changes. In object files this has not happened yet. With a section per function, a section's bytes hold zeros
// where addresses will be, and a relocation entry says by name what belongs there. So name, bytes and relocations of a
// section are equal in two builds if and only if the compiler made the same of it, wherever it ends up; and the
// relocations are the edges of the graph of who can call or read whom.
//
// What errs, errs to the side of "changed": the compiler numbers some local names and lays out shared constants anew
// when their neighbours change.
namespace dimorder::bench::gate {

class ObjectReader {
 public:
  ObjectReader(const std::filesystem::path& path, ObjectCode* code) : path_(path), code_(*code) {
    std::ifstream in(path, std::ios::binary);
    file_.assign(std::istreambuf_iterator<char>(in), {});
    ReadHeaders();
    ReadSections();
    ReadSymbols();
    ReadReferences();
  }

 private:
  static constexpr size_t kNone = ~size_t{0};

  [[noreturn]] void Fail(const std::string& why) const { throw std::runtime_error(path_.string() + ": " + why); }

  // `count` structs at a place in the file.
  template <class T>
  std::vector<T> Structs(uint64_t offset, uint64_t count) const {
    if (offset > file_.size() || count > (file_.size() - offset) / sizeof(T)) Fail("cut short");
    std::vector<T> structs(count);
    if (count != 0) std::memcpy(structs.data(), file_.data() + offset, count * sizeof(T));
    return structs;
  }

  std::string_view Bytes(const Elf64_Shdr& header) const {
    if (header.sh_type == SHT_NOBITS) return {};
    if (header.sh_offset > file_.size() || header.sh_size > file_.size() - header.sh_offset) Fail("cut short");
    return std::string_view(file_).substr(header.sh_offset, header.sh_size);
  }

  std::string Text(std::string_view table, uint64_t offset) const {
    if (offset >= table.size()) Fail("a name outside its table");
    return std::string(table.substr(offset, table.find('\0', offset) - offset));
  }

  const Elf64_Shdr& Header(uint64_t index) const {
    if (index >= headers_.size()) Fail("a section that is not there");
    return headers_[index];
  }

  void ReadHeaders() {
    const Elf64_Ehdr elf = Structs<Elf64_Ehdr>(0, 1)[0];
    if (std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_type != ET_REL) {
      Fail("not a 64-bit ELF object file");
    }
    headers_ = Structs<Elf64_Shdr>(elf.e_shoff, elf.e_shnum);
    names_ = Bytes(Header(elf.e_shstrndx));
  }

  // Sections that are in memory when the program runs, unwinding tables aside.
  void ReadSections() {
    index_.assign(headers_.size(), kNone);
    for (size_t i = 0; i < headers_.size(); ++i) {
      const Elf64_Shdr& header = headers_[i];
      const std::string name = Text(names_, header.sh_name);
      if ((header.sh_flags & SHF_ALLOC) == 0 || name == ".eh_frame") continue;
      index_[i] = code_.sections_.size();
      code_.sections_.push_back({});
      code_.sections_.back().content = name + " " + std::to_string(header.sh_size) + "\n" + std::string(Bytes(header));
    }
  }

  void ReadSymbols() {
    for (const Elf64_Shdr& header : headers_) {
      if (header.sh_type != SHT_SYMTAB) continue;
      symbols_ = Structs<Elf64_Sym>(header.sh_offset, header.sh_size / sizeof(Elf64_Sym));
      symbol_names_ = Bytes(Header(header.sh_link));
    }
    for (const Elf64_Sym& symbol : symbols_) {
      const size_t section = SectionOf(symbol);
      if (section == kNone || ELF64_ST_TYPE(symbol.st_info) == STT_SECTION) continue;
      const std::string name = Text(symbol_names_, symbol.st_name);
      code_.sections_[section].symbols.push_back(Demangle(name));
      if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL) code_.definitions_.emplace(name, section);
    }
  }

  // The index in code_ of the section that defines a symbol.
  size_t SectionOf(const Elf64_Sym& symbol) const {
    return symbol.st_shndx < index_.size() ? index_[symbol.st_shndx] : kNone;
  }

  void ReadReferences() {
    for (const Elf64_Shdr& header : headers_) {
      if (header.sh_type == SHT_REL) Fail("relocations without addends are not supported");
      if (header.sh_type != SHT_RELA || header.sh_info >= index_.size() || index_[header.sh_info] == kNone) continue;
      for (const Elf64_Rela& rela : Structs<Elf64_Rela>(header.sh_offset, header.sh_size / sizeof(Elf64_Rela))) {
        AddReference(rela, &code_.sections_[index_[header.sh_info]]);
      }
    }
  }

  void AddReference(const Elf64_Rela& rela, ObjectCode::Section* from) const {
    const uint64_t index = ELF64_R_SYM(rela.r_info);
    if (index >= symbols_.size()) Fail("a symbol that is not there");
    const Elf64_Sym& symbol = symbols_[index];
    const size_t section = SectionOf(symbol);
    const bool is_section = ELF64_ST_TYPE(symbol.st_info) == STT_SECTION;
    const std::string name =
        is_section ? Text(names_, Header(symbol.st_shndx).sh_name) : Text(symbol_names_, symbol.st_name);
    from->content += "\n" + std::to_string(rela.r_offset) + " " + std::to_string(ELF64_R_TYPE(rela.r_info)) + " " +
                     name + " " + std::to_string(rela.r_addend);
    if (section != kNone) {
      from->sections.push_back(section);
    } else {
      from->names.push_back(name);
    }
  }

  static std::string Demangle(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                           &std::free);
    std::string demangled = status == 0 ? text.get() : name;
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    for (size_t at = 0; (at = demangled.find(kAnonymous, at)) != std::string::npos;) {
      demangled.erase(at, kAnonymous.size());
    }
    return demangled;
  }

  const std::filesystem::path& path_;
  ObjectCode& code_;
  std::string file_;
  std::vector<Elf64_Shdr> headers_;
  std::string_view names_;
  std::vector<Elf64_Sym> symbols_;
  std::string_view symbol_names_;
  std::vector<size_t> index_;  // from the file's sections to those of code_
};

ObjectCode::ObjectCode(const std::filesystem::path& directory) {
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.path().extension() == ".o") paths.insert(entry.path());
  }
  for (const std::filesystem::path& path : paths) ObjectReader(path, this);
  if (sections_.empty()) throw std::runtime_error(directory.string() + ": no object files");
}

std::string ObjectCode::Reach(const Predicate& is_root, const Predicate& is_border) const {
  const auto is = [&](size_t section, const Predicate& predicate) {
    const std::vector<std::string>& symbols = sections_[section].symbols;
    return std::any_of(symbols.begin(), symbols.end(), predicate);
  };
  std::set<size_t> reached;
  std::vector<size_t> open;
  const auto visit = [&](size_t section) {
    if (!is(section, is_border) && reached.insert(section).second) open.push_back(section);
  };
  for (size_t section = 0; section < sections_.size(); ++section) {
    if (is(section, is_root)) visit(section);
  }
  while (!open.empty()) {
    const Section& section = sections_[open.back()];
    open.pop_back();
    for (const size_t other : section.sections) visit(other);
    for (const std::string& name : section.names) {
      if (const auto found = definitions_.find(name); found != definitions_.end()) visit(found->second);
    }
  }
  std::vector<std::string_view> contents;
  for (const size_t section : reached) contents.push_back(sections_[section].content);
  std::sort(contents.begin(), contents.end());
  std::string text;
  for (const std::string_view content : contents) text.append(content).push_back('\n');
  return text;
}

}  // namespace dimorder::bench::gate
