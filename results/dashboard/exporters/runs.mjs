// SPDX-License-Identifier: Apache-2.0
//
// What the exporters share: which runs they write, and the rows of a run.

const same = ({configuration: a}, {configuration: b}) => Object.keys(a).every((name) => a[name] === b[name]);

const holdsCaseOf = (run, key) => (other) => same(run, other) && other.rows.has(key);

// The newest row of each case of each configuration: the runs that such rows are from, oldest first, without their
// other rows. A quick run thus leaves the other cases to an older one.
export const newestRuns = (runs) =>
  runs
    .map((run, index) => {
      const later = runs.slice(index + 1);
      return {...run, rows: new Map([...run.rows].filter(([key]) => !later.some(holdsCaseOf(run, key))))};
    })
    .filter(({rows}) => rows.size);

// All runs like the newest one, oldest first.
export const historyOfNewest = (runs) => runs.filter((run) => same(run, runs.at(-1)));

export const rowsOf = (run) => [...run.rows].map(([key, row]) => ({key, row}));

// "epyc-7003 AVX2 t1 serial GNU".
export const configurationName = ({machine, target, threads, executor, compiler_family: family}) =>
  [machine, target, `t${threads}`, executor, family].join(' ');

// A case's name where rows of several configurations stand side by side:
// "t2d/256x256/4 [epyc-7003 AVX2 t1 serial GNU]". With one configuration the case alone.
export const qualifiedName = (key, run, runs) =>
  runs.every((other) => same(other, runs[0])) ? key : `${key} [${configurationName(run.configuration)}]`;

export const hasBounds = ({ratio_lower: lower}) => lower !== undefined;
