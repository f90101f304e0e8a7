// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {loadResults} from '../lib/load.mjs';
import {checkAnnotations, checkGate, checkRun} from '../lib/schema.mjs';
import {
  makeAnnotation,
  makeContext,
  makeGate,
  makeRandom,
  makeRow,
  makeRuns,
  repository,
  writeFolder,
} from './synthetic.mjs';

const makeRun = () => ({
  context: makeContext(),
  benchmarks: [makeRow('t2d/4x4/4', 64, 2), makeRow('t2d/8x8/4', 256, 1.5)],
});
const fieldsOf = (problems) => problems.map(({field}) => field);

test('every recorded file is what it should be', () => {
  const {runs, skipped} = loadResults(join(repository, 'results'));
  assert.deepEqual(skipped, []);
  assert.ok(runs.length >= 2);
});

test('synthetic files are as recorded ones', () => {
  assert.deepEqual(checkRun(makeRun()), []);
  assert.deepEqual(checkGate(makeGate(0, makeRandom(1), {}, ['merge base', 'results/baseline'])), []);
  assert.deepEqual(checkAnnotations([makeAnnotation()]), []);
});

const without = (name) => (object) => delete object[name];
const set = (name, value) => (object) => (object[name] = value);

// What is broken, in the run, its context or its first row, and the field that must be named.
const broken = [
  ...Object.keys(makeContext())
    .filter(
      (name) =>
        ![
          'host_name',
          'executable',
          'mhz_per_cpu',
          'cpu_scaling_enabled',
          'load_avg',
          'library_build_type',
          'peers',
          'tuning',
        ].includes(name),
    )
    .filter((name) => !/_GBps_/.test(name))
    .map((name) => ({context: without(name), field: `context.${name}`})),
  {context: set('date', 'yesterday'), field: 'context.date'},
  {context: set('commit', 'main'), field: 'context.commit'},
  {context: set('compiler', '12.2.0'), field: 'context.compiler'},
  {context: set('dirty', true), field: 'context.dirty'},
  {context: set('threads', 'all'), field: 'context.threads'},
  {context: set('page_bytes', '0'), field: 'context.page_bytes'},
  {context: set('memcpy_GBps_16KiB', 'fast'), field: 'context.memcpy_GBps_16KiB'},
  {
    context: (context) => {
      delete context.stream_GBps_16KiB;
      delete context.stream_GBps_64MiB;
    },
    field: 'context.stream_GBps_*',
  },
  {context: set('caches', [{type: 'Data', level: 1, size: -1, num_sharing: 1}]), field: 'context.caches[0].size'},
  ...[
    'name',
    'run_name',
    'ns',
    'GBps',
    'bytes',
    'blocks',
    'ratio',
    'vs_memcpy',
    'limit_GBps',
    'memcpy_GBps',
    'label',
  ].map((name) => ({row: without(name), field: `benchmarks[0].${name}`})),
  {row: set('ratio', 'x'), field: 'benchmarks[0].ratio'},
  {row: set('ratio', -1), field: 'benchmarks[0].ratio'},
  {row: set('ratio_lower', 3), field: 'benchmarks[0].ratio_lower'},
  {row: set('ratio_upper', 1), field: 'benchmarks[0].ratio_upper'},
  {row: without('ratio_upper'), field: 'benchmarks[0].ratio_lower'},
  {row: set('loop', 0), field: 'benchmarks[0].loop'},
  {row: set('peer_onednn', 0), field: 'benchmarks[0].peer_onednn'},
  {row: set('name', 't2d/8x8/4'), field: 'benchmarks[1].name'},
  {row: set('run_name', 't2d/8x8/4'), field: 'benchmarks[1].run_name'},
  {context: set('load_avg', 0.1), field: 'context.load_avg'},
  {context: set('load_avg', ['x']), field: 'context.load_avg[0]'},
  {run: set('benchmarks', []), field: 'benchmarks'},
];

for (const {run: change, context, row, field} of broken) {
  test(`a run with a wrong ${field} is refused and the field named`, () => {
    const run = makeRun();
    context?.(run.context);
    row?.(run.benchmarks[0]);
    change?.(run);
    assert.ok(fieldsOf(checkRun(run)).includes(field), JSON.stringify(checkRun(run)));
  });
}

test('a build without git knows neither its commit nor whether the tree was dirty', () => {
  const run = makeRun();
  Object.assign(run.context, {commit: 'unknown', dirty: 'unknown'});
  assert.deepEqual(checkRun(run), []);
});

test('values of any other type are refused, not stumbled over', () => {
  for (const value of [
    null,
    1,
    'text',
    [],
    {},
    {context: null},
    {context: {dimorder: '0.1.0'}, benchmarks: {}},
    {context: makeContext(), benchmarks: [null, 1, 'x', [], {}]},
  ]) {
    assert.notDeepEqual(checkRun(value), [], JSON.stringify(value));
    assert.notDeepEqual(checkGate(value), [], JSON.stringify(value));
    if (!Array.isArray(value)) assert.notDeepEqual(checkAnnotations(value), [], JSON.stringify(value));
  }
});

test('a row that failed needs no numbers, and is left out', () => {
  const run = makeRun();
  run.benchmarks.push({
    name: 't2d/2x2/4',
    run_name: 't2d/2x2/4',
    run_type: 'iteration',
    error_occurred: true,
    error_message: 'wrong result',
  });
  const {runs, skipped} = loadResults(writeFolder({'run.json': run}));
  assert.deepEqual(skipped, []);
  assert.deepEqual([...runs[0].rows.keys()], ['t2d/4x4/4', 't2d/8x8/4']);
});

test('of repetitions the median stands for the case', () => {
  const run = makeRun();
  const repetition = (index, ratio) => makeRow('t2d/2x2/4', 16, ratio, {repetitions: 3, repetition_index: index});
  const aggregate = (name, ratio) =>
    makeRow('t2d/2x2/4', 16, ratio, {name: `t2d/2x2/4_${name}`, run_type: 'aggregate', aggregate_name: name});
  run.benchmarks.push(
    repetition(0, 3),
    repetition(1, 2),
    repetition(2, 9),
    aggregate('mean', 4.7),
    aggregate('median', 3),
    {...aggregate('cv', 1), ratio: 0},
  );
  const {runs, skipped} = loadResults(writeFolder({'run.json': run}));
  assert.deepEqual(skipped, []);
  assert.equal(runs[0].rows.get('t2d/2x2/4').name, 't2d/2x2/4_median');
});

test('a gate file with a wrong field is refused and the field named', () => {
  const gate = makeGate(0, makeRandom(1));
  gate.comparisons[0].cases[2].screen.ratio = null;
  gate.comparisons[0].verdict = 'fine';
  assert.deepEqual(fieldsOf(checkGate(gate)), ['comparisons[0].verdict', 'comparisons[0].cases[2].screen.ratio']);
});

test('bounds of too few blocks are null in a gate file', () => {
  const gate = makeGate(0, makeRandom(1));
  Object.assign(gate.comparisons[0].cases[2].screen, {lower: null, upper: null});
  assert.deepEqual(checkGate(gate), []);
});

test('an annotation without a reason is refused', () => {
  assert.deepEqual(fieldsOf(checkAnnotations([makeAnnotation(), makeAnnotation({reason: ''})])), ['[1].reason']);
});

test('corrupt, foreign and half-written files are listed and stop nothing', () => {
  const [{run}] = makeRuns({machines: 1, commits: 1});
  const text = JSON.stringify(run);
  const halves = Object.fromEntries(
    [0, 1, 100, 1000, text.length / 2, text.length - 1].map((end) => [`half-${end}.json`, text.slice(0, end)]),
  );
  const files = {
    'good.json': run,
    'foreign.json': {name: 'package'},
    'other-benchmark.json': {context: {date: '2026-01-01'}, benchmarks: []},
    'gate/half.json': '{"format": "dimorder-gate",',
    'annotations.json': [{}],
    'notes.txt': 'not read',
    ...halves,
  };
  const {runs, skipped, gates, annotations} = loadResults(writeFolder(files));
  assert.deepEqual(
    runs.map(({file}) => file),
    ['good.json'],
  );
  assert.deepEqual([gates, annotations], [[], []]);
  const expected = [
    'foreign.json',
    'other-benchmark.json',
    'gate/half.json',
    'annotations.json',
    ...Object.keys(halves),
  ];
  assert.deepEqual(skipped.map(({file}) => file).sort(), expected.sort());
  for (const {problems} of skipped) for (const {field, message} of problems) assert.ok(field && message);
});

test('check.mjs names file and field, and exits with 1', () => {
  const run = makeRun();
  run.benchmarks[1].ratio = 'x';
  const folder = writeFolder({'wrong.json': run, 'half.json': '{"context"'});
  const check = (path) =>
    spawnSync(process.execPath, [join(repository, 'results/dashboard/check.mjs'), path], {encoding: 'utf8'});
  const {status, stderr} = check(folder);
  assert.equal(status, 1);
  assert.match(stderr, /^wrong\.json: benchmarks\[1\]\.ratio: must be a number above 0, is "x"$/m);
  assert.match(stderr, /^half\.json: \(file\): not readable as JSON/m);
  assert.equal(check(writeFolder({'good.json': makeRun()})).status, 0);
});

test('the lock file names no registry', () => {
  assert.doesNotMatch(readFileSync(join(repository, 'results/dashboard/package-lock.json'), 'utf8'), /"resolved"/);
});
