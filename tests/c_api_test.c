/* SPDX-License-Identifier: Apache-2.0 */
/* The C ABI as a C99 program uses it: every call once in earnest, and what it says to null and nonsense. */
#include <stdio.h>
#include <string.h>

#include "dimorder/dimorder_c.h"

static int failures = 0;

static void expect(int holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  printf("line %d: %s does not hold\n", line, what);
}
#define EXPECT(condition) expect((condition) != 0, #condition, __LINE__)

static const int64_t kSizes[] = {2, 3, 4};
static const int32_t kPerm[] = {2, 0, 1};
static const int32_t kIdentity[] = {0, 1, 2};
static const int64_t kSrcStrides[] = {12, 4, 1};
static const int64_t kDstStrides[] = {3, 1, 6};

static uint8_t src[24];
static uint8_t dst[24];

/* Whether dst is src with axes (2, 0, 1); wipes dst. */
static int moved(void) {
  int i, j, k, right = 1;
  for (i = 0; i < 2; ++i) {
    for (j = 0; j < 3; ++j) {
      for (k = 0; k < 4; ++k) right = right && dst[k * 6 + i * 3 + j] == src[i * 12 + j * 4 + k];
    }
  }
  memset(dst, 0, sizeof(dst));
  return right;
}

static int ok(dimorder_status status) {
  char text[256];
  if (status.code == DIMORDER_OK) return 1;
  dimorder_status_format(status, text, sizeof(text));
  printf("%s\n", text);
  return 0;
}

static void run_and_destroy(dimorder_plan* plan) {
  char text[512];
  EXPECT(plan != NULL);
  EXPECT(ok(dimorder_plan_execute(plan, src, dst)));
  EXPECT(moved());
  EXPECT(ok(dimorder_plan_execute_with_workspace(plan, src, dst, NULL, 0)));
  EXPECT(moved());
  EXPECT(dimorder_plan_bytes(plan) == 24);
  EXPECT(dimorder_plan_threads(plan) == 1);
  EXPECT(dimorder_plan_scratch_bytes(plan) == 0);
  EXPECT(dimorder_plan_estimated_cost(plan) > 0);
  EXPECT(dimorder_plan_describe(plan, text, sizeof(text)) == strlen(text));
  EXPECT(dimorder_plan_execute(plan, NULL, dst).code == DIMORDER_INVALID_ARGUMENT);
  dimorder_plan_destroy(plan);
}

static void test_plans(void) {
  dimorder_plan* plan = NULL;
  dimorder_options options = DIMORDER_OPTIONS_INIT;
  EXPECT(ok(dimorder_plan_create_permute(&plan, 3, kSizes, kPerm, 1, &options)));
  run_and_destroy(plan);
  EXPECT(ok(dimorder_plan_create_to_dim_order(&plan, 3, kSizes, kIdentity, kPerm, 1, NULL)));
  run_and_destroy(plan);
  EXPECT(ok(dimorder_plan_create_strided(&plan, 3, kSizes, kSrcStrides, 0, kDstStrides, 0, 1, NULL)));
  run_and_destroy(plan);
}

static void test_measuring_on_tensors(void) {
  dimorder_plan* plan = NULL;
  dimorder_options options = DIMORDER_OPTIONS_INIT;
  dimorder_status status;
  options.tuning_ns = 1000000;
  memset(dst, 0, sizeof(dst));
  EXPECT(ok(dimorder_plan_measure_strided(&plan, src, dst, 3, kSizes, kSrcStrides, 0, kDstStrides, 0, 1, &options)));
  EXPECT(moved());
  run_and_destroy(plan);
  status = dimorder_plan_measure_strided(&plan, src, NULL, 3, kSizes, kSrcStrides, 0, kDstStrides, 0, 1, &options);
  EXPECT(status.rule == DIMORDER_RULE_NULL_POINTER && plan == NULL);
  dimorder_wisdom_forget();
}

/* Callers that were compiled with a later version, whose structs are longer. */
static void test_longer_structs(void) {
  struct {
    dimorder_options options;
    int64_t later;
  } longer = {DIMORDER_OPTIONS_INIT, -1};
  struct {
    dimorder_plan_cache_stats stats;
    int64_t later;
  } longer_stats = {DIMORDER_PLAN_CACHE_STATS_INIT, -1};
  dimorder_plan* plan = NULL;
  longer.options.struct_size = sizeof(longer);
  EXPECT(ok(dimorder_plan_create_permute(&plan, 3, kSizes, kPerm, 1, &longer.options)));
  run_and_destroy(plan);
  longer_stats.stats.struct_size = sizeof(longer_stats);
  EXPECT(ok(dimorder_plan_cache_get_stats(&longer_stats.stats)) && longer_stats.later == -1);
  EXPECT(longer_stats.stats.struct_size == sizeof(longer_stats) && longer_stats.stats.capacity > 0);
}

static void test_one_shots(void) {
  dimorder_plan_cache_stats stats = DIMORDER_PLAN_CACHE_STATS_INIT;
  EXPECT(ok(dimorder_permute(src, dst, 3, kSizes, kPerm, 1, NULL)) && moved());
  EXPECT(ok(dimorder_to_dim_order(src, dst, 3, kSizes, kIdentity, kPerm, 1, NULL)) && moved());
  EXPECT(ok(dimorder_move_strided(src, dst, 3, kSizes, kSrcStrides, 0, kDstStrides, 0, 1, NULL)) && moved());
  EXPECT(ok(dimorder_plan_cache_get_stats(&stats)));
  EXPECT(stats.capacity > 0 && stats.misses > 0);
  dimorder_plan_cache_set_capacity(7);
  EXPECT(ok(dimorder_plan_cache_get_stats(&stats)) && stats.size == 0 && stats.capacity == 7);
  EXPECT(ok(dimorder_permute(src, dst, 3, kSizes, kPerm, 1, NULL)) && moved());
  dimorder_plan_cache_clear();
  EXPECT(ok(dimorder_plan_cache_get_stats(&stats)) && stats.size == 0);
}

static void test_wisdom(void) {
  dimorder_plan* plan = NULL;
  dimorder_options options = DIMORDER_OPTIONS_INIT;
  char text[1024];
  size_t taken = 0;
  size_t skipped = 1;
  options.tuning = DIMORDER_TUNING_MEASURE;
  options.tuning_ns = 1000000;
  EXPECT(ok(dimorder_plan_create_permute(&plan, 3, kSizes, kPerm, 1, &options)));
  run_and_destroy(plan);
  EXPECT(dimorder_wisdom_export(text, sizeof(text)) < sizeof(text) && strstr(text, "end 1") != NULL);
  dimorder_wisdom_forget();
  EXPECT(ok(dimorder_wisdom_import(text, &taken, &skipped)) && taken == 1 && skipped == 0);
  EXPECT(ok(dimorder_wisdom_import(text, NULL, NULL)));
  EXPECT(dimorder_wisdom_import(NULL, NULL, NULL).rule == DIMORDER_RULE_NULL_POINTER);
  EXPECT(dimorder_wisdom_import("?", NULL, NULL).rule == DIMORDER_RULE_WISDOM_LINE);
  dimorder_wisdom_forget();
}

static void test_errors(void) {
  dimorder_plan* plan = NULL;
  dimorder_options options = DIMORDER_OPTIONS_INIT;
  const int32_t repeated[] = {0, 1, 1};
  const int64_t many_sizes[DIMORDER_MAX_RANK + 1] = {0};
  const int32_t many_axes[DIMORDER_MAX_RANK + 1] = {0};
  char text[256];
  dimorder_status status = dimorder_plan_create_permute(&plan, 3, kSizes, repeated, 1, NULL);
  EXPECT(status.code == DIMORDER_INVALID_ARGUMENT && plan == NULL);
  EXPECT(dimorder_status_format(status, text, sizeof(text)) > 0 && strstr(text, "perm") != NULL);
  EXPECT(dimorder_plan_create_permute(NULL, 3, kSizes, kPerm, 1, NULL).code != DIMORDER_OK);
  EXPECT(dimorder_plan_create_permute(&plan, 3, NULL, kPerm, 1, NULL).code != DIMORDER_OK);
  status = dimorder_plan_create_strided(&plan, 3, kSizes, NULL, 0, kDstStrides, 0, 1, NULL);
  EXPECT(dimorder_status_format(status, text, sizeof(text)) > 0 && strstr(text, "src_strides pointer is null") != NULL);
  EXPECT(dimorder_plan_create_permute(&plan, 3, kSizes, NULL, 1, NULL).code != DIMORDER_OK);
  status = dimorder_plan_create_permute(&plan, DIMORDER_MAX_RANK + 1, many_sizes, many_axes, 1, NULL);
  EXPECT(status.rule == DIMORDER_RULE_RANK_LIMIT);
  /* A rank that was -1: the arrays are not read. */
  EXPECT(dimorder_permute(src, dst, (size_t)-1, kSizes, kPerm, 1, NULL).rule == DIMORDER_RULE_RANK_LIMIT);
  EXPECT(dimorder_plan_create_strided(&plan, 3, kSizes, NULL, 0, NULL, 0, 1, NULL).code != DIMORDER_OK);
  options.struct_size = 1;
  EXPECT(dimorder_plan_create_permute(&plan, 3, kSizes, kPerm, 1, &options).code != DIMORDER_OK);
  EXPECT(dimorder_plan_cache_get_stats(NULL).code != DIMORDER_OK);
  EXPECT(dimorder_plan_execute(NULL, src, dst).rule == DIMORDER_RULE_NULL_POINTER);
  EXPECT(dimorder_plan_describe(NULL, text, sizeof(text)) == 0 && text[0] == '\0');
  text[0] = '?';
  EXPECT(dimorder_format_dim_order(3, NULL, NULL, text, sizeof(text)) == 0 && text[0] == '\0');
  text[0] = '?';
  EXPECT(dimorder_format_dim_order((size_t)-1, kPerm, NULL, text, sizeof(text)) == 0 && text[0] == '\0');
  EXPECT(dimorder_plan_bytes(NULL) == 0 && dimorder_plan_estimated_cost(NULL) == 0);
  dimorder_plan_destroy(NULL);
}

static void test_orders(void) {
  int64_t strides[3];
  int32_t order[DIMORDER_MAX_RANK];
  size_t rank = 0;
  char text[32];
  EXPECT(ok(dimorder_dim_order_to_strides(3, kSizes, kPerm, 1, strides)));
  EXPECT(memcmp(strides, kDstStrides, sizeof(strides)) == 0);
  EXPECT(ok(dimorder_strides_to_dim_order(3, strides, order)));
  EXPECT(memcmp(order, kPerm, sizeof(kPerm)) == 0);
  EXPECT(dimorder_laid_out_alike(3, kSizes, strides, kDstStrides) == 1);
  EXPECT(dimorder_laid_out_alike(3, kSizes, strides, kSrcStrides) == 0);
  EXPECT(ok(dimorder_parse_dim_order("NCHW->NHWC", order, &rank)) && rank == 4);
  EXPECT(dimorder_format_dim_order(rank, order, "NCHW", text, sizeof(text)) == 4 && strcmp(text, "NHWC") == 0);
  EXPECT(dimorder_format_dim_order(rank, order, NULL, text, sizeof(text)) == 9 && strcmp(text, "(0,2,3,1)") == 0);
  EXPECT(dimorder_parse_dim_order("QQ", order, &rank).code != DIMORDER_OK);
}

static void test_targets(void) {
  const char* names[16];
  const size_t n = dimorder_supported_targets(names, 16);
  EXPECT(n >= 1 && n <= dimorder_compiled_targets(NULL, 0));
  EXPECT(ok(dimorder_set_target(names[0])) && strcmp(dimorder_active_target(), names[0]) == 0);
  EXPECT(dimorder_set_target("Nonsense").code != DIMORDER_OK);
  EXPECT(ok(dimorder_set_target(NULL)));
  EXPECT(strlen(dimorder_version()) >= 5);
}

int main(void) {
  size_t i;
  for (i = 0; i < sizeof(src); ++i) src[i] = (uint8_t)(i + 1);
  test_plans();
  test_measuring_on_tensors();
  test_longer_structs();
  test_one_shots();
  test_wisdom();
  test_errors();
  test_orders();
  test_targets();
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
