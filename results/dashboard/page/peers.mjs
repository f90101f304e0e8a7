// SPDX-License-Identifier: Apache-2.0
//
// dimorder beside the other libraries that a run timed.

import {h, link, select} from '#page/dom.mjs';
import {configurationText, plural, ratioText} from '#page/format.mjs';
import {heatStep} from '#page/heat.mjs';
import {geometricMean} from '#page/statistics.mjs';

const kOurs = 'dimorder';
const kStrip = {width: 220, height: 18, least: 0.5, most: 64};

// [{c, ours, peers: [{name, ratio}], best}] of the cases that a peer took.
export const peerRows = (model, run, cases) =>
  cases
    .filter((c) => run.has(c.index))
    .map((c) => ({c, ours: run.value(c.index, 'ratio'), peers: model.peers(run, c.index)}))
    .filter(({peers}) => peers.length)
    .map((row) => ({...row, best: row.peers.reduce((a, b) => (b.ratio < a.ratio ? b : a))}));

// Per peer: how many cases it took, how many of them we moved faster, and by what factor over all.
export const peerSummary = (rows) => {
  const names = [...new Set(rows.flatMap(({peers}) => peers.map(({name}) => name)))].sort();
  const factors = (name) =>
    rows.flatMap(({ours, peers}) => peers.filter((peer) => peer.name === name).map(({ratio}) => ratio / ours));
  const summary = (name, values) => ({
    name,
    cases: values.length,
    faster: values.filter((value) => value > 1).length,
    mean: geometricMean(values),
  });
  return [
    ...names.map((name) => summary(name, factors(name))),
    summary(
      'best of them',
      rows.map(({ours, best}) => best.ratio / ours),
    ),
  ];
};

const bar = (mean, most) =>
  h.div({class: 'bar', style: `width: ${Math.max((Math.log2(mean) / Math.log2(most)) * 100, 0.5)}%`});

const summaryTable = (summary) => {
  const most = Math.max(2, ...summary.map(({mean}) => mean));
  return h.table(
    {class: 'list summary'},
    h.thead(
      h.tr(
        h.th('peer'),
        h.th({class: 'number'}, 'cases'),
        h.th({class: 'number'}, 'we are faster in'),
        h.th({class: 'number'}, 'geometric mean'),
        h.th('our advantage (log scale)'),
      ),
    ),
    h.tbody(
      summary.map(({name, cases, faster, mean}) =>
        h.tr(
          {'data-peer': name},
          h.td(name),
          h.td({class: 'number'}, cases),
          h.td({class: 'number'}, faster),
          h.td({class: 'number'}, `${ratioText(mean)}\u00d7`),
          h.td({class: 'bars'}, bar(mean, most)),
        ),
      ),
    ),
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
    h.td({class: 'number'}, `${ratioText(best.ratio / ours)}\u00d7`),
    h.td(strip(ours, peers)),
  );
};

const caseTable = (page, rows, names) =>
  h.div(
    {class: 'scroll'},
    h.table(
      {class: 'list peers'},
      h.thead(
        h.tr(
          h.th('case'),
          [kOurs, ...names, 'best / ours'].map((name) => h.th({class: 'number'}, name)),
          h.th('time / time of a copy, log scale'),
        ),
      ),
      h.tbody(rows.map((row) => peerRow(page, names, row))),
    ),
  );

export const renderPeers = (page) => {
  const runs = page.model.runsWithPeers.filter((run) => page.configurations.includes(run.configuration));
  const run = runs.find(({file}) => file === page.state.run) ?? runs[0];
  if (!run)
    return [h.p({class: 'empty'}, 'No run that passes the filters timed peers: bench/run.sh --peers records them.')];
  const rows = peerRows(page.model, run, page.cases).sort((a, b) => a.best.ratio / a.ours - b.best.ratio / b.ours);
  const summary = peerSummary(rows);
  return [
    h.div(
      {class: 'toolbar'},
      select(
        'Run',
        runs.map(({file, label, configuration}) => [file, `${label}  ${configurationText(configuration)}`]),
        run.file,
        (file) => page.set({run: file}),
      ),
      h.p(
        {class: 'note'},
        `${plural(rows.length, 'case')} that a peer takes, our weakest first. `,
        'Every number is time / time of the limit, in the same run.',
      ),
    ),
    rows.length > 0 && summaryTable(summary),
    rows.length > 0 &&
      caseTable(
        page,
        rows,
        summary.slice(0, -1).map(({name}) => name),
      ),
  ];
};
