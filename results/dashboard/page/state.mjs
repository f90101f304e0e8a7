// SPDX-License-Identifier: Apache-2.0
//
// What the page shows, as its URL's hash: a link restores the view. Defaults are left out, unknown names ignored.

const one = (fallback = '') => ({fallback, parse: (text) => text, format: (value) => value});
const choice = (...values) => ({
  fallback: values[0],
  parse: (text) => (values.includes(text) ? text : values[0]),
  format: (value) => value,
});
// Values between tildes; a backslash stands before a tilde or a backslash in a value.
const many = () => ({
  fallback: [],
  parse: (text) => (text.match(/(\\.|[^\\~])+/gs) ?? []).map((value) => value.replace(/\\(.)/gs, '$1')),
  format: (values) => values.map((value) => value.replace(/[\\~]/g, '\\$&')).join('~'),
});
const flag = () => ({fallback: false, parse: (text) => text === '1', format: () => '1'});

export const views = ['heat', 'history', 'compare', 'peers', 'gate', 'runs'];

const fields = {
  view: choice(...views),
  // filters
  element: many(),
  class: many(),
  layout: many(),
  target: many(),
  threads: many(),
  compiler: many(),
  machine: many(),
  search: one(),
  // views
  metric: choice('ratio', 'vs_memcpy', 'gbps'),
  case: one(),
  log: flag(),
  zero: flag(),
  base: one(),
  head: one(),
  all: flag(),
  run: one(),
  gate: one(),
  theme: choice('auto', 'light', 'dark'),
};

const isDefault = (value, fallback) => String(value) === String(fallback);

export const defaultState = () =>
  Object.fromEntries(Object.entries(fields).map(([name, {fallback}]) => [name, fallback]));

export const decodeState = (hash) => {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const state = defaultState();
  for (const [name, text] of parameters) {
    if (Object.hasOwn(fields, name) && text !== '') state[name] = fields[name].parse(text);
  }
  return state;
};

export const encodeState = (state) => {
  const parameters = new URLSearchParams();
  for (const [name, {fallback, format}] of Object.entries(fields)) {
    if (!isDefault(state[name], fallback)) parameters.set(name, format(state[name]));
  }
  return `#${parameters}`;
};
