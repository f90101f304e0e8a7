// SPDX-License-Identifier: Apache-2.0
//
// A blob holds the part of the graph as it is, types and orders and all, in bytes. Loading it lowers it: activations
// become ranges of the nodes before them and constants move to where XNNPACK wants them. A context holds XNNPACK's
// runtime, which packs the weights for the machine and keeps the memory between the nodes: both by XNNPACK's allocator,
// which is one for the process and not the caller's to choose for a context.
#include <xnnpack.h>

#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dimorder/xnnpack.h"
#include "runtime/buffer.h"
#include "runtime/error.h"
#include "runtime/lowering/bytes.h"
#include "runtime/lowering/graph_bytes.h"
#include "runtime/xnnpack/query.h"
#include "runtime/xnnpack/subgraph.h"
#include "runtime/xnnpack/threads.h"

namespace dimorder {
namespace {

constexpr std::string_view kMagic = "dimorder xnnpack 2";
static_assert(XNN_EXTRA_BYTES <= kReadableTail);

struct RuntimeDeleter {
  void operator()(xnn_runtime_t runtime) const { xnn_delete_runtime(runtime); }
};

class XnnpackContext final : public DelegateContext {
 public:
  XnnpackContext(std::shared_ptr<const LoweredGraph> graph, std::shared_ptr<pthreadpool> pool,
                 const dimorder_allocator* allocator)
      : graph_(std::move(graph)), pool_(std::move(pool)) {
    const Subgraph subgraph = graph_->Define();
    xnn_runtime_t runtime = nullptr;
    CheckXnnpack(xnn_create_runtime_v2(subgraph.get(), pool_.get(), 0, &runtime), "create a runtime");
    runtime_.reset(runtime);
    for (uint32_t id = 0; id < graph_->num_inputs() + graph_->num_outputs(); ++id) values_.push_back({id, nullptr});
    for (size_t i = 0; i < graph_->num_outputs(); ++i) {
      const size_t bytes = graph_->ReadOutputBytes(i);
      staged_.push_back(bytes > 0 ? Buffer(allocator, bytes + XNN_EXTRA_BYTES) : Buffer());
    }
  }

  GraphStatus Run(std::span<const void* const> inputs, std::span<void* const> outputs) noexcept override {
    return Guarded([&]() -> GraphStatus {
      if (inputs.size() != graph_->num_inputs() || outputs.size() != graph_->num_outputs()) {
        Fail("has another number of inputs or outputs");
      }
      bool moved = !set_up_;
      for (size_t i = 0; i < values_.size(); ++i) {
        // XNNPACK takes inputs as void*, too, and only reads them.
        void* data = i < inputs.size() ? const_cast<void*>(inputs[i]) : OutputData(i - inputs.size(), outputs);
        moved = moved || values_[i].data != data;
        values_[i].data = data;
      }
      set_up_ = false;
      if (moved) CheckXnnpack(xnn_setup_runtime(runtime_.get(), values_.size(), values_.data()), "set up its runtime");
      set_up_ = true;
      CheckXnnpack(xnn_invoke_runtime(runtime_.get()), "run");
      for (size_t i = 0; i < outputs.size(); ++i) {
        if (staged_[i].data()) std::memcpy(outputs[i], staged_[i].data(), graph_->ReadOutputBytes(i));
      }
      return {};
    });
  }

 private:
  void* OutputData(size_t i, std::span<void* const> outputs) {
    return staged_[i].data() ? staged_[i].data() : outputs[i];
  }

  std::shared_ptr<const LoweredGraph> graph_;
  std::shared_ptr<pthreadpool> pool_;
  std::unique_ptr<xnn_runtime, RuntimeDeleter> runtime_;
  std::vector<xnn_external_value> values_;
  bool set_up_ = false;  // for `values_`
  // Outputs that XNNPACK reads again, and past whose end it then reads: nothing may be behind the caller's.
  std::vector<Buffer> staged_;
};

class XnnpackProgram final : public DelegateProgram {
 public:
  XnnpackProgram(Graph graph, std::shared_ptr<Pools> pools)
      : graph_(std::make_shared<const LoweredGraph>(std::move(graph))), pools_(std::move(pools)) {}

  GraphResult<std::unique_ptr<DelegateContext>> NewContext(
      const dimorder_executor* executor, const dimorder_allocator* allocator) const noexcept override {
    return Guarded([&]() -> GraphResult<std::unique_ptr<DelegateContext>> {
      return std::unique_ptr<DelegateContext>(
          std::make_unique<XnnpackContext>(graph_, pools_->For(executor), allocator));
    });
  }

 private:
  std::shared_ptr<const LoweredGraph> graph_;
  std::shared_ptr<Pools> pools_;
};

class XnnpackDelegate final : public Delegate {
 public:
  const char* name() const noexcept override { return "xnnpack"; }
  bool compiles() const noexcept override { return true; }
  int64_t reads_past() const noexcept override { return XNN_EXTRA_BYTES; }

  Support Query(const Graph& graph, const Node& node) const override { return QueryXnnpack(graph, node); }

  GraphResult<std::vector<std::byte>> Compile(const Graph& part) const noexcept override {
    return Guarded([&]() -> GraphResult<std::vector<std::byte>> {
      Check(Verify(part));
      CheckXnnpackGraph(part);
      ByteWriter blob;
      blob.Text(kMagic);
      WriteGraph(blob, part);
      return blob.Take();
    });
  }

  GraphResult<std::shared_ptr<const DelegateProgram>> Load(std::span<const std::byte> blob) const noexcept override {
    return Guarded([&]() -> GraphResult<std::shared_ptr<const DelegateProgram>> {
      ByteReader from(blob);
      if (from.Text() != kMagic) Fail("the blob is not of this delegate");
      Graph graph = ReadGraph(from);
      if (!from.empty()) Fail("the blob goes on after its end");
      CheckXnnpackGraph(graph);
      return std::shared_ptr<const DelegateProgram>(std::make_shared<XnnpackProgram>(std::move(graph), pools_));
    });
  }

 private:
  std::shared_ptr<Pools> pools_ = std::make_shared<Pools>();
};

}  // namespace

inline namespace v1 {

GraphResult<std::unique_ptr<Delegate>> NewXnnpackDelegate() noexcept {
  return Guarded([&]() -> GraphResult<std::unique_ptr<Delegate>> {
    CheckXnnpack(xnn_initialize(nullptr), "be initialized");
    return std::unique_ptr<Delegate>(std::make_unique<XnnpackDelegate>());
  });
}

}  // namespace v1
}  // namespace dimorder
