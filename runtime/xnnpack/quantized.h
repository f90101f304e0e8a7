// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_XNNPACK_QUANTIZED_H_
#define DIMORDER_RUNTIME_XNNPACK_QUANTIZED_H_

#include <string>

#include "runtime/xnnpack/query.h"

namespace dimorder {

// Whether the node is one on integers: it makes or reads a quantized tensor.
bool IsQuantized(const Query& q);

// Why XNNPACK cannot run a node on integers, quantize and dequantize among them, that it would run on floats; empty if
// it can.
std::string RefuseQuantized(const Query& q);

// A node with a bias: the real number that 1 stands for in the sums of channel `c`, input times weight.
double SumScale(const Query& q, size_t c);

// The bias of output channel `c`, in units of SumScale. May be beyond 32 bits.
double BiasSum(const Query& q, size_t c);

// XNNPACK has no matrix products with a scale per channel; as convolutions of 1x1 it has them.
bool IsProductByConvolution(const Query& q);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_XNNPACK_QUANTIZED_H_
