// SPDX-License-Identifier: Apache-2.0
#include "dimorder/npy.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "dimorder/dimorder.h"
#include "runtime/bool_bytes.h"
#include "runtime/error.h"
#include "runtime/file.h"

namespace dimorder {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Descr {
  std::string_view text;
  DataType dtype;
};
constexpr Descr kDescrs[] = {{"<f4", DataType::kF32}, {"<f2", DataType::kF16}, {"|i1", DataType::kI8},
                             {"|u1", DataType::kU8},  {"<i2", DataType::kI16}, {"<i4", DataType::kI32},
                             {"<i8", DataType::kI64}, {"|b1", DataType::kBool}};

DimOrder Reversed(size_t rank) {
  std::vector<int64_t> axes(rank);
  for (size_t i = 0; i < rank; ++i) axes[i] = static_cast<int64_t>(rank - 1 - i);
  return DimOrder(axes.data(), rank);
}

// Reads the header, a Python dictionary of three known keys, as numpy writes it and slightly more.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  TensorType Parse() {
    Expect('{');
    while (!Accept('}')) {
      const std::string_view key = Quoted();
      Expect(':');
      ParseValue(key);
      if (!Accept(',')) {
        Expect('}');
        break;
      }
    }
    SkipBlanks();
    if (at_ != text_.size() || !has_descr_ || !has_order_ || !has_shape_) Fail("the npy header is malformed");
    TensorType type(dtype_, std::move(sizes_));
    if (fortran_) type.dim_order = Reversed(type.rank());
    return type;
  }

 private:
  void ParseValue(std::string_view key) {
    if (key == "descr") {
      const std::string_view descr = Quoted();
      const auto known = std::ranges::find(kDescrs, descr, &Descr::text);
      if (known == std::end(kDescrs)) FailUnsupported("npy type " + std::string(descr) + " is not supported");
      dtype_ = known->dtype;
      has_descr_ = true;
    } else if (key == "fortran_order") {
      fortran_ = AcceptWord("True");
      if (!fortran_ && !AcceptWord("False")) Fail("the npy header is malformed");
      has_order_ = true;
    } else if (key == "shape" && !has_shape_) {
      ParseShape();
      has_shape_ = true;
    } else {
      Fail("the npy header has an unknown key");
    }
  }

  void ParseShape() {
    Expect('(');
    while (!Accept(')')) {
      SkipBlanks();
      int64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0) Fail("the npy shape is malformed");
      at_ = static_cast<size_t>(end - text_.data());
      if (sizes_.size() >= kMaxRank) Fail("the npy rank is more than 32");
      sizes_.push_back(size);
      if (!Accept(',')) {
        Expect(')');
        break;
      }
    }
  }

  void SkipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool Accept(char c) {
    SkipBlanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Accept(c)) Fail("the npy header is malformed");
  }
  bool AcceptWord(std::string_view word) {
    SkipBlanks();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  std::string_view Quoted() {
    const char quote = Accept('\'') ? '\'' : '"';
    if (quote == '"') Expect('"');
    const size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) Fail("the npy header is malformed");
    const std::string_view inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    return inside;
  }

  std::string_view text_;
  size_t at_ = 0;
  DataType dtype_ = DataType::kF32;
  bool fortran_ = false;
  std::vector<int64_t> sizes_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

TensorData Read(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.size() < 10 || !text.starts_with(kMagic)) Fail("this is no npy file");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(text[i])); };
  const size_t version = byte(6);
  if (version < 1 || version > 3) FailUnsupported("npy version " + std::to_string(version) + " is not supported");
  const size_t begin = version == 1 ? 10 : 12;
  if (text.size() < begin) Fail("the npy file is cut off");
  const size_t length = byte(8) | byte(9) << 8 | (version == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > text.size() - begin) Fail("the npy file is cut off");
  TensorData tensor;
  tensor.type = HeaderParser(text.substr(begin, length)).Parse();
  Check(CheckTensorType(tensor.type));
  const std::span<const std::byte> data = file.subspan(begin + length);
  if (static_cast<int64_t>(data.size()) != NumBytes(tensor.type)) {
    Fail("the npy file has " + std::to_string(data.size()) + " bytes of data for " + ToString(tensor.type));
  }
  tensor.bytes.assign(data.begin(), data.end());
  NormalizeBools(tensor);
  return tensor;
}

std::string Header(const TensorType& type, bool fortran) {
  const auto known = std::ranges::find(kDescrs, type.dtype, &Descr::dtype);
  if (known == std::end(kDescrs)) FailUnsupported(std::string("npy has no ") + DataTypeName(type.dtype));
  std::string dict =
      "{'descr': '" + std::string(known->text) + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (";
  for (int64_t size : type.sizes) dict += std::to_string(size) + ",";
  dict += "), }";
  // The data starts at a multiple of 64.
  dict += std::string(63 - (kMagic.size() + 4 + dict.size()) % 64, ' ') + "\n";
  std::string header(kMagic);
  header += {'\1', '\0', static_cast<char>(dict.size() & 0xFF), static_cast<char>(dict.size() >> 8)};
  return header + dict;
}

std::vector<std::byte> Write(const TensorType& type, const void* data) {
  Check(CheckTensorType(type));
  const bool c_order = SameLayout(type, TensorType(type.dtype, type.sizes));
  const DimOrder reversed = Reversed(type.rank());
  const bool fortran = !c_order && SameLayout(type, TensorType(type.dtype, type.sizes, reversed));
  const std::string header = Header(type, fortran);
  std::vector<std::byte> file(header.size() + static_cast<size_t>(NumBytes(type)));
  std::memcpy(file.data(), header.data(), header.size());
  Check(ToDimOrder(data, file.data() + header.size(), type.sizes, type.dim_order,
                   fortran ? reversed : IdentityOrder(type.rank()), DataTypeBytes(type.dtype)));
  return file;
}

}  // namespace

inline namespace v1 {

GraphResult<TensorData> ReadNpy(std::span<const std::byte> file) noexcept {
  return Guarded([&]() -> GraphResult<TensorData> { return Read(file); });
}

GraphResult<TensorData> ReadNpyFile(const std::string& path) noexcept {
  return Guarded([&]() -> GraphResult<TensorData> {
    return In(path, [&] { return Read(ReadFile(path, std::numeric_limits<size_t>::max())); });
  });
}

GraphResult<std::vector<std::byte>> WriteNpy(const TensorType& type, const void* data) noexcept {
  return Guarded([&]() -> GraphResult<std::vector<std::byte>> { return Write(type, data); });
}

GraphStatus WriteNpyFile(const std::string& path, const TensorType& type, const void* data) noexcept {
  return Guarded([&]() -> GraphStatus {
    WriteFile(path, Write(type, data));
    return {};
  });
}

}  // namespace v1
}  // namespace dimorder
