// SPDX-License-Identifier: Apache-2.0
//
// What the page holds of the results. Runs repeat a lot: their environment and their list of cases are stored once and
// referred to by index. Of each configuration a case's plan is kept of the newest run that has the case, peers of the
// newest run that timed any; of a run of the gate a summary.

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

// The newest run of each configuration.
const newest = (runs) => [...new Map(runs.map((run) => [JSON.stringify(run.configuration), run])).values()];

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

  // Of what rowsOf() returns.
  caseListOf(indexed) {
    return this.caseLists.indexOf(indexed.map(([index]) => index));
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
    caseList: tables.caseListOf(indexed),
    values: encodeFloats(rows.flatMap((row) => columns.map((column) => row[column]))),
    bounds: encodeBounds(rows),
  };
};

// Of runs of one configuration, oldest first: a later row of a case replaces an earlier one.
const encodePlans = (runs, tables) => {
  const indexed = tables.rowsOf({rows: new Map(runs.flatMap(({rows}) => [...rows]))});
  return {caseList: tables.caseListOf(indexed), labels: indexed.map(([, {label}]) => label)};
};

const encodePeers = (run, tables) => peersOf(tables.rowsOf(run).map(([, row]) => row));

// `results` is what loadResults returns, `cases` what readCases does.
export const makePayload = ({runs, gates, annotations, skipped}, cases, {generated, commitUrl}) => {
  const used = usedCases(cases, runs);
  const tables = new Tables(used);
  const encoded = runs.map((run) => encodeRun(run, tables));
  const runsOf = (configuration) => runs.filter((_, at) => encoded[at].configuration === configuration);
  return {
    generated,
    commitUrl,
    cases: used,
    configurations: tables.configurations.values,
    environments: tables.environments.values,
    caseLists: tables.caseLists.values,
    runs: encoded,
    plans: tables.configurations.values.map((_, index) => encodePlans(runsOf(index), tables)),
    peers: newest(runs.filter(hasPeers)).map((run) => ({run: runs.indexOf(run), values: encodePeers(run, tables)})),
    gates: gates.flatMap(gateRows),
    annotations,
    skipped,
  };
};
