// SPDX-License-Identifier: Apache-2.0
//
// What the toolbars and tables of several views share.

import {h} from '#page/dom.mjs';
import {metrics} from '#page/heat.mjs';

// A select of [value, text] pairs.
export const select = (label, pairs, chosen, onchange) =>
  h.label(
    {class: 'field'},
    h.span(label),
    h.select(
      {onchange: (event) => onchange(event.target.value)},
      pairs.map(([value, text]) => h.option({value, selected: value === chosen}, text)),
    ),
  );

export const checkbox = (label, checked, onchange) =>
  h.label(
    {class: 'check'},
    h.input({type: 'checkbox', checked, onchange: (event) => onchange(event.target.checked)}),
    label,
  );

export const metricSelect = (page) => {
  const pairs = Object.entries(metrics).map(([name, {title}]) => [name, title]);
  return select('Show', pairs, page.state.metric, (metric) => page.set({metric}));
};

export const note = (...texts) => h.p({class: 'note'}, texts);

export const empty = (text) => h.p({class: 'empty'}, text);

export const numberCell = (...parts) => h.td({class: 'number'}, parts);

// The head of a column of numbers, in a list of heads.
export const numberHead = (name, properties = {}) => h.th({class: 'number', ...properties}, name);

// A table of rows; heads are texts or elements.
export const list = (heads, rows, kind = '') =>
  h.div(
    {class: 'scroll'},
    h.table(
      {class: `list ${kind}`},
      h.thead(h.tr(heads.flat().map((head) => (typeof head === 'string' ? h.th(head) : head)))),
      h.tbody(rows),
    ),
  );
