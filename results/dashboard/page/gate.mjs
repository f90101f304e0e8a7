// SPDX-License-Identifier: Apache-2.0
//
// Every run of the gate with its A/A noise: what two copies of the base differed by.

import {chart, lineColour} from '#page/chart.mjs';
import {h, link} from '#page/dom.mjs';
import {changeText, dateText, plural} from '#page/format.mjs';
import {commitLink} from '#page/provenance.mjs';

// A control beyond this makes a run noisy.
const kNoise = 0.01;

export const isNoisy = ({control}) => Math.abs(control.ratio - 1) > kNoise;

const interval = ({ratio, low, high}) => `${changeText(ratio)} (${changeText(low)} .. ${changeText(high)})`;

const describe = (gates) => (index) => {
  const gate = gates[index];
  return [
    h('div', {}, h('b', {}, gate.verdict), ` ${gate.commit.slice(0, 9)} against ${gate.base.slice(0, 9)}`),
    h('div', {}, `A/A ${interval(gate.control)}`), ...gate.slowest.slice(0, 1).map((c) => h('div', {}, `${c.name} ${interval(c)}`)),
  ];
};

const gateChart = (gates) => {
  const percent = (value) => (value - 1) * 100;
  const control = gates.map((gate) => gate.control);
  const worst = gates.map((gate) => gate.slowest[0] ?? {});
  const line = (label, colour, intervals) => ({
    label, colour, values: intervals.map(({ratio}) => ratio && percent(ratio)), lower: intervals.map(({low}) => low && percent(low)),
    upper: intervals.map(({high}) => high && percent(high)),
  });
  return chart({
    times: gates.map(({date}) => Date.parse(date)), marks: [], unit: '% slower than the base', describe: describe(gates),
    lines: [line('A/A control', lineColour(0), control), line('slowest case', lineColour(1), worst)],
  });
};

const legend = () =>
  h('ul', {class: 'lines'}, ['A/A control: base against base', 'slowest case: head against base'].map((text, index) =>
    h('li', {}, h('span', {class: 'dot', style: `background: ${lineColour(index)}`}), text)));

const slowestCell = (page, {slowest}) =>
  h('td', {title: slowest.map((c) => `${c.name}  ${interval(c)}`).join('\n')},
    slowest.slice(0, 1).map((c) => [link(page.href({view: 'history', case: c.name}), c.name), ` ${interval(c)}`]));

const gateRow = (page, gate) =>
  h('tr', {'data-gate': gate.file}, h('td', {}, dateText(gate.date)), h('td', {}, commitLink(page.model, gate)),
    h('td', {}, commitLink(page.model, {commit: gate.base})), h('td', {}, h('span', {class: `verdict ${gate.verdict}`}, gate.verdict)),
    h('td', {}, interval(gate.control), isNoisy(gate) && h('span', {class: 'badge'}, 'noisy')),
    h('td', {class: 'number'}, gate.timed), slowestCell(page, gate), h('td', {}, gate.reason ?? ''));

const gateTable = (page, gates) => {
  const heads = [['date'], ['head'], ['base'], ['verdict'], ['A/A control'], ['cases timed', 'number'], ['slowest'], ['reason']];
  return h('div', {class: 'scroll'}, h('table', {class: 'list'},
    h('thead', {}, h('tr', {}, heads.map(([name, kind]) => h('th', {class: kind}, name)))),
    h('tbody', {}, gates.slice().reverse().map((gate) => gateRow(page, gate)))));
};

const annotationList = ({model}) =>
  model.annotations.length > 0 && [h('h2', {}, 'Accepted on purpose'),
    h('table', {class: 'list'}, h('tbody', {}, model.annotations.map((annotation) =>
      h('tr', {}, h('td', {}, annotation.date.slice(0, 10)), h('td', {}, commitLink(model, annotation)), h('td', {}, h('code', {}, annotation.cases)),
        h('td', {}, annotation.reason)))))];

export const renderGate = (page) => {
  const {gates} = page.model;
  if (!gates.length) return [h('p', {class: 'empty'}, 'No run of the gate is recorded: bench/gate.sh writes them to results/gate/.'), annotationList(page)];
  const noisy = gates.filter(isNoisy).length;
  return [
    h('p', {class: 'counts'}, plural(gates.length, 'gate run'), h('span', {class: 'muted'}, `${noisy} with an A/A control beyond ${kNoise * 100} %`)),
    legend(), gateChart(gates), gateTable(page, gates), annotationList(page),
  ];
};
