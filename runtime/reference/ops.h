// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_REFERENCE_OPS_H_
#define DIMORDER_RUNTIME_REFERENCE_OPS_H_

#include "runtime/reference/tensor.h"

// The compute ops as their definitions say them, one loop nest each, over tensors in any dim order: what runs where no
// delegate does, and the oracle of the tests. Sums are kept in double.
namespace dimorder {

#define DIMORDER_REFERENCE(name) \
  void name(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output)

DIMORDER_REFERENCE(ReferenceAdd);
DIMORDER_REFERENCE(ReferenceSub);
DIMORDER_REFERENCE(ReferenceMul);
DIMORDER_REFERENCE(ReferenceDiv);
DIMORDER_REFERENCE(ReferenceRelu);
DIMORDER_REFERENCE(ReferenceClip);
DIMORDER_REFERENCE(ReferenceLeakyRelu);
DIMORDER_REFERENCE(ReferenceSigmoid);
DIMORDER_REFERENCE(ReferenceHardswish);
DIMORDER_REFERENCE(ReferenceTanh);
DIMORDER_REFERENCE(ReferenceExp);
DIMORDER_REFERENCE(ReferenceConv2d);
DIMORDER_REFERENCE(ReferenceConvTranspose2d);
DIMORDER_REFERENCE(ReferenceMaxPool2d);
DIMORDER_REFERENCE(ReferenceMaxPoolIndices);
DIMORDER_REFERENCE(ReferenceAvgPool2d);
DIMORDER_REFERENCE(ReferenceGlobalMaxPool);
DIMORDER_REFERENCE(ReferenceGlobalAvgPool);
DIMORDER_REFERENCE(ReferenceSoftmax);
DIMORDER_REFERENCE(ReferenceBatchNorm);
DIMORDER_REFERENCE(ReferenceMatmul);
DIMORDER_REFERENCE(ReferenceGemm);
DIMORDER_REFERENCE(ReferenceMean);
DIMORDER_REFERENCE(ReferencePad);
DIMORDER_REFERENCE(ReferenceResize);

#undef DIMORDER_REFERENCE

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_REFERENCE_OPS_H_
