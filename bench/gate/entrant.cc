// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/entrant.h"

#include <cstdlib>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace dimorder::bench::gate {
namespace {

constexpr size_t kPage = 4096;

// What the C API takes of a dense tensor.
struct Request {
  std::vector<int64_t> sizes;
  std::vector<int32_t> perm;
  int64_t element_bytes;
};

Request RequestOf(const Case& c) { return {c.sizes, {c.perm.begin(), c.perm.end()}, c.element_bytes}; }

dimorder_status CreateView(const Library& library, const Case& c, dimorder_plan** plan) {
  const Case::View view = c.ToView();
  return library.create_strided(plan, view.sizes.size(), view.sizes.data(), view.src_strides.data(), 0,
                                view.dst_strides.data(), 0, c.element_bytes, nullptr);
}

dimorder_status Create(const Library& library, const Request& request, dimorder_plan** plan) {
  return library.create(plan, request.sizes.size(), request.sizes.data(), request.perm.data(), request.element_bytes,
                        nullptr);
}

std::string Describe(const Library& library, const dimorder_plan* plan) {
  std::string text(library.describe(plan, nullptr, 0), '\0');
  library.describe(plan, text.data(), text.size() + 1);
  return text;
}

std::unique_ptr<Contender> MakeOneShot(const Library& library, Request request) {
  return MakeContender("oneshot", [&library, request = std::move(request)](const uint8_t* src, uint8_t* dst) {
    library.permute(src, dst, request.sizes.size(), request.sizes.data(), request.perm.data(), request.element_bytes,
                    nullptr);
  });
}

std::unique_ptr<Contender> MakeCreate(const Library& library, Request request) {
  return MakeContender("create", [&library, request = std::move(request)](const uint8_t*, uint8_t*) {
    dimorder_plan* plan = nullptr;
    Create(library, request, &plan);
    library.destroy(plan);
  });
}

std::unique_ptr<Contender> MakeExecute(const Library& library, const dimorder_plan* plan, const Workspace& workspace) {
  if (library.scratch_bytes(plan) == 0) {
    return MakeContender("execute",
                         [&library, plan](const uint8_t* src, uint8_t* dst) { library.execute(plan, src, dst); });
  }
  return MakeContender("execute", [&library, plan, &workspace](const uint8_t* src, uint8_t* dst) {
    library.execute_with_workspace(plan, src, dst, workspace.data(), workspace.bytes());
  });
}

}  // namespace

void Workspace::Freer::operator()(void* data) const { std::free(data); }

void Workspace::Grow(size_t bytes) {
  if (bytes <= bytes_) return;
  bytes = (bytes + kPage - 1) / kPage * kPage;
  data_.reset(std::aligned_alloc(kPage, bytes));
  if (data_ == nullptr) throw std::bad_alloc();
  bytes_ = bytes;
}

Entrant::Entrant(const Library& library, const Row& row, Workspace& workspace) : plan_(nullptr, Destroyer{&library}) {
  Request request = RequestOf(*row.c);
  dimorder_plan* plan = nullptr;
  const dimorder_status status = row.c->IsView() ? CreateView(library, *row.c, &plan) : Create(library, request, &plan);
  if (status.code != DIMORDER_OK) {
    std::string text(library.status_format(status, nullptr, 0), '\0');
    library.status_format(status, text.data(), text.size() + 1);
    throw std::runtime_error(row.key + ": " + text);
  }
  plan_.reset(plan);
  description_ = Describe(library, plan);
  workspace.Grow(library.scratch_bytes(plan));
  switch (row.call) {
    case Call::kExecute:
      contender_ = MakeExecute(library, plan, workspace);
      break;
    case Call::kOneShot:
      contender_ = MakeOneShot(library, std::move(request));
      break;
    case Call::kCreate:
      contender_ = MakeCreate(library, std::move(request));
      break;
  }
}

}  // namespace dimorder::bench::gate
