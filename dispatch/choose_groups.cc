// SPDX-License-Identifier: Apache-2.0
// Columns that are staged a few at a time, in L1, along the rows (group-staging-inl.h): long ones that are not lines as
// they are, of long rows. Measured where the last level is near (48 shapes of 2 to 70 MB in 0.8 of the time, with
// vectors of 16, 32 and 64 bytes alike); where it is far they are staged as before.
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// A group is what one line of each row makes of so many rows: a stage of 8 KB. With 64 rows 2 to 8 bytes took 1.05 to
// 1.2 times as long, with 256 1.1 to 1.2.
constexpr int64_t kGroupRows = 128;
constexpr int64_t kGroupPanelRows = 64;
// Where rows fall on one set of L1, two lines of each row, and no more rows than ways side by side: each line is used
// up before it is lost (4096x4096 floats 0.75 to 0.9 of the time of kLines, 3072x3072 0.55; as other rows 1.15).
constexpr int64_t kCollidingRows = 64;
// What is read of each row before the next rows: for a page each the destination's are too many.
constexpr int64_t kGroupRowBytes = 2048;
// Shorter columns have few runs, or one; of shorter rows all columns fit into a stage.
constexpr int64_t kMinGroupColumnBytes = 1024;
constexpr int64_t kMinGroupRowBytes = 512;

// Whether as many rows as L1 has ways have all their lines in one set, but for a line.
bool RowsCollide(const Shape& shape) {
  const int64_t is = Magnitude(shape.inner[0].is);
  const int64_t off = (is + kL1WayBytes / 2) % kL1WayBytes - kL1WayBytes / 2;
  return is >= kLineBytes && Magnitude(off) * L1Ways() < kLineBytes;
}

}  // namespace

// Of bytes it gained nothing; of 2 bytes it lost where rows want to be packed, and of 4 where rows all but collide
// (1025x1025 1.15 times), or do within the last level.
bool StagesGroups(const Shape& shape, int64_t bytes) noexcept {
  const int64_t element = shape.element_bytes;
  const int64_t is = shape.inner[0].is;
  if (!LevelIsNear() || StagesAdjoining(shape)) return false;
  if (shape.inner[0].n <= kGroupRows || shape.inner[0].n * element < kMinGroupColumnBytes) return false;
  if (shape.inner[1].n * element < kMinGroupRowBytes) return false;
  if (RowsCollide(shape)) return element == 4 && WholeLines(is) && LeavesNearLevel(bytes);
  return element == 4 || element == 8 || (element == 2 && RowsInL1(is) > L1Ways());
}

int64_t GroupColumns(const Shape& shape) noexcept {
  return (RowsCollide(shape) ? 2 : 1) * kLineBytes / shape.element_bytes;
}

void ChooseGroups(const Shape& shape, Choice* choice) noexcept {
  const bool collide = RowsCollide(shape);
  choice->run = (collide ? kCollidingRows : kGroupRows) * shape.element_bytes;
  choice->panel = collide ? WholePanel(L1Ways()) : kGroupPanelRows;
  choice->cols = kGroupRowBytes / shape.element_bytes;
}

}  // namespace v1
}  // namespace dimorder
