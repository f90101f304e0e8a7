// SPDX-License-Identifier: Apache-2.0
// Columns that are staged a few at a time, in L1, along the rows (group-staging-inl.h): long ones that are not lines as
// they are, of long rows. Measured where the last level is near (15 shapes of 17 to 128 MB in 0.80 of the time with
// vectors of 32 bytes, 0.84 with 64, 0.85 with 16); where it is far they are staged as before.
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// A group is what one line of each row makes of so many rows: a stage of 8 KB. With 64 rows floats took 1.05 times as
// long, with 256 floats 1.13 times and 2 bytes 1.04 times.
constexpr int64_t kGroupRows = 128;
constexpr int64_t kGroupPanelRows = 64;
// Where rows fall on one set of L1, two lines of each row, and no more rows than ways side by side: each line is used
// up before it is lost (4096x4096 floats 0.75 to 0.96 of the time of kLines, 3072x3072 0.55; as other rows 1.15).
constexpr int64_t kCollidingRows = 64;
// What is read of each row before the next rows. (1 and 4 KB did as well.)
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
