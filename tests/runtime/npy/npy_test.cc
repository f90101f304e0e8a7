// SPDX-License-Identifier: Apache-2.0
#include "dimorder/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/random.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

using ::testing::HasSubstr;

std::string File(const std::string& header, size_t data, char version = 1) {
  std::string file = std::string("\x93NUMPY") + version + '\0' + static_cast<char>(header.size()) + '\0';
  if (version > 1) file += std::string(2, '\0');
  return file + header + std::string(data, 'x');
}

GraphResult<TensorData> Read(const std::string& file) { return ReadNpy(std::as_bytes(std::span(file))); }

std::string ErrorOf(const std::string& header, size_t data = 0) { return Read(File(header, data)).status().message(); }

TEST(Npy, ReadsWhatNumpyWrites) {
  const auto tensor = Read(File("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n", 24));
  ASSERT_TRUE(tensor.ok()) << tensor.status().message();
  EXPECT_EQ(ToString(tensor->type), "f32[2,3](0,1)");
  EXPECT_EQ(ToString(Read(File("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", 6, 2))->type),
            "u8[2,3](1,0)");
  EXPECT_EQ(ToString(Read(File("{'descr': '<i8', 'fortran_order': False, 'shape': ()}", 8, 3))->type), "i64[]()");
  EXPECT_EQ(ToString(Read(File("{'shape': (5,), 'fortran_order': False, 'descr': \"|b1\"}", 5))->type), "bool[5](0)");
}

TEST(Npy, BoolsAreZeroOrOne) {
  std::string file = File("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", 3);
  file.replace(file.size() - 3, 3, std::string("\0\1\2", 3));
  const auto tensor = Read(file);
  ASSERT_TRUE(tensor.ok()) << tensor.status().message();
  EXPECT_EQ(tensor->bytes, (std::vector{std::byte{0}, std::byte{1}, std::byte{1}}));
}

TEST(Npy, WhatIsWrittenReadsBack) {
  for (const DimOrder& order : AllOrders(3)) {
    TestTensor x(TensorType(DataType::kI16, {2, 3, 4}, order));
    for (int i = 0; i < 24; ++i) x.as<int16_t>()[i] = static_cast<int16_t>(i);
    const auto file = WriteNpy(x.type, x.bytes.data());
    ASSERT_TRUE(file.ok()) << file.status().message();
    const auto tensor = ReadNpy(*file);
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    TestTensor y(tensor->type);
    y.bytes = tensor->bytes;
    EXPECT_EQ(InOrder(y, order).bytes, x.bytes);
  }
}

TEST(Npy, RefusesWhatIsNone) {
  EXPECT_EQ(Read("hello").status().message(), "this is no npy file");
  EXPECT_THAT(Read(File("{}", 0, 9)).status().message(), HasSubstr("npy version 9"));
  EXPECT_THAT(ErrorOf("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", 8), HasSubstr("npy type <f8"));
  EXPECT_THAT(ErrorOf("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", 8),
              HasSubstr("has 8 bytes of data for"));
  EXPECT_THAT(ErrorOf("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}"), HasSubstr("shape is malformed"));
  EXPECT_THAT(ErrorOf("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"),
              HasSubstr("shape is malformed"));
  EXPECT_FALSE(Read(File("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}", 0)).ok());
  EXPECT_THAT(ErrorOf("{'descr': '<f4', 'fortran_order': False}"), HasSubstr("malformed"));
  EXPECT_THAT(ErrorOf("{'descr': '<f4', 'more': 1}"), HasSubstr("unknown key"));
  const std::string whole = File("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24);
  for (size_t n = 0; n < whole.size(); ++n) EXPECT_FALSE(Read(whole.substr(0, n)).ok());
}

TEST(Npy, MutatedFilesNeverCrash) {
  const std::string whole = File("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24);
  test::Random random(2);
  for (int i = 0; i < 5000; ++i) {
    std::string mutated = whole;
    mutated[static_cast<size_t>(random.Below(static_cast<int64_t>(mutated.size())))] =
        static_cast<char>(random.Below(256));
    const auto tensor = Read(mutated);
    if (!tensor.ok()) continue;
    EXPECT_EQ(tensor->bytes.size(), 24u);
  }
}

}  // namespace
}  // namespace dimorder
