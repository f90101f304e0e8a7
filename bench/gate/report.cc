// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "bench/gate/verdict.h"

namespace dimorder::bench::gate {
namespace {

constexpr std::array<std::string_view, 10> kNames = {"same-code",    "new",       "same",    "cleared",
                                                     "faster",       "accepted",  "untimed", "unconfirmed",
                                                     "inconclusive", "regression"};

template <class... Values>
std::string Format(const char* format, Values... values) {
  std::array<char, 160> buffer;
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  return buffer.data();
}

std::string Time(double ns) {
  if (ns < 1e3) return Format("%.1f ns", ns);
  return ns < 1e6 ? Format("%.2f us", ns / 1e3) : Format("%.2f ms", ns / 1e6);
}

std::string Ratio(const DuetResult& result) {
  if (!std::isfinite(result.upper)) return Format("%.3f", result.ratio);
  return Format("%.3f (%.3f to %.3f)", result.ratio, result.lower, result.upper);
}

int64_t Count(const Comparison& comparison, Outcome outcome) {
  return std::count_if(comparison.cases.begin(), comparison.cases.end(),
                       [&](const CaseReport& report) { return report.outcome == outcome; });
}

// Whether any block was measured: processes that time ran out for have none.
bool Measured(const ProcessBlocks& processes) { return !Pooled(processes).empty(); }

// What decided: processes where it was measured again, else blocks.
DuetResult Deciding(const CaseReport& report) {
  return Measured(report.confirm) ? SummarizeProcesses(report.confirm) : Summarize(Pooled(report.screen), 0.99);
}

// The cases to be shown, those that matter most first.
std::vector<const CaseReport*> Notable(const Comparison& comparison) {
  std::vector<const CaseReport*> notable;
  for (const CaseReport& report : comparison.cases) {
    if (report.outcome != Outcome::kSameCode && report.outcome != Outcome::kSame) notable.push_back(&report);
  }
  std::stable_sort(notable.begin(), notable.end(),
                   [](const CaseReport* a, const CaseReport* b) { return a->outcome > b->outcome; });
  return notable;
}

std::string TableRow(const CaseReport& report) {
  std::string row = "| `" + report.row.key + "` | " + std::string(OutcomeName(report.outcome)) + " | ";
  if (!Measured(report.screen)) return row + "| | | | " + report.note + " |\n";
  const DuetResult head = Deciding(report);
  const std::string control = Measured(report.control) ? Ratio(SummarizeProcesses(report.control)) : "";
  return row + Ratio(head) + " | " + Time(head.a_ns) + " | " + Time(head.b_ns) + " | " + control + " | " + report.note +
         " |\n";
}

std::string Sentence(const Comparison& comparison) {
  std::string text = "### Against " + comparison.base.name + " " + comparison.base.commit + ": " +
                     std::string(Verdict(comparison.worst())) + "\n\n" + std::to_string(comparison.cases.size()) +
                     " cases";
  for (size_t i = 0; i < kNames.size(); ++i) {
    const int64_t count = Count(comparison, static_cast<Outcome>(i));
    if (count != 0) text += ", " + std::to_string(count) + " " + std::string(kNames[i]);
  }
  return text + Format("; %.0f s.\n", comparison.seconds);
}

std::string Section(const Comparison& comparison) {
  std::string text = Sentence(comparison);
  const std::vector<const CaseReport*> notable = Notable(comparison);
  if (notable.empty()) return text;
  text +=
      "\n| case | outcome | head / base (99 % bounds) | base | head | base / base | note |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const CaseReport* report : notable) text += TableRow(*report);
  return text;
}

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= ' ') {
      quoted += c;
    } else {
      quoted += Format("\\u%04x", static_cast<unsigned>(c));
    }
  }
  return quoted + '"';
}

std::string Number(double number) { return std::isfinite(number) ? Format("%.6g", number) : "null"; }

template <class Values, class Text>
std::string JsonList(const Values& values, const Text& text_of) {
  std::string text = "[";
  for (const auto& value : values) text += (&value == &*values.begin() ? "" : ", ") + text_of(value);
  return text + "]";
}

std::string JsonStage(const DuetResult& result, const ProcessBlocks& processes) {
  const auto log_ratio = [](const BlockTimes& block) { return Format("%.5f", block.log_ratio); };
  const auto size = [](const std::vector<BlockTimes>& blocks) { return std::to_string(blocks.size()); };
  return "{\"ratio\": " + Number(result.ratio) + ", \"lower\": " + (result.lower > 0 ? Number(result.lower) : "null") +
         ", \"upper\": " + Number(result.upper) + ", \"p\": " + Number(result.p) +
         ", \"base_ns\": " + Number(result.a_ns) + ", \"head_ns\": " + Number(result.b_ns) +
         ",\n          \"blocks_per_process\": " + JsonList(processes, size) +
         ", \"log_ratios\": " + JsonList(Pooled(processes), log_ratio) + "}";
}

std::string JsonCase(const CaseReport& report) {
  std::string text = "        {\"case\": " + Quoted(report.row.key) +
                     ", \"outcome\": " + Quoted(OutcomeName(report.outcome)) +
                     ", \"base_plan\": " + Quoted(report.base_plan) + ", \"head_plan\": " + Quoted(report.head_plan) +
                     ", \"note\": " + Quoted(report.note);
  if (Measured(report.screen))
    text += ",\n         \"screen\": " + JsonStage(Summarize(Pooled(report.screen), 0.99), report.screen);
  if (Measured(report.confirm))
    text += ",\n         \"confirm\": " + JsonStage(SummarizeProcesses(report.confirm), report.confirm);
  if (Measured(report.control))
    text += ",\n         \"control\": " + JsonStage(SummarizeProcesses(report.control), report.control);
  return text + "}";
}

std::string JsonComparison(const Comparison& comparison) {
  std::string text = "    {\"base\": " + Quoted(comparison.base.name) +
                     ", \"commit\": " + Quoted(comparison.base.commit) +
                     ", \"verdict\": " + Quoted(Verdict(comparison.worst())) +
                     ", \"seconds\": " + Number(comparison.seconds) + ",\n     \"cases\": [\n";
  for (const CaseReport& report : comparison.cases) {
    text += JsonCase(report) + (&report == &comparison.cases.back() ? "\n" : ",\n");
  }
  return text + "     ]}";
}

}  // namespace

std::string_view OutcomeName(Outcome outcome) { return kNames[static_cast<size_t>(outcome)]; }

std::string_view Verdict(Outcome worst) {
  if (worst == Outcome::kRegression) return "regression";
  if (worst >= Outcome::kUntimed) return "inconclusive";
  return worst == Outcome::kFaster ? "improved" : "pass";
}

Outcome Worst(const Report& report) {
  if (report.comparisons.empty()) return Outcome::kUntimed;
  Outcome worst = Outcome::kSameCode;
  for (const Comparison& comparison : report.comparisons) worst = std::max(worst, comparison.worst());
  return worst;
}

int ExitCode(const Report& report) { return Worst(report) == Outcome::kRegression ? 1 : 0; }

std::string Markdown(const Report& report) {
  std::string text = "## dimorder gate: " + std::string(Verdict(Worst(report))) + "\n\nHead " + report.head.commit +
                     ", " + report.date + ", seed " + std::to_string(report.seed) + ".\n";
  for (const Comparison& comparison : report.comparisons) text += "\n" + Section(comparison);
  return text;
}

std::string Json(const Report& report) {
  std::string text = "{\"format\": \"dimorder-gate\", \"version\": 1, \"date\": " + Quoted(report.date) +
                     ", \"seed\": " + std::to_string(report.seed) + ",\n \"head\": " + Quoted(report.head.commit) +
                     ", \"verdict\": " + Quoted(Verdict(Worst(report))) + ",\n \"comparisons\": [\n";
  for (const Comparison& comparison : report.comparisons) {
    text += JsonComparison(comparison) + (&comparison == &report.comparisons.back() ? "\n" : ",\n");
  }
  return text + " ]}\n";
}

}  // namespace dimorder::bench::gate
