// SPDX-License-Identifier: Apache-2.0
//
// dimorder beside the other libraries that a run timed.

import {empty, list, note, numberCell, numberHead, select} from '#page/controls.mjs';
import {h, link} from '#page/dom.mjs';
import {configurationText, plural, ratioText} from '#page/format.mjs';
import {heatStep} from '#page/heat.mjs';
import {geometricMean} from '#page/statistics.mjs';

const kOurs = 'dimorder';
const kStrip = {width: 220, height: 18, least: 0.5, most: 64};

// [{c, ours, peers: [{name, ratio}], best}] of the cases that a peer took.
const peerRows = (model, run, cases) =>
  cases
    .filter((c) => run.has(c.index))
    .map((c) => ({c, ours: run.value(c.index, 'ratio'), peers: model.peers(run, c.index)}))
    .filter(({peers}) => peers.length)
    .map((row) => ({...row, best: row.peers.reduce((a, b) => (b.ratio < a.ratio ? b : a))}));

// Per peer: how many cases it took, how many of them we moved faster, and by what factor over all.
const peerSummary = (rows) => {
  const names = [...new Set(rows.flatMap(({peers}) => peers.map(({name}) => name)))].sort();
  const factors = (name) =>
    rows.flatMap(({ours, peers}) => peers.filter((peer) => peer.name === name).map(({ratio}) => ratio / ours));
  const summary = (name, values) => ({
    name,
    cases: values.length,
    faster: values.filter((value) => value > 1).length,
    mean: geometricMean(values),
  });
  const best = rows.map((row) => row.best.ratio / row.ours);
  return [...names.map((name) => summary(name, factors(name))), summary('best of them', best)];
};

const bar = (mean, most) =>
  h.div({class: 'bar', style: `width: ${Math.max((Math.log2(mean) / Math.log2(most)) * 100, 0.5)}%`});

const summaryRow = ({name, cases, faster, mean}, most) =>
  h.tr(
    {'data-peer': name},
    h.td(name),
    numberCell(cases),
    numberCell(faster),
    numberCell(`${ratioText(mean)}\u00d7`),
    h.td({class: 'bars'}, bar(mean, most)),
  );

const summaryTable = (summary) => {
  const most = Math.max(2, ...summary.map(({mean}) => mean));
  const numbers = ['cases', 'we are faster in', 'geometric mean'].map((name) => numberHead(name));
  return list(
    ['peer', numbers, 'our advantage (log scale)'],
    summary.map((row) => summaryRow(row, most)),
    'summary',
  );
};

const svg = (name, attributes) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

const position = (ratio) => {
  const {width, least, most} = kStrip;
  const share = Math.log(ratio / least) / Math.log(most / least);
  return 6 + Math.min(Math.max(share, 0), 1) * (width - 12);
};

const dot = (name, ratio, r, kind) => {
  const circle = svg('circle', {cx: position(ratio), cy: kStrip.height / 2, r, class: kind});
  const title = svg('title', {});
  title.textContent = `${name} ${ratioText(ratio)}`;
  circle.append(title);
  return circle;
};

// All libraries on one logarithmic line; the stroke across is a copy.
const strip = (ours, peers) => {
  const {width, height} = kStrip;
  const root = svg('svg', {width, height, class: 'strip', 'aria-hidden': 'true'});
  root.append(
    svg('line', {x1: 0, x2: width, y1: height / 2, y2: height / 2, class: 'rail'}),
    svg('line', {x1: position(1), x2: position(1), y1: 2, y2: height - 2, class: 'copy'}),
    ...peers.map(({name, ratio}) => dot(name, ratio, 3.5, 'peer')),
    dot(kOurs, ours, 5, 'ours'),
  );
  return root;
};

const ratioCell = (ratio, best) =>
  h.td(
    {class: `number${best ? ' best' : ''}`},
    ratio === undefined ? '' : h.span({class: `cell heat-${heatStep(ratio)}`}, ratioText(ratio)),
  );

const peerRow = (page, names, {c, ours, peers, best}) => {
  const ratioOf = (name) => peers.find((peer) => peer.name === name)?.ratio;
  return h.tr(
    {'data-case': c.key},
    h.td(link(page.href({view: 'history', case: c.key}), c.key)),
    ratioCell(ours, ours <= best.ratio),
    names.map((name) => ratioCell(ratioOf(name), name === best.name && best.ratio < ours)),
    numberCell(`${ratioText(best.ratio / ours)}\u00d7`),
    h.td(strip(ours, peers)),
  );
};

const caseTable = (page, rows, names) => {
  const numbers = [kOurs, ...names, 'best / ours'].map((name) => numberHead(name));
  return list(
    ['case', numbers, 'time / time of a copy, log scale'],
    rows.map((row) => peerRow(page, names, row)),
  );
};

const runSelect = (page, runs, chosen) => {
  const pairs = runs.map(({file, label, configuration}) => [file, `${label}  ${configurationText(configuration)}`]);
  return select('Run', pairs, chosen.file, (file) => page.set({run: file}));
};

export const renderPeers = (page) => {
  const runs = page.model.runsWithPeers.filter((run) => page.configurations.includes(run.configuration));
  const run = runs.find(({file}) => file === page.state.run) ?? runs[0];
  if (!run) return [empty('No run that passes the filters timed peers: bench/run.sh --peers records them.')];
  const rows = peerRows(page.model, run, page.cases).sort((a, b) => a.best.ratio / a.ours - b.best.ratio / b.ours);
  const summary = peerSummary(rows);
  const names = summary.slice(0, -1).map(({name}) => name);
  return [
    h.div(
      {class: 'toolbar'},
      runSelect(page, runs, run),
      note(
        `${plural(rows.length, 'case')} that a peer takes, our weakest first. `,
        'Every number is time / time of the limit, in the same run.',
      ),
    ),
    rows.length > 0 && [summaryTable(summary), caseTable(page, rows, names)],
  ];
};
