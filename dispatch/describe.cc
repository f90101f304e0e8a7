// SPDX-License-Identifier: Apache-2.0
// The one line that explains a plan, as in
//
//   AVX2 Stage4 non-temporal {64:50176>4}{256:4>256} loops 8{:3211264>3211264} 49/256@1{:1024>65536} panel 8 run 65536
//   threads 1 scratch 163904 by estimate bytes 25690112 cost 3211324.0 ns
//
// {count:source stride>destination stride} in bytes, * for what is no stride; the kernel's axes first; then the loops
// round it, outermost first, where 49/256@1 is 49 blocks of 256 along the kernel's axis 1; then what else was chosen,
// of kTwoPass both kernels and their axes, as in "by Zip1 {...} and Run {...}"; and what chose: the estimate, wisdom or
// measuring. Of a plan with two ways, the one past the caches follows ", uncached".
#include "dispatch/plan.h"
#include "dispatch/target.h"
#include "dispatch/text.h"

namespace dimorder {
inline namespace v1 {
namespace {

void AddStrides(int64_t is, int64_t os, TextWriter* text) { text->Add(":").Add(is).Add(">").Add(os).Add("}"); }

void AddBox(const Axis* inner, TextWriter* text) {
  for (int i = 0; i < kInnerAxes; ++i) {
    if (inner[i].n == 1) continue;
    text->Add("{").Add(inner[i].n);
    AddStrides(inner[i].is, inner[i].os, text);
  }
}

// An axis whose places in the source, or in the destination, a table has.
void AddFromTable(const Axis& axis, TextWriter* text) { text->Add("{").Add(axis.n).Add(":*>").Add(axis.os).Add("}"); }
void AddByTable(const Axis& axis, TextWriter* text) { text->Add("{").Add(axis.n).Add(":").Add(axis.is).Add(">*}"); }

void AddKernelAxes(Family family, const Axis* inner, TextWriter* text) {
  if (family != Family::kJoined && family != Family::kLookup) return AddBox(inner, text);
  AddFromTable(inner[0], text);
  if (family == Family::kJoined) AddByTable(inner[1], text);
}

void AddPass(std::string_view before, const Pass& pass, TextWriter* text) {
  text->Add(before).Add(GetKernelInfo(pass.id).name).Add(" ");
  AddBox(pass.args.inner, text);
}

std::string_view PackingText(Pack packing) {
  switch (packing) {
    case Pack::kNone:
      return "";
    case Pack::kRows:
      return " packs rows";
    case Pack::kColumns:
      return " packs columns";
    case Pack::kLongColumns:
      return " packs long columns";
  }
  return "";
}

void AddPiece(const Piece& piece, TextWriter* text) {
  const KernelInfo& kernel = GetKernelInfo(piece.kernel_id);
  text->Add(" ").Add(kernel.name).Add(piece.streams ? " non-temporal " : " ");
  AddKernelAxes(kernel.family, piece.args.inner, text);
  if (piece.num_loops != 0) text->Add(" loops");
  for (int l = 0; l < piece.num_loops; ++l) {
    const Loop& loop = piece.loops[l];
    text->Add(" ").Add(loop.n);
    if (loop.inner != Loop::kOuter)
      text->Add("/").Add(piece.args.inner[loop.inner].n).Add("@").Add(int64_t{loop.inner});
    text->Add("{");
    AddStrides(loop.is, loop.os, text);
  }
  const Family family = kernel.family;
  const bool direct = family == Family::kTile || family == Family::kAhead || family == Family::kLines;
  const bool asks_everywhere = family == Family::kAhead && piece.args.panel >= kAllRows;
  if (family == Family::kTile && piece.args.panel == kLineTiles) {
    text->Add(" line tiles");
  } else if ((direct && !asks_everywhere) || family == Family::kStage) {
    text->Add(" panel ").Add(piece.args.panel);
  }
  if (piece.args.abreast != 0) {
    text->Add(" abreast ").Add(piece.args.abreast);
    if (piece.args.ahead != 0 && piece.args.abreast * kernel.element_bytes == kLineBytes) text->Add(" asking");
  }
  if (family == Family::kTwoPass) {
    AddPass(" by ", piece.passes.whole[0], text);
    AddPass(" and ", piece.passes.whole[1], text);
  } else if (IsStaged(family)) {
    text->Add(" run ").Add(piece.args.run);
  }
  if (piece.args.group != 0) text->Add(" group ").Add(piece.args.group);
  text->Add(PackingText(piece.args.packing));
}

std::string_view OriginName(Origin origin) {
  switch (origin) {
    case Origin::kEstimate:
      return " by estimate";
    case Origin::kWisdom:
      return " by wisdom";
    case Origin::kMeasured:
      return " by measuring";
  }
  return {};
}

}  // namespace

size_t DescribePlan(const PlanData& plan, char* buffer, size_t capacity) noexcept {
  TextWriter text(buffer, capacity);
  text.Add(plan.target == 0 ? "-" : TargetName(plan.target));
  if (plan.num_pieces == 0) text.Add(" nothing to move");
  for (int32_t p = 0; p < plan.num_pieces; ++p) AddPiece(plan.pieces()[p], &text);
  if (plan.asks) text.Add(", uncached");
  for (int32_t p = 0; plan.asks && p < plan.num_pieces; ++p) AddPiece(plan.streamed()[p], &text);
  text.Add(" threads ").Add(int64_t{plan.threads});
  if (plan.scratch_bytes != 0) text.Add(" scratch ").Add(plan.scratch_bytes);
  text.Add(OriginName(plan.origin)).Add(" bytes ").Add(plan.bytes).Add(" cost ").AddFixed(plan.cost_ns).Add(" ns");
  return text.Finish();
}

}  // namespace v1
}  // namespace dimorder
