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

// As Choice::copy has it, and from there.
int64_t DigitsOf(const Order& order, int n) {
  int64_t digits = 0;
  for (int i = 0; i < n; ++i) digits = 10 * digits + order.at[i] + 1;
  return digits;
}

Order OrderOf(int64_t digits, int n) {
  Order order = {};
  for (int i = n - 1; i >= 0; --i, digits /= 10) order.at[i] = static_cast<int>(digits % 10 - 1);
  return order;
}

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

// The order of the axes on both sides of a box.
struct Sides {
  Order src, dst;

  explicit Sides(const TwoPassBox& box) : src(OrderBy(box, &Axis::is)), dst(OrderBy(box, &Axis::os)) {}
};

// Calls visit() for each order that is at most one exchange from the source's and from the destination's. It may be one
// of these: then the other pass has axes side by side that are apart on that side.
template <class Visit>
void ForEachCopy(const Sides& sides, int n, const Visit& visit) {
  const auto consider = [&](const Order& copy) {
    if (copy == sides.dst || IsOneExchange(copy, sides.dst, n)) visit(copy);
  };
  consider(sides.src);
  for (int first = 0; first < n - 1; ++first) {
    for (int second = first + 1; second < n; ++second) {
      for (int end = second + 1; end <= n; ++end) {
        Order copy = sides.src;
        std::rotate(copy.at + first, copy.at + second, copy.at + end);
        consider(copy);
      }
    }
  }
}

enum class Which { kFirst, kSecond };

// The shape of a pass over a box with so many steps of each axis, by way of a dense copy in that order; `dst` is the
// order of the destination.
Shape ShapeOfPass(const TwoPassBox& box, const int64_t* steps, const Order& copy, const Order& dst, Which which) {
  int64_t strides[kInnerAxes];
  Problem problem;
  problem.bytes = box.element_bytes;
  for (int i = box.num_axes - 1; i >= 0; --i) {
    strides[copy.at[i]] = problem.bytes;
    problem.bytes *= steps[copy.at[i]];
  }
  for (int i = 0; i < box.num_axes; ++i) {
    const int at = which == Which::kFirst ? copy.at[i] : dst.at[i];
    const Axis& axis = box.axes[at];
    if (steps[at] == 1) continue;
    problem.axes[problem.num_axes++] =
        which == Which::kFirst ? Axis{steps[at], axis.is, strides[at]} : Axis{steps[at], strides[at], axis.os};
  }
  if (box.element_bytes > 1) problem.axes[problem.num_axes++] = Axis{box.element_bytes, 1, 1};
  Simplify(&problem);
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
  if (shape.family == Family::kGeneric || shape.family == Family::kPick) return false;
  return shape.family != Family::kRun || shape.num_outer <= 2;
}

constexpr double kNever = std::numeric_limits<double>::infinity();

double PassNs(const TwoPassBox& box, const Order& copy, const Order& dst, Which which) {
  const Shape shape = ShapeOfPass(box, box.steps, copy, dst, which);
  return IsOneCall(shape) ? PassNs(shape) : kNever;
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
  if (shape.family != Family::kTile && shape.family != Family::kShuffle) return false;
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
  return std::none_of(box->axes, box->axes + box->num_axes, [](const Axis& axis) { return axis.is == 0; });
}

Copies CopiesOf(const TwoPassBox& box) noexcept {
  const Sides sides(box);
  Copies copies;
  ForEachCopy(sides, box.num_axes, [&](const Order& copy) {
    if (PassNs(box, copy, sides.dst, Which::kFirst) == kNever) return;
    if (PassNs(box, copy, sides.dst, Which::kSecond) == kNever) return;
    copies.list[copies.count++] = DigitsOf(copy, box.num_axes);
  });
  return copies;
}

double ChooseCopy(const TwoPassBox& box, int64_t* copy) noexcept {
  const Sides sides(box);
  double least = kNever;
  ForEachCopy(sides, box.num_axes, [&](const Order& order) {
    const double first = PassNs(box, order, sides.dst, Which::kFirst);
    if (first >= least) return;
    const double ns = first + PassNs(box, order, sides.dst, Which::kSecond);
    if (ns >= least) return;
    least = ns;
    *copy = DigitsOf(order, box.num_axes);
  });
  return least / Lines(box.Bytes());
}

void SetPasses(const TwoPassBox& box, int64_t copy, int64_t steps, int64_t target, Pass* passes) noexcept {
  const Order order = OrderOf(copy, box.num_axes);
  const Order dst = OrderBy(box, &Axis::os);
  int64_t all_steps[kInnerAxes];
  for (int i = 0; i < box.num_axes; ++i) all_steps[i] = i == box.cut ? steps : box.steps[i];
  for (const Which which : {Which::kFirst, Which::kSecond}) {
    const Shape shape = ShapeOfPass(box, all_steps, order, dst, which);
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
