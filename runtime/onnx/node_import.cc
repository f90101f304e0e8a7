// SPDX-License-Identifier: Apache-2.0
#include "runtime/onnx/node_import.h"

#include <algorithm>

#include "runtime/copy/value_change.h"
#include "runtime/error.h"
#include "runtime/onnx/tensor_proto.h"

namespace dimorder {
namespace {

// Enough for a scale per channel. A constant may be far larger than the file, and its numbers are copied several times.
constexpr int64_t kMostNumbers = int64_t{1} << 20;

// The constant's elements as another type.
template <class T>
std::vector<T> Converted(const TensorData& tensor, DataType dtype) {
  if (NumElements(tensor.type) > kMostNumbers) {
    Fail("reads numbers of a constant of " + std::to_string(NumElements(tensor.type)) + " elements, more than " +
         std::to_string(kMostNumbers));
  }
  std::vector<T> numbers(static_cast<size_t>(NumElements(tensor.type)));
  ApplyValueChange(CastChange(tensor.type.dtype, TensorType(dtype, tensor.type.sizes)), tensor.bytes.data(),
                   numbers.data());
  return numbers;
}

bool IsInteger(DataType dtype) {
  return dtype == DataType::kI8 || dtype == DataType::kU8 || dtype == DataType::kI16 || dtype == DataType::kI32 ||
         dtype == DataType::kI64;
}

double Exact(int64_t integer) {
  const auto number = static_cast<double>(integer);
  constexpr double kBeyond = 0x1p63;
  if (integer != INT64_MAX && (number >= kBeyond || static_cast<int64_t>(number) != integer)) {
    FailUnsupported("number " + std::to_string(integer) + " has more than 53 bits");
  }
  return number;
}

}  // namespace

ValueId ModelImport::AddConstant(const std::string& name, TensorData tensor) {
  storage.push_back(std::make_unique<TensorData>(std::move(tensor)));
  const ValueId id = builder.Constant(name, storage.back()->type, storage.back()->bytes.data());
  Check(builder.status());
  constants[id] = storage.back().get();
  return id;
}

bool NodeImport::Has(size_t i) const {
  asked_inputs_.insert(i);
  return i < num_inputs() && !proto_.input(static_cast<int>(i)).empty();
}

ValueId NodeImport::Input(size_t i) const {
  if (!Has(i)) Fail("has no input " + std::to_string(i));
  const std::string& name = proto_.input(static_cast<int>(i));
  const auto value = model_.values.find(name);
  if (value == model_.values.end()) Fail("input '" + name + "' is no value so far");
  return value->second;
}

const TensorType& NodeImport::Type(ValueId id) const {
  const TensorType* type = model_.builder.type(id);
  if (!type) Fail("uses a value that there is not");
  return *type;
}

const TensorData& NodeImport::Constant(size_t i) const {
  const auto constant = model_.constants.find(Input(i));
  if (constant == model_.constants.end()) {
    FailUnsupported("input '" + proto_.input(static_cast<int>(i)) + "' must be a constant");
  }
  return *constant->second;
}

std::vector<int64_t> NodeImport::ConstantInts(size_t i) const {
  return Converted<int64_t>(Constant(i), DataType::kI64);
}

std::vector<double> NodeImport::ConstantFloats(size_t i) const {
  if (IsInteger(Constant(i).type.dtype)) {
    const auto integers = ConstantInts(i);
    std::vector<double> exact;
    for (int64_t integer : integers) exact.push_back(Exact(integer));
    return exact;
  }
  const auto numbers = Converted<float>(Constant(i), DataType::kF32);
  return {numbers.begin(), numbers.end()};
}

const onnx::AttributeProto* NodeImport::Find(const char* name, int type) {
  asked_.insert(name);
  for (const onnx::AttributeProto& attribute : proto_.attribute()) {
    if (attribute.name() != name) continue;
    if (type >= 0 && attribute.type() != type) Fail(std::string("attribute ") + name + " has the wrong type");
    return &attribute;
  }
  return nullptr;
}

int64_t NodeImport::Int(const char* name, int64_t otherwise) {
  const auto* attribute = Find(name, onnx::AttributeProto::INT);
  return attribute ? attribute->i() : otherwise;
}

double NodeImport::Float(const char* name, double otherwise) {
  const auto* attribute = Find(name, onnx::AttributeProto::FLOAT);
  return attribute ? static_cast<double>(attribute->f()) : otherwise;
}

std::string NodeImport::String(const char* name, const std::string& otherwise) {
  const auto* attribute = Find(name, onnx::AttributeProto::STRING);
  return attribute ? attribute->s() : otherwise;
}

std::vector<int64_t> NodeImport::Ints(const char* name, const std::vector<int64_t>& otherwise) {
  const auto* attribute = Find(name, onnx::AttributeProto::INTS);
  return attribute ? std::vector<int64_t>(attribute->ints().begin(), attribute->ints().end()) : otherwise;
}

std::vector<double> NodeImport::Floats(const char* name) {
  const auto* attribute = Find(name, onnx::AttributeProto::FLOATS);
  return attribute ? std::vector<double>(attribute->floats().begin(), attribute->floats().end())
                   : std::vector<double>();
}

const onnx::TensorProto* NodeImport::TensorAttribute(const char* name) {
  const auto* attribute = Find(name, onnx::AttributeProto::TENSOR);
  return attribute ? &attribute->t() : nullptr;
}

void NodeImport::ChargeFilled(int64_t bytes) {
  const int64_t most = std::min(model_.max_bytes, int64_t{1} << 30);
  if (bytes > most - model_.filled_bytes)
    Fail("fills constants of more than " + std::to_string(most) + " bytes in all");
  model_.filled_bytes += bytes;
}

void NodeImport::CheckAllTaken() const {
  for (size_t i = 0; i < num_inputs(); ++i) {
    const std::string& name = proto_.input(static_cast<int>(i));
    if (!name.empty() && !asked_inputs_.contains(i))
      FailUnsupported("input " + std::to_string(i) + " is not supported");
  }
  for (const onnx::AttributeProto& attribute : proto_.attribute()) {
    if (!asked_.contains(attribute.name())) FailUnsupported("attribute " + attribute.name() + " is not supported");
  }
}

// TensorFlow's names end like this, too.
std::string NodeImport::StepName() {
  std::string name;
  do {
    name = proto_.output(0) + ":" + std::to_string(steps_++);
  } while (!model_.names.insert(name).second);
  return name;
}

ValueId NodeImport::AddNamed(Op op, const std::vector<ValueId>& inputs, const Attributes& attributes,
                             const std::string& name) {
  const ValueId id = model_.builder.Add(op, inputs, attributes, name);
  Check(model_.builder.status());
  return id;
}

ValueId NodeImport::Add(Op op, const std::vector<ValueId>& inputs, const Attributes& attributes) {
  return AddNamed(op, inputs, attributes, StepName());
}

void NodeImport::Finish(Op op, const std::vector<ValueId>& inputs, const Attributes& attributes, size_t i) {
  const std::string& name = proto_.output(static_cast<int>(i));
  if (name.empty() || model_.values.contains(name)) Fail("output '" + name + "' has no name of its own");
  model_.values[name] = AddNamed(op, inputs, attributes, name);
}

void NodeImport::FinishConstant(TensorData tensor, size_t i) {
  const std::string& name = proto_.output(static_cast<int>(i));
  if (name.empty() || model_.values.contains(name)) Fail("output '" + name + "' has no name of its own");
  model_.values[name] = model_.AddConstant(name, std::move(tensor));
}

}  // namespace dimorder
