// SPDX-License-Identifier: Apache-2.0
//
// The text of a Status: one sentence per rule, with the values in it. A sentence may hold
//   {0} .. {3}   a value as a number
//   {name}       the four values as text (NameStatus)
//   {pointer}    value 0 as "source", "destination", or else the name that the other values hold
//   {of}         value 3 as " of the source" or " of the destination" (Side), else nothing
//   {struct}, {option}  value 2, value 1 as the name of a struct, of an option
//   {place}      what overflows: an axis with its size and stride, or the offset, or all of the axes together
//   {targets}    the names of the supported targets
#include "dimorder/status.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "dimorder/layout.h"
#include "dimorder/targets.h"
#include "dispatch/status_values.h"
#include "dispatch/text.h"

namespace dimorder {
inline namespace v1 {
namespace {

constexpr int kValues = 4;
constexpr size_t kNameBytes = kValues * sizeof(int64_t);

// Empty for what is no Rule, which a caller of the C ABI may hand in.
// NOLINTNEXTLINE(readability-function-size): one case for each rule
std::string_view Sentence(Rule rule) {
  switch (rule) {
    case Rule::kNone:
      return "ok";
    case Rule::kRankLimit:  // rank
      static_assert(kMaxRank == 32);
      return "rank {0} is above the limit of 32";
    case Rule::kStridesLength:  // number of strides, rank, 0, side
      return "{0} strides were given for {1} axes{of}";
    case Rule::kSizeNegative:  // axis, size, 0, side
      return "the size of axis {0}{of} is {1}, which is negative";
    case Rule::kElementBytes:  // bytes
      return "the element size is {0} bytes, but must be at least 1";
    case Rule::kPermLength:  // number of entries, rank
      return "the perm has {0} entries for {1} axes";
    case Rule::kPermRange:  // index, entry, rank
      return "perm[{0}] is {1}, but entries lie in [0, {2})";
    case Rule::kPermRepeated:  // index, entry
      return "perm[{0}] repeats axis {1}";
    case Rule::kDimOrderLength:  // number of entries, rank
      return "the dim_order has {0} entries for {1} axes";
    case Rule::kDimOrderRange:  // index, entry, rank
      return "dim_order[{0}] is {1}, but entries lie in [0, {2})";
    case Rule::kDimOrderRepeated:  // index, entry
      return "dim_order[{0}] repeats axis {1}";
    case Rule::kRanksDiffer:  // source rank, destination rank
      return "the source has rank {0}, the destination rank {1}";
    case Rule::kSizesDiffer:  // axis, source size, destination size
      return "the size of axis {0} is {1} in the source, {2} in the destination";
    case Rule::kBytesOverflow:  // axis, size
      return "the tensor's bytes exceed 2^63 - 1 at axis {0} of size {1}";
    case Rule::kSpanOverflow:  // axis, size, stride, side; or kAtOffset, 0, offset, side; or kAtAllAxes, 0, 0, side
      return "the byte span{of} exceeds 2^63 - 1 at {place}";
    case Rule::kDestinationOverlap:  // stride, bytes that the inner axes span
      return "the destination may overlap itself: a stride of {0} bytes over inner axes that span {1} bytes";
    case Rule::kNullPointer:  // 0 source, 1 destination, 2 and a name
      return "the {pointer} pointer is null";
    case Rule::kBuffersOverlap:  // source bytes, destination bytes, distance from source to destination
      return "source ({0} bytes) and destination ({1} bytes) overlap, being {2} bytes apart";
    case Rule::kWorkspaceSize:  // given, needed
      return "the workspace has {0} bytes, but {1} are needed";
    case Rule::kExecutor:  // concurrency
      return "the executor needs parallel_for and a concurrency of at least 1 (it is {0})";
    case Rule::kAllocator:
      return "the allocator needs both allocate and release";
    case Rule::kUnknownTarget:  // name
      return "unknown target \"{name}\"; this machine supports {targets}";
    case Rule::kUnsupportedTarget:  // name
      return "target \"{name}\" is not in this build or not supported by this machine, which supports {targets}";
    case Rule::kOrderName:  // text
      return "\"{name}\" is no dim order: use a name such as \"NHWC\", letters as in \"NCHW->NHWC\", or \"0,2,3,1\"";
    case Rule::kAllocationFailed:  // bytes
      return "the allocation of {0} bytes failed";
    case Rule::kStructSize:  // given, needed, which struct
      return "struct_size of {struct} is {0}, but must be at least {1}";
    case Rule::kEnumValue:  // value, which option
      return "{0} is no value of the option {option}";
    case Rule::kWisdomLine:  // line
      return "line {0} of the wisdom is not as ExportWisdom writes it";
    case Rule::kWisdomMachine:  // l2, last, l2 of this machine, last of this machine
      return "the wisdom is of a machine with caches of {0} and {1} bytes, this one has {2} and {3}";
    case Rule::kWisdomSize:  // problems, limit
      return "the wisdom would hold {0} problems, above the limit of {1}";
  }
  return {};
}

// The text that the values from `first` on hold.
void AddName(const Status& status, int first, TextWriter& text) {
  char name[kNameBytes];
  size_t bytes = 0;
  for (int i = first; i < kValues; ++i, bytes += sizeof(int64_t)) {
    const int64_t value = status.value(i);
    memcpy(name + bytes, &value, sizeof(value));
  }
  const void* end = memchr(name, '\0', bytes);
  text.Add(std::string_view(name, end == nullptr ? bytes : static_cast<const char*>(end) - name));
}

void AddPointer(const Status& status, TextWriter& text) {
  if (status.value(0) == 0) {
    text.Add("source");
  } else if (status.value(0) == 1) {
    text.Add("destination");
  } else {
    AddName(status, 1, text);
  }
}

std::string_view OfSide(int64_t side) {
  if (side == static_cast<int64_t>(Side::kSource)) return " of the source";
  return side == static_cast<int64_t>(Side::kDestination) ? " of the destination" : "";
}

std::string_view NameOf(StructName name) {
  switch (name) {
    case StructName::kExecutor:
      return "dimorder_executor";
    case StructName::kAllocator:
      return "dimorder_allocator";
    case StructName::kOptions:
      return "dimorder_options";
    case StructName::kPlanCacheStats:
      return "dimorder_plan_cache_stats";
  }
  return "a struct";
}

void AddPlace(const Status& status, TextWriter& text) {
  if (status.value(0) == kAtOffset) {
    text.Add("the offset ").Add(status.value(2));
  } else if (status.value(0) == kAtAllAxes) {
    text.Add("the sum of all axes");
  } else {
    text.Add("axis ").Add(status.value(0)).Add(" of size ").Add(status.value(1));
    text.Add(" and stride ").Add(status.value(2));
  }
}

void AddTargets(TextWriter& text) {
  const char* separator = "";
  for (const char* name : SupportedTargets()) {
    text.Add(separator).Add(name);
    separator = ", ";
  }
}

void AddField(std::string_view field, const Status& status, TextWriter& text) {
  if (field == "name") {
    AddName(status, 0, text);
  } else if (field == "pointer") {
    AddPointer(status, text);
  } else if (field == "of") {
    text.Add(OfSide(status.value(3)));
  } else if (field == "place") {
    AddPlace(status, text);
  } else if (field == "struct") {
    text.Add(NameOf(static_cast<StructName>(status.value(2))));
  } else if (field == "option") {
    text.Add(status.value(1) == static_cast<int64_t>(EnumOption::kStores) ? "stores" : "tuning");
  } else if (field == "targets") {
    AddTargets(text);
  } else {
    text.Add(status.value(field[0] - '0'));
  }
}

}  // namespace

Status NameStatus(StatusCode code, Rule rule, std::string_view name) noexcept {
  char bytes[kNameBytes] = {};
  const size_t n = name.size() < kNameBytes ? name.size() : kNameBytes;
  for (size_t i = 0; i < n; ++i) bytes[i] = name[i] >= ' ' && name[i] <= '~' ? name[i] : '?';
  if (name.size() > kNameBytes) memcpy(bytes + kNameBytes - 3, "...", 3);
  int64_t values[kValues];
  static_assert(sizeof(values) == kNameBytes);
  memcpy(values, bytes, kNameBytes);
  return Status(code, rule, values[0], values[1], values[2], values[3]);
}

Status NullArgument(std::string_view name) noexcept {
  int64_t values[kValues - 1] = {};
  memcpy(values, name.data(), name.size() < sizeof(values) ? name.size() : sizeof(values));
  return Status(StatusCode::kInvalidArgument, Rule::kNullPointer, 2, values[0], values[1], values[2]);
}

Status CheckRank(size_t rank) noexcept {
  if (rank <= kMaxRank) return Status();
  const int64_t value = std::in_range<int64_t>(rank) ? static_cast<int64_t>(rank) : INT64_MAX;
  return Status(StatusCode::kInvalidArgument, Rule::kRankLimit, value);
}

size_t Status::Format(char* buffer, size_t capacity) const noexcept {
  TextWriter text(buffer, capacity);
  std::string_view rest = Sentence(rule_);
  if (rest.empty()) text.Add("unknown rule ").Add(static_cast<int64_t>(rule_));
  while (!rest.empty()) {
    const size_t open = rest.find('{');
    const size_t plain = open == std::string_view::npos ? rest.size() : open;
    text.Add(std::string_view(rest.data(), plain));
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    const size_t close = rest.find('}');
    AddField(std::string_view(rest.data() + 1, close - 1), *this, text);
    rest.remove_prefix(close + 1);
  }
  return text.Finish();
}

}  // namespace v1
}  // namespace dimorder
