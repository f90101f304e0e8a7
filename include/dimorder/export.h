// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_EXPORT_H_
#define DIMORDER_EXPORT_H_

// Marks what the shared library exports; everything else is hidden.
#if defined(DIMORDER_STATIC)
#define DIMORDER_EXPORT
#elif defined(_WIN32)
#if defined(DIMORDER_BUILDING)
#define DIMORDER_EXPORT __declspec(dllexport)
#else
#define DIMORDER_EXPORT __declspec(dllimport)
#endif
#else
#define DIMORDER_EXPORT __attribute__((visibility("default")))
#endif

#endif  // DIMORDER_EXPORT_H_
