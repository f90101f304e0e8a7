// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_NPY_H_
#define DIMORDER_NPY_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dimorder/export.h"
#include "dimorder/tensor_type.h"

namespace dimorder {
inline namespace v1 {

// A tensor with bytes of its own, laid out as its type says.
struct TensorData {
  TensorType type;
  std::vector<std::byte> bytes;
};

// numpy's .npy, versions 1 to 3, little-endian, of the data types that there are here; a Fortran-ordered array gets the
// reversed dim order. A bool of any byte but 0 reads as 1. Any bytes may be given: what is not such a file is an error.
DIMORDER_EXPORT GraphResult<TensorData> ReadNpy(std::span<const std::byte> file) noexcept;
DIMORDER_EXPORT GraphResult<TensorData> ReadNpyFile(const std::string& path) noexcept;

// C-ordered, or, for the reversed dim order, Fortran-ordered; a tensor in another order is moved first. bf16, which
// numpy lacks, is refused.
DIMORDER_EXPORT GraphResult<std::vector<std::byte>> WriteNpy(const TensorType& type, const void* data) noexcept;
DIMORDER_EXPORT GraphStatus WriteNpyFile(const std::string& path, const TensorType& type, const void* data) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_NPY_H_
