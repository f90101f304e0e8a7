// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_KERNELS_BOX_KINDS_H_
#define DIMORDER_TESTS_KERNELS_BOX_KINDS_H_

#include <cstdint>
#include <vector>

#include "tests/kernels/boxes.h"

// The kinds of boxes that BoxesOf() puts together, of elements of `size` bytes.
namespace dimorder::test {

// How the strides that a family leaves open are chosen.
enum Variation { kTight, kGaps, kReversed, kBroadcast, kNumVariations };

// A source stride for rows of `bytes` bytes.
int64_t SourceStride(Variation variation, int64_t bytes);
// Gives axis 2 `n` steps: far outside on the source; on the destination outside, or between axes 0 and 1.
void AddOuter(Variation variation, int64_t n, int64_t row_bytes, Box* box);
// Counts round the sizes of tiles, or a few of them.
const std::vector<int64_t>& Counts(bool quick);

// A run of stages.
constexpr int64_t kRunBytes = 512;

// ---- run_boxes.cc ----

void AddRuns(std::vector<Box>* boxes);
// Runs of a few rows put together, and every second to fourth one of a row, by vectors from some runs on.
void AddPermutedRuns(std::vector<Box>* boxes);
void AddDeepRuns(std::vector<Box>* boxes);  // with three axes round them
// Runs that adjoin on both sides, as rows and columns of kStageRuns.
void AddStagedRuns(std::vector<Box>* boxes);

// ---- transpose_boxes.cc ----

// Transposes of `rows` source rows of `cols` elements.
void AddTile(int64_t rows, int64_t cols, int64_t size, std::vector<Box>* boxes);
// Transposes and deinterleaves whose columns are whole lines apart, at any place within a line, of rows that are near,
// far, on pages of their own, or reversed.
void AddLines(int64_t size, std::vector<Box>* boxes);
// Adjoining columns of whole lines that begin at each block of 16 bytes within a line, or at some elements.
void AddSeams(int64_t size, std::vector<Box>* boxes);
// As AddLines(), so large that columns which begin within a line, or within an element there, are put on lines first.
void AddPeeled(int64_t size, int64_t cols, std::vector<Box>* boxes);
// Those that kStage moves without a stage: lines of two and more, with and without ends, alone and continued.
void AddUnstaged(int64_t size, std::vector<Box>* boxes);
// Those that kStage gathers a few columns at a time, from rows that are near, far, repeated or reversed.
void AddShortBoxes(int64_t size, std::vector<Box>* boxes);
// Those that kStage gathers line by line of each row, see RunOf(): of a few lines and more, that begin anywhere.
void AddCutColumns(int64_t size, std::vector<Box>* boxes);
void AddTiles(int64_t size, std::vector<Box>* boxes);
// Pixels of 5 to 33 elements, as rows and as columns, from half of what fills a vector on.
void AddLongPixels(int64_t size, std::vector<Box>* boxes);
// Boxes whose rows and columns are continued by a second axis each, in reversed order on the other side.
void AddComposites(int64_t size, std::vector<Box>* boxes);
// Composite boxes of kStage whose columns adjoin, or each column's parts, or nothing; with or without gaps after
// them, and rows on pages of their own.
void AddAdjoiningRuns(int64_t size, std::vector<Box>* boxes);
// As AddComposites(), as small as tables demand.
void AddJoined(int64_t size, std::vector<Box>* boxes);
// Up to a line of bytes, dense on both sides, with their axes in reversed order, and some in all orders.
void AddLookups(std::vector<Box>* boxes);

// ---- pixel_boxes.cc ----

void AddZips(int64_t size, std::vector<Box>* boxes);
void AddUnzips(int64_t size, std::vector<Box>* boxes);
// One of every 2, 3 and 4 elements, from fewer than fill a vector on.
void AddPicks(int64_t size, std::vector<Box>* boxes);
// All boxes of at most a line, as many of them as need every way to move the last ones.
void AddShuffles(int64_t size, std::vector<Box>* boxes);
// Boxes of all kinds that adjoin in the destination, more than fill the lines that they meet in.
void AddBatches(int64_t size, std::vector<Box>* boxes);
// Pixels of few elements in few images: fewer than are regrouped at a time, and more; images that lie apart, adjoin,
// are in reversed order, or all the same.
void AddRegrouped(int64_t size, std::vector<Box>* boxes);

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_KERNELS_BOX_KINDS_H_
