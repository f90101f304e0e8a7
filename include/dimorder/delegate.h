// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DELEGATE_H_
#define DIMORDER_DELEGATE_H_

#include <string>
#include <vector>

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
  std::vector<LayoutSignature> layouts;  // kListed: at least one, the preferred one first

  static Support No(std::string why) { return {false, std::move(why), LayoutRule::kAny, {}}; }
  static Support Any() { return {true, {}, LayoutRule::kAny, {}}; }
  static Support Same() { return {true, {}, LayoutRule::kSame, {}}; }
  static Support Listed(std::vector<LayoutSignature> signatures) {
    return {true, {}, LayoutRule::kListed, std::move(signatures)};
  }
};

// Something that runs parts of a graph.
class Delegate {
 public:
  virtual ~Delegate() = default;
  // As reports show it.
  virtual const char* name() const noexcept = 0;
  // Whether it takes the node, and in which layouts. The same answer for the same graph.
  virtual Support Query(const Graph& graph, const Node& node) const = 0;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DELEGATE_H_
