// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "dimorder/onnx.h"
#include "runtime/error.h"
#include "runtime/file.h"
#include "runtime/onnx/node_import.h"
#include "runtime/onnx/tensor_proto.h"

namespace dimorder {
namespace {

constexpr int64_t kLastOpset = 17;

constexpr std::array kLists = {kOnnxCopyOps, kOnnxComputeOps, kOnnxWindowOps, kOnnxResizeOps, kOnnxQuantizedOps};

const OnnxOp* FindOp(const std::string& name) {
  for (const OnnxOp* op : kLists) {
    for (; op->name; ++op) {
      if (name == op->name) return op;
    }
  }
  return nullptr;
}

class Importer {
 public:
  Importer(const onnx::ModelProto& proto, const OnnxOptions& options)
      : proto_(proto), graph_(proto.graph()), options_(options), model_(proto.graph().name(), options.max_bytes) {}

  Graph Run() {
    model_.opset = Opset();
    if (graph_.sparse_initializer_size() > 0) FailUnsupported("sparse initializers are not supported");
    CollectNames();
    AddInitializers();
    for (const onnx::ValueInfoProto& input : graph_.input()) AddInput(input);
    for (const onnx::NodeProto& node : graph_.node()) AddNode(node);
    for (const onnx::ValueInfoProto& output : graph_.output()) {
      const auto value = model_.values.find(output.name());
      if (value == model_.values.end()) Fail("graph output '" + output.name() + "' is never made");
      CheckDeclared("graph output", output, *model_.builder.type(value->second));
      model_.builder.Output(value->second);
    }
    auto graph = model_.builder.Finish();
    Check(graph.status());
    return std::move(graph).value();
  }

 private:
  // The type of an output, or of an input that is a constant, may be left out, or its sizes be symbolic.
  static void CheckDeclared(const char* what, const onnx::ValueInfoProto& value, const TensorType& made) {
    const auto& declared = value.type().tensor_type();
    const bool same_dtype = declared.elem_type() == 0 || FromOnnxType(declared.elem_type()) == made.dtype;
    bool same_sizes = !declared.has_shape() || declared.shape().dim_size() == static_cast<int>(made.rank());
    for (size_t i = 0; same_sizes && declared.has_shape() && i < made.rank(); ++i) {
      const auto& dim = declared.shape().dim(static_cast<int>(i));
      same_sizes = !dim.has_dim_value() || dim.dim_value() == made.sizes[i];
    }
    if (!same_dtype || !same_sizes) {
      Fail(std::string(what) + " '" + value.name() + "' is " + ToString(made) +
           ", which is not what the model declares");
    }
  }

  // Models of before there were opsets (IR 1 and 2) are of opset 1, which is too old for most ops.
  int64_t Opset() const {
    int64_t opset = 1;
    for (const auto& import : proto_.opset_import()) {
      if (import.domain().empty() || import.domain() == "ai.onnx") opset = import.version();
    }
    if (opset > kLastOpset) {
      FailUnsupported("opset " + std::to_string(opset) + " is newer than " + std::to_string(kLastOpset));
    }
    return opset;
  }

  // All values since the last call, among them the steps on the way that no ONNX name leads to.
  void Charge() {
    for (; const TensorType* type = model_.builder.type(next_charged_); ++next_charged_) {
      if (NumBytes(*type) > options_.max_bytes - bytes_) {
        Fail("the values have more than " + std::to_string(options_.max_bytes) + " bytes");
      }
      bytes_ += NumBytes(*type);
    }
  }

  void CollectNames() {
    for (const onnx::NodeProto& node : graph_.node()) {
      model_.wanted.insert(node.input().begin(), node.input().end());
      model_.names.insert(node.output().begin(), node.output().end());
    }
    for (const onnx::ValueInfoProto& output : graph_.output()) model_.wanted.insert(output.name());
    for (const onnx::ValueInfoProto& input : graph_.input()) model_.names.insert(input.name());
    for (const onnx::TensorProto& tensor : graph_.initializer()) model_.names.insert(tensor.name());
  }

  void AddInitializers() {
    for (const onnx::TensorProto& tensor : graph_.initializer()) {
      if (tensor.name().empty() || model_.values.contains(tensor.name())) {
        Fail("initializer '" + tensor.name() + "' has no name of its own");
      }
      AddConstant(tensor.name(), FromTensorProto(tensor));
    }
    for (const auto& [name, tensor] : options_.constants) {
      const auto has_name = [&wanted = name](const auto& input) { return input.name() == wanted; };
      if (std::ranges::none_of(graph_.input(), has_name)) Fail("there is no graph input '" + name + "'");
      In("OnnxOptions::constants '" + name + "'", [&t = tensor] {
        Check(CheckTensorType(t.type));
        if (static_cast<int64_t>(t.bytes.size()) == NumBytes(t.type)) return;
        Fail("has " + std::to_string(t.bytes.size()) + " bytes for " + ToString(t.type));
      });
      if (!model_.values.contains(name)) AddConstant(name, tensor);
    }
  }

  void AddConstant(const std::string& name, TensorData tensor) {
    model_.values[name] = model_.AddConstant(name, std::move(tensor));
    Charge();
  }

  // Old models list their initializers among the inputs.
  void AddInput(const onnx::ValueInfoProto& input) {
    if (model_.values.contains(input.name())) {
      if (!inputs_.insert(input.name()).second) Fail("graph input '" + input.name() + "' is there twice");
      CheckDeclared("graph input", input, *model_.builder.type(model_.values[input.name()]));
      return;
    }
    inputs_.insert(input.name());
    In("graph input '" + input.name() + "'", [&] {
      if (!input.type().has_tensor_type()) FailUnsupported("is no tensor");
      const auto& tensor = input.type().tensor_type();
      if (!tensor.has_shape()) FailUnsupported("has no shape");
      const TensorType type(FromOnnxType(tensor.elem_type()), InputSizes(input.name(), tensor.shape()));
      Check(CheckTensorType(type));
      model_.values[input.name()] = model_.builder.Input(input.name(), type);
      Check(model_.builder.status());
    });
    Charge();
  }

  std::vector<int64_t> InputSizes(const std::string& name, const onnx::TensorShapeProto& shape) const {
    std::vector<int64_t> sizes;
    const auto given = options_.sizes.find(name);
    if (given != options_.sizes.end() && static_cast<int>(given->second.size()) != shape.dim_size()) {
      Fail("has " + std::to_string(shape.dim_size()) + " axes, not sizes " + Join(given->second));
    }
    for (const auto& dim : shape.dim()) {
      const size_t axis = sizes.size();
      const bool symbolic = !dim.has_dim_value();
      if (given != options_.sizes.end()) {
        if (!symbolic && dim.dim_value() != given->second[axis]) {
          Fail("axis " + std::to_string(axis) + " has size " + std::to_string(dim.dim_value()) + ", not " +
               std::to_string(given->second[axis]));
        }
        sizes.push_back(given->second[axis]);
      } else if (symbolic && (axis > 0 || options_.batch < 1)) {
        FailUnsupported("axis " + std::to_string(axis) + " is symbolic ('" + dim.dim_param() + "')");
      } else {
        sizes.push_back(symbolic ? options_.batch : dim.dim_value());
      }
    }
    return sizes;
  }

  void AddNode(const onnx::NodeProto& proto) {
    const std::string& label = proto.name().empty() && proto.output_size() > 0 ? proto.output(0) : proto.name();
    In("ONNX node '" + label + "' (" + proto.op_type() + ", opset " + std::to_string(model_.opset) + ")", [&] {
      const bool is_default = proto.domain().empty() || proto.domain() == "ai.onnx";
      const OnnxOp* op = is_default ? FindOp(proto.op_type()) : nullptr;
      if (!op) FailUnsupported("the op is not supported" + (is_default ? "" : " (domain " + proto.domain() + ")"));
      if (model_.opset < op->first_opset) {
        FailUnsupported("the first opset that is supported is " + std::to_string(op->first_opset));
      }
      if (proto.output_size() < 1) Fail("has no output");
      NodeImport node(model_, proto);
      op->import(node);
      node.CheckAllTaken();
    });
    Charge();
  }

  const onnx::ModelProto& proto_;
  const onnx::GraphProto& graph_;
  const OnnxOptions& options_;
  ModelImport model_;
  std::set<std::string> inputs_;
  int64_t bytes_ = 0;  // of the values before `next_charged_`
  ValueId next_charged_ = 0;
};

Graph Import(std::span<const std::byte> bytes, const OnnxOptions& options) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max())) Fail("the model is larger than 2 GiB");
  onnx::ModelProto proto;
  if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !proto.has_graph()) {
    Fail("this is no ONNX model");
  }
  return Importer(proto, options).Run();
}

}  // namespace

inline namespace v1 {

GraphResult<Graph> ImportOnnx(std::span<const std::byte> model, const OnnxOptions& options) noexcept {
  return Guarded([&]() -> GraphResult<Graph> { return Import(model, options); });
}

GraphResult<Graph> ImportOnnxFile(const std::string& path, const OnnxOptions& options) noexcept {
  return Guarded([&]() -> GraphResult<Graph> {
    return In(path,
              [&] { return Import(ReadFile(path, static_cast<size_t>(std::numeric_limits<int>::max())), options); });
  });
}

std::vector<std::string> OnnxOps() {
  std::vector<std::string> names;
  for (const OnnxOp* op : kLists) {
    for (; op->name; ++op) names.emplace_back(op->name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace v1
}  // namespace dimorder
