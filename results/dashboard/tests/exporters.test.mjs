// SPDX-License-Identifier: Apache-2.0
//
// Each export against its target's documented format: read by a strict reader, then compared with the recorded numbers.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {exportBencher} from '../exporters/bencher.mjs';
import {exportGithubActionBenchmark} from '../exporters/github-action-benchmark.mjs';
import {exportLnt} from '../exporters/lnt.mjs';
import {exportOpenMetrics} from '../exporters/openmetrics.mjs';
import {exportOtava} from '../exporters/otava.mjs';
import {loadResults} from '../lib/load.mjs';
import {asFiles, compilerRuns, makeContext, makeRow, makeRuns, repository, writeFolder} from './synthetic.mjs';

const several = loadResults(writeFolder(asFiles(makeRuns({machines: 3, commits: 4}))));
const single = loadResults(writeFolder(asFiles(makeRuns({machines: 1, commits: 4}))));
const recorded = loadResults(join(repository, 'results'));

const boundless = makeRow('t2d/4x4/4', 64, 2);
delete boundless.ratio_lower;
delete boundless.ratio_upper;
const awkward = loadResults(
  writeFolder({
    'awkward.json': {
      context: makeContext({machine: 'a "quoted\\" name, with a comma\nand a line'}),
      benchmarks: [boundless],
    },
  }),
);

const executors = loadResults(
  writeFolder(
    Object.fromEntries(
      ['openmp', 'pool'].map((executor) => [
        `${executor}.json`,
        {context: makeContext({executor, threads: '4'}), benchmarks: [makeRow('t2d/4x4/4', 64, 2)]},
      ]),
    ),
  ),
);

const compilers = loadResults(writeFolder(compilerRuns));

const quickLast = loadResults(
  writeFolder({
    'standard.json': {context: makeContext(), benchmarks: [makeRow('t2d/4x4/4', 64, 2), makeRow('t2d/8x8/4', 256, 3)]},
    'quick.json': {
      context: makeContext({suite: 'quick', date: '2026-01-06T02:00:00+00:00'}),
      benchmarks: [makeRow('t2d/4x4/4', 64, 1)],
    },
  }),
);

const everyInput = {several, single, recorded, awkward, executors, compilers, quickLast};

const onlyKeys = (object, required, optional = []) => {
  for (const key of required) assert.ok(key in object, `${key} missing`);
  for (const key of Object.keys(object)) assert.ok([...required, ...optional].includes(key), `${key} unknown`);
};

for (const [name, input] of Object.entries(everyInput)) {
  test(`github-action-benchmark, ${name}: an array of {name, unit, value, range?, extra?}, names unique`, () => {
    const entries = JSON.parse(exportGithubActionBenchmark(input));
    assert.ok(entries.length > 0);
    assert.equal(new Set(entries.map((entry) => entry.name)).size, entries.length);
    for (const entry of entries) {
      onlyKeys(entry, ['name', 'unit', 'value'], ['range', 'extra']);
      assert.equal(typeof entry.value, 'number');
      for (const text of [entry.name, entry.unit, entry.range ?? '', entry.extra ?? ''])
        assert.equal(typeof text, 'string');
    }
  });

  // https://bencher.dev/bmf.json
  test(`bencher, ${name}: {benchmark: {measure: {value, lower_value?, upper_value?}}}`, () => {
    const benchmarks = Object.entries(JSON.parse(exportBencher(input)));
    assert.ok(benchmarks.length > 0);
    for (const [benchmark, measures] of benchmarks) {
      assert.ok(benchmark.length > 0 && benchmark.length <= 1024);
      for (const [measure, metric] of Object.entries(measures)) {
        assert.match(measure, /^[a-z0-9-]{1,64}$/);
        onlyKeys(metric, ['value'], ['lower_value', 'upper_value']);
        for (const value of Object.values(metric)) assert.equal(typeof value, 'number');
        assert.ok((metric.lower_value ?? 0) <= metric.value && metric.value <= (metric.upper_value ?? Infinity));
      }
    }
  });

  // https://llvm.org/docs/lnt/importing_data.html
  test(`lnt, ${name}: format version 2 with the fields of the nts suite`, () => {
    const report = JSON.parse(exportLnt(input));
    onlyKeys(report, ['format_version', 'machine', 'run', 'tests']);
    assert.equal(report.format_version, '2');
    assert.ok(report.machine.name && report.run.llvm_project_revision);
    for (const value of [...Object.values(report.machine), ...Object.values(report.run)])
      assert.equal(typeof value, 'string');
    for (const time of [report.run.start_time, report.run.end_time])
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    assert.ok(report.tests.length > 0);
    for (const entry of report.tests) {
      onlyKeys(entry, ['name', 'execution_time']);
      assert.ok(entry.execution_time.every((seconds) => typeof seconds === 'number' && seconds > 0 && seconds < 100));
    }
  });

  test(`otava, ${name}: every row has a time, a commit and a number per case`, () => {
    const [header, ...rows] = exportOtava(input)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    assert.deepEqual(header.slice(0, 2), ['time', 'commit']);
    assert.equal(new Set(header).size, header.length);
    assert.ok(header.length > 2 && rows.length > 0);
    const times = rows.map(([time]) => Date.parse(time));
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
    for (const [time, commit, ...values] of rows) {
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.match(commit, /^[0-9a-f]+$/);
      assert.equal(values.length, header.length - 2);
      for (const value of values) assert.ok(Number(value) > 0, value);
    }
  });

  test(`openmetrics, ${name}: passes the grammar and the rules of the text format`, () =>
    assert.ok(readOpenMetrics(exportOpenMetrics(input)).length > 0));
}

const kNumber = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const kLabel = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const kSample = new RegExp(
  String.raw`^([a-zA-Z_:][a-zA-Z0-9_:]*)\{(${kLabel}(?:,${kLabel})*)\} (${kNumber})(?: (${kNumber}))?$`,
);
const kMetadata = /^# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/;

// A reader of OpenMetrics 1.0 text for gauges and info: [{name, labels, value}]. Throws where a rule is broken.
const readOpenMetrics = (text) => {
  assert.ok(text.endsWith('# EOF\n'));
  const lines = text.slice(0, -'# EOF\n'.length).split('\n');
  assert.equal(lines.pop(), '');
  const families = new Map();
  const seen = new Set();
  const samples = [];
  let current = null;
  for (const line of lines) {
    const metadata = kMetadata.exec(line);
    if (metadata) {
      const [, kind, name, value] = metadata;
      if (current?.name !== name) {
        assert.ok(!families.has(name), `${name}: its lines do not stand together`);
        families.set(name, (current = {name, samples: 0}));
      }
      assert.ok(!(kind in current), `${name}: ${kind} twice`);
      assert.equal(current.samples, 0, `${name}: ${kind} after samples`);
      current[kind] = value;
      if (kind === 'TYPE') assert.ok(['gauge', 'info'].includes(value));
      if (kind === 'UNIT') assert.ok(name.endsWith(`_${value}`), `${name} does not end with its unit ${value}`);
      continue;
    }
    const sample = kSample.exec(line);
    assert.ok(sample, `no sample: ${line}`);
    const [, name, labels, value] = sample;
    assert.equal(name, current.TYPE === 'info' ? `${current.name}_info` : current.name);
    if (current.TYPE === 'info') assert.equal(value, '1');
    assert.ok(!seen.has(`${name}{${labels}}`), `twice: ${line}`);
    seen.add(`${name}{${labels}}`);
    ++current.samples;
    samples.push({name, labels, value: Number(value)});
  }
  return samples;
};

test('the numbers are the recorded ones', () => {
  const run = single.runs.at(-1);
  const rows = [...run.rows];
  const [key, row] = rows[7];
  const entry = JSON.parse(exportGithubActionBenchmark(single)).find(({name}) => name === key);
  assert.equal(entry.value, row.ratio);
  assert.deepEqual(JSON.parse(exportBencher(single))[key].ratio, {
    value: row.ratio,
    lower_value: row.ratio_lower,
    upper_value: row.ratio_upper,
  });
  assert.equal(JSON.parse(exportBencher(single))[key].latency.value, row.ns);
  assert.deepEqual(
    JSON.parse(exportLnt(single)).tests.map(({name}) => name),
    rows.map(([name]) => name),
  );
  assert.equal(JSON.parse(exportLnt(single)).tests[7].execution_time[0], row.ns * 1e-9);
  assert.equal(Number(exportOtava(single).trimEnd().split('\n').at(-1).split(',')[2 + 7]), row.ratio);
  const seconds = readOpenMetrics(exportOpenMetrics(single)).find(
    ({name, labels}) => name === 'dimorder_move_seconds' && labels.includes(`"${key}"`),
  );
  assert.equal(seconds.value, row.ns * 1e-9);
});

test('exports of one moment hold the newest run of each configuration, histories all runs of one', () => {
  const entries = JSON.parse(exportGithubActionBenchmark(several));
  assert.equal(entries.length, 3 * 60);
  assert.ok(entries[0].name.endsWith(' [epyc-7003 AVX2 t1 serial GNU]'));
  assert.equal(exportOtava(several).trimEnd().split('\n').length, 1 + 4);
});

test('runs of two executors stand side by side', () => {
  const names = [
    't2d/4x4/4 [Synthetic 25.1.1, 8 CPUs AVX2 t4 openmp GNU]',
    't2d/4x4/4 [Synthetic 25.1.1, 8 CPUs AVX2 t4 pool GNU]',
  ];
  assert.deepEqual(Object.keys(JSON.parse(exportBencher(executors))), names);
});

test('runs by two compilers stand side by side, versions of one in one history', () => {
  const name = 'Synthetic 25.1.1, 8 CPUs AVX2 t1 serial';
  const ratios = Object.entries(JSON.parse(exportBencher(compilers))).map(([key, {ratio}]) => [key, ratio.value]);
  assert.deepEqual(ratios, [
    [`t2d/4x4/4 [${name} Clang]`, 3],
    [`t2d/4x4/4 [${name} GNU]`, 4],
  ]);
  assert.equal(JSON.parse(exportLnt(compilers)).machine.name, `${name} GNU`);
  assert.deepEqual(
    exportOtava(compilers)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',')[2]),
    ['t2d/4x4/4', '2', '4'],
  );
  const gauges = readOpenMetrics(exportOpenMetrics(compilers)).filter(({name}) => name === 'dimorder_limit_ratio');
  assert.deepEqual(
    gauges.map(({labels, value}) => [/compiler_family="(\w+)"/.exec(labels)[1], value]),
    [
      ['Clang', 3],
      ['GNU', 4],
    ],
  );
});

test('a quick run leaves the cases that it lacks to an older one', () => {
  const ratios = Object.entries(JSON.parse(exportBencher(quickLast))).map(([name, {ratio}]) => [name, ratio.value]);
  assert.deepEqual(Object.fromEntries(ratios), {'t2d/4x4/4': 1, 't2d/8x8/4': 3});
});

test('a case that one run lacks is no column for Otava', () => {
  const runs = makeRuns({machines: 1, commits: 2});
  const {name} = runs[0].run.benchmarks.pop();
  const header = exportOtava(loadResults(writeFolder(asFiles(runs)))).split('\n')[0];
  assert.ok(!header.split(',').includes(name));
  assert.equal(header.split(',').length, 2 + 59);
});

test('a run with less than half of the cases is no part of the history for Otava', () => {
  const keep = (run, count) => ({...run, benchmarks: run.benchmarks.slice(-count)});
  const files = Object.fromEntries(
    makeRuns({machines: 1, commits: 4}).map(({name, run}, at) => [name, keep(run, [30, 60, 60, 29][at])]),
  );
  const [header, ...rows] = exportOtava(loadResults(writeFolder(files)))
    .trimEnd()
    .split('\n');
  assert.equal(header.split(',').length, 2 + 30);
  assert.equal(rows.length, 3);
});

test('export.mjs writes a file, filters, and says what it knows', () => {
  const folder = writeFolder({...asFiles(makeRuns({machines: 2, commits: 2})), ...compilerRuns});
  const run = (...options) =>
    spawnSync(process.execPath, [join(repository, 'results/dashboard/export.mjs'), `--results=${folder}`, ...options], {
      encoding: 'utf8',
    });
  const out = join(folder, 'out.txt');
  assert.equal(run('--format=bencher', '--machine=epyc-9004', `--out=${out}`).status, 0);
  assert.equal(Object.keys(JSON.parse(readFileSync(out, 'utf8'))).length, 60);
  assert.equal(JSON.parse(run('--format=lnt', '--compiler=Clang').stdout).run.compiler, 'Clang 14.0.6');
  assert.equal(run('--format=openmetrics').stdout.split('\n').at(-2), '# EOF');
  const unknown = run('--format=grafana');
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /github-action-benchmark, bencher, lnt, otava, openmetrics/);
  const halves = makeRuns({machines: 1, commits: 2}).map(({name, run: {context, benchmarks}}, at) => [
    name,
    {context, benchmarks: benchmarks.slice(30 * at, 30 * at + 30)},
  ]);
  for (const wrong of [
    ['--format=otava', `--results=${writeFolder(Object.fromEntries(halves))}`],
    ['--format=lnt', '--target=NONE'],
    ['--format=toString'],
    ['--format=lnt', '--bogus'],
    ['--format=lnt', `--out=${folder}/none/out.txt`],
    [],
  ]) {
    const {status, stdout, stderr} = run(...wrong);
    assert.deepEqual([status, stdout], [2, ''], wrong.join(' '));
    assert.match(stderr, /^export\.mjs: .*\n$/);
  }
});
