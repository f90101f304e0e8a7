// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_VERSION_H_
#define DIMORDER_VERSION_H_

// Semantic version of the library. CMakeLists.txt reads it from here.
#define DIMORDER_VERSION_MAJOR 0
#define DIMORDER_VERSION_MINOR 1
#define DIMORDER_VERSION_PATCH 0
#define DIMORDER_VERSION_STRING "0.1.0"

#endif  // DIMORDER_VERSION_H_
