// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/random_graph.h"

#include <string>

#include "tests/random.h"

namespace dimorder {
namespace {

class Maker {
 public:
  Maker(uint32_t seed, int max_nodes) : random_(seed), builder_("random") {
    const int inputs = Below(2) + 1;
    for (int i = 0; i < inputs; ++i) {
      const std::vector<int64_t> sizes = kShapes[static_cast<size_t>(Below(3))];
      Keep(builder_.Input("in" + std::to_string(i), TensorType(DataType::kF32, sizes, Order(sizes.size()))));
    }
    const int nodes = Below(max_nodes) + 1;
    for (int i = 0; i < nodes; ++i) AddNode();
  }

  Graph Finish() {
    for (size_t i = 0; i < values_.size(); ++i) {
      if (!used_[i] || Below(8) == 0) builder_.Output(values_[i]);
    }
    return builder_.Finish().value();
  }

 private:
  static inline const std::vector<int64_t> kShapes[] = {{1, 3, 4, 4}, {2, 4, 3, 5}, {1, 4, 1, 3}};

  int Below(int n) { return static_cast<int>(random_.Below(n)); }

  // The logical order, channels-last, or any.
  DimOrder Order(size_t rank) {
    if (rank == 4 && Below(2) == 0) return kNHWC;
    if (Below(2) == 0) return IdentityOrder(rank);
    return random_.Pick(AllOrders(rank));
  }

  void Keep(ValueId id) {
    values_.push_back(id);
    used_.push_back(false);
  }

  ValueId Use() {
    const auto i = static_cast<size_t>(Below(static_cast<int>(values_.size())));
    used_[i] = true;
    return values_[i];
  }

  std::vector<int64_t> Dims(size_t rank) {
    std::vector<int64_t> dims;
    for (int axis : Order(rank)) dims.push_back(axis);
    return dims;
  }

  void AddNode() {
    const ValueId x = Use();
    const std::vector<int64_t> sizes = builder_.type(x)->sizes;
    const size_t rank = sizes.size();
    switch (Below(9)) {
      case 0:
        return Keep(builder_.Add(Op::kPermuteCopy, {x}, Attributes().SetInts("dims", Dims(rank))));
      case 1:
        return AddView(x, sizes);
      case 2:
        return Keep(builder_.Add(Op::kAdd, {x, Partner(x)}));
      case 3:
        return Keep(builder_.Add(Op::kCat, {x, Partner(x)}, Attributes().SetInt("dim", Below(static_cast<int>(rank)))));
      case 4:
        return Keep(builder_.Add(Op::kSoftmax, {x}, Attributes().SetInt("dim", 1)));
      case 5:
        return Keep(builder_.Add(Op::kFlip, {x}, Attributes().SetInts("dims", {Below(static_cast<int>(rank))})));
      case 6: {
        std::vector<int64_t> order = Dims(rank);
        return Keep(builder_.Add(Op::kToDimOrderCopy, {x}, Attributes().SetInts("dim_order", std::move(order))));
      }
      case 7:
        return AddMulByConstant(x, sizes);
      default:
        return Keep(builder_.Add(Op::kTanh, {x}));
    }
  }

  // A value of the same sizes, or x itself.
  ValueId Partner(ValueId x) {
    for (size_t i = values_.size(); i-- > 0;) {
      if (values_[i] == x || builder_.type(values_[i])->sizes != builder_.type(x)->sizes) continue;
      used_[i] = true;
      return values_[i];
    }
    return x;
  }

  void AddView(ValueId x, const std::vector<int64_t>& sizes) {
    std::vector<int64_t> view = sizes;
    if (view.size() == 4) {
      view = {sizes[0], sizes[1], sizes[2] * sizes[3]};
    } else {
      view = {sizes[0], sizes[1], 1, sizes[2]};
    }
    Keep(builder_.Add(Op::kViewCopy, {x}, Attributes().SetInts("size", std::move(view))));
  }

  void AddMulByConstant(ValueId x, const std::vector<int64_t>& sizes) {
    const std::vector<float> data(static_cast<size_t>(sizes.back()), 0.75f);
    const ValueId c = builder_.Constant("", TensorType(DataType::kF32, {sizes.back()}), data.data());
    Keep(builder_.Add(Op::kMul, {x, c}));
  }

  test::Random random_;
  GraphBuilder builder_;
  std::vector<ValueId> values_;
  std::vector<bool> used_;
};

}  // namespace

Graph RandomGraph(uint32_t seed, int max_nodes) { return Maker(seed, max_nodes).Finish(); }

std::vector<TestTensor> RandomInputs(const Graph& graph, uint32_t seed) {
  test::Random random(seed);
  std::vector<TestTensor> inputs;
  for (ValueId id : graph.inputs) {
    TestTensor tensor(graph.values[static_cast<size_t>(id)].type);
    for (int64_t i = 0; i < NumElements(tensor.type); ++i) {
      tensor.as<float>()[i] = static_cast<float>(random.Below(1024)) / 256.0f - 2;
    }
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

Support RandomDelegate::Query(const Graph& graph, const Node& node) const {
  uint64_t state = seed_;
  for (char c : node.name) state = test::Combine(state, static_cast<uint64_t>(c));
  test::Random random(state);
  const auto order_of = [&](ValueId id) {
    const size_t rank = graph.values[static_cast<size_t>(id)].type.rank();
    if (rank == 4 && random.OneIn(2)) return kNHWC;
    const auto all = AllOrders(rank);
    return random.OneIn(3) ? random.Pick(all) : all[0];
  };
  switch (random.Below(4)) {
    case 0:
      return Support::No("does not want to");
    case 1:
      return Support::Any();
    case 2:
      if (node.op == Op::kAdd || node.op == Op::kTanh || node.op == Op::kMul) return Support::Same();
      return Support::No("is not elementwise");
    default:
      break;
  }
  std::vector<LayoutSignature> layouts(static_cast<size_t>(random.Between(1, 3)));
  for (LayoutSignature& layout : layouts) {
    for (ValueId id : node.inputs) layout.inputs.push_back(order_of(id));
    layout.output = order_of(node.output);
    layout.cost = static_cast<double>(random.Below(3)) * 20;
  }
  return Support::Listed(std::move(layouts));
}

}  // namespace dimorder
