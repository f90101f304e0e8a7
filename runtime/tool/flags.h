// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_TOOL_FLAGS_H_
#define DIMORDER_RUNTIME_TOOL_FLAGS_H_

#include <string>
#include <vector>

#include "dimorder/program.h"

namespace dimorder {

// What dimorder-run is told.
struct Flags {
  std::string model;
  std::vector<std::string> inputs;   // npy files, one per graph input
  std::vector<std::string> outputs;  // npy files, the first graph outputs
  LayoutPolicy layout = LayoutPolicy::kOptimal;
  GuardPolicy guard = GuardPolicy::kError;
  int64_t threads = 1;
  int64_t repeat = 1;
  int64_t batch = 1;
  std::string report;  // "", "text", "json" or "layouts"
  std::vector<std::string> delegates;
  std::string save_blobs;  // folder
  std::string trace;       // file
  std::string dot;         // file
  int64_t strict_copies = -1;
  int64_t strict_bytes = -1;
};

extern const char kUsage[];

// Throws Error with what is wrong.
Flags ParseFlags(const std::vector<std::string>& arguments);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_TOOL_FLAGS_H_
