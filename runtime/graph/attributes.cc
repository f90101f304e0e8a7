// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include "dimorder/graph.h"

namespace dimorder {
inline namespace v1 {
namespace {

template <class All>
auto LowerBound(All& all, std::string_view name) {
  return std::lower_bound(all.begin(), all.end(), name,
                          [](const auto& entry, std::string_view key) { return entry.first < key; });
}

}  // namespace

Attributes& Attributes::Set(std::string_view name, Attribute value) {
  const auto place = LowerBound(all_, name);
  if (place != all_.end() && place->first == name) {
    place->second = std::move(value);
  } else {
    all_.emplace(place, std::string(name), std::move(value));
  }
  return *this;
}

const Attribute* Attributes::Find(std::string_view name) const {
  const auto place = LowerBound(all_, name);
  return place != all_.end() && place->first == name ? &place->second : nullptr;
}

}  // namespace v1
}  // namespace dimorder
