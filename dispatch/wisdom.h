// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_WISDOM_H_
#define DIMORDER_DISPATCH_WISDOM_H_

#include <cstdint>

#include "dimorder/wisdom.h"
#include "dispatch/choice.h"

namespace dimorder {
inline namespace v1 {

struct Request;

// A problem as wisdom knows it. Pointers' alignment is not part of it: a choice is right for every phase.
struct WisdomKey {
  int64_t target;
  int64_t threads;
  uint64_t problem[2];  // a hash of the canonical problem and Options::stores

  bool operator==(const WisdomKey&) const = default;
};
WisdomKey WisdomKeyOf(const Request& request) noexcept;

// Whether anything is remembered at all: without, planning neither hashes nor takes the lock.
bool HaveWisdom() noexcept;

// What is remembered of a problem.
bool FindWisdom(const WisdomKey& key, Choice* choice) noexcept;

// Remembers a choice for kernels of `element_bytes`; does nothing when there is no room left.
void AddWisdom(const WisdomKey& key, const Choice& choice, int64_t element_bytes) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_WISDOM_H_
