// SPDX-License-Identifier: Apache-2.0
//
// github-action-benchmark, tool "customSmallerIsBetter": a JSON array of {name, unit, value, range?, extra?}, value a
// number, range and extra text. https://github.com/benchmark-action/github-action-benchmark

import {hasBounds, newestRuns, qualifiedName, rowsOf} from './runs.mjs';

const rangeOf = (row) =>
  hasBounds(row) ? {range: `\u00b1 ${((row.ratio_upper - row.ratio_lower) / 2).toPrecision(3)}`} : {};

const extraOf = ({context: {commit, compiler, target, threads}}, row) =>
  [
    `${row.ns.toPrecision(6)} ns`,
    `${row.GBps.toPrecision(4)} GB/s`,
    `vs memcpy ${row.vs_memcpy.toPrecision(4)}`,
    `${target}, ${threads} threads, ${compiler}, commit ${commit}`,
  ].join('\n');

export const exportGithubActionBenchmark = ({runs}) => {
  const newest = newestRuns(runs);
  const entries = newest.flatMap((run) =>
    rowsOf(run).map(({key, row}) => ({
      name: qualifiedName(key, run, newest),
      unit: 'time / limit',
      value: row.ratio,
      ...rangeOf(row),
      extra: extraOf(run, row),
    })),
  );
  return `${JSON.stringify(entries, null, 1)}\n`;
};
