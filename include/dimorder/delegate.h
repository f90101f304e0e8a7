// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DELEGATE_H_
#define DIMORDER_DELEGATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dimorder/executor.h"
#include "dimorder/export.h"
#include "dimorder/graph.h"

namespace dimorder {
inline namespace v1 {

// Which dim orders whoever runs a node takes and makes.
enum class LayoutRule : int32_t {
  kAny = 0,     // each input and the output in whatever order: all at the same cost
  kSame = 1,    // one order, whichever, for all of them; an input of lower rank has the order of its trailing axes
  kListed = 2,  // one of `layouts`
};

// One way to run a node: the order of each input, constants included, and of the output.
struct LayoutSignature {
  std::vector<DimOrder> inputs;  // one per input of the node; anything for one that is left out
  DimOrder output;
  double cost = 0;  // nanoseconds beyond those of the node's cheapest signature
};

// A delegate's answer to "will you run this node?"
struct Support {
  bool supported = false;
  std::string reason;  // why not
  LayoutRule rule = LayoutRule::kAny;
  // kListed: at least one, the preferred one first. Of all orders that are named for a value the first 24 count: the
  // caller's, then those that nodes prefer, then the others. A signature with none of them is passed over, and a node
  // that is left with no signature is an error.
  std::vector<LayoutSignature> layouts;

  static Support No(std::string why) { return {false, std::move(why), LayoutRule::kAny, {}}; }
  static Support Any() { return {true, {}, LayoutRule::kAny, {}}; }
  static Support Same() { return {true, {}, LayoutRule::kSame, {}}; }
  static Support Listed(std::vector<LayoutSignature> signatures) {
    return {true, {}, LayoutRule::kListed, std::move(signatures)};
  }
};

// What one run of a part needs. For one thread at a time.
class DelegateContext {
 public:
  virtual ~DelegateContext() = default;
  // Buffers stand as the part's inputs and outputs do, and are laid out as its values are.
  virtual GraphStatus Run(std::span<const void* const> inputs, std::span<void* const> outputs) noexcept = 0;
};

// A part of a graph, loaded. Immutable: any number of threads may make contexts of it.
class DelegateProgram {
 public:
  virtual ~DelegateProgram() = default;
  // With the executor's threads (nullptr: serial) and the allocator's memory (nullptr: the heap), which both outlive
  // the context. A library under the delegate may have memory of its own; then the delegate's documentation says so.
  virtual GraphResult<std::unique_ptr<DelegateContext>> NewContext(
      const dimorder_executor* executor, const dimorder_allocator* allocator) const noexcept = 0;
};

// Readable bytes behind each value that a part is given, for delegates that say that they read them.
inline constexpr int64_t kReadableTail = 16;

// Something that runs parts of a graph. It says which nodes it takes and in which dim orders; the compiler decides the
// orders of all values and puts copies where they are needed, so that a delegate is never handed anything else.
class Delegate {
 public:
  virtual ~Delegate() = default;
  // As reports show it.
  virtual const char* name() const noexcept = 0;
  // Whether it takes the node, and in which layouts. The same answer for the same graph. May throw.
  //
  // Of a quantized model (dequantize -> op -> quantize) it is asked about each op on integers first: the node's types
  // say what they stand for (TensorType::quantization), its bias may be a constant of floats. A node that no delegate
  // takes so stays one on floats, and is asked about as such. It need not be a node of `graph` yet.
  virtual Support Query(const Graph& graph, const Node& node) const = 0;

  // A delegate that does not compile only says in which layouts its nodes are to be run; the runtime's own kernels run
  // them.
  virtual bool compiles() const noexcept { return false; }
  // The nodes of `part` are some of those that it took, as many as can be run in one go; its values lie in orders that
  // Query named. The blob is all that Load gets: what it needs of types, orders and constants is in it.
  virtual GraphResult<std::vector<std::byte>> Compile(const Graph& part) const noexcept {
    return GraphStatus(StatusCode::kUnsupported, "does not compile '" + part.name + "'");
  }
  virtual GraphResult<std::shared_ptr<const DelegateProgram>> Load(std::span<const std::byte> blob) const noexcept {
    return GraphStatus(StatusCode::kUnsupported, "does not load " + std::to_string(blob.size()) + " bytes");
  }
  // How far its contexts read past the end of an input: up to kReadableTail. Values of the arena have so many bytes
  // there, others are copied to where they have.
  virtual int64_t reads_past() const noexcept { return 0; }
};

// For the part of a delegate that knows no dim orders, only to_copy with a memory format: replaces to_dim_order_copy
// and clone_dim_order. An error that names node and order where the order has no memory format; the graph is then
// unchanged, as it is when Verify does not accept it.
DIMORDER_EXPORT GraphStatus RevertDimOrderOps(Graph& graph) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DELEGATE_H_
