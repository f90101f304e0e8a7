// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/library.h"

#include <dlfcn.h>

#include <stdexcept>

namespace dimorder::bench::gate {

void Library::Closer::operator()(void* handle) const { dlclose(handle); }

template <class Function>
void Library::Find(const char* name, Function* function) const {
  void* symbol = dlsym(handle_.get(), name);
  if (symbol == nullptr) throw std::runtime_error(path_ + " lacks " + name);
  *function = reinterpret_cast<Function>(symbol);
}

Library::Library(const std::string& path) : path_(path), handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
  Find("dimorder_plan_create_permute", &create);
  Find("dimorder_plan_create_strided", &create_strided);
  Find("dimorder_plan_destroy", &destroy);
  Find("dimorder_plan_execute", &execute);
  Find("dimorder_plan_execute_with_workspace", &execute_with_workspace);
  Find("dimorder_plan_scratch_bytes", &scratch_bytes);
  Find("dimorder_plan_describe", &describe);
  Find("dimorder_permute", &permute);
  Find("dimorder_status_format", &status_format);
}

}  // namespace dimorder::bench::gate
