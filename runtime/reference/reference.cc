// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "runtime/copy/value_change.h"
#include "runtime/error.h"
#include "runtime/reference/ops.h"
#include "runtime/run/kernel.h"

namespace dimorder {
namespace {

ReferenceFn FindReference(Op op) {
  switch (op) {
    case Op::kConv2d:
      return ReferenceConv2d;
    case Op::kConvTranspose2d:
      return ReferenceConvTranspose2d;
    case Op::kMaxPool2d:
      return ReferenceMaxPool2d;
    case Op::kMaxPoolIndices:
      return ReferenceMaxPoolIndices;
    case Op::kAvgPool2d:
      return ReferenceAvgPool2d;
    case Op::kGlobalMaxPool:
      return ReferenceGlobalMaxPool;
    case Op::kGlobalAvgPool:
      return ReferenceGlobalAvgPool;
    case Op::kAdd:
      return ReferenceAdd;
    case Op::kSub:
      return ReferenceSub;
    case Op::kMul:
      return ReferenceMul;
    case Op::kDiv:
      return ReferenceDiv;
    case Op::kRelu:
      return ReferenceRelu;
    case Op::kClip:
      return ReferenceClip;
    case Op::kLeakyRelu:
      return ReferenceLeakyRelu;
    case Op::kSigmoid:
      return ReferenceSigmoid;
    case Op::kHardswish:
      return ReferenceHardswish;
    case Op::kTanh:
      return ReferenceTanh;
    case Op::kExp:
      return ReferenceExp;
    case Op::kSoftmax:
      return ReferenceSoftmax;
    case Op::kBatchNorm:
      return ReferenceBatchNorm;
    case Op::kMatmul:
      return ReferenceMatmul;
    case Op::kGemm:
      return ReferenceGemm;
    case Op::kMean:
      return ReferenceMean;
    case Op::kPad:
      return ReferencePad;
    case Op::kResize:
      return ReferenceResize;
    default:
      return nullptr;
  }
}

bool IsSmallFloat(DataType dtype) { return dtype == DataType::kF16 || dtype == DataType::kBF16; }

// Whether the functions see the tensor in f32: they know no other float, and nothing of quantization.
bool IsWidened(const TensorType& type) { return IsSmallFloat(type.dtype) || type.quantized(); }

TensorType Widened(const TensorType& type) { return TensorType(DataType::kF32, type.sizes, type.dim_order); }

void Widen(const TensorType& type, const void* from, void* to) {
  ApplyValueChange(type.quantized() ? DequantizeChange(type) : CastChange(type.dtype, Widened(type)), from, to);
}

void Narrow(const TensorType& type, const void* from, void* to) {
  ApplyValueChange(type.quantized() ? QuantizeChange(type) : CastChange(DataType::kF32, type), from, to);
}

class ReferenceKernel final : public Kernel {
 public:
  ReferenceKernel(const Node& node, const std::vector<const TensorType*>& inputs, const TensorType& output)
      : function_(FindReference(node.op)), attributes_(node.attributes), output_(output) {
    if (!function_) FailUnsupported(std::string("there is no reference of ") + OpName(node.op));
    for (const TensorType* input : inputs) inputs_.push_back(input ? *input : TensorType());
    for (const TensorType* input : inputs) present_.push_back(input != nullptr);
  }

  void Run(const KernelBuffers& buffers) const override {
    // An empty tensor may have axes of any size, which no function needs to look at then.
    if (NumElements(output_) == 0) return;
    // Made anew in each run, which may be on any thread: this is the plain path, not the fast one.
    std::vector<std::vector<float>> widened;
    std::vector<TensorType> types = inputs_;
    std::vector<Tensor> tensors;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!present_[i]) {
        tensors.emplace_back();
        continue;
      }
      void* data = const_cast<void*>(buffers.inputs[i]);
      if (IsWidened(inputs_[i])) {
        types[i] = Widened(inputs_[i]);
        widened.emplace_back(static_cast<size_t>(NumElements(types[i])));
        Widen(inputs_[i], data, widened.back().data());
        data = widened.back().data();
      }
      tensors.emplace_back(types[i], data);
    }
    if (!IsWidened(output_)) return function_(attributes_, tensors, Tensor(output_, buffers.output));
    const TensorType output_type = Widened(output_);
    std::vector<float> wide(static_cast<size_t>(NumElements(output_type)));
    function_(attributes_, tensors, Tensor(output_type, wide.data()));
    Narrow(output_, wide.data(), buffers.output);
  }

 private:
  ReferenceFn function_;
  Attributes attributes_;
  std::vector<TensorType> inputs_;
  std::vector<bool> present_;
  TensorType output_;
};

}  // namespace

std::unique_ptr<Kernel> MakeReferenceKernel(const Node& node, const std::vector<const TensorType*>& inputs,
                                            const TensorType& output) {
  return std::make_unique<ReferenceKernel>(node, inputs, output);
}

}  // namespace dimorder
