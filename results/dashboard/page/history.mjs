// SPDX-License-Identifier: Apache-2.0
//
// One case over time, a line per configuration.

import {chart, lineColour} from '#page/chart.mjs';
import {checkbox, h, select} from '#page/dom.mjs';
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

const kBoundColumns = {ratio: ['lower', 'upper']};

// Values of a line over all times; undefined, which makes no gap, where another line has its runs.
const plotted = ({configuration, runs}, index, times, metric, c) => {
  const byTime = new Map(runs.map((run) => [run.time, run]));
  const over = (of) =>
    times.map((time) => {
      const value = byTime.has(time) ? of(byTime.get(time)) : NaN;
      return Number.isNaN(value) ? undefined : value;
    });
  const [lower, upper] = (kBoundColumns[metric] ?? [null, null]).map((column) =>
    over((run) => (column ? run.value(c.index, column) : NaN)),
  );
  return {
    label: configurationText(configuration),
    colour: lineColour(index),
    values: over((run) => metrics[metric].of(run, c)),
    lower,
    upper,
  };
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
    lines: lines.map((line, index) => plotted(line, index, times, state.metric, c)),
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
  h.ul(
    {class: 'lines'},
    lines.map(({configuration, runs}, index) =>
      h.li(
        h.span({class: 'dot', style: `background: ${lineColour(index)}`}),
        configurationText(configuration),
        h.span({class: 'muted'}, plural(runs.length, 'run')),
      ),
    ),
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
    h.td({class: 'number'}, ratioText(value('ratio'))),
    h.td({class: 'number'}, boundsText(value('lower'), value('upper'))),
    h.td({class: 'number'}, ratioText(value('vs_memcpy'))),
    h.td({class: 'number'}, timeText(value('ns'))),
    h.td({class: 'number'}, gbps(c.bytes, value('ns')).toFixed(1)),
  );
};

const runTable = (page, c, lines) => {
  const runs = lines.flatMap((line) => line.runs).sort((a, b) => b.time - a.time);
  const names = ['date', 'commit', 'configuration', 'compiler', 'ratio', '95 % bounds', 'vs memcpy', 'time', 'GB/s'];
  return h.details(
    {class: 'scroll', open: runs.length <= 20},
    h.summary(plural(runs.length, 'run')),
    h.table(
      {class: 'list'},
      h.thead(h.tr(names.map((name, index) => h.th({class: index > 3 && 'number'}, name)))),
      h.tbody(runs.map((run) => runRow(page, c, run))),
    ),
  );
};

const toolbar = (page, c) =>
  h.div(
    {class: 'toolbar'},
    h.button({title: 'case before ([)', onclick: () => page.step(-1)}, '\u2190'),
    select(
      'Case',
      page.cases.concat(page.cases.includes(c) ? [] : [c]).map(({key}) => [key, key]),
      c.key,
      (key) => page.set({case: key}),
    ),
    h.button({title: 'case after (])', onclick: () => page.step(1)}, '\u2192'),
    select(
      'Show',
      Object.entries(metrics).map(([name, metric]) => [name, metric.title]),
      page.state.metric,
      (metric) => page.set({metric}),
    ),
    checkbox('log', page.state.log, (log) => page.set({log})),
    checkbox('from 0', page.state.zero, (zero) => page.set({zero})),
  );

export const renderHistory = (page) => {
  const c = chosenCase(page);
  if (!c) return [h.p({class: 'empty'}, 'No case passes the filters.')];
  const lines = linesOf(page, c);
  const machines = [...new Set(lines.map(({configuration}) => configuration.machine))];
  const annotations = [
    ...new Set(machines.flatMap((machine) => annotationsFor(page.model.annotations, c.key, machine))),
  ];
  if (!lines.length) return [toolbar(page, c), h.p({class: 'empty'}, 'No run that passes the filters has this case.')];
  const marks = marksOf(lines, annotations);
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
