// SPDX-License-Identifier: Apache-2.0
#include "runtime/tool/run_report.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace dimorder {
namespace {

int64_t Median(std::vector<int64_t> numbers) {
  if (numbers.empty()) return 0;
  const auto middle = numbers.begin() + static_cast<ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

// Median nanoseconds of each step, by name.
std::map<std::string, int64_t> TimesByName(const Program& program, const RunTimes& times) {
  std::map<std::string, std::vector<int64_t>> all;
  for (const StepTime& t : times.steps) all[program.steps()[t.step].name].push_back(t.end_ns - t.begin_ns);
  std::map<std::string, int64_t> medians;
  for (const auto& [name, ns] : all) medians[name] = Median(ns);
  return medians;
}

struct OpTime {
  std::string op;
  int64_t nodes = 0;
  int64_t ns = 0;
};

// Sums of medians, the longest first.
std::vector<OpTime> TimesByOp(const Program& program, const RunTimes& times) {
  std::map<std::string, OpTime> sums;
  const auto by_name = TimesByName(program, times);
  for (const ProgramStep& step : program.steps()) {
    const auto time = by_name.find(step.name);
    if (step.moves_nothing || time == by_name.end()) continue;
    OpTime& sum = sums[step.what];
    sum.op = step.what;
    sum.nodes += step.nodes;
    sum.ns += time->second;
  }
  std::vector<OpTime> sorted;
  for (const auto& [name, sum] : sums) sorted.push_back(sum);
  std::ranges::sort(sorted, [](const OpTime& a, const OpTime& b) { return a.ns != b.ns ? a.ns > b.ns : a.op < b.op; });
  return sorted;
}

template <class... Args>
std::string Format(const char* format, Args... args) {
  std::string text(static_cast<size_t>(std::snprintf(nullptr, 0, format, args...)), '\0');
  std::snprintf(text.data(), text.size() + 1, format, args...);
  return text;
}

std::string Json(const std::string& text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      quoted += std::string("\\") + c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      quoted += Format("\\u%04x", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

long long L(int64_t n) { return static_cast<long long>(n); }

int64_t CopiesNs(const CompileReport& report, const std::map<std::string, int64_t>& by_name) {
  int64_t ns = 0;
  for (const CopyReport& copy : report.copies) {
    const auto time = by_name.find(copy.node);
    if (time != by_name.end()) ns += time->second;
  }
  return ns;
}

std::string CopyJson(const CopyReport& copy, int64_t ns) {
  return "{\"node\": " + Json(copy.node) + ", \"from\": " + Json(copy.from) + ", \"to\": " + Json(copy.to) +
         ", \"order_from\": " + Json(DimOrderToString(copy.type.dim_order)) +
         ", \"order_to\": " + Json(DimOrderToString(copy.order)) +
         Format(", \"bytes\": %lld, \"ns\": %lld, \"estimated_ns\": %.1f", L(copy.bytes), L(ns), copy.estimated_ns) +
         ", \"reason\": " + Json(copy.reason) + "}";
}

}  // namespace

std::string ReportText(const Program& program, const RunTimes& times) {
  const CompileReport& report = program.report();
  auto by_name = TimesByName(program, times);
  std::string text = Format("layout %s: cost %.0f ns, ", LayoutPolicyName(report.layout), report.layout_cost);
  text += report.layout_exact ? "proven the least\n" : Format("bound %.0f ns\n", report.layout_bound);
  text += Format("%zu copies, %lld bytes, %lld of them between caller and graph\n", report.copies.size(),
                 L(report.copied_bytes), L(report.boundary_bytes));
  for (const CopyReport& copy : report.copies) {
    text += "  " + copy.node + ": " + copy.from + " " + DimOrderToString(copy.type.dim_order) + " -> " + copy.to + " " +
            DimOrderToString(copy.order) + Format(", %lld bytes, %lld ns; ", L(copy.bytes), L(by_name[copy.node])) +
            copy.reason + "\n";
  }
  text += Format("%zu copies cancelled\n", report.cancelled.size());
  for (const std::string& line : report.cancelled) text += "  " + line + "\n";
  text += Format("%lld nodes folded, %lld batch norms folded, %lld constants laid out\n", L(report.constants_folded),
                 L(report.batch_norms_folded), L(report.constants_laid_out));
  if (report.quantized_nodes > 0 || !report.not_quantized.empty()) {
    text += Format("%lld nodes on integers, %zu not\n", L(report.quantized_nodes), report.not_quantized.size());
  }
  for (const std::string& line : report.not_quantized) text += "  " + line + "\n";
  for (const OpTime& op : TimesByOp(program, times)) {
    text += Format("  %-20s %4lld nodes %12lld ns\n", op.op.c_str(), L(op.nodes), L(op.ns));
  }
  const int64_t total = Median(times.runs_ns);
  const int64_t copies = CopiesNs(report, by_name);
  text += Format("total %lld ns, copies %lld ns (%.1f %%), arena %lld bytes\n", L(total), L(copies),
                 total ? 100.0 * static_cast<double>(copies) / static_cast<double>(total) : 0.0, L(report.arena_bytes));
  return text;
}

std::string ReportJson(const Program& program, const RunTimes& times) {
  const CompileReport& report = program.report();
  auto by_name = TimesByName(program, times);
  std::string text = "{\"layout\": " + Json(LayoutPolicyName(report.layout)) +
                     Format(", \"layout_cost_ns\": %.1f, \"layout_bound_ns\": %.1f, \"layout_exact\": %s",
                            report.layout_cost, report.layout_bound, report.layout_exact ? "true" : "false") +
                     ",\n \"copies\": [";
  for (size_t i = 0; i < report.copies.size(); ++i) {
    text += (i ? ",\n  " : "\n  ") + CopyJson(report.copies[i], by_name[report.copies[i].node]);
  }
  text += "],\n \"cancelled\": [";
  for (size_t i = 0; i < report.cancelled.size(); ++i) text += (i ? ", " : "") + Json(report.cancelled[i]);
  text += Format("],\n \"quantized_nodes\": %lld, \"not_quantized\": [", L(report.quantized_nodes));
  for (size_t i = 0; i < report.not_quantized.size(); ++i) text += (i ? ", " : "") + Json(report.not_quantized[i]);
  text += "],\n \"ops\": [";
  const auto ops = TimesByOp(program, times);
  for (size_t i = 0; i < ops.size(); ++i) {
    text += (i ? ", " : "") + ("{\"op\": " + Json(ops[i].op)) +
            Format(", \"nodes\": %lld, \"ns\": %lld}", L(ops[i].nodes), L(ops[i].ns));
  }
  return text + Format(
                    "],\n \"copied_bytes\": %lld, \"boundary_bytes\": %lld, \"copies_ns\": %lld, \"total_ns\": %lld, "
                    "\"arena_bytes\": %lld}\n",
                    L(report.copied_bytes), L(report.boundary_bytes), L(CopiesNs(report, by_name)),
                    L(Median(times.runs_ns)), L(report.arena_bytes));
}

std::string LayoutsRow(const std::string& name, const std::vector<CompileReport>& reports) {
  std::string text = "| " + name + " |";
  for (const CompileReport& report : reports) {
    double ns = 0;
    for (const CopyReport& copy : report.copies) ns += copy.estimated_ns;
    text += Format(" %zu, %.0f KB, %.0f us |", report.copies.size(), static_cast<double>(report.copied_bytes) / 1e3,
                   ns / 1e3);
  }
  return text + "\n";
}

std::string TraceJson(const Program& program, const RunTimes& times) {
  std::string text = "{\"traceEvents\": [";
  const int64_t start = times.steps.empty() ? 0 : times.steps[0].begin_ns;
  for (size_t i = 0; i < times.steps.size(); ++i) {
    const StepTime& t = times.steps[i];
    const ProgramStep& step = program.steps()[t.step];
    text += (i ? ",\n" : "\n") + ("{\"name\": " + Json(step.name)) + ", \"cat\": " + Json(step.what) +
            Format(", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": %.3f, \"dur\": %.3f}",
                   static_cast<double>(t.begin_ns - start) / 1e3, static_cast<double>(t.end_ns - t.begin_ns) / 1e3);
  }
  return text + "\n]}\n";
}

}  // namespace dimorder
