// SPDX-License-Identifier: Apache-2.0
//
// The text of a Status: one sentence per rule, with the values in it. A sentence may hold
//   {0} .. {3}   a value as a number
//   {name}       the four values as text (name_status.h)
//   {side}       value 0 as "source", "destination" or "argument"
//   {targets}    the names of the supported targets
#include "dimorder/status.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "dimorder/layout.h"
#include "dimorder/targets.h"
#include "dispatch/name_status.h"
#include "dispatch/text.h"

namespace dimorder {
inline namespace v1 {
namespace {

constexpr size_t kNameBytes = 4 * sizeof(int64_t);

// Empty for what is no Rule, which a caller of the C ABI may hand in.
// NOLINTNEXTLINE(readability-function-size): one case for each rule
std::string_view Sentence(Rule rule) {
  switch (rule) {
    case Rule::kNone:
      return "ok";
    case Rule::kRankLimit:  // rank
      static_assert(kMaxRank == 32);
      return "rank {0} is above the limit of 32";
    case Rule::kStridesLength:  // number of strides, rank
      return "{0} strides were given for {1} axes";
    case Rule::kSizeNegative:  // axis, size
      return "the size of axis {0} is {1}, which is negative";
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
    case Rule::kSpanOverflow:  // axis, size, stride
      return "the byte span exceeds 2^63 - 1 at axis {0} of size {1} and stride {2}";
    case Rule::kDestinationOverlap:  // stride, bytes that the inner axes span
      return "the destination may overlap itself: a stride of {0} bytes over inner axes that span {1} bytes";
    case Rule::kNullPointer:  // 0 source, 1 destination, 2 another argument
      return "the {side} pointer is null";
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
    case Rule::kStructSize:  // given, needed
      return "struct_size is {0}, but must be at least {1}";
    case Rule::kEnumValue:  // value
      return "{0} is no value of its enumeration";
    case Rule::kWisdomLine:  // line
      return "line {0} of the wisdom is not as ExportWisdom writes it";
    case Rule::kWisdomMachine:  // l2, last, l2 of this machine, last of this machine
      return "the wisdom is of a machine with caches of {0} and {1} bytes, this one has {2} and {3}";
    case Rule::kWisdomSize:  // problems, limit
      return "the wisdom would hold {0} problems, above the limit of {1}";
  }
  return {};
}

std::string_view Side(int64_t side) { return side == 0 ? "source" : side == 1 ? "destination" : "argument"; }

void AddName(const Status& status, TextWriter& text) {
  char name[kNameBytes];
  for (int i = 0; i < 4; ++i) {
    const int64_t value = status.value(i);
    memcpy(name + i * sizeof(value), &value, sizeof(value));
  }
  const void* end = memchr(name, '\0', kNameBytes);
  text.Add(std::string_view(name, end == nullptr ? kNameBytes : static_cast<const char*>(end) - name));
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
    AddName(status, text);
  } else if (field == "side") {
    text.Add(Side(status.value(0)));
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
  int64_t values[4];
  static_assert(sizeof(values) == kNameBytes);
  memcpy(values, bytes, kNameBytes);
  return Status(code, rule, values[0], values[1], values[2], values[3]);
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
