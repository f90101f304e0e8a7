// SPDX-License-Identifier: Apache-2.0
//
// The page in headless Chromium (Debian's, or that named by CHROMIUM). Screenshots land in build/dashboard/.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';

import {readCases} from '../lib/cases.mjs';
import {makeHtml} from '../lib/html.mjs';
import {loadResults} from '../lib/load.mjs';
import {makePayload} from '../lib/payload.mjs';
import {
  asFiles,
  compilerRuns,
  makeAnnotation,
  makeContext,
  makeGate,
  makeRandom,
  makeRow,
  makeRuns,
  repository,
  writeFolder,
} from './synthetic.mjs';

const chromium =
  process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const skip = chromium ? false : 'no Chromium: install the package chromium, or set CHROMIUM';
const shots = join(repository, 'build/dashboard');
const cases = readCases(join(repository, 'bench'));

const random = makeRandom(9);
const good = makeRuns({machines: 3, commits: 20});
const broken = {context: makeContext(), benchmarks: [makeRow('t2d/4x4/4', 64, 'x')]};
const gates = Object.fromEntries(
  Array.from({length: 12}, (_, at) => [`gate/${String(at).padStart(2, '0')}.json`, makeGate(at, random)]),
);
const folder = writeFolder({
  ...asFiles(good),
  ...gates,
  'half.json': '{"context": {',
  'wrong.json': broken,
  'annotations.json': [makeAnnotation({date: '2026-01-12T00:00:00Z'})],
});

const build = (results, name) => {
  const loaded = loadResults(results);
  const file = join(folder, name);
  writeFileSync(file, makeHtml(makePayload(loaded, cases, {generated: '2026-02-01T00:00:00.000Z', commitUrl: ''})));
  return {file, results: loaded};
};

let browser;
let context;
const faults = [];

before(async () => {
  if (skip) return;
  const playwright = await import('playwright-core');
  browser = await playwright.chromium.launch({executablePath: chromium, args: ['--no-sandbox']});
  mkdirSync(shots, {recursive: true});
});
after(() => browser?.close());

const isLocal = (url) => /^(file|data|blob|about):/.test(url);

// Each test has windows of its own; whatever goes wrong in them, or wants the network, fails it.
const browserTest = (name, run) =>
  test(name, {skip, timeout: 60000}, async () => {
    context = await browser.newContext({viewport: {width: 1440, height: 900}, offline: true});
    context.setDefaultTimeout(10000);
    try {
      await run();
    } finally {
      await context.close();
      assert.deepEqual(faults.splice(0), []);
    }
  });

const open = async (file, hash = '', colorScheme = 'light') => {
  const page = await context.newPage();
  await page.emulateMedia({colorScheme});
  page.on('pageerror', (error) => faults.push(error.stack));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => isLocal(request.url()) || faults.push(`request of ${request.url()}`));
  await page.goto(`file://${file}${hash}`);
  await page.waitForFunction(() => performance.getEntriesByName('drawn').length > 0);
  return page;
};

const synthetic = build(folder, 'page.html');

const texts = (page, selector) => page.$$eval(selector, (elements) => elements.map((element) => element.textContent));

// What the heat map must show: of each configuration and case the ratio in the newest run that has it.
const expectedCells = ({runs}, metric = (row) => row.ratio.toFixed(2)) => {
  const cells = new Map();
  for (const {configuration, rows} of runs) {
    for (const [key, row] of rows) cells.set([...Object.values(configuration), key].join(), metric(row));
  }
  return [...cells.values()].sort();
};

for (const [name, make] of [
  ['synthetic', () => synthetic],
  ['recorded', () => build(join(repository, 'results'), 'recorded.html')],
]) {
  browserTest(`heat map of ${name} runs: every cell has the recomputed text`, async () => {
    const {file, results} = make();
    const page = await open(file);
    assert.deepEqual((await texts(page, '.heatmap .cell')).sort(), expectedCells(results));
    await page.screenshot({path: join(shots, `${name}-light.png`)});
  });
}

browserTest('each cell stands for its own case and machine', async () => {
  const page = await open(synthetic.file);
  for (const {configuration, rows} of synthetic.results.runs.slice(-3)) {
    const [key, row] = [...rows][17];
    const index = ['epyc-7003', 'epyc-9004', 'xeon-8480'].indexOf(configuration.machine);
    assert.deepEqual(await texts(page, `.cell[data-case="${key}"][data-configuration="${index}"]`), [
      row.ratio.toFixed(2),
    ]);
  }
});

browserTest('a compiler of another family has a column, a line and a filter of its own', async () => {
  const {file} = build(writeFolder(compilerRuns), 'compilers.html');
  const page = await open(file);
  assert.deepEqual(await texts(page, '.heatmap thead small'), ['AVX2, 1 thread', 'AVX2, 1 thread, Clang']);
  assert.deepEqual(await texts(page, '.heatmap .cell'), ['4.00', '3.00']);
  await page.click('.cell');
  await page.waitForSelector('.marks');
  assert.deepEqual(
    (await texts(page, '.marks li')).map((text) => text.replace(/^[-\d]+/, '')),
    ['compiler GNU 12.2.0 \u2192 GNU 14.2.0'],
  );
  await page.click('.menu[data-filter=compiler] summary');
  await page.click('.menu[data-filter=compiler] input[value="Clang"]');
  await untilCount(page, '1 of 1 case, 1 of 3 runs');
});

browserTest('other metrics show other numbers', async () => {
  const page = await open(synthetic.file, '#metric=vs_memcpy');
  assert.deepEqual(
    (await texts(page, '.heatmap .cell')).sort(),
    expectedCells(synthetic.results, (row) => row.vs_memcpy.toFixed(2)),
  );
  await page.goto(`file://${synthetic.file}#metric=gbps`);
  await page.waitForFunction(() => document.querySelector('main select').value === 'gbps');
  assert.deepEqual(
    (await texts(page, '.heatmap .cell')).sort(),
    expectedCells(synthetic.results, (row) => row.GBps.toFixed(1)),
  );
});

// The address changes before the page does.
const untilCount = (page, text) =>
  page.waitForFunction((count) => document.querySelector('#count').textContent === count, text);

browserTest('filters leave what they say, in the table, the count and the address', async () => {
  const page = await open(synthetic.file);
  await page.click('.menu[data-filter=element] summary');
  await page.click('.menu[data-filter=element] input[value="4"]');
  await page.waitForFunction(() => location.hash.includes('element=4'));
  await page.click('.menu[data-filter=machine] summary');
  await page.click('.menu[data-filter=machine] input[value="epyc-9004"]');
  await page.waitForFunction(() => location.hash.includes('machine=epyc-9004'));
  const left = cases.slice(0, 60).filter((c) => c.element === 4).length;
  await untilCount(page, `${left} of 60 cases, 20 of 60 runs`);
  assert.equal((await page.$$('.heatmap .cell')).length, left);
  assert.deepEqual(
    await page.$$eval('.menu[data-filter=class] .count', (counts) =>
      counts.map((count) => Number(count.textContent)).reduce((a, b) => a + b),
    ),
    left,
  );
  await page.click('#status a');
  await page.waitForFunction(() => !location.hash.includes('element'));
  await page.waitForFunction(() => document.querySelectorAll('.heatmap .cell').length === 180);
});

browserTest('an address restores view, filters and choices', async () => {
  const page = await open(synthetic.file);
  await page.fill('#search', 'nhwc2nchw');
  await page.waitForFunction(() => location.hash.includes('search'));
  await page.click('#tabs a:text("Compare")');
  await page.waitForSelector('.counts');
  await page.check('main input[type=checkbox]');
  await page.waitForSelector('.compare');
  const [address, shown] = [page.url(), await page.innerText('main')];
  const again = await open(synthetic.file, new URL(address).hash);
  assert.equal(await again.innerText('main'), shown);
  assert.equal(await again.inputValue('#search'), 'nhwc2nchw');
  await page.goBack();
  await page.waitForFunction(() => !document.querySelector('main input[type=checkbox]').checked);
});

// The share of pixels of the first canvas that were painted.
const paintedShare = (page) =>
  page.$eval('canvas', (canvas) => {
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let painted = 0;
    for (let i = 3; i < data.length; i += 4) painted += data[i] !== 0;
    return painted / (data.length / 4);
  });

for (const theme of ['light', 'dark']) {
  browserTest(`history, ${theme}: the canvas is painted, marks and runs are listed`, async () => {
    const page = await open(synthetic.file, `#view=history&case=nchw2nhwc%2F1x64x56x56%2F4&theme=${theme}`);
    await page.waitForSelector('canvas');
    await page.waitForTimeout(100);
    assert.ok((await paintedShare(page)) > 0.02);
    const marks = await texts(page, '.marks li');
    assert.equal(marks.length, 2);
    assert.match(marks[0], /wider tiles: smaller code/);
    assert.match(marks[1], /compiler GNU 12\.2\.0 \u2192 GNU 14\.2\.0/);
    assert.equal(await page.textContent('details summary:text("runs")'), '60 runs');
    const box = await page.locator('.u-over').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const tooltip = await page.textContent('.tooltip');
    for (const machine of ['epyc-7003', 'epyc-9004', 'xeon-8480']) assert.ok(tooltip.includes(machine), tooltip);
    await page.screenshot({path: join(shots, `history-${theme}.png`)});
  });

  for (const view of ['heat', 'compare', 'peers', 'gate', 'runs']) {
    browserTest(`${view}, ${theme}: draws`, async () => {
      const page = await open(synthetic.file, `#view=${view}&all=1&theme=${theme}`);
      await page.waitForSelector('main table');
      await page.waitForTimeout(100);
      await page.screenshot({path: join(shots, `${view}-${theme}.png`)});
    });
  }
}

browserTest('the system decides between light and dark unless told otherwise', async () => {
  const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await open(synthetic.file, '', 'dark');
  const light = await open(synthetic.file, '#theme=light', 'dark');
  assert.notEqual(await background(dark), await background(light));
});

browserTest('compare shows significant rows only, unless told otherwise', async () => {
  const [base, head] = [good[0], good[19]].map(({name}) => name);
  const rowsOf = ({name}) => synthetic.results.runs.find(({file}) => file === name).rows;
  const significant = [...rowsOf(good[19])].filter(([key, after]) => {
    const before = rowsOf(good[0]).get(key);
    return (
      (after.ratio_lower > before.ratio_upper || after.ratio_upper < before.ratio_lower) &&
      Math.abs(after.ratio / before.ratio - 1) > 0.02
    );
  });
  const page = await open(
    synthetic.file,
    `#view=compare&base=${encodeURIComponent(base)}&head=${encodeURIComponent(head)}`,
  );
  assert.equal((await page.$$('.compare tbody tr')).length, significant.length);
  await page.check('main input[type=checkbox]');
  await page.waitForFunction(() => document.querySelectorAll('.compare tbody tr').length === 60);
});

browserTest('peers: the factor over each is the geometric mean of the recorded ratios', async () => {
  const {results} = synthetic;
  const run = results.runs.at(-1);
  const logs = [...run.rows.values()].map((row) => Math.log(row.peer_naive / row.ratio));
  const page = await open(synthetic.file, '#view=peers');
  const [, cases, , mean] = await texts(page, '.summary tr[data-peer=naive] td');
  assert.equal(cases, '60');
  assert.equal(mean, `${Math.exp(logs.reduce((a, b) => a + b) / logs.length).toFixed(2)}\u00d7`);
});

browserTest('gate: a row per run, with the control recomputed', async () => {
  const page = await open(synthetic.file, '#view=gate');
  const rows = await page.$$eval('tr[data-gate]', (trs) => trs.map((tr) => [...tr.cells].map((td) => td.textContent)));
  const expected = Object.values(gates).map(({head, comparisons: [{commit, cases}]}) => {
    const percent = Math.round((cases[0].control.ratio - 1) * 1000) / 10;
    return [head, commit.slice(0, 9), 'pass', `${percent < 0 ? '\u2212' : '+'}${Math.abs(percent).toFixed(1)}`];
  });
  assert.deepEqual(
    rows.map(([, head, base, verdict, control]) => [head, base, verdict, control.split('\u00a0')[0]]),
    expected.reverse(),
  );
});

browserTest('files that were left out are listed with field and reason', async () => {
  const page = await open(synthetic.file, '#view=runs');
  assert.equal(await page.textContent('#status .badge'), '2 files left out');
  const rows = await texts(page, '.skipped tbody tr');
  assert.match(rows[0], /^half\.json\(file\)not readable as JSON/);
  assert.ok(
    rows.some((row) => row === 'wrong.jsonbenchmarks[0].ratiomust be a number above 0, is "x"'),
    rows.join('\n'),
  );
  assert.equal((await page.$$('tr[data-run]')).length, 60);
});

browserTest('keys: views, search, cells of the heat map, cases of the history, help', async () => {
  const page = await open(synthetic.file);
  await page.focus('.cell[tabindex="0"]');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const key = await page.evaluate(() => document.activeElement.dataset.case);
  await page.keyboard.press('Enter');
  await page.waitForSelector('h2');
  assert.equal(await page.textContent('main h2'), key);
  await page.keyboard.press(']');
  await page.waitForFunction((before) => document.querySelector('main h2').textContent !== before, key);
  await page.keyboard.press('[');
  await page.waitForFunction((before) => document.querySelector('main h2').textContent === before, key);
  await page.keyboard.press('6');
  await page.waitForSelector('tr[data-run]');
  await page.keyboard.press('/');
  await page.keyboard.type('7x7 1?');
  await page.waitForFunction(() => location.hash.includes('7x7'));
  assert.equal(await page.inputValue('#search'), '7x7 1?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('?');
  assert.ok(await page.isVisible('#help'));
});

browserTest('the numbers can be saved', async () => {
  const page = await open(synthetic.file, '#element=4&machine=epyc-7003');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#csv')]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n');
  assert.equal(lines.length, 1 + 20 * cases.slice(0, 60).filter((c) => c.element === 4).length);
});

browserTest('60 cases, 8 machines and 200 commits are drawn in less than a second', async () => {
  const {file} = build(writeFolder(asFiles(makeRuns())), 'large.html');
  for (const hash of ['', '#view=history']) {
    const times = [];
    for (let i = 0; i < 3; ++i) {
      const page = await open(file, hash);
      times.push(await page.evaluate(() => performance.getEntriesByName('drawn')[0].startTime));
    }
    assert.ok(Math.min(...times) < 1000, `${hash || 'heat map'}: ${times.map(Math.round)} ms`);
  }
});
