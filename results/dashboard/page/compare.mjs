// SPDX-License-Identifier: Apache-2.0
//
// Two runs side by side, the largest significant changes first.

import {checkbox, empty, list, note, numberCell, numberHead, select} from '#page/controls.mjs';
import {h, link} from '#page/dom.mjs';
import {boundsText, changeText, plural, ratioText, setupText} from '#page/format.mjs';
import {compareCase, geometricMean, kLeastChange} from '#page/statistics.mjs';

const casesOfBoth = (cases, base, head) => cases.filter((c) => base.has(c.index) && head.has(c.index));

// The run chosen by file, else the newest; the one to compare with is the run before it of the same configuration, else
// any before it.
const chosenRuns = ({model, state, configurations}) => {
  const runs = model.runs.filter((run) => configurations.includes(run.configuration));
  const named = (file) => runs.find((run) => run.file === file);
  const head = named(state.head) ?? runs.at(-1);
  const earlier = runs.slice(0, Math.max(runs.indexOf(head), 0));
  const base =
    named(state.base) ?? earlier.findLast((run) => run.configuration === head.configuration) ?? earlier.at(-1);
  return {runs, base, head};
};

const size = ({change}) => Math.abs(Math.log(change));

// [{c, before, after, change, significant}], the largest change first.
const comparison = (cases, base, head) =>
  casesOfBoth(cases, base, head)
    .map((c) => ({c, ...compareCase(base, head, c.index)}))
    .sort((a, b) => size(b) - size(a));

// A bar from the middle: to the left faster, to the right slower.
const bar = ({change}, most) => {
  const share = (Math.abs(Math.log(change)) / most) * 50;
  return h.div({class: 'delta'}, h.i({style: `width: ${share}%; ${change > 1 ? 'left' : 'right'}: 50%`}));
};

const verdict = ({change, significant}) => (significant ? (change > 1 ? 'worse' : 'better') : 'same');

const sideCells = ({ratio, lower, upper}) => [
  numberCell(ratioText(ratio)),
  h.td({class: 'number muted'}, boundsText(lower, upper)),
];

const compareRow = (page, row, most) =>
  h.tr(
    {class: verdict(row), 'data-case': row.c.key},
    h.td(link(page.href({view: 'history', case: row.c.key}), row.c.key)),
    h.td(row.c.class),
    sideCells(row.before),
    sideCells(row.after),
    h.td({class: 'number change'}, changeText(row.change)),
    h.td(bar(row, most)),
    h.td(verdict(row)),
  );

const means = (rows) => {
  const elements = [...new Set(rows.map(({c}) => c.element))].sort((a, b) => a - b);
  const mean = (selected) => changeText(geometricMean(selected.map(({change}) => change)));
  return h.p(
    {class: 'means'},
    'Geometric mean of the change: ',
    h.b(mean(rows)),
    elements.map((element) => h.span(`${element} B ${mean(rows.filter(({c}) => c.element === element))}`)),
  );
};

const counts = (rows) => {
  const count = (name) => rows.filter((row) => verdict(row) === name).length;
  return h.p(
    {class: 'counts'},
    h.span({class: 'worse'}, `${count('worse')} worse`),
    h.span({class: 'better'}, `${count('better')} better`),
    h.span(`${count('same')} without significant change`),
    h.span({class: 'muted'}, `of ${plural(rows.length, 'case')} in both`),
  );
};

const markdown = (base, head, rows) =>
  [
    `| case | ${base.commit.slice(0, 9)} | ${head.commit.slice(0, 9)} | change |`,
    '|---|---|---|---|',
    ...rows.map(
      ({c, before, after, change}) =>
        `| ${c.key} | ${ratioText(before.ratio)} | ${ratioText(after.ratio)} | ${changeText(change)} |`,
    ),
  ].join('\n');

const copyButton = (text) => {
  const button = h.button(
    {
      onclick: async () => {
        await navigator.clipboard.writeText(text());
        button.textContent = 'Copied';
      },
    },
    'Copy as Markdown',
  );
  return button;
};

const table = (page, rows) => {
  const side = (name) => numberHead(name, {colspan: 2});
  const heads = ['case', 'class', side('base'), side('head'), numberHead('change'), 'faster | slower', ''];
  const most = size(rows[0]);
  return list(
    heads,
    rows.map((row) => compareRow(page, row, most)),
    'compare',
  );
};

const runText = ({label, environment, configuration}) =>
  `${label}  ${environment.suite}, ${setupText(configuration)}, ${configuration.machine}`;

const runSelect = (page, runs, label, name, chosen) => {
  const pairs = runs.map((run) => [run.file, runText(run)]).reverse();
  return select(label, pairs, chosen.file, (file) => page.set({[name]: file}));
};

export const renderCompare = (page) => {
  const {runs, base, head} = chosenRuns(page);
  if (!base) return [empty('Two runs are needed that pass the filters.')];
  const rows = comparison(page.cases, base, head);
  const shown = page.state.all ? rows : rows.filter(({significant}) => significant);
  const hidden = rows.length - shown.length;
  return [
    h.div(
      {class: 'toolbar'},
      runSelect(page, runs, 'Base', 'base', base),
      runSelect(page, runs, 'Head', 'head', head),
      checkbox('rows without significant change', page.state.all, (all) => page.set({all})),
      copyButton(() => markdown(base, head, shown)),
    ),
    base.configuration !== head.configuration && h.p({class: 'warning'}, 'These runs are of different configurations.'),
    counts(rows),
    rows.length > 0 && means(rows),
    note(
      `Significant: the 95 % bounds do not meet and the ratios differ by more than ${kLeastChange * 100} %. `,
      'The runs were taken at different times; the gate times both sides together.',
    ),
    shown.length > 0 && table(page, shown),
    hidden > 0 && note(`${plural(hidden, 'row')} without significant change not shown.`),
  ];
};
