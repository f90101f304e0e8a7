// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "bench/buffers.h"
#include "bench/gate/entrant.h"
#include "bench/gate/library.h"
#include "bench/gate/sample.h"

namespace dimorder::bench::gate {
namespace {

using Result = Inspection::Result;

// What one call leaves in the destination, which held `fill` before.
std::vector<uint8_t> OutputOf(const Entrant& entrant, const BufferPairs& pairs, int64_t bytes, uint8_t fill) {
  std::memset(pairs.dst(0), fill, static_cast<size_t>(bytes));
  entrant.contender().Run(pairs, 0, 1);
  return {pairs.dst(0), pairs.dst(0) + bytes};
}

// The fills differ, so that bytes which neither library writes do not pass for equal.
bool SameOutputs(const Entrant& base, const Entrant& head, const Case& c) {
  const BufferPairs pairs(c.SourceBytes(), c.Bytes());
  return OutputOf(base, pairs, c.Bytes(), 0x55) == OutputOf(head, pairs, c.Bytes(), 0xaa);
}

Inspection InspectRow(const Library& base, const Library& head, const Row& row, Workspace& workspace) {
  Inspection inspection{row.key, Result::kBaseFails, "", ""};
  try {
    const Entrant base_entrant(base, row, workspace);
    inspection.base = base_entrant.description();
    inspection.result = Result::kHeadFails;
    const Entrant head_entrant(head, row, workspace);
    inspection.head = head_entrant.description();
    const bool equal = row.call == Call::kCreate || SameOutputs(base_entrant, head_entrant, *row.c);
    inspection.result = equal ? Result::kEqual : Result::kDiffers;
  } catch (const std::runtime_error& error) {
    (inspection.result == Result::kBaseFails ? inspection.base : inspection.head) = error.what();
  }
  return inspection;
}

}  // namespace

void Inspect(const Libraries& libraries, const std::vector<Row>& rows, std::ostream& out) {
  const Library base(libraries.base);
  const Library head(libraries.head);
  Workspace workspace;
  for (const Row& row : rows) {
    const Inspection inspection = InspectRow(base, head, row, workspace);
    out << inspection.key << '\t' << static_cast<int>(inspection.result) << '\t' << inspection.base << '\t'
        << inspection.head << '\n';
  }
}

}  // namespace dimorder::bench::gate
