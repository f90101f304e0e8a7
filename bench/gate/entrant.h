// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_GATE_ENTRANT_H_
#define DIMORDER_BENCH_GATE_ENTRANT_H_

#include <cstddef>
#include <memory>
#include <string>

#include "bench/contender.h"
#include "bench/gate/library.h"
#include "bench/rows.h"

namespace dimorder::bench::gate {

// Scratch memory that all entrants of a process share, as they share their buffers: where two sides have pages of their
// own, the luck of page placement alone makes one of them slower.
class Workspace {
 public:
  void* data() const { return data_.get(); }
  size_t bytes() const { return bytes_; }
  // No less than that many bytes. Throws std::bad_alloc.
  void Grow(size_t bytes);

 private:
  struct Freer {
    void operator()(void* data) const;
  };
  std::unique_ptr<void, Freer> data_;
  size_t bytes_ = 0;
};

// A row as one library runs it.
class Entrant {
 public:
  // `library` and `workspace`, which it grows, must outlive it. Throws std::runtime_error with the library's message
  // when that refuses the row.
  Entrant(const Library& library, const Row& row, Workspace& workspace);

  Contender& contender() const { return *contender_; }
  // Plan::Describe.
  const std::string& description() const { return description_; }

 private:
  struct Destroyer {
    const Library* library;
    void operator()(dimorder_plan* plan) const { library->destroy(plan); }
  };

  std::unique_ptr<dimorder_plan, Destroyer> plan_;
  std::string description_;
  std::unique_ptr<Contender> contender_;
};

}  // namespace dimorder::bench::gate

#endif  // DIMORDER_BENCH_GATE_ENTRANT_H_
