// SPDX-License-Identifier: Apache-2.0
#include "bench/tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <iterator>
#include <map>
#include <ostream>

#include "bench/figures.h"

namespace dimorder::bench {
namespace {

// A result with the row it belongs to.
struct Line {
  const Row* row;
  const RowResult* result;
};

__attribute__((format(printf, 1, 2))) std::string Text(const char* format, ...) {
  std::array<char, 256> buffer;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer.data(), buffer.size(), format, arguments);
  va_end(arguments);
  return buffer.data();
}

std::string TimeText(double ns) {
  if (ns < 1e3) return Text("%.1f ns", ns);
  if (ns < 1e6) return Text("%.2f us", ns * 1e-3);
  return Text("%.2f ms", ns * 1e-6);
}

std::string BoundsText(const RowResult& result) {
  return result.upper == 0 ? "-" : Text("%.2f..%.2f", result.lower, result.upper);
}

struct BestPeer {
  std::string name;
  double ratio = 0;  // 0: there is none
};

// The best of the other libraries that were timed.
BestPeer BestTimedPeerOf(const Line& line) {
  BestPeer best;
  for (const auto& [name, ratio] : line.result->peers) {
    if (best.ratio == 0 || ratio < best.ratio) best = {name, ratio};
  }
  return best;
}

// The same, else the best of those in the table of cases.
BestPeer BestPeerOf(const Line& line) {
  const BestPeer best = BestTimedPeerOf(line);
  const Case& c = *line.row->c;
  return best.ratio != 0 ? best : BestPeer{c.peer, c.peer_ratio};
}

std::string PeerText(const Line& line) {
  const BestPeer best = BestPeerOf(line);
  if (best.ratio == 0) return "";
  return Text("%.2f %-9s %6.2f", best.ratio, best.name.c_str(), line.result->ratio / best.ratio);
}

void PrintCases(const char* heading, const std::vector<Line>& lines, std::ostream& out) {
  if (lines.empty()) return;
  out << "\n" << heading << "\n";
  out << Text("%-36s %10s %10s %7s %6s %13s %5s %9s  %s\n", "case", "bytes", "time", "GB/s", "ratio", "95 % bounds",
              "loop", "vs_memcpy", "best peer        ours/best");
  for (const Line& line : lines) {
    const auto& [row, result] = line;
    out << Text("%-36s %10lld %10s %7.2f %6.2f %13s %5.2f %9.2f  %s\n", row->key.c_str(),
                static_cast<long long>(row->c->Bytes()), TimeText(result->ns).c_str(), result->gbps, result->ratio,
                BoundsText(*result).c_str(), result->loop, result->vs_memcpy, PeerText(line).c_str());
  }
}

void PrintCalls(const std::vector<Line>& lines, std::ostream& out) {
  if (lines.empty()) return;
  out << "\nCalls on a case of few bytes, relative to a memcpy of the same bytes\n";
  out << Text("%-36s %10s %9s\n", "call", "time", "vs_memcpy");
  for (const auto& [row, result] : lines) {
    const std::string call = row->call == Call::kExecute ? "execute/" + row->key : row->key;
    out << Text("%-36s %10s %9.2f\n", call.c_str(), TimeText(result->ns).c_str(), result->vs_memcpy);
  }
}

class GeometricMean {
 public:
  void Add(double value) {
    log_sum_ += std::log(value);
    ++n_;
  }
  std::string ToString() const { return n_ == 0 ? "-" : Text("%.2f", std::exp(log_sum_ / n_)); }

 private:
  double log_sum_ = 0;
  int n_ = 0;
};

// Geometric means of one class: ours, the loop's, the best peers' that were timed, and those of the table of cases. The
// latter two are over the rows that have one.
struct Means {
  std::map<int64_t, GeometricMean> ours;
  std::map<int64_t, GeometricMean> loop;
  std::map<int64_t, GeometricMean> timed;
  std::map<int64_t, GeometricMean> listed;
};

// "1.50/1.75 (8.30; 2.79)": ours, what is asked, the best peers' timed here and those of the table of cases. Without
// the former, "1.50/1.75 (2.79)".
std::string MeansText(const std::string& group, Means& means, int64_t element_bytes) {
  const auto ours = means.ours.find(element_bytes);
  if (ours == means.ours.end()) return "-";
  const double figure = FigureOf(group, element_bytes);
  const auto timed = means.timed.find(element_bytes);
  return ours->second.ToString() + (figure == 0 ? "" : Text("/%.2f", figure)) + " (" +
         (timed == means.timed.end() ? "" : timed->second.ToString() + "; ") + means.listed[element_bytes].ToString() +
         ")";
}

// A row for each group, with text(group, means, element bytes) for each size.
template <class CellText>
void PrintGroups(const char* heading, const std::vector<std::string>& order, std::map<std::string, Means>& groups,
                 const CellText& text, std::ostream& out) {
  constexpr int64_t kSizes[] = {1, 2, 4, 8};
  out << heading << Text("%-15s", "class");
  for (const int64_t bytes : kSizes) out << Text(" %22lld B", static_cast<long long>(bytes));
  out << "\n";
  for (const std::string& group : order) {
    out << Text("%-15s", group.c_str());
    for (const int64_t bytes : kSizes) out << Text(" %24s", text(group, groups[group], bytes).c_str());
    out << "\n";
  }
}

void PrintMeans(const std::vector<Line>& lines, std::ostream& out) {
  if (lines.empty()) return;
  std::vector<std::string> order;
  std::map<std::string, Means> groups;
  for (const Line& line : lines) {
    const auto& [row, result] = line;
    const Case& c = *row->c;
    if (std::find(order.begin(), order.end(), c.group) == order.end()) order.push_back(c.group);
    Means& means = groups[c.group];
    means.ours[c.element_bytes].Add(result->ratio);
    means.loop[c.element_bytes].Add(result->loop);
    if (const BestPeer best = BestTimedPeerOf(line); best.ratio > 0) means.timed[c.element_bytes].Add(best.ratio);
    if (c.peer_ratio > 0) means.listed[c.element_bytes].Add(c.peer_ratio);
  }
  PrintGroups(
      "\nGeometric means of the ratio by class and element size, over the rows above: ours/asked\n"
      "(best peer timed here; best peer of cases.csv)\n",
      order, groups, MeansText, out);
  PrintGroups(
      "\nThe same of a loop of vector loads and stores, which moves the same bytes in order\n", order, groups,
      [](const std::string&, Means& means, int64_t bytes) { return means.loop[bytes].ToString(); }, out);
}

// The rows that `value` has a text for.
template <class Value>
void PrintList(const char* heading, const std::vector<Line>& lines, const Value& value, std::ostream& out) {
  std::string list;
  int rows = 0;
  for (const Line& line : lines) {
    const std::string text = value(line);
    if (text.empty()) continue;
    ++rows;
    list += "  " + line.row->key + " " + text + "\n";
  }
  out << heading << ": " << rows << "\n" << list;
}

// How the rows of cases.csv stand to what is asked of each and to the best peers in that table.
void PrintVerdict(const std::vector<Line>& lines, std::ostream& out) {
  if (lines.empty()) return;
  GeometricMean all, bytes;
  for (const Line& line : lines) {
    const Case& c = *line.row->c;
    if (c.peer_ratio == 0) continue;
    all.Add(c.peer_ratio / line.result->ratio);
    if (c.element_bytes == 1) bytes.Add(c.peer_ratio / line.result->ratio);
  }
  out << "\nFaster than the best peer of cases.csv: " << all.ToString() << " times (geometric mean), "
      << bytes.ToString() << " at 1 byte\n";
  PrintList(
      "Rows slower than 1.1 times that peer", lines,
      [](const Line& line) {
        const double ratio = line.row->c->peer_ratio == 0 ? 0 : line.result->ratio / line.row->c->peer_ratio;
        return ratio > 1.1 ? Text("%.2f times", ratio) : "";
      },
      out);
  PrintList(
      "Rows above 1.7 times their class's figure", lines,
      [](const Line& line) {
        const double figure = FigureOf(line.row->c->group, line.row->c->element_bytes);
        const bool above = figure != 0 && line.result->ratio > kSingleCaseFactor * figure;
        return above ? Text("%.2f of %.2f", line.result->ratio, kSingleCaseFactor * figure) : "";
      },
      out);
}

// What threads are to bring. Moves below kLargeBytes have no figure; they must lose nothing.
void PrintThreads(const std::vector<Line>& lines, size_t threads, std::ostream& out) {
  if (lines.empty()) return;
  std::map<int64_t, GeometricMean> means;
  for (const Line& line : lines) {
    if (line.row->c->Bytes() >= kLargeBytes) means[line.row->c->element_bytes].Add(line.result->ratio);
  }
  out << "\nMoves of 4 MB or more, " << threads << " threads, geometric means of the ratio: ours/asked\n";
  for (const auto& [bytes, mean] : means) {
    const double figure = FigureOf(kThreadsGroup, bytes);
    out << Text("  %2lld B  ", static_cast<long long>(bytes)) << mean.ToString()
        << (figure == 0 ? "" : Text("/%.2f", figure)) << "\n";
  }
  PrintList(
      "Rows slower than on one thread by more than 5 %, confirmed", lines,
      [](const Line& line) {
        const double slower = line.result->slower_than_serial;
        return slower == 0 ? "" : Text("%.2f times", slower);
      },
      out);
}

// Where another library was faster here. Own cases are no exception.
void PrintSlowerRows(const std::vector<Line>& lines, std::ostream& out) {
  if (lines.empty()) return;
  PrintList(
      "\nRows slower than an installed peer by more than 5 %, confirmed", lines,
      [](const Line& line) {
        const double slower = line.result->slower_than_peer;
        return slower == 0 ? "" : Text("%.2f times %s", slower, BestTimedPeerOf(line).name.c_str());
      },
      out);
}

std::vector<Line> Join(const std::vector<Row>& rows, const std::vector<RowResult>& results) {
  std::map<std::string, const Row*> by_key;
  for (const Row& row : rows) by_key[row.key] = &row;
  std::vector<Line> lines;
  for (const RowResult& result : results) {
    if (const auto found = by_key.find(result.key); found != by_key.end()) lines.push_back({found->second, &result});
  }
  return lines;
}

template <class Predicate>
std::vector<Line> Select(const std::vector<Line>& lines, const Predicate& predicate) {
  std::vector<Line> selected;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(selected), predicate);
  return selected;
}

}  // namespace

void PrintTables(const std::vector<Row>& rows, const std::vector<RowResult>& results, size_t threads,
                 std::ostream& out) {
  const std::vector<Line> lines = Join(rows, results);
  const auto moves = [&](bool own) {
    return Select(lines,
                  [own](const Line& line) { return line.row->call == Call::kExecute && line.row->c->own == own; });
  };
  const std::vector<Line> other_calls =
      Select(lines, [](const Line& line) { return line.row->call != Call::kExecute; });
  const std::vector<Line> calls = Select(lines, [&](const Line& line) {
    return std::any_of(other_calls.begin(), other_calls.end(), [&](const Line& o) { return o.row->c == line.row->c; });
  });
  PrintCases("Moves: time relative to the limit, the better of two copies of the same bytes (1.00 is a copy)",
             moves(false), out);
  if (threads == 1) {
    PrintMeans(moves(false), out);
    PrintVerdict(moves(false), out);
  } else {
    PrintThreads(moves(false), threads, out);
  }
  PrintCases("Own cases", moves(true), out);
  PrintSlowerRows(Select(lines, [](const Line& line) { return line.row->call == Call::kExecute; }), out);
  PrintCalls(calls, out);
}

}  // namespace dimorder::bench
