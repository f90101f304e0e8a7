// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_STATUS_VALUES_H_
#define DIMORDER_DISPATCH_STATUS_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "dimorder/executor.h"
#include "dimorder/status.h"

// What the values of a Status mean where they are not plain numbers; status.cc makes text of them.
namespace dimorder {
inline namespace v1 {

// Value 3 of the rules about one layout: whose it is, where there are two.
enum class Side : int64_t { kOnly = 0, kSource = 1, kDestination = 2 };

// Value 0 of kSpanOverflow where no axis is to blame.
inline constexpr int64_t kAtOffset = -1;
inline constexpr int64_t kAtAllAxes = -2;

// Value 1 of kEnumValue.
enum class EnumOption : int64_t { kStores = 0, kTuning = 1 };

// Value 2 of kStructSize.
enum class StructName : int64_t { kExecutor = 0, kAllocator = 1, kOptions = 2, kPlanCacheStats = 3 };

// What an executor had in its first version, in bytes.
inline constexpr size_t kFirstExecutorBytes = offsetof(dimorder_executor, ctx) + sizeof(dimorder_executor::ctx);

// A Status about a name: its four values hold the text's first 32 bytes in memory order, zeros after the end. A longer
// text ends in "..."; bytes that are no printable ASCII become '?'.
Status NameStatus(StatusCode code, Rule rule, std::string_view name) noexcept;

// kNullPointer for a pointer that is neither source nor destination: value 0 is 2, the others hold its name.
Status NullArgument(std::string_view name) noexcept;

// kRankLimit, or ok.
Status CheckRank(size_t rank) noexcept;

// Reads a caller's struct of the C ABI, of an older or newer version, over the defaults in `*to`. What it had in its
// first version, `first_bytes`, has to be there; else kStructSize.
template <class T>
Status ReadStruct(const T& from, size_t first_bytes, StructName name, T* to) noexcept {
  if (from.struct_size < first_bytes) {
    return Status(StatusCode::kInvalidArgument, Rule::kStructSize, static_cast<int64_t>(from.struct_size),
                  static_cast<int64_t>(first_bytes), static_cast<int64_t>(name));
  }
  memcpy(to, &from, from.struct_size < sizeof(T) ? from.struct_size : sizeof(T));
  return Status();
}

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_STATUS_VALUES_H_
