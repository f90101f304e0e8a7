// SPDX-License-Identifier: Apache-2.0
//
// An entry for each sizes, the last used first. Who comes first for new sizes compiles, under the entry's lock, so that
// others wait for the same sizes but not for any other. What is dropped lives on with those who still run it.
#include "dimorder/session.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "runtime/error.h"

namespace dimorder {
inline namespace v1 {
namespace {

struct Entry {
  Session::Sizes sizes;
  std::mutex mutex;  // of what follows
  std::optional<Program> program;
  std::vector<Context> idle;
};

// What does not depend on sizes: the inputs and outputs of the first graph.
struct Interface {
  std::vector<Value> inputs;
  std::vector<Value> outputs;
};

std::vector<Value> ValuesOf(const Graph& graph, const std::vector<ValueId>& ids) {
  std::vector<Value> values;
  for (ValueId id : ids) values.push_back(graph.values[static_cast<size_t>(id)]);
  return values;
}

void CheckSame(const char* what, const std::vector<Value>& made, const std::vector<Value>& first) {
  if (made.size() != first.size()) Fail("the number of " + std::string(what) + "s depends on the sizes");
  for (size_t i = 0; i < made.size(); ++i) {
    const TensorType& a = made[i].type;
    const TensorType& b = first[i].type;
    if (a.dtype == b.dtype && a.dim_order == b.dim_order) continue;
    Fail(std::string(what) + " '" + made[i].name + "' is " + ToString(a) + " for these sizes, was " + ToString(b) +
         ": data type and dim order must not depend on the sizes");
  }
}

}  // namespace

struct SessionData {
  Session::GraphFor graph_for;
  CompileOptions options;
  size_t max_programs = 1;

  std::mutex mutex;  // of what follows
  std::list<std::shared_ptr<Entry>> entries;
  std::optional<Interface> first;

  // The entry for these sizes, moved to the front; a new one is empty.
  std::shared_ptr<Entry> Find(const Session::Sizes& sizes) {
    const std::lock_guard lock(mutex);
    const auto found = std::ranges::find(
        entries, sizes, [](const auto& entry) -> const auto& { return entry->sizes; });
    if (found != entries.end()) {
      entries.splice(entries.begin(), entries, found);
    } else {
      entries.push_front(std::make_shared<Entry>());
      entries.front()->sizes = sizes;
    }
    return entries.front();
  }

  // Called with the entry's lock.
  void Fill(const std::shared_ptr<Entry>& entry) {
    const auto end = [&](bool made) {
      const std::lock_guard lock(mutex);
      if (!made) entries.remove(entry);
      while (entries.size() > max_programs) entries.pop_back();
    };
    try {
      entry->program = Compile(entry->sizes);
    } catch (...) {
      end(false);
      throw;
    }
    end(true);
  }

 private:
  Program Compile(const Session::Sizes& sizes) {
    CheckCount(sizes);
    const auto graph = graph_for(sizes);
    Check(graph.status());
    Check(Verify(*graph));
    CheckInterface({ValuesOf(*graph, graph->inputs), ValuesOf(*graph, graph->outputs)}, sizes);
    auto program = Program::Create(*graph, options);
    Check(program.status());
    return std::move(program).value();
  }

  void CheckCount(const Session::Sizes& sizes) {
    const std::lock_guard lock(mutex);
    if (!first || first->inputs.size() == sizes.size()) return;
    Fail("the model has " + std::to_string(first->inputs.size()) + " inputs, not " + std::to_string(sizes.size()));
  }

  void CheckInterface(const Interface& made, const Session::Sizes& sizes) {
    {
      const std::lock_guard lock(mutex);
      if (!first) first = made;
      CheckSame("input", made.inputs, first->inputs);
      CheckSame("output", made.outputs, first->outputs);
    }
    CheckCount(sizes);
    for (size_t i = 0; i < sizes.size(); ++i) {
      const Value& input = made.inputs[i];
      if (input.type.sizes == sizes[i]) continue;
      Fail("input '" + input.name + "' is made with sizes " + Join(input.type.sizes) + ", not " + Join(sizes[i]));
    }
  }
};

GraphResult<Session> Session::Create(GraphFor graph_for, const CompileOptions& options, size_t max_programs) noexcept {
  return Guarded([&]() -> GraphResult<Session> {
    Require(graph_for != nullptr, "a session needs something that makes graphs");
    Session session;
    session.data_ = std::make_shared<SessionData>();
    session.data_->graph_for = std::move(graph_for);
    session.data_->options = options;
    session.data_->max_programs = std::max<size_t>(1, max_programs);
    return session;
  });
}

GraphResult<Program> Session::ProgramFor(const Sizes& sizes) const noexcept {
  return Guarded([&]() -> GraphResult<Program> {
    Require(data_ != nullptr, "an empty session has no programs");
    const auto entry = data_->Find(sizes);
    const std::lock_guard lock(entry->mutex);
    if (!entry->program) data_->Fill(entry);
    return *entry->program;
  });
}

GraphStatus Session::Run(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs) const noexcept {
  return Guarded([&]() -> GraphStatus {
    Require(data_ != nullptr, "an empty session runs nothing");
    Sizes sizes;
    for (const InputBuffer& input : inputs) sizes.push_back(input.type.sizes);
    const auto entry = data_->Find(sizes);
    Context context;
    {
      const std::lock_guard lock(entry->mutex);
      if (!entry->program) data_->Fill(entry);
      if (entry->idle.empty()) {
        auto made = entry->program->NewContext();
        Check(made.status());
        context = std::move(made).value();
      } else {
        context = std::move(entry->idle.back());
        entry->idle.pop_back();
      }
    }
    GraphStatus status = context.Run(inputs, outputs);
    const std::lock_guard lock(entry->mutex);
    entry->idle.push_back(std::move(context));
    return status;
  });
}

}  // namespace v1
}  // namespace dimorder
