// SPDX-License-Identifier: Apache-2.0
//
// What the exporters share: which runs they write, and the rows of a run.

const same = (a, b) =>
  a.machine === b.machine && ['target', 'threads', 'executor'].every((name) => a.context[name] === b.context[name]);

// The newest run of each machine, target, number of threads and executor, oldest first.
export const newestRuns = (runs) =>
  runs.filter((run, index) => !runs.slice(index + 1).some((later) => same(run, later)));

// All runs like the newest one, oldest first.
export const historyOfNewest = (runs) => runs.filter((run) => same(run, runs.at(-1)));

export const rowsOf = (run) => [...run.rows].map(([key, row]) => ({key, row}));

// A case's name where rows of several configurations stand side by side: "t2d/256x256/4 [epyc-7003 AVX2 t1 serial]".
// With one configuration the case alone.
export const qualifiedName = (key, {machine, context: {target, threads, executor}}, runs) =>
  runs.length === 1 ? key : `${key} [${machine} ${target} t${threads} ${executor}]`;

export const hasBounds = ({ratio_lower: lower}) => lower !== undefined;
