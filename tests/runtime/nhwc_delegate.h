// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_RUNTIME_NHWC_DELEGATE_H_
#define DIMORDER_TESTS_RUNTIME_NHWC_DELEGATE_H_

#include <utility>
#include <vector>

#include "tests/runtime/part_delegate.h"

namespace dimorder {

// Wants what XNNPACK wants: convolutions and pools in NHWC with weights in OHWI, or HWCM for depthwise ones, and
// elementwise ops in any one order.
template <class Base>
class NhwcDelegateOf final : public Base {
 public:
  const char* name() const noexcept override { return "nhwc"; }

  Support Query(const Graph& graph, const Node& node) const override {
    switch (node.op) {
      case Op::kConv2d: {
        const auto& weight = graph.values[static_cast<size_t>(node.inputs[1])].type.sizes;
        const bool depthwise = weight[1] == 1 && node.attributes.Int("groups", 1) > 1;
        std::vector<DimOrder> inputs = {kNHWC, depthwise ? kDepthwise : kOHWI, {0}};
        inputs.resize(node.inputs.size());
        return Support::Listed({{std::move(inputs), kNHWC, 0}});
      }
      case Op::kMaxPool2d:
      case Op::kAvgPool2d:
      case Op::kGlobalAvgPool:
        return Support::Listed({{{kNHWC}, kNHWC, 0}});
      case Op::kAdd:
      case Op::kMul:
      case Op::kSub:
      case Op::kDiv:
      case Op::kRelu:
      case Op::kClip:
        return Support::Same();
      default:
        return Support::No("is not its op");
    }
  }

 private:
  static constexpr DimOrder kDepthwise = {2, 3, 0, 1};
};

// Has wishes for layouts only.
using NhwcDelegate = NhwcDelegateOf<Delegate>;
// Runs its nodes, too.
using NhwcParts = NhwcDelegateOf<PartDelegate>;

}  // namespace dimorder

#endif  // DIMORDER_TESTS_RUNTIME_NHWC_DELEGATE_H_
