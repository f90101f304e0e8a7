// SPDX-License-Identifier: Apache-2.0
// Which box goes in two passes, by way of which copy.
//
// A transpose exchanges two groups of axes that adjoin: axes outside of them repeat it, axes inside make its elements
// longer. Most permutations of three and four axes are not one such exchange, but two, one after the other ("block
// transpositions", V. Bafna and P. Pevzner, Sorting by Transpositions, SIAM J. Discrete Math. 11, 1998). Where axes
// are short, one pass over all of them is mostly edges; two passes over a box that L1 holds have long rows and columns.
#include "dispatch/two_pass.h"

#include <algorithm>
#include <limits>

#include "dispatch/integers.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Runs of a box that are so long, on either side, need no more axes (64: 1.15 times as long, 128 1.03, 512 0.99).
constexpr int64_t kLongRun = 256;

// The nanoseconds of a pass, fitted to 3400 pairs of passes on a Zen 4 server with 32-byte vectors: of a line by
// kernels of elements of 1, 2, 4, 8 and 16 bytes, times what rows or columns of less than a block take; of a box, and
// of a call.
constexpr double kLineNs[5] = {1.9, 1.5, 1.2, 0.9, 0.9};
constexpr double kPixelLineNs = 2.8;
constexpr double kShortRows = 1.3;
constexpr double kShortColumns = 2;
constexpr double kBoxNs = 1.3;
constexpr double kPassNs = 14;
// Of a line of runs, and of each run that has an end of less than a block.
constexpr double kRunLineNs = 0.8;
constexpr double kCutRunNs = 0.27;

// A box, its copy and what becomes of it are in L1 at once.
int64_t MostBytes() { return MachineCaches().l1 / 8 * 3; }

// Axes of a box, outermost first.
struct Order {
  int at[kInnerAxes];

  bool operator==(const Order&) const = default;
};

// The axes by a stride of theirs, largest first.
Order OrderBy(const TwoPassBox& box, int64_t Axis::*stride) {
  const auto reach = [&](int i) { return Magnitude(box.axes[i].*stride); };
  Order order = {};
  for (int i = 0; i < box.num_axes; ++i) {
    int at = i;
    for (; at > 0 && reach(order.at[at - 1]) < reach(i); --at) order.at[at] = order.at[at - 1];
    order.at[at] = i;
  }
  return order;
}

// Whether an exchange of two groups that adjoin makes one order of another: where neighbours of `to` are apart in
// `from`, counting those beside its ends, it is in three places.
bool IsOneExchange(const Order& from, const Order& to, int n) {
  int place[kInnerAxes];
  for (int i = 0; i < n; ++i) place[to.at[i]] = i;
  int apart = 0;
  int last = -1;
  for (int i = 0; i < n; ++i) {
    apart += place[from.at[i]] != last + 1;
    last = place[from.at[i]];
  }
  return apart + (last != n - 1) == 3;
}

// Calls visit() for the order after each such exchange.
template <class Visit>
void ForEachExchange(const Order& order, int n, const Visit& visit) {
  for (int first = 0; first < n - 1; ++first) {
    for (int second = first + 1; second < n; ++second) {
      for (int end = second + 1; end <= n; ++end) {
        Order exchanged = order;
        std::rotate(exchanged.at + first, exchanged.at + second, exchanged.at + end);
        visit(exchanged);
      }
    }
  }
}

enum class Which { kFirst, kSecond };

// The shape of a pass over a box with so many steps of each axis, whose dense copy is in `order`.
Shape ShapeOfPass(const TwoPassBox& box, const int64_t* steps, const int* order, Which which) {
  Problem problem;
  int64_t stride = box.element_bytes;
  for (int i = box.num_axes - 1; i >= 0; --i) {
    const Axis& axis = box.axes[order[i]];
    const int64_t n = steps[order[i]];
    problem.axes[i] = which == Which::kFirst ? Axis{n, axis.is, stride} : Axis{n, stride, axis.os};
    stride *= n;
  }
  problem.axes[box.num_axes] = Axis{box.element_bytes, 1, 1};
  problem.num_axes = box.num_axes + 1;
  problem.bytes = stride;
  static_cast<void>(Canonicalize(&problem));  // which nests, as a part of what does
  Shape shape;
  Classify(problem, &shape);
  return shape;
}

bool IsPowerOfTwo(int64_t n) { return (n & (n - 1)) == 0; }

double LineNs(int64_t element_bytes) {
  return IsPowerOfTwo(element_bytes) ? kLineNs[__builtin_ctzll(static_cast<uint64_t>(element_bytes))] : kPixelLineNs;
}

double Lines(int64_t bytes) { return static_cast<double>(bytes) / kLineBytes; }

double BoxNs(const Shape& shape) {
  const int64_t rows = shape.inner[0].n;
  const int64_t cols = shape.inner[1].n;
  const int64_t element = shape.element_bytes;
  if (shape.family == Family::kRun) return Lines(rows) * kRunLineNs + (rows % kBlockBytes != 0 ? kCutRunNs : 0);
  if (shape.family != Family::kTile) return kBoxNs + Lines(rows * cols * element) * LineNs(element);
  const int64_t block = IsPowerOfTwo(element) ? kBlockBytes / element : 1;
  const double lines = Lines(RoundUp(rows, block) * RoundUp(cols, block) * element);
  const double short_sides = (rows < block ? kShortRows : 1) * (cols < block ? kShortColumns : 1);
  return kBoxNs + lines * LineNs(element) * short_sides;
}

double PassNs(const Shape& shape) {
  double ns = BoxNs(shape);
  for (int i = 0; i < shape.num_outer; ++i) ns *= static_cast<double>(shape.outer[i].n);
  return ns + kPassNs;
}

// Whether one kernel call walks a shape, in the time of the model: runs with three axes round them took up to twice
// that.
bool IsOneCall(const Shape& shape) {
  return shape.family != Family::kGeneric && (shape.family != Family::kRun || shape.num_outer <= 2);
}

constexpr double kNever = std::numeric_limits<double>::infinity();

double PassNs(const TwoPassBox& box, const Order& copy, Which which) {
  const Shape shape = ShapeOfPass(box, box.steps, copy.at, which);
  return IsOneCall(shape) ? PassNs(shape) : kNever;
}

// The order of the copy that takes the least time; false where the axes do not come in order by two exchanges. It may
// be the source's or the destination's: then the other pass has axes side by side that are apart on that side.
bool ChooseOrder(TwoPassBox* box) {
  const Order src = OrderBy(*box, &Axis::is);
  const Order dst = OrderBy(*box, &Axis::os);
  double least = kNever;
  const auto consider = [&](const Order& copy) {
    if (copy != dst && !IsOneExchange(copy, dst, box->num_axes)) return;
    const double first = PassNs(*box, copy, Which::kFirst);
    if (first >= least) return;
    const double ns = first + PassNs(*box, copy, Which::kSecond);
    if (ns >= least) return;
    least = ns;
    std::copy(copy.at, copy.at + kInnerAxes, box->order);
  };
  consider(src);
  ForEachExchange(src, box->num_axes, consider);
  box->line_ns = least / Lines(box->Bytes());
  return least != kNever;
}

bool Has(const TwoPassBox& box, const Axis& axis) {
  return std::any_of(box.axes, box.axes + box.num_axes, [&](const Axis& one) { return one.os == axis.os; });
}

// Bytes that whole axes of a box make together, on the side of `stride`.
int64_t RunBytes(const TwoPassBox& box, int64_t Axis::*stride) {
  int64_t bytes = box.element_bytes;
  for (int i = 0; i < box.num_axes;) {
    const bool continues = box.axes[i].*stride == bytes;
    if (continues) bytes *= box.axes[i].n;
    i = continues ? 0 : i + 1;
  }
  return bytes;
}

// The outer axis that continues a run which is not long; null where there is none.
const Axis* Continuing(const Shape& shape, const TwoPassBox& box, int64_t Axis::*stride, int64_t run) {
  if (run >= kLongRun) return nullptr;
  for (int i = 0; i < shape.num_outer; ++i) {
    if (shape.outer[i].*stride == run && !Has(box, shape.outer[i])) return &shape.outer[i];
  }
  return nullptr;
}

// What a box grows by: what continues its shorter run, or the other one, or else the innermost axis that is left.
const Axis* NextAxisOf(const Shape& shape, const TwoPassBox& box) {
  const int64_t src_run = RunBytes(box, &Axis::is);
  const int64_t dst_run = RunBytes(box, &Axis::os);
  const Axis* along_src = Continuing(shape, box, &Axis::is, src_run);
  const Axis* along_dst = Continuing(shape, box, &Axis::os, dst_run);
  if (along_dst != nullptr && (along_src == nullptr || dst_run <= src_run)) return along_dst;
  if (along_src != nullptr) return along_src;
  for (int i = shape.num_outer - 1; i >= 0; --i) {
    if (!Has(box, shape.outer[i])) return &shape.outer[i];
  }
  return nullptr;
}

// Adds an axis, cut into even parts if there is no room for all of it. Returns whether there may be room for more.
bool Add(const Axis& axis, TwoPassBox* box) {
  const int64_t most = MostBytes() / box->Bytes();
  if (most < 2) return false;
  const int64_t parts = CeilDivide(axis.n, most);
  const int at = box->num_axes++;
  box->axes[at] = axis;
  box->steps[at] = CeilDivide(axis.n, parts);
  if (parts > 1) box->cut = at;
  return parts == 1;
}

}  // namespace

int64_t TwoPassBox::Bytes() const {
  int64_t bytes = element_bytes;
  for (int i = 0; i < num_axes; ++i) bytes *= steps[i];
  return bytes;
}

bool FindTwoPassBox(const Shape& shape, TwoPassBox* box) noexcept {
  if (shape.family != Family::kTile) return false;
  if (FindKernelId(Family::kTwoPass, shape.element_bytes) == kNumKernels) return false;
  box->element_bytes = shape.element_bytes;
  box->num_axes = 2;
  box->cut = 0;
  for (int i = 0; i < box->num_axes; ++i) {
    box->axes[i] = shape.inner[i];
    box->steps[i] = shape.inner[i].n;
  }
  if (box->Bytes() > MostBytes()) return false;
  const Axis* next = nullptr;
  do {
    next = box->num_axes < kInnerAxes ? NextAxisOf(shape, *box) : nullptr;
  } while (next != nullptr && Add(*next, box));
  const bool repeats = std::any_of(box->axes, box->axes + box->num_axes, [](const Axis& axis) { return axis.is == 0; });
  return !repeats && ChooseOrder(box);
}

void SetPasses(const TwoPassBox& box, int64_t steps, int64_t target, Pass* passes) noexcept {
  int64_t all_steps[kInnerAxes];
  for (int i = 0; i < box.num_axes; ++i) all_steps[i] = i == box.cut ? steps : box.steps[i];
  for (const Which which : {Which::kFirst, Which::kSecond}) {
    const Shape shape = ShapeOfPass(box, all_steps, box.order, which);
    Pass& pass = *passes++;
    pass.id = FindKernelId(shape.family, shape.element_bytes);
    pass.kernel = GetKernel(pass.id, target);
    pass.args = KernelArgs{};
    for (Axis& axis : pass.args.inner) axis = Axis{1, 0, 0};
    int inner = 0;
    pass.args.inner[inner++] = shape.inner[0];
    if (shape.family != Family::kRun) pass.args.inner[inner++] = shape.inner[1];
    for (int i = shape.num_outer - 1; i >= 0; --i) pass.args.inner[inner++] = shape.outer[i];
    pass.args.panel = shape.inner[0].n;
  }
}

}  // namespace v1
}  // namespace dimorder
