// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PLANNER_H_
#define DIMORDER_DISPATCH_PLANNER_H_

#include "dispatch/choose.h"
#include "dispatch/plan.h"

namespace dimorder {
inline namespace v1 {

// A piece being made, and what the plan owes to it. Axes move from the shape into the piece; `blocks` are the block
// sizes of the inner axes.
class Planner {
 public:
  Planner(const Request& request, const Choice& choice, PlanData* plan, Piece* piece)
      : data_(*plan), piece_(*piece), shape_(request.shape), choice_(choice) {
    for (int i = 0; i < shape_.num_outer; ++i) outer_[num_outer_++] = shape_.outer[i];
  }

  void Run();

 private:
  void SetKernel();
  void SetAbreast();
  void SetAhead();

  // ---- arrange.cc ----
  void Arrange();
  void ArrangeBoxes();
  void PutLongAxesInside();
  void ArrangeStage();
  bool JoinsColumnsFirst() const;
  void JoinRows();
  void JoinColumns();
  void ArrangeBatch();
  void ArrangeRegrouped();
  void ArrangeStagedRuns();
  void ArrangeRuns();
  void ArrangeJoined();
  void JoinBoth(const Shape& shape);
  void ArrangeTwoPass();
  void ArrangeLookup();
  void Join(int inner, const JoinedSide& side, int64_t Axis::*along, int64_t Axis::*across, int64_t* at);
  bool Take(int outer, int inner);
  bool TakeInnermost(int inner);
  bool TakeNext(int64_t Axis::*stride, int64_t bytes, int inner);
  void Cut(int inner, int64_t block);

  // ---- plan.cc ----
  bool MustStayWhole(int inner) const;
  int64_t UnitOf(int inner) const;
  void SplitForThreads();
  void SetScratch();
  void OrderForReading();
  void WriteLoops();
  void AddLoop(const Loop& loop);
  void AddBlockLoop(int inner);
  bool IsCut(int inner) const;
  int64_t BlockStride(int inner) const;

  PlanData& data_;
  Piece& piece_;
  const Shape& shape_;
  const Choice& choice_;
  int num_outer_ = 0;
  Axis outer_[kMaxAxes];  // the shape's outer axes that are not in the piece yet
  int64_t blocks_[kInnerAxes] = {1, 1, 1, 1};
  Loop joined_loops_[2];  // of kJoined: over the blocks of the last axis that was joined, n = 1 where it is whole
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PLANNER_H_
