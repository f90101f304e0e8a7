// SPDX-License-Identifier: Apache-2.0
//
// One case over time, a line per configuration.

import {chart, lineColour, lineLegend} from '#page/chart.mjs';
import {checkbox, empty, list, metricSelect, numberCell, numberHead, select} from '#page/controls.mjs';
import {h} from '#page/dom.mjs';
import {annotationsFor} from '#page/filters.mjs';
import {boundsText, bytesText, configurationText, dateText, gbps, plural, ratioText, timeText} from '#page/format.mjs';
import {metrics} from '#page/heat.mjs';
import {marksOf} from '#page/marks.mjs';
import {commitLink} from '#page/provenance.mjs';

export const chosenCase = ({model, state, cases}) => model.caseOf(state.case) ?? cases[0];

const linesOf = ({model, configurations}, c) =>
  configurations
    .map((configuration) => ({configuration, runs: model.runsOf(configuration).filter((run) => run.has(c.index))}))
    .filter(({runs}) => runs.length);

// Values of a line over all times; undefined, which makes no gap, where another line has its runs. Of the ratio alone
// there are bounds.
const plotted = ({runs}, times, metric, c) => {
  const byTime = new Map(runs.map((run) => [run.time, run]));
  const over = (of) =>
    times.map((time) => {
      const value = byTime.has(time) ? of(byTime.get(time)) : NaN;
      return Number.isNaN(value) ? undefined : value;
    });
  const bound = (name) => over((run) => (metric === 'ratio' ? run.value(c.index, name) : NaN));
  return {values: over((run) => metrics[metric].of(run, c)), lower: bound('lower'), upper: bound('upper')};
};

const boundsOf = (run, c) => boundsText(run.value(c.index, 'lower'), run.value(c.index, 'upper'));

const runFacts = (run, c) => {
  const ns = run.value(c.index, 'ns');
  return [
    h.div(
      `${timeText(ns)}, ${gbps(c.bytes, ns).toFixed(1)} GB/s, vs memcpy ${ratioText(run.value(c.index, 'vs_memcpy'))}`,
    ),
    h.div(`${dateText(run.date)}  ${run.commit}${run.dirty ? ' (dirty)' : ''}`),
    h.div({class: 'muted'}, run.environment.compiler),
  ];
};

const nearest = (runs, time) => runs.reduce((a, b) => (Math.abs(b.time - time) < Math.abs(a.time - time) ? b : a));

// What each line has nearest to a time; of a single line more.
const describeTime = (lines, c, time) =>
  lines.map(({configuration, runs}, line) => {
    const run = nearest(runs, time);
    return h.div(
      h.b({style: `color: ${lineColour(line)}`}, `${ratioText(run.value(c.index, 'ratio'))} `),
      boundsOf(run, c),
      lines.length > 1
        ? h.span({class: 'muted'}, `  ${configurationText(configuration)}, ${run.commit.slice(0, 9)}`)
        : runFacts(run, c),
    );
  });

const caseChart = ({state}, c, lines, marks) => {
  const times = [...new Set(lines.flatMap(({runs}) => runs.map((run) => run.time)))].sort((a, b) => a - b);
  return chart({
    times,
    lines: lines.map((line) => plotted(line, times, state.metric, c)),
    marks,
    describe: (index) => [
      h.div(dateText(new Date(times[index]).toISOString())),
      ...describeTime(lines, c, times[index]),
    ],
    unit: metrics[state.metric].title,
    log: state.log,
    fromZero: state.zero,
  });
};

const legend = (lines) =>
  lineLegend(
    lines.map(({configuration, runs}) => ({name: configurationText(configuration), note: plural(runs.length, 'run')})),
  );

const markList = (marks) =>
  marks.length > 0 &&
  h.ol(
    {class: 'marks'},
    marks.map(({kind, time, text}) => h.li({class: kind}, h.time(new Date(time).toISOString().slice(0, 10)), text)),
  );

const facts = ({model}, c, lines) => {
  const plan = lines.map(({configuration}) => model.plan(configuration, c.index)).find((label) => label);
  const rows = [
    ['why', c.why],
    ['class', c.class],
    ['sizes', c.sizes && `${c.sizes}, perm ${c.perm}, ${c.element} B elements`],
    ['payload', bytesText(c.bytes)],
    ['plan', plan && h.code(plan)],
  ];
  return h.dl(
    {class: 'facts'},
    rows.filter(([, value]) => value).map(([name, value]) => [h.dt(name), h.dd(value)]),
  );
};

const runRow = (page, c, run) => {
  const value = (column) => run.value(c.index, column);
  return h.tr(
    h.td(dateText(run.date)),
    h.td(commitLink(page.model, run)),
    h.td(configurationText(run.configuration)),
    h.td(run.environment.compiler),
    numberCell(ratioText(value('ratio'))),
    numberCell(boundsText(value('lower'), value('upper'))),
    numberCell(ratioText(value('vs_memcpy'))),
    numberCell(timeText(value('ns'))),
    numberCell(gbps(c.bytes, value('ns')).toFixed(1)),
  );
};

const kHeads = ['date', 'commit', 'configuration', 'compiler'];
const kNumberHeads = ['ratio', '95 % bounds', 'vs memcpy', 'time', 'GB/s'];

const runTable = (page, c, lines) => {
  const runs = lines.flatMap((line) => line.runs).sort((a, b) => b.time - a.time);
  return h.details(
    {open: runs.length <= 20},
    h.summary(plural(runs.length, 'run')),
    list(
      [...kHeads, kNumberHeads.map((name) => numberHead(name))],
      runs.map((run) => runRow(page, c, run)),
    ),
  );
};

const caseSelect = (page, c) => {
  const choices = page.cases.includes(c) ? page.cases : [...page.cases, c];
  const pairs = choices.map(({key}) => [key, key]);
  return select('Case', pairs, c.key, (key) => page.set({case: key}));
};

const toolbar = (page, c) =>
  h.div(
    {class: 'toolbar'},
    h.button({title: 'case before ([)', onclick: () => page.step(-1)}, '\u2190'),
    caseSelect(page, c),
    h.button({title: 'case after (])', onclick: () => page.step(1)}, '\u2192'),
    metricSelect(page),
    checkbox('log', page.state.log, (log) => page.set({log})),
    checkbox('from 0', page.state.zero, (zero) => page.set({zero})),
  );

// All that speak of the case on one of the machines.
const annotationsOf = ({model}, c, lines) => {
  const machines = new Set(lines.map(({configuration}) => configuration.machine));
  return [...new Set([...machines].flatMap((machine) => annotationsFor(model.annotations, c.key, machine)))];
};

export const renderHistory = (page) => {
  const c = chosenCase(page);
  if (!c) return [empty('No case passes the filters.')];
  const lines = linesOf(page, c);
  if (!lines.length) return [toolbar(page, c), empty('No run that passes the filters has this case.')];
  const marks = marksOf(lines, annotationsOf(page, c, lines));
  return [
    toolbar(page, c),
    h.h2(c.key),
    legend(lines),
    caseChart(page, c, lines, marks),
    markList(marks),
    facts(page, c, lines),
    runTable(page, c, lines),
  ];
};
