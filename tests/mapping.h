// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_MAPPING_H_
#define DIMORDER_TESTS_MAPPING_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace dimorder::test {

// Zeroed pages of `bytes` or more between two pages that may not be touched. Memory is taken page by page as it is
// written, so a mapping may be far larger than the machine.
class Mapping {
 public:
  explicit Mapping(size_t bytes) : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    bytes_ = (bytes + page_ - 1) / page_ * page_;
    void* all = mmap(nullptr, bytes_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return;
    begin_ = static_cast<uint8_t*>(all) + page_;
    if (mprotect(begin_, bytes_, PROT_READ | PROT_WRITE) != 0) Unmap();
  }
  ~Mapping() { Unmap(); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  // False when the system refused the mapping.
  bool ok() const { return begin_ != nullptr; }
  uint8_t* begin() const { return begin_; }
  uint8_t* end() const { return begin_ + bytes_; }
  size_t bytes() const { return bytes_; }

 private:
  void Unmap() {
    if (begin_ != nullptr) munmap(begin_ - page_, bytes_ + 2 * page_);
    begin_ = nullptr;
  }

  size_t page_;
  size_t bytes_ = 0;
  uint8_t* begin_ = nullptr;
};

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_MAPPING_H_
