// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_GATE_LIBRARY_H_
#define DIMORDER_BENCH_GATE_LIBRARY_H_

#include <memory>
#include <string>

#include "dimorder/dimorder_c.h"

namespace dimorder::bench::gate {

// One build of libdimorder.so, known by the names of dimorder_c.h only. Several live in the process, each with its own
// code and state: what they export stays local to them. A file that is open already is the same library again; to have
// it twice takes a copy of the file.
class Library {
 public:
  // Throws std::runtime_error that names the file and, if that is it, the function that it lacks.
  explicit Library(const std::string& path);

  decltype(&dimorder_plan_create_permute) create;
  decltype(&dimorder_plan_create_strided) create_strided;
  decltype(&dimorder_plan_destroy) destroy;
  decltype(&dimorder_plan_execute) execute;
  decltype(&dimorder_plan_execute_with_workspace) execute_with_workspace;
  decltype(&dimorder_plan_scratch_bytes) scratch_bytes;
  decltype(&dimorder_plan_describe) describe;
  decltype(&dimorder_permute) permute;
  decltype(&dimorder_status_format) status_format;

 private:
  struct Closer {
    void operator()(void* handle) const;
  };

  template <class Function>
  void Find(const char* name, Function* function) const;

  std::string path_;
  std::unique_ptr<void, Closer> handle_;
};

}  // namespace dimorder::bench::gate

#endif  // DIMORDER_BENCH_GATE_LIBRARY_H_
