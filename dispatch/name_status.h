// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_NAME_STATUS_H_
#define DIMORDER_DISPATCH_NAME_STATUS_H_

#include <string_view>

#include "dimorder/status.h"

namespace dimorder {
inline namespace v1 {

// A Status about a name: its four values hold the text's first 32 bytes in memory order, zeros after the end. A longer
// text ends in "..."; bytes that are no printable ASCII become '?'.
Status NameStatus(StatusCode code, Rule rule, std::string_view name) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_NAME_STATUS_H_
