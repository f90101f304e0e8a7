// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_BUFFER_H_
#define DIMORDER_RUNTIME_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include "dimorder/executor.h"

namespace dimorder {

// Bytes of a context's, from the caller's allocator or else from the heap.
class Buffer {
 public:
  static constexpr size_t kAlignment = 64;

  Buffer() = default;
  // Throws std::bad_alloc. `allocator` may be null, and outlives the buffer.
  Buffer(const dimorder_allocator* allocator, size_t bytes)
      : allocator_(allocator), bytes_(std::max<size_t>(bytes, 1)) {
    data_ = static_cast<std::byte*>(allocator ? allocator->allocate(allocator->ctx, bytes_, kAlignment)
                                              : ::operator new(bytes_, std::align_val_t(kAlignment)));
    if (!data_) throw std::bad_alloc();
  }
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(allocator_, other.allocator_);
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Buffer() {
    if (!data_) return;
    if (allocator_) {
      allocator_->release(allocator_->ctx, data_, bytes_);
    } else {
      ::operator delete(data_, std::align_val_t(kAlignment));
    }
  }

  // nullptr if default-constructed.
  std::byte* data() const { return data_; }

 private:
  const dimorder_allocator* allocator_ = nullptr;
  size_t bytes_ = 0;
  std::byte* data_ = nullptr;
};

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_BUFFER_H_
