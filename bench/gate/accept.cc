// SPDX-License-Identifier: Apache-2.0
#include <fnmatch.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "bench/gate/gate.h"

namespace dimorder::bench::gate {

std::vector<Acceptance> ParseAccepted(std::string_view list) {
  std::vector<Acceptance> accepted;
  std::istringstream in{std::string(list)};
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string date;
    Acceptance acceptance;
    std::getline(fields, acceptance.base, '\t');
    std::getline(fields, acceptance.commit, '\t');
    std::getline(fields, date, '\t');
    std::getline(fields, acceptance.glob, '\t');
    std::getline(fields, acceptance.reason);
    if (acceptance.reason.empty()) {
      throw std::runtime_error("commit " + acceptance.commit + ": Perf-Accept needs a glob of cases and a reason");
    }
    accepted.push_back(acceptance);
  }
  return accepted;
}

void Accept(const std::vector<Acceptance>& accepted, Comparison* comparison) {
  for (CaseReport& report : comparison->cases) {
    if (report.outcome != Outcome::kRegression) continue;
    const auto found = std::find_if(accepted.begin(), accepted.end(), [&](const Acceptance& acceptance) {
      return acceptance.base == comparison->base.commit &&
             fnmatch(acceptance.glob.c_str(), report.row.key.c_str(), 0) == 0;
    });
    if (found == accepted.end()) continue;
    report.outcome = Outcome::kAccepted;
    report.note = "accepted by " + found->commit + ": " + found->reason;
  }
}

}  // namespace dimorder::bench::gate
