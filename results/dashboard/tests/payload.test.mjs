// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';

import {Model} from '#page/model.mjs';
import {readCases, unlistedCase} from '../lib/cases.mjs';
import {makeHtml} from '../lib/html.mjs';
import {loadResults} from '../lib/load.mjs';
import {makePayload} from '../lib/payload.mjs';
import {
  allCases,
  asFiles,
  compilerRuns,
  makeContext,
  makeGate,
  makeGateCase,
  makeRandom,
  makeRow,
  makeRuns,
  repository,
  writeFolder,
} from './synthetic.mjs';

const kOptions = {generated: '2026-01-01T00:00:00.000Z', commitUrl: ''};

const payloadOf = (results) => makePayload(results, allCases, kOptions);
const modelOf = (results) => new Model(JSON.parse(JSON.stringify(payloadOf(results))));

const isClose = (actual, expected, relative) =>
  assert.ok(Math.abs(actual / expected - 1) <= relative, `${actual} is not ${expected}`);

const sameAsRecorded = (results) => {
  const model = modelOf(results);
  assert.equal(model.runs.length, results.runs.length);
  results.runs.forEach((recorded, index) => {
    const run = model.runs[index];
    assert.deepEqual(
      [run.file, run.commit, run.configuration.machine],
      [recorded.file, recorded.context.commit, recorded.configuration.machine],
    );
    assert.equal(run.caseCount, recorded.rows.size);
    for (const [key, row] of recorded.rows) {
      const c = model.caseOf(key).index;
      for (const column of ['ratio', 'vs_memcpy', 'ns']) isClose(run.value(c, column), row[column], 1e-7);
      if (row.ratio_lower === undefined) assert.ok(Number.isNaN(run.value(c, 'lower')));
      else isClose(run.value(c, 'lower'), row.ratio_lower, 2e-4);
      if (row.ratio_upper !== undefined) isClose(run.value(c, 'upper'), row.ratio_upper, 2e-4);
    }
  });
};

test('the page holds what was recorded', () => {
  sameAsRecorded(loadResults(join(repository, 'results')));
  sameAsRecorded(loadResults(writeFolder(asFiles(makeRuns({machines: 3, commits: 5})))));
});

test('a run lacks the cases that it does not have', () => {
  const runs = makeRuns({machines: 1, commits: 2});
  const [gone] = runs[1].run.benchmarks.splice(3, 1);
  const model = modelOf(loadResults(writeFolder(asFiles(runs))));
  const c = model.caseOf(gone.name).index;
  assert.deepEqual(
    model.runs.map((run) => run.has(c)),
    [true, false],
  );
  assert.ok(Number.isNaN(model.runs[1].value(c, 'ratio')));
  assert.equal(model.newest(model.configurations[0], c), model.runs[0]);
});

test('a compiler of another family makes another configuration, a newer version does not', () => {
  const model = modelOf(loadResults(writeFolder(compilerRuns)));
  assert.deepEqual(
    model.configurations.map((configuration) => [
      configuration.compiler_family,
      model.runsOf(configuration).map(({environment}) => environment.compiler),
    ]),
    [
      ['GNU', ['GNU 12.2.0', 'GNU 14.2.0']],
      ['Clang', ['Clang 14.0.6']],
    ],
  );
});

test('plans and peers are those of the newest run', () => {
  const results = loadResults(writeFolder(asFiles(makeRuns({machines: 2, commits: 3}))));
  const model = modelOf(results);
  const recorded = results.runs.findLast(({configuration}) => configuration.machine === 'epyc-7003');
  const [run] = model.runsWithPeers.filter(({configuration}) => configuration.machine === 'epyc-7003');
  assert.equal(run.file, recorded.file);
  for (const [key, row] of recorded.rows) {
    const c = model.caseOf(key).index;
    const peers = model.peers(run, c);
    assert.deepEqual(
      peers.map(({name}) => name),
      ['naive', 'onednn'],
    );
    isClose(peers[1].ratio, row.peer_onednn, 1e-7);
    assert.equal(model.plan(run.configuration, c), row.label);
  }
});

test('a quick run leaves the plans of the cases that it lacks to an older one', () => {
  const run = (day, ...labels) => ({
    context: makeContext({date: `2026-01-0${day}T02:00:00Z`}),
    benchmarks: labels.map((label, at) => makeRow(allCases[at].key, 64, 2, {label})),
  });
  const model = modelOf(
    loadResults(writeFolder({'standard.json': run(1, 'old', 'kept'), 'quick.json': run(2, 'new')})),
  );
  assert.deepEqual(
    [0, 1, 2].map((c) => model.plan(model.configurations[0], c)),
    ['new', 'kept', undefined],
  );
});

test('the tables of cases are read whole', () => {
  const cases = readCases(join(repository, 'bench'));
  assert.ok(cases.length > 300);
  assert.equal(new Set(cases.map(({key}) => key)).size, cases.length);
  for (const c of cases)
    assert.ok(
      c.class && c.layout && c.why && c.bytes > 0 && c.element > 0 && /^[\d.]+$/.test(c.perm),
      JSON.stringify(c),
    );
  assert.equal(cases.find(({key}) => key === 'nchw2nhwc/1x3x224x224/4').bytes, 3 * 224 * 224 * 4);
  assert.equal(cases.find(({key}) => key === 'channel/224x224x3/1').bytes, 224 * 224);
  assert.deepEqual(
    [unlistedCase('create/t2d/4x4/4', 64).class, unlistedCase('gone/4x4/4', 64).class],
    ['call', 'unlisted'],
  );
});

test('a run of the gate becomes a row per base, with its noise', () => {
  const cases = [
    makeGateCase('a', 1.01),
    makeGateCase('b', 1.12, 0.98),
    makeGateCase('c', 0.99, 1.01),
    {case: 'd', outcome: 'same-code', plan: '', note: ''},
  ];
  const gate = makeGate(0, makeRandom(1), {}, ['merge base', 'results/baseline']);
  Object.assign(cases[1].confirm, {lower: 0, upper: null});
  gate.comparisons[0].cases = cases;
  const {gates} = payloadOf(loadResults(writeFolder({'gate/one.json': gate})));
  assert.deepEqual(
    gates.map(({base}) => base),
    ['merge base', 'results/baseline'],
  );
  const [{timed, control, slowest, spread, outcomes}] = gates;
  assert.equal(timed, 3);
  assert.equal(control.ratio, 0.98);
  assert.deepEqual([slowest[0].lower, slowest[0].upper], [null, null]);
  assert.deepEqual(
    slowest.map((c) => c.case),
    ['b', 'a', 'c'],
  );
  assert.deepEqual([spread.lower, spread.ratio, spread.upper], [0.99, 1.01, 1.12]);
  assert.deepEqual(outcomes, {same: 1, cleared: 2, 'same-code': 1});
});

test('60 cases, 8 machines, 200 commits and 100 runs of the gate take less than 3 MB', () => {
  const random = makeRandom(3);
  const gates = Object.fromEntries(Array.from({length: 100}, (_, at) => [`gate/${at}.json`, makeGate(at, random)]));
  const html = makeHtml(payloadOf(loadResults(writeFolder({...asFiles(makeRuns()), ...gates}))));
  assert.ok(Buffer.byteLength(html) < 3e6, `${Buffer.byteLength(html)} bytes`);
});

test('text in the data cannot end the script that holds it', () => {
  const [{run}] = makeRuns({machines: 1, commits: 1});
  run.context.flags = '</script><script>alert(1)</script>';
  const html = makeHtml(payloadOf(loadResults(writeFolder({'run.json': run}))));
  assert.ok(!html.includes('<script>alert'));
});
