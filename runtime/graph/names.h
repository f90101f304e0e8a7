// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_GRAPH_NAMES_H_
#define DIMORDER_RUNTIME_GRAPH_NAMES_H_

#include <set>
#include <string>

#include "dimorder/graph.h"

namespace dimorder {

// The names of a graph's values, for passes that add some.
class Names {
 public:
  explicit Names(const Graph& graph) {
    for (const Value& value : graph.values) taken_.insert(value.name);
  }

  // `name`, or if a value is called that already, something like it.
  std::string Unique(std::string name) {
    while (!taken_.insert(name).second) name += "'";
    return name;
  }

 private:
  std::set<std::string> taken_;
};

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_GRAPH_NAMES_H_
