// SPDX-License-Identifier: Apache-2.0

import {h} from '#page/dom.mjs';
import {filterMenus} from '#page/filters.mjs';

const toggled = (values, value) =>
  values.includes(value) ? values.filter((other) => other !== value) : [...values, value];

const summaryText = ({title, text, options}) => {
  const chosen = options.filter((option) => option.chosen);
  if (!chosen.length) return `${title}: all`;
  if (chosen.length > 2) return `${title}: ${chosen.length} of ${options.length}`;
  return `${title}: ${chosen.map(({value}) => text(value)).join(', ')}`;
};

const optionRow = (page, {name, text}, {value, count, chosen}) =>
  h.label(
    {class: count ? null : 'muted'},
    h.input({
      type: 'checkbox',
      checked: chosen,
      value,
      onchange: () => page.set({[name]: toggled(page.state[name], value)}),
    }),
    h.span(text(value)),
    h.span({class: 'count'}, count),
  );

const menu = (page, filter, open) =>
  h.details(
    {class: 'menu', 'data-filter': filter.name, open},
    h.summary({class: filter.options.some(({chosen}) => chosen) ? 'active' : null}, summaryText(filter)),
    h.div(
      {class: 'options'},
      filter.options.map((option) => optionRow(page, filter, option)),
    ),
  );

// Keeps the menu that is open, and the focus in it, over a change of state.
export const renderFilterBar = (page, bar) => {
  const open = bar.querySelector('details[open]')?.dataset.filter;
  const focused = bar.contains(document.activeElement) ? document.activeElement.value : null;
  bar.replaceChildren(...filterMenus(page.model, page.state).map((filter) => menu(page, filter, filter.name === open)));
  const again = [...bar.querySelectorAll('details[open] input')].find((input) => input.value === focused);
  again?.focus();
};

// A click elsewhere, Escape or another menu closes the one that is open.
export const closeMenusOutside = (bar) => {
  const close = (but) => bar.querySelectorAll('details[open]').forEach((details) => (details.open = details === but));
  document.addEventListener('click', ({target}) => close(target.closest('details.menu')));
  document.addEventListener('keydown', ({key}) => key === 'Escape' && close(null));
};
