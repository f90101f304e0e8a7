/* SPDX-License-Identifier: Apache-2.0 */
/* Uses the installed C99 API: a plan, and a bad request. */
#include <stdint.h>
#include <stdio.h>

#include "dimorder/dimorder_c.h"

enum { kChannels = 3, kPixels = 35 };

static int fail(dimorder_status status) {
  char text[256];
  dimorder_status_format(status, text, sizeof(text));
  fprintf(stderr, "%s\n", text);
  return 1;
}

int main(void) {
  const int64_t sizes[4] = {1, kChannels, 5, 7};
  const int32_t nhwc[4] = {0, 2, 3, 1};
  const int32_t repeated[4] = {0, 2, 2, 1};
  float src[kChannels * kPixels], dst[kChannels * kPixels];
  char text[256];
  int i, c;
  dimorder_plan* plan;
  dimorder_status status;

  for (i = 0; i < kChannels * kPixels; ++i) src[i] = (float)i;
  status = dimorder_plan_create_permute(&plan, 4, sizes, nhwc, sizeof(float), NULL);
  if (status.code == DIMORDER_OK) status = dimorder_plan_execute(plan, src, dst);
  dimorder_plan_destroy(plan);
  if (status.code != DIMORDER_OK) return fail(status);
  for (c = 0; c < kChannels; ++c) {
    for (i = 0; i < kPixels; ++i) {
      if (dst[i * kChannels + c] != (float)(c * kPixels + i)) {
        fprintf(stderr, "pixel %d, channel %d: %g\n", i, c, dst[i * kChannels + c]);
        return 1;
      }
    }
  }

  status = dimorder_plan_create_permute(&plan, 4, sizes, repeated, sizeof(float), NULL);
  dimorder_status_format(status, text, sizeof(text));
  printf("dimorder %s: %s\n", dimorder_version(), text);
  return status.rule == DIMORDER_RULE_PERM_REPEATED && plan == NULL ? 0 : 1;
}
