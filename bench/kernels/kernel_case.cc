// SPDX-License-Identifier: Apache-2.0
#include "bench/kernels/kernel_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tests/kernels/box_calls.h"

namespace dimorder::bench {
namespace {

using Box = std::array<Axis, kInnerAxes>;

constexpr Axis kNoAxis = {1, 0, 0};
constexpr int64_t kRunBytes = 96;
constexpr int64_t kPanelRows = 64;
// KernelArgs::run of kStage, kRegroup and kStageRegroup, about as plans have it.
constexpr int64_t kStagedBytes = 512;
constexpr int64_t kRegroupedBytes = 1024;
constexpr int64_t kStagedImageBytes = 192;

// `boxes` transposes of rows x cols elements, one after the other.
Box Transposes(int64_t rows, int64_t cols, int64_t boxes, int64_t element) {
  const int64_t bytes = rows * cols * element;
  return {Axis{rows, cols * element, element}, Axis{cols, element, rows * element}, Axis{boxes, bytes, bytes}, kNoAxis};
}

int64_t Root(int64_t value) { return static_cast<int64_t>(std::sqrt(static_cast<double>(value))); }

// The largest side of whole lines, as far as elements fill them; of many, an odd number, so that rows do not collide.
int64_t SideOf(int64_t elements, int64_t element) {
  const int64_t lanes = kLineBytes / element;
  const int64_t lines = elements / lanes;
  return (lines < 8 ? lines : (lines - 1) | 1) * lanes;
}

// About square.
Box TileOf(int64_t bytes, int64_t element) {
  const int64_t elements = bytes / element;
  const int64_t rows = SideOf(Root(elements), element);
  return Transposes(rows, SideOf(elements / rows, element), 1, element);
}

// Columns of two runs.
Box StagedBox(int64_t bytes, int64_t element) {
  return Transposes(2 * kStagedBytes / element, bytes / (2 * kStagedBytes), 1, element);
}

Box RunsOf(int64_t bytes) {
  const int64_t side = Root(bytes / kRunBytes);
  const Box runs = Transposes(side, side, 1, kRunBytes);
  return {Axis{kRunBytes, 1, 1}, runs[0], runs[1], kNoAxis};
}

// Rows and columns of two axes each, in reversed order on the other side.
Box JoinedBox(int64_t bytes, int64_t element) {
  const int64_t side = std::min(Root(kMostJoined), Root(Root(bytes / element)));
  const int64_t row = side * side * element;
  return {Axis{side, side * row, element}, Axis{side, element, side * row}, Axis{side, row, side * element},
          Axis{side, side * element, row}};
}

// Pixels of 4 elements in 3 images to pixels of 3 elements in 4 images.
Box RegroupedBox(int64_t pixels, int64_t element) {
  return {Axis{3, pixels * 4 * element, element}, Axis{4, element, pixels * 3 * element},
          Axis{pixels, 4 * element, 3 * element}, kNoAxis};
}

Box BoxOf(const KernelInfo& info, int64_t bytes) {
  const int64_t element = info.element_bytes;
  switch (info.family) {
    case Family::kCopy:
      return {Axis{bytes, 1, 1}, kNoAxis, kNoAxis, kNoAxis};
    case Family::kRun:
    case Family::kRunAhead:
    case Family::kStream:
    case Family::kStageRuns:
      return RunsOf(bytes);
    case Family::kStage:
      return StagedBox(bytes, element);
    case Family::kJoined:
      return JoinedBox(bytes, element);
    case Family::kZip:
    case Family::kZipAhead:
      return Transposes(3, bytes / element / 3, 1, element);
    case Family::kUnzip:
    case Family::kUnzipAhead:
      return Transposes(bytes / element / 3, 3, 1, element);
    case Family::kPick:
      return {Axis{bytes / element, 2 * element, element}, kNoAxis, kNoAxis, kNoAxis};
    case Family::kShuffle:
    case Family::kBatch:
      return Transposes(2, 2, bytes / element / 4, element);
    case Family::kRegroup:
    case Family::kStageRegroup:
      return RegroupedBox(bytes / element / 12, element);
    case Family::kLookup:
      return Transposes(4, 4, 1, element);
    case Family::kTile:
    case Family::kAhead:
    case Family::kLines:
    case Family::kTwoPass:
    case Family::kGeneric:
      break;
  }
  return TileOf(bytes, element);
}

int64_t RunOf(Family family) {
  switch (family) {
    case Family::kStageRuns:
      return LineColumns(kRunBytes) * kRunBytes;
    case Family::kRegroup:
      return kRegroupedBytes;
    case Family::kStageRegroup:
      return kStagedImageBytes;
    default:
      return kStagedBytes;
  }
}

int64_t ScratchBytes(const KernelInfo& info, const Box& box, int64_t run) {
  if (info.family == Family::kStage) return StageBytes(box.data(), info.element_bytes, run, 0);
  if (info.family == Family::kStageRuns) return ColumnStageBytes(box[2].n, run);
  if (IsRegrouped(info.family)) return RegroupBytes(4, 3, run, info.family == Family::kStageRegroup);
  return 0;
}

// All that a call points to, where it stays.
struct CallState {
  KernelArgs args{};
  JoinedAxes joined{};
  BlockTables blocks{};
  std::vector<uint8_t> scratch;
};

std::unique_ptr<CallState> MakeState(const KernelInfo& info, const Box& box) {
  auto state = std::make_unique<CallState>();
  KernelArgs& args = state->args;
  std::copy(box.begin(), box.end(), args.inner);
  args.panel = info.family == Family::kAhead ? kAllRows : kPanelRows;
  args.run = RunOf(info.family);
  args.ahead = info.family == Family::kLines || info.family == Family::kStage ? kLineBytes : 0;
  const int64_t scratch = ScratchBytes(info, box, args.run);
  state->scratch.resize(static_cast<size_t>(scratch + kLineBytes));
  args.scratch = state->scratch.data();
  args.scratch += -reinterpret_cast<uintptr_t>(args.scratch) % kLineBytes;
  if (info.family == Family::kJoined) {
    state->joined = test::Join(args.inner);
    args.SetTables(&state->joined);
  } else if (info.family == Family::kLookup) {
    state->blocks = test::LookUp(args.inner);
    args.SetTables(&state->blocks);
  }
  return state;
}

}  // namespace

KernelCase MakeKernelCase(KernelId id, int64_t target, int64_t bytes) {
  const KernelInfo& info = GetKernelInfo(id);
  KernelCase c;
  if (info.family == Family::kTwoPass) return c;
  const Box box = BoxOf(info, bytes);
  c.bytes = info.element_bytes;
  for (const Axis& axis : box) c.bytes *= axis.n;
  c.move = test::MoveOf(box.data(), info.element_bytes);
  c.call = MakeContender(info.name, [kernel = GetKernel(id, target), streams = WritesPastCaches(info.family),
                                     state = MakeState(info, box)](const uint8_t* src, uint8_t* dst) {
    kernel(src, dst, state->args);
    if (streams) FenceStreams();
  });
  return c;
}

}  // namespace dimorder::bench
