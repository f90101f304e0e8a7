// SPDX-License-Identifier: Apache-2.0
//
// What the page computes, without a browser.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {downloadRows, toCsv} from '#page/download.mjs';
import {annotationsFor, filterMenus, filteredCases, filteredConfigurations} from '#page/filters.mjs';
import {boundsText, bytesText, changeText, ratioText, setupText, timeText} from '#page/format.mjs';
import {heatLegend, heatStep} from '#page/heat.mjs';
import {marksOf} from '#page/marks.mjs';
import {Model} from '#page/model.mjs';
import {decodeState, defaultState, encodeState} from '#page/state.mjs';
import {compareCase, geometricMean} from '#page/statistics.mjs';
import {loadResults} from '../lib/load.mjs';
import {makePayload} from '../lib/payload.mjs';
import {
  allCases,
  asFiles,
  compilerRuns,
  makeAnnotation,
  makeContext,
  makeRow,
  makeRuns,
  writeFolder,
} from './synthetic.mjs';

const modelOf = (files) =>
  new Model(makePayload(loadResults(writeFolder(files)), allCases, {generated: '', commitUrl: ''}));
const synthetic = modelOf(asFiles(makeRuns({machines: 3, commits: 4})));

test('a hash restores the state that made it', () => {
  const state = {
    ...defaultState(),
    view: 'compare',
    element: ['1', '16'],
    machine: ['AMD EPYC 25.1.1, 4 CPUs', 'a & b = c', '~a~~b~', 'c\\~d\\'],
    search: 'x y/#%',
    all: true,
    base: 'a.json',
    theme: 'dark',
  };
  assert.deepEqual(decodeState(encodeState(state)), state);
  assert.equal(encodeState(defaultState()), '#');
});

test('a hash of nonsense is the default view', () => {
  assert.deepEqual(
    decodeState('#view=nonsense&unknown=1&theme=&all=0&toString=1&constructor=1&machine=~'),
    defaultState(),
  );
});

test('filters keep what they name, and nothing chosen keeps all', () => {
  const filter = (patch) => filteredCases(synthetic, {...defaultState(), ...patch});
  assert.equal(filter({}).length, 60);
  assert.deepEqual(
    filter({element: ['1']}),
    synthetic.cases.filter((c) => c.key.endsWith('/1')),
  );
  assert.deepEqual(
    filter({class: ['act-dram'], element: ['8', '4']}),
    synthetic.cases.filter((c) => c.class === 'act-dram' && c.element > 2),
  );
  assert.deepEqual(
    filter({search: 'NHWC2nchw 7x7'}),
    synthetic.cases.filter((c) => c.key.startsWith('nhwc2nchw') && c.key.includes('7x7')),
  );
  assert.deepEqual(
    filteredConfigurations(synthetic, {...defaultState(), target: ['AVX2']}).map(({machine}) => machine),
    ['epyc-7003'],
  );
  const compilers = modelOf(compilerRuns);
  assert.deepEqual(
    filteredConfigurations(compilers, {...defaultState(), compiler: ['Clang']}),
    compilers.configurations.slice(1),
  );
});

test('a menu counts what each choice would leave', () => {
  const state = {...defaultState(), class: ['act-dram']};
  const menu = (name) => filterMenus(synthetic, state).find((other) => other.name === name);
  for (const {value, count} of menu('element').options) {
    assert.equal(count, synthetic.cases.filter((c) => c.class === 'act-dram' && String(c.element) === value).length);
  }
  for (const {value, count, chosen} of menu('class').options) {
    assert.equal(count, synthetic.cases.filter((c) => c.class === value).length);
    assert.equal(chosen, value === 'act-dram');
  }
  assert.deepEqual(
    menu('element').options.map(({value}) => value),
    ['1', '2', '4', '8'],
  );
});

test('a change is significant when the bounds are apart and it exceeds 2 %', () => {
  const run = (ratio, spread, date) => ({
    context: makeContext({date}),
    benchmarks: [makeRow('t2d/4x4/4', 64, ratio, {ratio_lower: ratio - spread, ratio_upper: ratio + spread})],
  });
  const significant = (before, after, spread) => {
    const {runs} = modelOf({
      'a.json': run(before, spread, '2026-01-01T00:00:00Z'),
      'b.json': run(after, spread, '2026-01-02T00:00:00Z'),
    });
    return compareCase(runs[0], runs[1], 0).significant;
  };
  assert.ok(significant(1, 1.1, 0.01));
  assert.ok(significant(1.1, 1, 0.01));
  assert.ok(!significant(1, 1.1, 0.06), 'the bounds meet');
  assert.ok(!significant(1, 1.015, 0.001), 'too small');
});

test('without bounds nothing is significant', () => {
  const run = (ratio) => {
    const row = makeRow('t2d/4x4/4', 64, ratio);
    delete row.ratio_lower;
    delete row.ratio_upper;
    return {context: makeContext(), benchmarks: [row]};
  };
  const {runs} = modelOf({'a.json': run(1), 'b.json': run(2)});
  assert.ok(!compareCase(runs[0], runs[1], 0).significant);
});

test('marks tell changes of the environment once a day, new targets and annotations', () => {
  const run = (date, environment) => ({time: Date.parse(date), environment});
  const gcc12 = {compiler: 'GNU 12', os: 'Linux'};
  const gcc14 = {compiler: 'GNU 14', os: 'Linux'};
  const lines = [
    {
      configuration: {machine: 'a', target: 'AVX2'},
      runs: [run('2026-01-01', gcc12), run('2026-01-02', gcc12), run('2026-01-03T01:00', gcc14)],
    },
    {configuration: {machine: 'a', target: 'AVX3'}, runs: [run('2026-01-05', gcc14)]},
    {configuration: {machine: 'a', target: 'AVX2', threads: '4'}, runs: [run('2026-01-06', gcc14)]},
    {
      configuration: {machine: 'b', target: 'NEON'},
      runs: [run('2026-01-02', gcc12), run('2026-01-03T02:00', {...gcc14, tuning: 'estimate'})],
    },
  ];
  const marks = marksOf(lines, [
    makeAnnotation({date: '2026-01-04T00:00:00Z', reason: 'on purpose', commit: 'abcdef0123456'}),
  ]);
  assert.deepEqual(
    marks.map(({number, kind, text}) => [number, kind, text]),
    [
      [1, 'environment', 'compiler GNU 12 \u2192 GNU 14'],
      [2, 'annotation', 'on purpose (accepted in abcdef012)'],
      [3, 'target', 'target AVX2 \u2192 AVX3'],
    ],
  );
});

test('an annotation speaks of the cases that its glob matches, on the machines that it names', () => {
  const annotations = [makeAnnotation({cases: 't2d/*/4'}), makeAnnotation({cases: '*', machine: 'pi-?'})];
  const found = (key, machine) =>
    annotationsFor(annotations, key, machine).map((annotation) => annotations.indexOf(annotation));
  assert.deepEqual(found('t2d/4x4/4', 'pi-5'), [0, 1]);
  assert.deepEqual(found('t2d/4x4/8', 'epyc'), []);
  assert.deepEqual(found('xt2d/4x4/4', 'pi-55'), []);
});

test('the download holds what the filters leave', () => {
  const state = {...defaultState(), element: ['4'], machine: ['epyc-9004']};
  const rows = downloadRows(synthetic, state);
  assert.equal(rows.length, 4 * filteredCases(synthetic, state).length);
  assert.ok(rows.every(({machine, element_bytes: bytes}) => machine === 'epyc-9004' && bytes === 4));
  const lines = toCsv(rows).trimEnd().split('\n');
  assert.equal(lines.length, 1 + rows.length);
  assert.equal(lines[0], Object.keys(rows[0]).join(','));
  assert.equal(toCsv([{a: 'x,"y"', b: null}]), 'a,b\n"x,""y""",\n');
  assert.equal(toCsv([]), '');
});

test('a setup names executor and compiler where they are not the usual ones', () => {
  const setup = {target: 'AVX2', threads: '1', executor: 'serial', compiler_family: 'GNU'};
  assert.equal(setupText(setup), 'AVX2, 1 thread');
  assert.equal(setupText({...setup, compiler_family: 'Clang'}), 'AVX2, 1 thread, Clang');
  assert.equal(
    setupText({...setup, threads: '4', executor: 'openmp', compiler_family: 'Clang'}),
    'AVX2, 4 threads, openmp, Clang',
  );
});

test('numbers as texts', () => {
  assert.deepEqual([ratioText(1.005), ratioText(12.3456), ratioText(NaN)], ['1.00', '12.35', '']);
  assert.deepEqual([boundsText(1, 1.234), boundsText(NaN, NaN)], ['1.00..1.23', '']);
  assert.deepEqual(
    [changeText(1.0314), changeText(0.9), changeText(0.9999)],
    ['+3.1\u00a0%', '\u221210.0\u00a0%', '+0.0\u00a0%'],
  );
  assert.deepEqual(
    [timeText(12.34), timeText(123456), timeText(2.5e9)],
    ['12.3\u00a0ns', '123\u00a0\u00b5s', '2.5\u00a0s'],
  );
  assert.deepEqual([bytesText(512), bytesText(1536), bytesText(3 << 20)], ['512\u00a0B', '1.5\u00a0KiB', '3\u00a0MiB']);
});

test('statistics and colours', () => {
  assert.ok(Math.abs(geometricMean([1, 4, NaN]) - 2) < 1e-12);
  assert.ok(Number.isNaN(geometricMean([])));
  assert.deepEqual([0.5, 0.9, 1, 1.05, 4.99, 5, 99].map(heatStep), [0, 1, 1, 2, 7, 8, 8]);
  assert.equal(heatLegend.length, 9);
});
