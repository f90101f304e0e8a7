// SPDX-License-Identifier: Apache-2.0
//
// Filters that all views share. Of cases: element size, class, layout, text. Of configurations: target, threads,
// compiler, machine. Nothing chosen means all.

const caseFilters = {
  element: {title: 'Element', of: (c) => String(c.element), text: (value) => `${value} B`},
  class: {title: 'Class', of: (c) => c.class, text: (value) => value},
  layout: {title: 'Layout', of: (c) => c.layout, text: (value) => value},
};

const configurationFilters = {
  target: {title: 'Target', of: (configuration) => configuration.target, text: (value) => value},
  threads: {title: 'Threads', of: (configuration) => configuration.threads, text: (value) => value},
  compiler: {title: 'Compiler', of: (configuration) => configuration.compiler_family, text: (value) => value},
  machine: {title: 'Machine', of: (configuration) => configuration.machine, text: (value) => value},
};

const passes = (item, filters, state, but) =>
  Object.entries(filters).every(
    ([name, {of}]) => name === but || !state[name].length || state[name].includes(of(item)),
  );

const matchesText = (c, search) =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${c.key} ${c.class} ${c.why}`.toLowerCase().includes(word));

const casesBut = (model, state, but) =>
  model.cases.filter((c) => passes(c, caseFilters, state, but) && matchesText(c, state.search));

const configurationsBut = (model, state, but) =>
  model.configurations.filter((configuration) => passes(configuration, configurationFilters, state, but));

export const filteredCases = (model, state) => casesBut(model, state);
export const filteredConfigurations = (model, state) => configurationsBut(model, state);

const naturally = new Intl.Collator('en', {numeric: true}).compare;

// The values of one filter with how many items each would leave, given the other filters: [{value, count, chosen}].
const optionsOf = (all, left, {of}, chosen) => {
  const counts = new Map(all.map((item) => [of(item), 0]));
  for (const item of left) counts.set(of(item), counts.get(of(item)) + 1);
  return [...counts]
    .sort(([a], [b]) => naturally(a, b))
    .map(([value, count]) => ({value, count, chosen: chosen.includes(value)}));
};

// [{name, title, text, options}] of all filters.
export const filterMenus = (model, state) => {
  const menus = (filters, all, left) =>
    Object.entries(filters).map(([name, filter]) => ({
      name,
      title: filter.title,
      text: filter.text,
      options: optionsOf(all, left(model, state, name), filter, state[name]),
    }));
  return [
    ...menus(caseFilters, model.cases, casesBut),
    ...menus(configurationFilters, model.configurations, configurationsBut),
  ];
};

const globExpression = (glob) =>
  new RegExp(
    `^${glob
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*/g, '.*')
      .replace(/\?/g, '.')}$`,
  );

// Annotations that speak of the case, and of the machine where they name one.
export const annotationsFor = (annotations, key, machine) =>
  annotations.filter(
    (annotation) =>
      globExpression(annotation.cases).test(key) &&
      (!annotation.machine || globExpression(annotation.machine).test(machine)),
  );
