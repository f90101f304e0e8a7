// SPDX-License-Identifier: Apache-2.0
//
// The landing view: cases down, configurations across, each with a column per element size; the newest run of each.

import {metricSelect, note} from '#page/controls.mjs';
import {h, link} from '#page/dom.mjs';
import {boundsText, bytesText, dateText, gbps, plural, ratioText, setupText, timeText} from '#page/format.mjs';
import {heatLegend, heatStep, metrics} from '#page/heat.mjs';
import {moveFocus} from '#page/keyboard.mjs';
import {geometricMean} from '#page/statistics.mjs';

// Reasons for the cases fit beside a narrow table only.
const kMostColumnsWithReasons = 12;

const groupBy = (items, keyOf) => {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

const columnsOf = ({cases, configurations}) => {
  const elements = [...new Set(cases.map((c) => c.element))].sort((a, b) => a - b);
  return configurations.flatMap((configuration) => elements.map((element) => ({configuration, element})));
};

const tooltip = (c, run) => {
  const value = (column) => run.value(c.index, column);
  return [
    c.key,
    `ratio ${ratioText(value('ratio'))}  ${boundsText(value('lower'), value('upper'))}`,
    `vs memcpy ${ratioText(value('vs_memcpy'))}`,
    `${timeText(value('ns'))}   ${gbps(c.bytes, value('ns')).toFixed(1)} GB/s   ${bytesText(c.bytes)}`,
    `${dateText(run.date)}  ${run.commit}${run.dirty ? ' (dirty)' : ''}`,
  ].join('\n');
};

const heatCell = (page, variants, {configuration, element}) => {
  const c = variants.find((variant) => variant.element === element);
  const run = c && page.model.newest(configuration, c.index);
  if (!run) return h.td();
  const metric = metrics[page.state.metric];
  return h.td(
    link(page.href({view: 'history', case: c.key}), metric.of(run, c).toFixed(metric.digits), {
      class: `cell heat-${heatStep(run.value(c.index, metric.colour))}`,
      tabindex: -1,
      title: tooltip(c, run),
      'data-case': c.key,
      'data-configuration': configuration.index,
    }),
  );
};

const meanCell = (page, cases, {configuration, element}) => {
  const metric = metrics[page.state.metric];
  const values = cases
    .filter((c) => c.element === element)
    .map((c) => [page.model.newest(configuration, c.index), c])
    .filter(([run]) => run)
    .map(([run, c]) => metric.of(run, c));
  return h.td(
    {title: values.length ? `geometric mean of ${plural(values.length, 'case')}` : null},
    values.length ? geometricMean(values).toFixed(metric.digits) : '',
  );
};

const classBody = (page, name, cases, columns, reasons) =>
  h.tbody(
    h.tr(
      {class: 'group'},
      h.th({scope: 'rowgroup'}, name),
      columns.map((column) => meanCell(page, cases, column)),
      reasons && h.td(),
    ),
    [...groupBy(cases, (c) => c.name)].map(([move, variants]) =>
      h.tr(
        h.th({scope: 'row'}, move),
        columns.map((column) => heatCell(page, variants, column)),
        reasons && h.td({class: 'reason'}, variants[0].why),
      ),
    ),
  );

const configurationHead = (configuration, span) =>
  h.th({colspan: span, scope: 'colgroup'}, configuration.machine, h.small(setupText(configuration)));

const head = (page, columns, reasons) => {
  const spans = groupBy(columns, (column) => column.configuration);
  return h.thead(
    h.tr(
      h.th({rowspan: 2, class: 'corner'}, 'Case'),
      [...spans].map(([configuration, {length}]) => configurationHead(configuration, length)),
      reasons && h.th({rowspan: 2, class: 'reason'}, 'Why it is there'),
    ),
    h.tr(columns.map(({element}) => h.th({scope: 'col'}, `${element}\u00a0B`))),
  );
};

const legend = () =>
  h.div(
    {class: 'legend', 'aria-label': 'colour steps of the ratio'},
    heatLegend.map(({step, text}) => h.span({class: `swatch heat-${step}`}, text)),
  );

export const renderHeatmap = (page) => {
  const columns = columnsOf(page);
  const reasons = columns.length <= kMostColumnsWithReasons;
  const table = h.table(
    {class: 'heatmap', onkeydown: moveFocus},
    head(page, columns, reasons),
    [...groupBy(page.cases, (c) => c.class)].map(([name, cases]) => classBody(page, name, cases, columns, reasons)),
  );
  table.querySelector('.cell')?.setAttribute('tabindex', 0);
  return [
    h.div(
      {class: 'toolbar'},
      metricSelect(page),
      legend(),
      note(
        'Ratio = time of the move / time of the better of two copies of the same bytes. ',
        '1.00 is a copy, lower is better.',
      ),
    ),
    h.div({class: 'scroll'}, table),
  ];
};
