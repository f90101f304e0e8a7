// SPDX-License-Identifier: Apache-2.0
//
// Recorded runs that were never run: of any number of machines and commits, the same for the same seed.

import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {readCases} from '../lib/cases.mjs';

export const repository = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const allCases = readCases(join(repository, 'bench'));

const kStart = Date.parse('2026-01-05T02:00:00Z');
const kDay = 24 * 3600 * 1000;

// mulberry32
export const makeRandom = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

const hex = (random, digits) => Array.from({length: digits}, () => Math.floor(random() * 16).toString(16)).join('');

export const makeContext = (overrides = {}) => ({
  date: '2026-01-05T02:00:00+00:00',
  host_name: '',
  executable: 'dimorder-bench',
  num_cpus: 8,
  mhz_per_cpu: 3000,
  cpu_scaling_enabled: false,
  caches: [{type: 'Data', level: 1, size: 32768, num_sharing: 1}],
  load_avg: [0.1, 0.1, 0.1],
  library_build_type: 'debug',
  cache_l1: '32768',
  cache_l2: '1048576',
  cache_last: '33554432',
  commit: '0123456789ab',
  compiler: 'GNU 12.2.0',
  cpu_family: '25.1.1',
  cpu_model: 'Synthetic',
  dimorder: '0.1.0',
  dirty: 'false',
  executor: 'serial',
  flags: ' -O3',
  governor: 'performance',
  huge_pages: 'madvise',
  memcpy_GBps_16KiB: '100.0',
  memcpy_GBps_64MiB: '20.0',
  os: 'Linux 6.1 x86_64',
  page_bytes: '4096',
  peers: 'not timed',
  stream_GBps_16KiB: '40.0',
  stream_GBps_64MiB: '25.0',
  suite: 'standard',
  target: 'AVX2',
  threads: '1',
  tuning: 'estimate',
  ...overrides,
});

export const makeRow = (key, bytes, ratio, overrides = {}) => {
  const limit = 40;
  const ns = (2 * bytes * ratio) / limit;
  return {
    name: key,
    family_index: 0,
    per_family_instance_index: 0,
    run_name: key,
    run_type: 'iteration',
    repetitions: 1,
    repetition_index: 0,
    threads: 1,
    iterations: 1000,
    real_time: ns / 1000,
    cpu_time: ns / 500,
    time_unit: 'us',
    GBps: limit / ratio,
    blocks: 100,
    bytes,
    limit_GBps: limit,
    loop: 1.1,
    memcpy_GBps: limit * 0.9,
    ns,
    plan_ns: 400,
    ratio,
    ratio_lower: ratio * 0.985,
    ratio_upper: ratio * 1.015,
    vs_memcpy: ratio * 0.9,
    label: `AVX2 Tile4 {64:256>4}{64:4>256} threads 1 by estimate bytes ${bytes} cost 100.0 ns`,
    ...overrides,
  };
};

const kMachines = [
  {machine: 'epyc-7003', target: 'AVX2', cpu_model: 'AMD EPYC'},
  {machine: 'epyc-9004', target: 'AVX3_ZEN4', cpu_model: 'AMD EPYC'},
  {machine: 'xeon-8480', target: 'AVX3_SPR', cpu_model: 'Intel Xeon'},
  {machine: 'ryzen-5950', target: 'AVX2', cpu_model: 'AMD Ryzen'},
  {machine: 'graviton-3', target: 'SVE_256', cpu_model: 'Neoverse V1'},
  {machine: 'pixel-8-big', target: 'NEON', cpu_model: 'Cortex-X3'},
  {machine: 'pi-5', target: 'NEON', cpu_model: 'Cortex-A76'},
  {machine: 'visionfive-2', target: 'RVV', cpu_model: 'U74'},
];

// A level per case and machine, which a few commits move.
const makeLevels = (cases, random) => cases.map(() => 0.9 + 2 * random() ** 2);
const drift = (levels, random) => {
  if (random() < 0.03) levels[Math.floor(random() * levels.length)] *= 0.75 + 0.5 * random();
};

const makeRows = (cases, levels, random, withPeers) =>
  cases.map(({key, bytes}, index) => {
    const ratio = levels[index] * (1 + 0.02 * (random() - 0.5));
    const peers = withPeers ? {peer_naive: ratio * (2 + 4 * random()), peer_onednn: ratio * (0.8 + 2 * random())} : {};
    return makeRow(key, bytes, ratio, {
      ratio_lower: ratio * (0.98 + 0.01 * random()),
      ratio_upper: ratio * (1.01 + 0.01 * random()),
      ...peers,
    });
  });

const compilerOf = (commit, commits) => (commit < commits * 0.6 ? 'GNU 12.2.0' : 'GNU 14.2.0');

// Runs of every machine at every commit: [{name, run}].
export const makeRuns = ({cases = allCases.slice(0, 60), machines = 8, commits = 200, seed = 1} = {}) => {
  const random = makeRandom(seed);
  const hashes = Array.from({length: commits}, () => hex(random, 12));
  return kMachines.slice(0, machines).flatMap((machine, index) => {
    const levels = makeLevels(cases, random);
    return hashes.map((commit, at) => {
      drift(levels, random);
      const date = new Date(kStart + at * kDay + index * 600000).toISOString().replace('.000Z', '+00:00');
      const context = makeContext({...machine, commit, date, compiler: compilerOf(at, commits)});
      return {
        name: `${date.replace(/[-:]|\+.*/g, '')}Z-${commit.slice(0, 7)}-${machine.machine}.json`,
        run: {context, benchmarks: makeRows(cases, levels, random, at === commits - 1)},
      };
    });
  });
};

// Runs of one machine by a compiler, another, and a newer version of the first, as files.
export const compilerRuns = Object.fromEntries(
  ['GNU 12.2.0', 'Clang 14.0.6', 'GNU 14.2.0'].map((compiler, at) => [
    `${compiler}.json`,
    {
      context: makeContext({compiler, date: new Date(kStart + at * kDay).toISOString()}),
      benchmarks: [makeRow('t2d/4x4/4', 64, 2 + at)],
    },
  ]),
);

const makeBlocks = (ratio) => ({
  ratio,
  lower: ratio * 0.996,
  upper: ratio * 1.004,
  p: 0.5,
  base_ns: 1000,
  head_ns: 1000 * ratio,
  log_ratios: [Math.log(ratio)],
});

// One case of a gate's run: head / base, and base / base where it was suspected.
export const makeGateCase = (name, ratio, control) => ({
  case: name,
  outcome: control ? 'cleared' : 'same',
  plan: '',
  note: '',
  screen: makeBlocks(ratio),
  ...(control ? {confirm: makeBlocks(ratio), control: makeBlocks(control)} : {}),
});

// A run of the gate with one suspect against one base or more.
export const makeGate = (at, random, overrides = {}, bases = ['merge base']) => {
  const near = () => 1 + 0.02 * (random() - 0.5);
  const cases = () => allCases.slice(0, 60).map(({key}, index) => makeGateCase(key, near(), index === 0 && near()));
  return {
    format: 'dimorder-gate',
    version: 1,
    date: new Date(kStart + at * kDay + 3600000).toISOString(),
    seed: 1,
    head: hex(random, 12),
    verdict: 'pass',
    comparisons: bases.map((base) => ({base, commit: hex(random, 12), verdict: 'pass', seconds: 60, cases: cases()})),
    ...overrides,
  };
};

export const makeAnnotation = (overrides = {}) => ({
  date: '2026-01-07T00:00:00Z',
  commit: 'abcdef012345',
  cases: 'nchw2nhwc/*',
  reason: 'wider tiles: smaller code',
  ...overrides,
});

// A folder that goes when the tests end.
export const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'dimorder-'));
  process.on('exit', () => rmSync(folder, {recursive: true}));
  return folder;
};

// A results folder in a temporary place. `files` maps names, "gate/x.json" too, to values or to text as it is.
export const writeFolder = (files) => {
  const folder = temporaryFolder();
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return folder;
};

export const asFiles = (runs) => Object.fromEntries(runs.map(({name, run}) => [name, run]));
