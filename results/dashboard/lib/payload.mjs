// SPDX-License-Identifier: Apache-2.0
//
// What the page holds of the results. Runs repeat a lot: their environment and their list of cases are stored once and
// referred to by index. Plans and peers are kept of the newest run of a configuration only, of a run of the gate a
// summary.

import {columns, encodeBounds, encodeFloats} from '#page/columns.mjs';
import {unlistedCase} from './cases.mjs';
import {gateRows} from './gate.mjs';

// The index of a value among those seen before, by its text.
class Interner {
  values = [];
  #indexes = new Map();

  indexOf(value) {
    const text = JSON.stringify(value);
    if (!this.#indexes.has(text)) {
      this.#indexes.set(text, this.values.length);
      this.values.push(value);
    }
    return this.#indexes.get(text);
  }
}

const kEnvironment = [
  'compiler',
  'flags',
  'os',
  'governor',
  'page_bytes',
  'huge_pages',
  'tuning',
  'suite',
  'cpu_model',
  'cpu_family',
  'num_cpus',
  'cache_l1',
  'cache_l2',
  'cache_last',
  'dimorder',
];

const pick = (object, names) =>
  Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));

// "memcpy 16KiB 108.5, ...", in GB/s.
const copiesOf = (context) =>
  Object.entries(context)
    .filter(([name]) => /^(memcpy|stream)_GBps_/.test(name))
    .map(([name, value]) => `${name.replace('_GBps_', ' ')} ${value}`)
    .join(', ');

const configurationOf = ({machine, context: {target, threads, executor}}) => ({machine, target, threads, executor});

// The listed cases that some run has, in the order of the tables, then unlisted ones.
const usedCases = (cases, runs) => {
  const recorded = new Map();
  for (const {rows} of runs) for (const [key, {bytes}] of rows) recorded.set(key, bytes);
  const listed = cases.filter(({key}) => recorded.has(key));
  for (const {key} of listed) recorded.delete(key);
  return [...listed, ...[...recorded].map(([key, bytes]) => unlistedCase(key, bytes))];
};

const peersOf = (rows) => {
  const names = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => name.startsWith('peer_'))));
  return Object.fromEntries(
    [...names].sort().map((name) => [name.slice(5), encodeFloats(rows.map((row) => row[name]))]),
  );
};

// The newest run of each configuration that satisfies `wanted`.
const newest = (runs, wanted) => {
  const found = new Map();
  for (const run of runs) if (wanted(run)) found.set(JSON.stringify(configurationOf(run)), run);
  return [...found.values()];
};

const hasPeers = ({rows}) =>
  [...rows.values()].some((row) => Object.keys(row).some((name) => name.startsWith('peer_')));

// `results` is what loadResults returns, `cases` what readCases does.
export const makePayload = (results, cases, {generated, commitUrl}) => {
  const used = usedCases(cases, results.runs);
  const indexOfCase = new Map(used.map(({key}, index) => [key, index]));
  const environments = new Interner();
  const configurations = new Interner();
  const caseLists = new Interner();
  const sortedKeys = ({rows}) => [...rows.keys()].sort((a, b) => indexOfCase.get(a) - indexOfCase.get(b));
  const rowsInOrder = (run) => sortedKeys(run).map((key) => run.rows.get(key));

  const runs = results.runs.map((run) => ({
    file: run.file,
    date: run.date,
    commit: run.context.commit,
    dirty: run.context.dirty === 'true',
    configuration: configurations.indexOf(configurationOf(run)),
    environment: environments.indexOf(pick(run.context, kEnvironment)),
    copies: copiesOf(run.context),
    caseList: caseLists.indexOf(sortedKeys(run).map((key) => indexOfCase.get(key))),
    values: encodeFloats(rowsInOrder(run).flatMap((row) => columns.map((column) => row[column]))),
    bounds: encodeBounds(rowsInOrder(run)),
  }));
  const indexOfRun = new Map(results.runs.map((run, index) => [run, index]));

  return {
    generated,
    commitUrl,
    cases: used,
    configurations: configurations.values,
    environments: environments.values,
    caseLists: caseLists.values,
    runs,
    plans: newest(results.runs, () => true).map((run) => ({
      run: indexOfRun.get(run),
      labels: rowsInOrder(run).map(({label}) => label),
    })),
    peers: newest(results.runs, hasPeers).map((run) => ({run: indexOfRun.get(run), values: peersOf(rowsInOrder(run))})),
    gates: results.gates.flatMap(gateRows),
    annotations: results.annotations,
    skipped: results.skipped,
  };
};
