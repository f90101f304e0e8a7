// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_ONNX_NODE_IMPORT_H_
#define DIMORDER_RUNTIME_ONNX_NODE_IMPORT_H_

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dimorder/onnx.h"

namespace dimorder {

// What is known while a model is read: the graph so far and who is called what in it.
struct ModelImport {
  ModelImport(const std::string& name, int64_t bytes) : builder(name), max_bytes(bytes) {}

  GraphBuilder builder;
  int64_t max_bytes;  // of all values together
  int64_t opset = 0;
  std::map<std::string, ValueId> values;  // by ONNX name
  std::set<std::string> wanted;           // ONNX names that some node or the caller reads
  std::set<std::string> names;            // all names of values, those of steps on the way among them
  std::map<ValueId, const TensorData*> constants;
  std::vector<std::unique_ptr<TensorData>> storage;  // of `constants`
  int64_t filled_bytes = 0;                          // of constants that are larger than what the file holds of them

  // A constant of the graph, under an ONNX name or under one of its own.
  ValueId AddConstant(const std::string& name, TensorData tensor);
};

// One ONNX node on its way into the graph. Whatever is wrong throws Error.
class NodeImport {
 public:
  NodeImport(ModelImport& model, const onnx::NodeProto& proto) : model_(model), proto_(proto) {}

  int64_t opset() const { return model_.opset; }
  size_t num_inputs() const { return static_cast<size_t>(proto_.input_size()); }
  size_t num_outputs() const { return static_cast<size_t>(proto_.output_size()); }

  // An input; Has says whether an optional one is there.
  bool Has(size_t i) const;
  ValueId Input(size_t i) const;
  const TensorType& Type(ValueId id) const;
  const TensorType& InputType(size_t i) const { return Type(Input(i)); }

  // The numbers of an input, which must be a constant of no more than 2^20 elements.
  std::vector<int64_t> ConstantInts(size_t i) const;
  // Integers as they are: one that a double does not hold is an error, but for the most, which stands for no bound.
  std::vector<double> ConstantFloats(size_t i) const;

  // Bytes of a constant that the file does not hold, before they are made; an error where they become too many.
  void ChargeFilled(int64_t bytes);

  // Attributes.
  bool HasAttribute(const char* name) { return Find(name) != nullptr; }
  int64_t Int(const char* name, int64_t otherwise);
  double Float(const char* name, double otherwise);
  std::string String(const char* name, const std::string& otherwise);
  std::vector<int64_t> Ints(const char* name, const std::vector<int64_t>& otherwise = {});
  std::vector<double> Floats(const char* name);
  const onnx::TensorProto* TensorAttribute(const char* name);
  // Declares an attribute, or an input, as one that makes no difference here.
  void Ignore(const char* name) { Find(name); }
  void IgnoreInput(size_t i) const { asked_inputs_.insert(i); }
  // Attributes and inputs that nobody has asked for when the node is done are an error.
  void CheckAllTaken() const;

  // Adds a node whose output is a step on the way.
  ValueId Add(Op op, const std::vector<ValueId>& inputs, const Attributes& attributes = {});
  ValueId AddConstant(TensorData tensor) { return model_.AddConstant(StepName(), std::move(tensor)); }
  // Adds the node whose output is the ONNX node's output `i`, or makes that a constant.
  void Finish(Op op, const std::vector<ValueId>& inputs, const Attributes& attributes = {}, size_t i = 0);
  void FinishConstant(TensorData tensor, size_t i = 0);
  bool HasOutput(size_t i) const { return !proto_.output(static_cast<int>(i)).empty(); }
  // Whether anybody reads output `i`.
  bool WantsOutput(size_t i) const {
    return i < num_outputs() && model_.wanted.contains(proto_.output(static_cast<int>(i)));
  }

 private:
  const onnx::AttributeProto* Find(const char* name, int type = -1);
  const TensorData& Constant(size_t i) const;
  std::string StepName();
  ValueId AddNamed(Op op, const std::vector<ValueId>& inputs, const Attributes& attributes, const std::string& name);

  ModelImport& model_;
  const onnx::NodeProto& proto_;
  std::set<std::string> asked_;
  mutable std::set<size_t> asked_inputs_;
  int steps_ = 0;
};

// How an op is imported.
struct OnnxOp {
  const char* name;
  void (*import)(NodeImport& node);
  int64_t first_opset = 6;
};

// By folder of ops: each list ends with a null name.
extern const OnnxOp kOnnxCopyOps[];
extern const OnnxOp kOnnxComputeOps[];
extern const OnnxOp kOnnxWindowOps[];
extern const OnnxOp kOnnxResizeOps[];
extern const OnnxOp kOnnxQuantizedOps[];

// Window and groups of a Conv node, or of one like it whose weight is input `weight` (window_ops.cc).
Attributes ConvAttributes(NodeImport& node, size_t weight);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_ONNX_NODE_IMPORT_H_
