// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/sample.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <utility>

#include "bench/buffers.h"
#include "bench/gate/entrant.h"
#include "bench/gate/library.h"
#include "dispatch/measure.h"

namespace dimorder::bench::gate {
namespace {

using Clock = std::chrono::steady_clock;

BufferPairs BuffersFor(const Case& c) { return BufferPairs(c.SourceBytes(), c.Bytes()); }

// A row made ready in all libraries.
struct Field {
  const Row& row;
  Entrant base;
  Entrant head;
  std::optional<Entrant> control;
  bool cached;  // one pair of buffers, which stays
  BufferPairs pairs;
};

class Sampling {
 public:
  Sampling(const Libraries& libraries, const std::vector<Row>& rows, const SampleJob& job, std::ostream& out)
      : job_(job), out_(out), random_(job.seed), end_(Clock::now() + Seconds(job.seconds)) {
    Open(libraries);
    for (const Row& row : rows) Prepare(row);
  }

  void Run() {
    for (int64_t round = 0; round < job_.rounds; ++round) {
      std::shuffle(fields_.begin(), fields_.end(), random_);
      for (const std::unique_ptr<Field>& field : fields_) {
        if (Clock::now() >= end_) return;
        Visit(*field, round);
      }
    }
  }

 private:
  static Clock::duration Seconds(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  void Open(const Libraries& libraries) {
    std::pair<const std::string*, std::unique_ptr<Library>*> files[] = {
        {&libraries.base, &base_}, {&libraries.head, &head_}, {&libraries.control, &control_}};
    std::shuffle(std::begin(files), std::end(files), random_);
    for (auto& [path, library] : files) {
      if (path != &libraries.control || job_.with_control) *library = std::make_unique<Library>(*path);
    }
  }

  void Prepare(const Row& row) {
    const bool cached = PairsFor(row.c->SourceBytes() + row.c->Bytes()) == 1;
    fields_.push_back(
        std::make_unique<Field>(Field{row, Entrant(*base_, row, workspace_), Entrant(*head_, row, workspace_),
                                      std::nullopt, cached, cached ? BuffersFor(*row.c) : BufferPairs()}));
    if (job_.with_control) fields_.back()->control.emplace(*control_, row, workspace_);
  }

  // Rows that rotate through buffers beyond the caches are visited once only: to fill those takes longer than to
  // measure.
  void Visit(Field& field, int64_t round) {
    if (field.cached) return Measure(field, field.pairs, 1);
    if (round == 0) Measure(field, BuffersFor(*field.row.c), job_.rounds);
  }

  void Measure(const Field& field, const BufferPairs& pairs, int64_t visits) {
    const Side base{field.base.contender(), pairs};
    const Side head{field.head.contender(), pairs};
    const Side control{field.control ? field.control->contender() : field.base.contender(), pairs};
    const int64_t leads = field.cached ? 1 : 0;  // what one side streams is not in memory for the other
    AbbaSampler head_sampler(base, head, {.lead_calls = leads, .seed = random_()});
    AbbaSampler control_sampler(base, control, {.lead_calls = leads, .seed = random_()});
    head_sampler.WarmUp();
    if (field.control) control_sampler.WarmUp();
    const int64_t blocks = visits * (head_sampler.calls() > 1 ? job_.blocks : job_.slow_blocks);
    std::vector<std::pair<Pair, BlockTimes>> times;
    for (int64_t i = 0; i < blocks; ++i) {
      times.emplace_back(Pair::kHead, head_sampler.Next());
      if (!field.control) continue;
      control_sampler.Interrupt();
      times.emplace_back(Pair::kControl, control_sampler.Next());
      head_sampler.Interrupt();
    }
    Write(field.row.key, times);
  }

  void Write(const std::string& key, const std::vector<std::pair<Pair, BlockTimes>>& times) {
    out_ << std::setprecision(9);
    for (const auto& [pair, block] : times) {
      out_ << (pair == Pair::kHead ? "head" : "control") << '\t' << key << '\t' << block.a_ns << '\t' << block.b_ns
           << '\t' << block.log_ratio << '\n';
    }
  }

  const SampleJob& job_;
  std::ostream& out_;
  std::mt19937_64 random_;
  Clock::time_point end_;
  std::unique_ptr<Library> base_, head_, control_;
  Workspace workspace_;
  std::vector<std::unique_ptr<Field>> fields_;
};

}  // namespace

void Sample(const Libraries& libraries, const std::vector<Row>& rows, const SampleJob& job, std::ostream& out) {
  Sampling(libraries, rows, job, out).Run();
}

}  // namespace dimorder::bench::gate
