/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DIMORDER_DIMORDER_C_H_
#define DIMORDER_DIMORDER_C_H_

#include <stddef.h>
#include <stdint.h>

#include "dimorder/executor.h"
#include "dimorder/export.h"
#include "dimorder/version.h"

/*
 * The C interface of dimorder (C99). dimorder.h has the meaning of everything here in full; this is the same library
 * in plain functions and structs.
 *
 *   const int64_t sizes[4] = {1, 64, 56, 56};
 *   const int32_t nhwc[4] = {0, 2, 3, 1};
 *   dimorder_plan* plan;
 *   dimorder_status status = dimorder_plan_create_permute(&plan, 4, sizes, nhwc, sizeof(float), NULL);
 *   if (status.code == DIMORDER_OK) status = dimorder_plan_execute(plan, src, dst);
 *   if (status.code != DIMORDER_OK) {
 *     char text[256];
 *     dimorder_status_format(status, text, sizeof(text));
 *     ...
 *   }
 *   dimorder_plan_destroy(plan);
 *
 * Conventions
 *   rank         is the number of entries of each array that comes with it. At rank 0 the arrays may be NULL.
 *   element      is `element_bytes` bytes that are moved as a unit; strides and offsets are in bytes.
 *   NULL         where a value is needed is an error of rule DIMORDER_RULE_NULL_POINTER, never a crash.
 *   struct_size  is sizeof(the struct) as the caller was compiled; the *_INIT macros set it. Structs grow at their end
 *                only, and what a caller's lacks has its default, so programs keep working with newer libraries.
 *   text         goes into the caller's buffer, cut to `capacity` and zero-terminated (when capacity > 0); the return
 *                value is its full length without the zero. A NULL buffer with capacity 0 asks for the length.
 * All functions may be called from any thread. None throws, aborts, exits or prints.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ---- */

/* What kind of failure a status reports. */
enum {
  DIMORDER_OK = 0,
  DIMORDER_INVALID_ARGUMENT = 1,
  DIMORDER_OVERFLOW = 2,
  DIMORDER_UNSUPPORTED = 3,
  DIMORDER_OUT_OF_MEMORY = 4
};

/* The rule that was broken: Rule of status.h, in its order. */
enum {
  DIMORDER_RULE_NONE = 0,
  DIMORDER_RULE_RANK_LIMIT,
  DIMORDER_RULE_STRIDES_LENGTH,
  DIMORDER_RULE_SIZE_NEGATIVE,
  DIMORDER_RULE_ELEMENT_BYTES,
  DIMORDER_RULE_PERM_LENGTH,
  DIMORDER_RULE_PERM_RANGE,
  DIMORDER_RULE_PERM_REPEATED,
  DIMORDER_RULE_DIM_ORDER_LENGTH,
  DIMORDER_RULE_DIM_ORDER_RANGE,
  DIMORDER_RULE_DIM_ORDER_REPEATED,
  DIMORDER_RULE_RANKS_DIFFER,
  DIMORDER_RULE_SIZES_DIFFER,
  DIMORDER_RULE_BYTES_OVERFLOW,
  DIMORDER_RULE_SPAN_OVERFLOW,
  DIMORDER_RULE_DESTINATION_OVERLAP,
  DIMORDER_RULE_NULL_POINTER,
  DIMORDER_RULE_BUFFERS_OVERLAP,
  DIMORDER_RULE_WORKSPACE_SIZE,
  DIMORDER_RULE_EXECUTOR,
  DIMORDER_RULE_ALLOCATOR,
  DIMORDER_RULE_UNKNOWN_TARGET,
  DIMORDER_RULE_UNSUPPORTED_TARGET,
  DIMORDER_RULE_ORDER_NAME,
  DIMORDER_RULE_ALLOCATION_FAILED,
  DIMORDER_RULE_STRUCT_SIZE,
  DIMORDER_RULE_ENUM_VALUE,
  DIMORDER_RULE_WISDOM_LINE,
  DIMORDER_RULE_WISDOM_MACHINE,
  DIMORDER_RULE_WISDOM_SIZE
};

/* The outcome of a call. Fixed for good: it is returned by value. */
typedef struct dimorder_status {
  int32_t code; /* DIMORDER_OK, ... */
  int32_t rule; /* DIMORDER_RULE_... */
  int64_t values[4];
} dimorder_status;

/* The text of a status: one sentence with the rule and the values that broke it; "ok" for success. */
DIMORDER_EXPORT size_t dimorder_status_format(dimorder_status status, char* buffer, size_t capacity);

/* ---- Options ---- */

/* dimorder_options.stores: whether stores bypass the caches. */
enum {
  DIMORDER_STORES_AUTO = 0,        /* of large moves, and of middle-sized ones as dimorder.h says of Stores::kAuto */
  DIMORDER_STORES_TEMPORAL = 1,    /* never */
  DIMORDER_STORES_NON_TEMPORAL = 2 /* wherever the kernel can */
};

/* dimorder_options.tuning: how a plan's kernel, blocks, order and stores are chosen. */
enum {
  DIMORDER_TUNING_ESTIMATE = 0, /* from the sizes of the caches, or from wisdom */
  DIMORDER_TUNING_MEASURE = 1   /* by running a few; remembered as wisdom */
};

/* How a move is to be run. NULL in place of a pointer to this struct means the defaults of DIMORDER_OPTIONS_INIT. */
typedef struct dimorder_options {
  size_t struct_size;
  const dimorder_executor* executor;   /* NULL: serial */
  const dimorder_allocator* allocator; /* of the plan; NULL: the C++ runtime's */
  const char* target;                  /* NULL: see targets.h */
  int32_t stores;                      /* DIMORDER_STORES_... */
  int32_t assume_disjoint;             /* not 0: source and destination are not tested for overlap */
  int32_t tuning;                      /* DIMORDER_TUNING_... */
  int64_t tuning_ns;                   /* about how long measuring may take */
} dimorder_options;

#define DIMORDER_OPTIONS_INIT \
  { sizeof(dimorder_options), NULL, NULL, NULL, DIMORDER_STORES_AUTO, 0, DIMORDER_TUNING_ESTIMATE, 100000000 }

/* ---- Plans ---- */

/* A move decided once and run any number of times, from any number of threads at once. */
typedef struct dimorder_plan dimorder_plan;

/*
 * Makes a plan, to be given to dimorder_plan_destroy. On failure *plan is NULL and the status says what is wrong with
 * the request.
 */

/* By perm: dense `sizes`; destination axis i is source axis perm[i], as numpy.transpose. */
DIMORDER_EXPORT dimorder_status dimorder_plan_create_permute(dimorder_plan** plan, size_t rank, const int64_t* sizes,
                                                             const int32_t* perm, int64_t element_bytes,
                                                             const dimorder_options* options);
/* By dim_order: dense `sizes`; the axes from outermost to innermost in memory on either side, as ExecuTorch. */
DIMORDER_EXPORT dimorder_status dimorder_plan_create_to_dim_order(dimorder_plan** plan, size_t rank,
                                                                  const int64_t* sizes, const int32_t* from,
                                                                  const int32_t* to, int64_t element_bytes,
                                                                  const dimorder_options* options);
/*
 * By strides, in bytes and of either sign; 0 repeats a source. Element (0, ..., 0) lies `..._byte_offset` bytes after
 * the pointer.
 */
DIMORDER_EXPORT dimorder_status dimorder_plan_create_strided(dimorder_plan** plan, size_t rank, const int64_t* sizes,
                                                             const int64_t* src_strides, int64_t src_byte_offset,
                                                             const int64_t* dst_strides, int64_t dst_byte_offset,
                                                             int64_t element_bytes, const dimorder_options* options);

/*
 * dimorder_plan_create_strided, tuned by DIMORDER_TUNING_MEASURE on the caller's tensors instead of scratch: afterwards
 * `dst` holds the moved elements.
 */
DIMORDER_EXPORT dimorder_status dimorder_plan_measure_strided(dimorder_plan** plan, const void* src, void* dst,
                                                              size_t rank, const int64_t* sizes,
                                                              const int64_t* src_strides, int64_t src_byte_offset,
                                                              const int64_t* dst_strides, int64_t dst_byte_offset,
                                                              int64_t element_bytes, const dimorder_options* options);

/* Frees a plan that no thread runs any more. NULL is fine. */
DIMORDER_EXPORT void dimorder_plan_destroy(dimorder_plan* plan);

/* Moves the elements. No allocation. Buffers may be NULL only where there are no elements; they must not overlap. */
DIMORDER_EXPORT dimorder_status dimorder_plan_execute(const dimorder_plan* plan, const void* src, void* dst);

/*
 * The same with the caller's scratch memory: at least dimorder_plan_scratch_bytes for each of dimorder_plan_threads, of
 * any alignment, but fastest where it begins with a page. A workspace of 0 bytes may be NULL.
 */
DIMORDER_EXPORT dimorder_status dimorder_plan_execute_with_workspace(const dimorder_plan* plan, const void* src,
                                                                     void* dst, void* workspace,
                                                                     size_t workspace_bytes);

/* What a plan is about; 0 for a NULL plan. */
DIMORDER_EXPORT size_t dimorder_plan_scratch_bytes(const dimorder_plan* plan);  /* per thread */
DIMORDER_EXPORT size_t dimorder_plan_threads(const dimorder_plan* plan);        /* at most */
DIMORDER_EXPORT int64_t dimorder_plan_bytes(const dimorder_plan* plan);         /* elements times element_bytes */
DIMORDER_EXPORT double dimorder_plan_estimated_cost(const dimorder_plan* plan); /* ns on a nominal machine */
/* One line on how the plan works; empty for a NULL plan. */
DIMORDER_EXPORT size_t dimorder_plan_describe(const dimorder_plan* plan, char* buffer, size_t capacity);

/* ---- One-shot calls: the plan comes from a cache that all threads share ---- */

DIMORDER_EXPORT dimorder_status dimorder_permute(const void* src, void* dst, size_t rank, const int64_t* sizes,
                                                 const int32_t* perm, int64_t element_bytes,
                                                 const dimorder_options* options);
DIMORDER_EXPORT dimorder_status dimorder_to_dim_order(const void* src, void* dst, size_t rank, const int64_t* sizes,
                                                      const int32_t* from, const int32_t* to, int64_t element_bytes,
                                                      const dimorder_options* options);
DIMORDER_EXPORT dimorder_status dimorder_move_strided(const void* src, void* dst, size_t rank, const int64_t* sizes,
                                                      const int64_t* src_strides, int64_t src_byte_offset,
                                                      const int64_t* dst_strides, int64_t dst_byte_offset,
                                                      int64_t element_bytes, const dimorder_options* options);

/* What dimorder_plan_cache_get_stats fills in. */
typedef struct dimorder_plan_cache_stats {
  size_t struct_size;
  uint64_t hits;
  uint64_t misses;
  uint64_t evictions;
  size_t size;
  size_t capacity;
} dimorder_plan_cache_stats;

#define DIMORDER_PLAN_CACHE_STATS_INIT \
  { sizeof(dimorder_plan_cache_stats), 0, 0, 0, 0, 0 }

/* The number of plans kept; 0 turns the cache off. Empties the cache. */
DIMORDER_EXPORT void dimorder_plan_cache_set_capacity(size_t plans);
/* No later call uses a plan made before this one. */
DIMORDER_EXPORT void dimorder_plan_cache_clear(void);
/* Reads struct_size, which DIMORDER_PLAN_CACHE_STATS_INIT sets, and fills in the rest. */
DIMORDER_EXPORT dimorder_status dimorder_plan_cache_get_stats(dimorder_plan_cache_stats* stats);

/* ---- Wisdom: what measuring found out, as text (wisdom.h) ---- */

/* Writes it as a text; the same contract as dimorder_status_format. */
DIMORDER_EXPORT size_t dimorder_wisdom_export(char* buffer, size_t capacity);
/* Adds the problems of a text to those remembered, all or none (skipped: see wisdom.h). `taken` and `skipped` may be
 * NULL. */
DIMORDER_EXPORT dimorder_status dimorder_wisdom_import(const char* text, size_t* taken, size_t* skipped);
DIMORDER_EXPORT void dimorder_wisdom_forget(void);

/* ---- Dim orders ---- */

/* The largest rank there is. */
#define DIMORDER_MAX_RANK 32

/* Dense strides of `sizes` in `order`, the innermost one being `unit`. Writes `rank` strides. */
DIMORDER_EXPORT dimorder_status dimorder_dim_order_to_strides(size_t rank, const int64_t* sizes, const int32_t* order,
                                                              int64_t unit, int64_t* strides);
/* The axes by falling |stride|, ties in axis order. Writes `rank` entries. */
DIMORDER_EXPORT dimorder_status dimorder_strides_to_dim_order(size_t rank, const int64_t* strides, int32_t* order);
/* Whether two sets of strides put the elements of `sizes` alike: 1 or 0; 0 also for a request that is not valid. */
DIMORDER_EXPORT int dimorder_laid_out_alike(size_t rank, const int64_t* sizes, const int64_t* a_strides,
                                            const int64_t* b_strides);
/* Reads "NHWC", "NCHW->NHWC" or "0,2,3,1" into `order`, which has room for DIMORDER_MAX_RANK entries, and `rank`. */
DIMORDER_EXPORT dimorder_status dimorder_parse_dim_order(const char* text, int32_t* order, size_t* rank);
/*
 * Writes "(0,2,3,1)" or, with the logical axes' letters ("NCHW") for `letters`, "NHWC". `letters` may be NULL. Nothing
 * where `order` is, or the rank is beyond DIMORDER_MAX_RANK.
 */
DIMORDER_EXPORT size_t dimorder_format_dim_order(size_t rank, const int32_t* order, const char* letters, char* buffer,
                                                 size_t capacity);

/* ---- Targets and version ---- */

/*
 * The instruction sets in this build, and those of them that this machine runs, best first. Writes up to `capacity`
 * names, which live as long as the library, and returns how many there are.
 */
DIMORDER_EXPORT size_t dimorder_compiled_targets(const char** names, size_t capacity);
DIMORDER_EXPORT size_t dimorder_supported_targets(const char** names, size_t capacity);
/* The target that is named for all plans, or the best if none is; NULL while the environment variable DIMORDER_TARGET
 * holds no supported name, and dimorder_set_target has not succeeded. Where none is named, some plans go by another one
 * (targets.h). */
DIMORDER_EXPORT const char* dimorder_active_target(void);
/* Makes later plans use `name`; NULL names none. */
DIMORDER_EXPORT dimorder_status dimorder_set_target(const char* name);

/* DIMORDER_VERSION_STRING of the library, where that of version.h is the caller's. */
DIMORDER_EXPORT const char* dimorder_version(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DIMORDER_DIMORDER_C_H_ */
