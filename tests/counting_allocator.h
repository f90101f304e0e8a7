// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_COUNTING_ALLOCATOR_H_
#define DIMORDER_TESTS_COUNTING_ALLOCATOR_H_

#include <cstdint>
#include <cstdlib>
#include <limits>

#include "dimorder/executor.h"

namespace dimorder {

// Counts what it hands out; none after the first `limit`.
struct CountingAllocator {
  int64_t limit = std::numeric_limits<int64_t>::max();
  int64_t live = 0;
  int64_t calls = 0;

  dimorder_allocator Get() {
    const auto allocate = [](void* ctx, size_t bytes, size_t alignment) -> void* {
      auto* self = static_cast<CountingAllocator*>(ctx);
      if (self->calls++ >= self->limit) return nullptr;
      ++self->live;
      return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    };
    const auto release = [](void* ctx, void* pointer, size_t) {
      --static_cast<CountingAllocator*>(ctx)->live;
      std::free(pointer);
    };
    return {sizeof(dimorder_allocator), allocate, release, this};
  }
};

}  // namespace dimorder

#endif  // DIMORDER_TESTS_COUNTING_ALLOCATOR_H_
