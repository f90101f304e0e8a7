// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_RUN_GUARD_H_
#define DIMORDER_RUNTIME_RUN_GUARD_H_

#include <string>

#include "dimorder/program.h"

namespace dimorder {

// Holds a caller's tensor against its declaration: type, sizes and a pointer must be right, or this throws an Error
// that names the tensor. Returns whether the bytes are laid out as declared; where they are not, kError throws, with
// both orders. Size-1 axes count for nothing, whatever their place in either order.
bool GuardTensor(const std::string& what, const TensorType& declared, const TensorType& given, const void* data,
                 GuardPolicy policy);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_RUN_GUARD_H_
