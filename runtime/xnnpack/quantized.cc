// SPDX-License-Identifier: Apache-2.0
//
// On integers XNNPACK runs fewer ops than on floats, and within limits: it adds up products in 32 bits and scales the
// sums to the output's integers by a float that is neither too large nor too small. Beyond them it gives errors late,
// stops the process by an assertion, or computes something else: all of that is refused here.
#include "runtime/xnnpack/quantized.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace dimorder {
namespace {

// Of a tensor that has only one.
double ScaleOf(const TensorType& type) { return static_cast<double>(type.quantization.scales[0]); }

// What XNNPACK computes in floats must be none that lost its digits.
bool IsNormal(double scale) { return std::isnormal(static_cast<float>(scale)); }

std::string RefuseTensor(const TensorType& type) {
  if (!type.quantized() || (type.dtype != DataType::kI8 && type.dtype != DataType::kU8)) {
    return std::string("takes no ") + DataTypeName(type.dtype) + " among integers";
  }
  if (!std::ranges::all_of(type.quantization.scales, IsNormal)) return "takes normal scales only";
  return {};
}

// A tensor like the output, with one scale.
std::string RefuseOperand(const Query& q, const TensorType& type) {
  std::string refusal = RefuseTensor(type);
  if (!refusal.empty()) return refusal;
  if (type.quantization.scales.size() != 1) return "takes scales along an axis for weights only";
  return type.dtype == q.out().dtype ? "" : "mixes no i8 and u8";
}

std::string RefuseRatio(double ratio, double least, const char* what) {
  constexpr double kRounding = 1 + 1e-6;  // on which side of a limit XNNPACK's float may end up
  if (ratio >= least * kRounding && ratio * kRounding < 256) return {};
  return std::string("scales ") + what + " by 2^" + std::to_string(std::ilogb(least)) + " to 2^8 only";
}

// Of the integers that stand for the same numbers on both sides.
std::string RefuseChange(const Query& q) {
  return q.in(0).type.quantization == q.out().quantization ? "" : "changes no scale or zero point in this op";
}

// The axis of output channels, along which weights may have scales.
int ChannelAxis(const Node& node) {
  if (node.op == Op::kMatmul) return 1;
  if (node.op == Op::kGemm) return node.attributes.Int("trans_b") != 0 ? 0 : 1;
  return 0;
}

int64_t OutputChannels(const Query& q) {
  const bool is_product = q.node.op == Op::kGemm || q.node.op == Op::kMatmul;
  return q.out().sizes[is_product ? q.out().rank() - 1 : 1];
}

std::string RefuseWeights(const Query& q) {
  const TensorType& type = q.in(1).type;
  if (!q.in(1).is_constant()) return "takes constant weights only";
  std::string refusal = RefuseTensor(type);
  if (!refusal.empty()) return refusal;
  if (type.dtype != q.out().dtype) return "mixes no i8 and u8";
  const Quantization& quantization = type.quantization;
  if (type.dtype == DataType::kI8 && std::ranges::any_of(quantization.zero_points, [](int z) { return z != 0; })) {
    return "takes i8 weights around 0 only";
  }
  if (quantization.scales.size() == 1) return {};
  if (type.dtype == DataType::kU8) return "takes u8 weights with one scale only";
  if (q.node.op == Op::kConvTranspose2d) return "has no transposed convolution with scales per channel";
  return quantization.axis == ChannelAxis(q.node) ? "" : "takes scales along the output's channels only";
}

std::string RefuseSums(const Query& q) {
  const TensorType& weights = q.in(1).type;
  // Products have 15 bits, those of u8 16: with a bias of 30 their sums stay within 32.
  const int most = weights.dtype == DataType::kU8 ? 14 : 15;
  const int64_t channels = OutputChannels(q);
  if (NumElements(weights) / channels > int64_t{1} << most) return "adds up to 2^" + std::to_string(most) + " products";
  for (int64_t c = 0; c < channels; ++c) {
    const auto channel = static_cast<size_t>(c);
    const double scale = SumScale(q, channel);
    std::string refusal = RefuseRatio(scale / ScaleOf(q.out()), 0x1p-32, "sums");
    if (!refusal.empty()) return refusal;
    if (!IsNormal(scale)) return "takes normal scales only";
    if (q.Has(2) && !(std::fabs(BiasSum(q, channel)) < 0x1p30)) return "adds biases of 30 bits only";
  }
  return {};
}

std::string RefuseBias(const Query& q) {
  if (!q.Has(2)) return {};
  const Value& bias = q.in(2);
  if (!bias.is_constant()) return "takes constant biases only";
  const bool is_i32 = bias.type.dtype == DataType::kI32 && bias.type.quantized();
  if (!is_i32 && bias.type.dtype != DataType::kF32) return "takes biases of f32 or quantized i32 only";
  return NumElements(bias.type) == OutputChannels(q) ? "" : "adds one number per channel only";
}

std::string RefuseProducts(const Query& q) {
  for (const auto refuse : {RefuseWeights, RefuseBias, RefuseSums}) {
    std::string refusal = refuse(q);
    if (!refusal.empty()) return refusal;
  }
  return {};
}

std::string RefuseBinary(const Query& q) {
  double product = 1;
  for (size_t i = 0; i < 2; ++i) {
    std::string refusal = RefuseOperand(q, q.in(i).type);
    if (!refusal.empty()) return refusal;
    const double scale = ScaleOf(q.in(i).type);
    product *= scale;
    if (q.node.op != Op::kMul) refusal = RefuseRatio(scale / ScaleOf(q.out()), 0x1p-10, "an operand");
    if (!refusal.empty()) return refusal;
  }
  if (q.node.op != Op::kMul) return {};
  return IsNormal(product) ? RefuseRatio(product / ScaleOf(q.out()), 0x1p-16, "a product") : "takes normal scales only";
}

std::string RefuseMean(const Query& q) {
  const auto& sizes = q.in(0).type.sizes;
  const int64_t count = sizes[2] * sizes[3];
  if (count > int64_t{1} << 20) return "means over up to 2^20 integers";
  if (!IsNormal(ScaleOf(q.out()) * static_cast<double>(count))) return "takes normal scales only";
  return RefuseRatio(ScaleOf(q.in(0).type) / ScaleOf(q.out()), 0x1p-8, "a mean");
}

std::string RefuseSigmoid(const Query& q) {
  const Quantization whole = {{0x1p-8f}, {q.out().dtype == DataType::kU8 ? 0 : -128}, 0};
  return q.out().quantization == whole ? "" : "makes sigmoids with scale 2^-8 and the least zero point only";
}

// The output and the first operand are fit.
std::string RefuseOp(const Query& q) {
  switch (q.node.op) {
    case Op::kConv2d:
    case Op::kConvTranspose2d:
    case Op::kGemm:
    case Op::kMatmul:
      return RefuseProducts(q);
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
      return RefuseBinary(q);
    case Op::kGlobalAvgPool:
    case Op::kMean:
      return RefuseMean(q);
    case Op::kRelu:
    case Op::kClip:
    case Op::kMaxPool2d:
    case Op::kGlobalMaxPool:
    case Op::kPad:
    case Op::kResize:
      return RefuseChange(q);
    case Op::kSigmoid:
      return RefuseSigmoid(q);
    default:
      return "has no such op on integers";
  }
}

// Element `i` of a constant as a real number.
double RealAt(const Value& constant, size_t i) {
  const Quantization& q = constant.type.quantization;
  if (!constant.type.quantized()) {
    float value;
    std::memcpy(&value, constant.data->data() + i * sizeof(value), sizeof(value));
    return static_cast<double>(value);
  }
  int32_t value;
  std::memcpy(&value, constant.data->data() + i * sizeof(value), sizeof(value));
  const size_t p = q.scales.size() == 1 ? 0 : i;
  return (static_cast<double>(value) - q.zero_points[p]) * static_cast<double>(q.scales[p]);
}

}  // namespace

bool IsQuantized(const Query& q) {
  bool any = q.node.op == Op::kQuantize || q.node.op == Op::kDequantize || q.out().quantized();
  for (size_t i = 0; i < q.node.inputs.size(); ++i) any = any || (q.Has(i) && q.in(i).type.quantized());
  return any;
}

std::string RefuseQuantized(const Query& q) {
  if (q.node.op == Op::kQuantize) return RefuseOperand(q, q.out());
  if (q.node.op == Op::kDequantize) {
    std::string refusal = RefuseTensor(q.in(0).type);
    return refusal.empty() && q.in(0).type.quantization.scales.size() != 1 ? "dequantizes with one scale only"
                                                                           : refusal;
  }
  std::string refusal = RefuseOperand(q, q.out());
  if (refusal.empty()) refusal = RefuseOperand(q, q.in(0).type);
  return refusal.empty() ? RefuseOp(q) : refusal;
}

double SumScale(const Query& q, size_t c) {
  const auto& weights = q.in(1).type.quantization.scales;
  return ScaleOf(q.in(0).type) * static_cast<double>(weights[weights.size() == 1 ? 0 : c]);
}

double BiasSum(const Query& q, size_t c) { return std::nearbyint(RealAt(q.in(2), c) / SumScale(q, c)); }

bool IsProductByConvolution(const Query& q) {
  return (q.node.op == Op::kGemm || q.node.op == Op::kMatmul) && q.in(1).type.quantization.scales.size() > 1;
}

}  // namespace dimorder
