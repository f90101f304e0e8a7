/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DIMORDER_OPENMP_H_
#define DIMORDER_OPENMP_H_

#include <stddef.h>

#include "dimorder/executor.h"
#include "dimorder/export.h"

/* Component dimorder::openmp, a library of its own: the only code that knows OpenMP. For C and C++. */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An executor on OpenMP with `threads` threads; 0 means omp_get_max_threads(). Inside a parallel region, and in a
 * forked child, where OpenMP's threads do not exist, it runs the tasks one after the other. Thread-safe.
 */
DIMORDER_EXPORT dimorder_executor dimorder_openmp_executor(size_t threads);

#ifdef __cplusplus
} /* extern "C" */

namespace dimorder {
inline namespace v1 {

inline dimorder_executor OpenMPExecutor(size_t threads = 0) noexcept { return dimorder_openmp_executor(threads); }

}  // namespace v1
}  // namespace dimorder
#endif

#endif /* DIMORDER_OPENMP_H_ */
