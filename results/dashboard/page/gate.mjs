// SPDX-License-Identifier: Apache-2.0
//
// Every run of the gate against one of its bases, with its noise: what two copies of the base differed by, and how far
// the cases spread.

import {chart, lineColour, lineLegend} from '#page/chart.mjs';
import {empty, list, note, numberCell, numberHead, select} from '#page/controls.mjs';
import {h, link} from '#page/dom.mjs';
import {changeText, dateText, plural} from '#page/format.mjs';
import {commitLink} from '#page/provenance.mjs';

// A control beyond this makes a run noisy.
const kNoise = 0.01;

const lines = [
  {name: 'all cases: median, 5 % to 95 %', of: ({spread}) => spread},
  {name: 'slowest case: head against base', of: ({slowest}) => slowest[0]},
  {name: 'A/A control: base against base', of: ({control}) => control},
];

const isNoisy = ({control}) => control !== null && Math.abs(control.ratio - 1) > kNoise;

const bounds = ({lower, upper}) =>
  lower === null || upper === null ? '' : ` (${changeText(lower)} .. ${changeText(upper)})`;

const intervalText = (interval) => (interval ? changeText(interval.ratio) + bounds(interval) : '-');

const describe = (gates) => (index) => {
  const gate = gates[index];
  return [
    h.div(h.b(gate.verdict), ` ${gate.head} against ${gate.base} ${gate.commit}`),
    ...lines.map(({name, of}, line) =>
      h.div(h.span({style: `color: ${lineColour(line)}`}, `${name} `), intervalText(of(gate))),
    ),
    ...gate.slowest.slice(0, 1).map((slowest) => h.div({class: 'muted'}, `slowest: ${slowest.case}`)),
  ];
};

const percent = (value) => (value === null || value === undefined ? undefined : (value - 1) * 100);

const gateChart = (gates) =>
  chart({
    times: gates.map(({date}) => Date.parse(date)),
    marks: [],
    unit: '% slower than the base',
    describe: describe(gates),
    lines: lines.map(({of}) => ({
      values: gates.map((gate) => percent(of(gate)?.ratio)),
      lower: gates.map((gate) => percent(of(gate)?.lower)),
      upper: gates.map((gate) => percent(of(gate)?.upper)),
    })),
  });

const outcomesText = ({outcomes}) =>
  Object.entries(outcomes)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

const slowestCell = (page, {slowest}) =>
  h.td(
    {title: slowest.map((c) => `${c.case}  ${intervalText(c)}  ${c.outcome}`).join('\n')},
    slowest.slice(0, 1).map((c) => [link(page.href({view: 'history', case: c.case}), c.case), ` ${intervalText(c)}`]),
  );

const gateRow = (page, gate) =>
  h.tr(
    {'data-gate': gate.file},
    h.td(dateText(gate.date)),
    h.td(h.code(gate.head)),
    h.td(commitLink(page.model, gate)),
    h.td(h.span({class: `verdict ${gate.verdict}`}, gate.verdict)),
    h.td(intervalText(gate.control), isNoisy(gate) && h.span({class: 'badge'}, 'noisy')),
    h.td(intervalText(gate.spread)),
    slowestCell(page, gate),
    h.td(outcomesText(gate)),
    numberCell(`${gate.seconds.toFixed(0)} s`),
  );

const kHeads = ['date', 'head', 'base', 'verdict', 'A/A control', 'all cases', 'slowest', 'outcomes'];

const gateTable = (page, gates) =>
  list([...kHeads, numberHead('time')], gates.map((gate) => gateRow(page, gate)).reverse());

const annotationRow = (model, annotation) =>
  h.tr(
    h.td(annotation.date.slice(0, 10)),
    h.td(commitLink(model, annotation)),
    h.td(h.code(annotation.cases)),
    h.td(annotation.reason),
  );

const annotationList = ({model}) => {
  const rows = model.annotations.map((annotation) => annotationRow(model, annotation));
  return rows.length > 0 && [h.h2('Accepted on purpose'), list(['date', 'commit', 'cases', 'reason'], rows)];
};

const baseSelect = (page, bases, base) => {
  const pairs = bases.map((name) => [name, name]);
  return select('Against', pairs, base, (gate) => page.set({gate}));
};

export const renderGate = (page) => {
  const bases = [...new Set(page.model.gates.map(({base}) => base))];
  if (!bases.length) return [empty('No run of the gate is in results/gate/.'), annotationList(page)];
  const base = bases.includes(page.state.gate) ? page.state.gate : bases[0];
  const gates = page.model.gates.filter((gate) => gate.base === base);
  const noisy = gates.filter(isNoisy).length;
  return [
    h.div(
      {class: 'toolbar'},
      baseSelect(page, bases, base),
      note(
        `${plural(gates.length, 'run')}, ${noisy} with an A/A control beyond ${kNoise * 100} %. `,
        'Suspects are measured again beside base against base: that is the control.',
      ),
    ),
    lineLegend(lines),
    gateChart(gates),
    gateTable(page, gates),
    annotationList(page),
  ];
};
