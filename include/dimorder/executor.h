/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DIMORDER_EXECUTOR_H_
#define DIMORDER_EXECUTOR_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One unit of work: `task(arg, i)` for one i in [0, n). */
typedef void (*dimorder_task)(void* arg, size_t i);

/*
 * The caller's threads, in a form that C and C++ share.
 *
 * `parallel_for(ctx, n, task, arg)` must call task(arg, i) exactly once for each i in [0, n), in any order and on any
 * threads, and must return after the last call has returned; it must not throw, and where threads are not to be had it
 * runs the calls itself. The tasks that dimorder hands over are independent, hold no barriers, and are right when run
 * one after the other on one thread. `concurrency` says how many calls may run at once: a plan makes at most that many
 * tasks, and at most 1024. A plan keeps a copy of this struct: `ctx` must outlive the plan, and with
 * the one-shot calls also the plan cache's entry (ClearPlanCache ends it).
 */
typedef struct dimorder_executor {
  size_t struct_size; /* sizeof(dimorder_executor) of the caller */
  size_t concurrency; /* at least 1 */
  void (*parallel_for)(void* ctx, size_t n, dimorder_task task, void* arg);
  void* ctx;
} dimorder_executor;

/*
 * The caller's memory. It is used where plans are made (also for what Tuning::kMeasure moves to and fro), by one-shot
 * calls, which make theirs each time, and by the graph runtime for contexts; a plan's Execute never allocates.
 *
 * `allocate` returns `bytes` bytes aligned to `alignment` (a power of two), or NULL, which becomes an out-of-memory
 * status. `release` gets the same pointer and byte count back. Both may be called from any thread.
 */
typedef struct dimorder_allocator {
  size_t struct_size; /* sizeof(dimorder_allocator) of the caller */
  void* (*allocate)(void* ctx, size_t bytes, size_t alignment);
  void (*release)(void* ctx, void* pointer, size_t bytes);
  void* ctx;
} dimorder_allocator;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DIMORDER_EXECUTOR_H_ */
