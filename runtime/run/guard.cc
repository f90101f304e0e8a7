// SPDX-License-Identifier: Apache-2.0
#include "runtime/run/guard.h"

#include "runtime/error.h"

namespace dimorder {

bool GuardTensor(const std::string& what, const TensorType& declared, const TensorType& given, const void* data,
                 GuardPolicy policy) {
  return In(what, [&] {
    Check(CheckTensorType(given));
    // A caller need not say what integers stand for.
    const bool other_numbers = given.quantized() && given.quantization != declared.quantization;
    if (given.dtype != declared.dtype || given.sizes != declared.sizes || other_numbers) {
      Fail("declared " + ToString(declared) + ", given " + ToString(given));
    }
    if (!data && NumElements(declared) > 0) Fail("has no data");
    if (SameLayout(declared, given)) return true;
    if (policy == GuardPolicy::kError) {
      Fail("declared in dim order " + DimOrderToString(declared.dim_order) + ", given in " +
           DimOrderToString(given.dim_order) + ", which are laid out differently for sizes " + Join(declared.sizes));
    }
    return false;
  });
}

}  // namespace dimorder
