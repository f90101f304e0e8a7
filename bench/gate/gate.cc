// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/gate.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>

#include "bench/gate/process.h"
#include "bench/gate/sample.h"
#include "bench/gate/scope.h"
#include "bench/gate/verdict.h"

// One comparison, from the cheapest look to the dearest: is the code the same? do both give the same bytes? does head
// look slower (Screen)? is it slower when that is measured again (Confirm)? Each look sees only the cases that the one
// before it could not settle.
namespace dimorder::bench::gate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kScreenRounds = 3;
constexpr int kConfirmTries = 2;      // the second only where the control was noisy
constexpr double kGraceSeconds = 30;  // for a worker to end by itself after its time
constexpr double kInspectSeconds = 300;

// The layouts of a build, in the order of their names.
std::vector<std::filesystem::path> LayoutsOf(const Build& build) {
  std::vector<std::filesystem::path> layouts;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(build.directory / "layouts", error)) {
    if (entry.path().extension() == ".so") layouts.push_back(entry.path());
  }
  if (layouts.empty()) throw std::runtime_error("no libraries in " + (build.directory / "layouts").string());
  std::sort(layouts.begin(), layouts.end());
  return layouts;
}

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "dimorder-gate-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a directory like " + name);
    path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Files for one worker to open: each library under a path of its own, for a file that is opened twice is one library.
// New ones for each worker, of layouts by chance: where code lies, and which pages of memory hold a file, favours a
// side as long as it lasts.
class Copies {
 public:
  Copies(const Build& base, const Build& head, uint64_t seed)
      : random_(seed), libraries_{Copy(base, "base.so"), Copy(head, "head.so"), Copy(base, "control.so")} {}

  const Libraries& libraries() const { return libraries_; }

 private:
  std::string Copy(const Build& build, const char* name) {
    const std::vector<std::filesystem::path> layouts = LayoutsOf(build);
    const std::filesystem::path to = directory_.path() / name;
    std::filesystem::copy_file(layouts[random_() % layouts.size()], to);
    return to.string();
  }

  std::mt19937_64 random_;
  TemporaryDirectory directory_;
  Libraries libraries_;
};

class Comparer {
 public:
  Comparer(const Build& base, const Build& head, const Options& options)
      : base_(base),
        head_(head),
        options_(options),
        seed_(options.seed),
        end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.budget_seconds))) {}

  std::vector<CaseReport> Run(const std::vector<Row>& rows) {
    for (const Row& row : rows) cases_[row.key].row = row;
    if (SecondsLeft() > 0) Inspect();
    if (options_.skip_same_code) SkipSameCode();
    RunScreen();
    for (int i = 0; i < kConfirmTries; ++i) RunConfirm();
    SettleRest();
    std::vector<CaseReport> reports;
    for (const Row& row : rows) reports.push_back(std::move(cases_[row.key]));
    return reports;
  }

 private:
  double SecondsLeft() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }

  std::vector<CaseReport*> CasesThatAre(Outcome outcome) {
    std::vector<CaseReport*> cases;
    for (auto& [key, report] : cases_) {
      if (report.outcome == outcome) cases.push_back(&report);
    }
    return cases;
  }

  std::vector<std::string> Work(const std::string& kind, std::vector<std::string> arguments,
                                const std::vector<CaseReport*>& cases, double seconds) const {
    const Copies copies(base_, head_, seed_);
    const Libraries& libraries = copies.libraries();
    arguments.insert(arguments.begin(),
                     {kind, "--base=" + libraries.base, "--head=" + libraries.head, "--control=" + libraries.control});
    for (const CaseReport* report : cases) arguments.push_back(report->row.key);
    return RunSelf(arguments, seconds + kGraceSeconds);
  }

  void Inspect() {
    for (const std::string& line : Work("inspect", {}, CasesThatAre(Outcome::kUntimed), kInspectSeconds)) {
      Note(ParseInspectLine(line));
    }
  }

  void Note(const Inspection& inspection) {
    CaseReport& report = cases_.at(inspection.key);
    switch (inspection.result) {
      case Inspection::Result::kDiffers:
        throw std::runtime_error(inspection.key + ": base and head move the same source to different bytes");
      case Inspection::Result::kHeadFails:
        throw std::runtime_error("head cannot run what base can: " + inspection.head);
      case Inspection::Result::kBaseFails:
        report.outcome = Outcome::kNew;
        report.note = inspection.base;
        return;
      case Inspection::Result::kEqual:
        report.base_plan = inspection.base;
        report.head_plan = inspection.head;
        if (inspection.base != inspection.head) report.note = "plans differ";
    }
  }

  void SkipSameCode() {
    const ObjectCode base(base_.directory);
    const ObjectCode head(head_.directory);
    Scope scope(base, head);
    for (CaseReport* report : CasesThatAre(Outcome::kUntimed)) {
      const bool same_plan = report->base_plan == report->head_plan;
      const bool runs_kernels = report->row.call != Call::kCreate;
      if (same_plan && scope.SamePlanner() && (!runs_kernels || scope.SameKernels(report->head_plan))) {
        report->outcome = Outcome::kSameCode;
      }
    }
  }

  // Blocks of these cases from `processes` new processes, as many as the time left allows.
  void Sample(const std::vector<CaseReport*>& cases, int64_t processes, int64_t rounds, int64_t blocks,
              int64_t slow_blocks, bool with_control) {
    for (int64_t process = 0; process < processes && !cases.empty() && SecondsLeft() > 0; ++process) {
      const double seconds = SecondsLeft();
      std::vector<std::string> arguments = {"--seed=" + std::to_string(++seed_), "--rounds=" + std::to_string(rounds),
                                            "--blocks=" + std::to_string(blocks / processes / rounds),
                                            "--slow-blocks=" + std::to_string(slow_blocks / processes / rounds),
                                            "--seconds=" + std::to_string(seconds)};
      if (with_control) arguments.emplace_back("--with-control");
      for (CaseReport* report : cases) {
        (with_control ? report->confirm : report->screen).emplace_back();
        if (with_control) report->control.emplace_back();
      }
      for (const std::string& text : Work("sample", std::move(arguments), cases, seconds)) {
        const SampleLine line = ParseSampleLine(text);
        CaseReport& report = cases_.at(line.key);
        ProcessBlocks& head = with_control ? report.confirm : report.screen;
        (line.pair == Pair::kHead ? head : report.control).back().push_back(line.times);
      }
    }
  }

  void RunScreen() {
    const std::vector<CaseReport*> cases = CasesThatAre(Outcome::kUntimed);
    Sample(cases, kScreenProcesses, kScreenRounds, kScreenBlocks, kSlowScreenBlocks, false);
    for (CaseReport* report : cases) {
      const std::vector<BlockTimes> blocks = Pooled(report->screen);
      if (static_cast<int64_t>(blocks.size()) < kSlowScreenBlocks) continue;
      report->outcome = Screen(blocks) == Screened::kSame ? Outcome::kSame : Outcome::kInconclusive;
    }
  }

  // Settles what is inconclusive so far, each time with new blocks only.
  void RunConfirm() {
    const std::vector<CaseReport*> suspects = CasesThatAre(Outcome::kInconclusive);
    if (SecondsLeft() <= 0) return;
    for (CaseReport* report : suspects) report->confirm.clear(), report->control.clear();
    Sample(suspects, kConfirmProcesses, 1, kConfirmBlocks, kSlowConfirmBlocks, true);
    for (CaseReport* report : suspects) {
      switch (Confirm(report->confirm, report->control)) {
        case Confirmed::kRegression:
          report->outcome = Outcome::kRegression;
          break;
        case Confirmed::kImprovement:
          report->outcome = Outcome::kFaster;
          break;
        case Confirmed::kCleared:
          report->outcome = Outcome::kCleared;
          break;
        case Confirmed::kNoisy:
          break;
      }
    }
  }

  // Noise that looked faster is no reason to doubt a run.
  void SettleRest() {
    for (CaseReport* report : CasesThatAre(Outcome::kInconclusive)) {
      if (Screen(Pooled(report->screen)) == Screened::kFaster) {
        report->outcome = Outcome::kCleared;
      } else if (report->confirm.empty()) {
        report->outcome = Outcome::kUnconfirmed;
      }
    }
  }

  const Build& base_;
  const Build& head_;
  const Options& options_;
  uint64_t seed_;
  const Clock::time_point end_;
  std::map<std::string, CaseReport> cases_;  // by key
};

}  // namespace

Outcome Comparison::worst() const {
  Outcome worst = Outcome::kSameCode;
  for (const CaseReport& report : cases) worst = std::max(worst, report.outcome);
  return worst;
}

Comparison Compare(const Build& base, const Build& head, const std::vector<Row>& rows, const Options& options) {
  const Clock::time_point begin = Clock::now();
  Comparison comparison{base, Comparer(base, head, options).Run(rows), 0};
  Accept(options.accepted, &comparison);
  comparison.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return comparison;
}

}  // namespace dimorder::bench::gate
