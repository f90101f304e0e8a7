// SPDX-License-Identifier: Apache-2.0
#include "runtime/tool/backends.h"

#include <utility>

#include "runtime/error.h"
#if DIMORDER_HAS_OPENMP
#include "dimorder/openmp.h"
#endif

namespace dimorder {

Backends::Backends(const std::vector<std::string>& delegates, int64_t threads) {
  for (const std::string& name : delegates) AddDelegate(name);
  if (threads > 1) MakeThreads(static_cast<size_t>(threads));
}

void Backends::AddDelegate(const std::string& name) {
#if DIMORDER_HAS_XNNPACK
  if (name == "xnnpack") {
    auto made = NewXnnpackDelegate();
    Check(made.status());
    delegates_.push_back(std::move(made).value());
    return;
  }
#endif
  FailUnsupported("this build has no delegate '" + name + "'");
}

// The pool that XNNPACK runs on serves the moves, too.
void Backends::MakeThreads(size_t threads) {
#if DIMORDER_HAS_XNNPACK
  auto made = XnnpackThreads::Create(threads);
  Check(made.status());
  pool_ = std::move(made).value();
  executor_ = pool_.executor();
#elif DIMORDER_HAS_OPENMP
  openmp_ = OpenMPExecutor(threads);
  executor_ = &openmp_;
#else
  FailUnsupported("this build has no " + std::to_string(threads) + " threads");
#endif
}

std::vector<const Delegate*> Backends::delegates() const {
  std::vector<const Delegate*> all;
  for (const auto& delegate : delegates_) all.push_back(delegate.get());
  return all;
}

}  // namespace dimorder
