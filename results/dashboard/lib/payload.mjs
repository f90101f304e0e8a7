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
  for (const run of runs) if (wanted(run)) found.set(JSON.stringify(run.configuration), run);
  return [...found.values()];
};

const hasPeers = ({rows}) =>
  [...rows.values()].some((row) => Object.keys(row).some((name) => name.startsWith('peer_')));

// What runs refer to by index.
class Tables {
  environments = new Interner();
  configurations = new Interner();
  caseLists = new Interner();
  #indexes;

  constructor(cases) {
    this.#indexes = new Map(cases.map(({key}, index) => [key, index]));
  }

  // [case's index, row], in the order of the cases.
  rowsOf({rows}) {
    return [...rows].map(([key, row]) => [this.#indexes.get(key), row]).sort(([a], [b]) => a - b);
  }
}

const encodeRun = (run, tables) => {
  const indexed = tables.rowsOf(run);
  const rows = indexed.map(([, row]) => row);
  return {
    file: run.file,
    date: run.date,
    commit: run.context.commit,
    dirty: run.context.dirty === 'true',
    configuration: tables.configurations.indexOf(run.configuration),
    environment: tables.environments.indexOf(pick(run.context, kEnvironment)),
    load: run.context.load_avg?.[0],
    copies: copiesOf(run.context),
    caseList: tables.caseLists.indexOf(indexed.map(([index]) => index)),
    values: encodeFloats(rows.flatMap((row) => columns.map((column) => row[column]))),
    bounds: encodeBounds(rows),
  };
};

// `results` is what loadResults returns, `cases` what readCases does.
export const makePayload = ({runs, gates, annotations, skipped}, cases, {generated, commitUrl}) => {
  const used = usedCases(cases, runs);
  const tables = new Tables(used);
  const encoded = runs.map((run) => encodeRun(run, tables));
  const ofNewest = (wanted, encode) =>
    newest(runs, wanted).map((run) => ({run: runs.indexOf(run), ...encode(tables.rowsOf(run).map(([, row]) => row))}));
  return {
    generated,
    commitUrl,
    cases: used,
    configurations: tables.configurations.values,
    environments: tables.environments.values,
    caseLists: tables.caseLists.values,
    runs: encoded,
    plans: ofNewest(
      () => true,
      (rows) => ({labels: rows.map(({label}) => label)}),
    ),
    peers: ofNewest(hasPeers, (rows) => ({values: peersOf(rows)})),
    gates: gates.flatMap(gateRows),
    annotations,
    skipped,
  };
};
