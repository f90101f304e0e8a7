// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_FILE_H_
#define DIMORDER_RUNTIME_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace dimorder {

// The whole file; throws Error with its name, and for more than `max_bytes`.
std::vector<std::byte> ReadFile(const std::string& path, size_t max_bytes);
void WriteFile(const std::string& path, std::span<const std::byte> bytes);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_FILE_H_
