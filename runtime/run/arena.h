// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_RUN_ARENA_H_
#define DIMORDER_RUNTIME_RUN_ARENA_H_

#include <cstddef>
#include <new>
#include <utility>

#include "dimorder/executor.h"
#include "runtime/passes/memory_plan.h"

namespace dimorder {

// A context's memory, from the caller's allocator or else from the heap.
class Arena {
 public:
  Arena() = default;
  // Throws std::bad_alloc. `allocator` may be null, and outlives the arena.
  Arena(const dimorder_allocator* allocator, size_t bytes) : allocator_(allocator), bytes_(bytes) {
    data_ = static_cast<std::byte*>(allocator ? allocator->allocate(allocator->ctx, bytes, kAlignment)
                                              : ::operator new(bytes, std::align_val_t(kAlignment)));
    if (!data_) throw std::bad_alloc();
  }
  Arena(Arena&& other) noexcept { *this = std::move(other); }
  Arena& operator=(Arena&& other) noexcept {
    std::swap(allocator_, other.allocator_);
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Arena() {
    if (!data_) return;
    if (allocator_) {
      allocator_->release(allocator_->ctx, data_, bytes_);
    } else {
      ::operator delete(data_, std::align_val_t(kAlignment));
    }
  }

  std::byte* data() const { return data_; }

 private:
  static constexpr size_t kAlignment = kTensorAlignment;

  const dimorder_allocator* allocator_ = nullptr;
  size_t bytes_ = 0;
  std::byte* data_ = nullptr;
};

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_RUN_ARENA_H_
