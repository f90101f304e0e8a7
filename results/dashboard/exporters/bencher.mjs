// SPDX-License-Identifier: Apache-2.0
//
// Bencher Metric Format: {benchmark: {measure: {value, lower_value?, upper_value?}}}. "latency" is Bencher's own
// measure, in nanoseconds; "ratio" and "bandwidth" (GB/s) are made at the first upload.
// https://bencher.dev/docs/reference/bencher-metric-format

import {hasBounds, newestRuns, qualifiedName, rowsOf} from './runs.mjs';

const ratioOf = (row) =>
  hasBounds(row) ? {value: row.ratio, lower_value: row.ratio_lower, upper_value: row.ratio_upper} : {value: row.ratio};

const measuresOf = (row) => ({latency: {value: row.ns}, ratio: ratioOf(row), bandwidth: {value: row.GBps}});

export const exportBencher = ({runs}) => {
  const newest = newestRuns(runs);
  const entries = newest.flatMap((run) =>
    rowsOf(run).map(({key, row}) => [qualifiedName(key, run, newest), measuresOf(row)]),
  );
  return `${JSON.stringify(Object.fromEntries(entries), null, 1)}\n`;
};
