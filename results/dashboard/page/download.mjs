// SPDX-License-Identifier: Apache-2.0
//
// The numbers that the filters leave, as a file: one row per run and case.

import {filteredCases, filteredConfigurations} from '#page/filters.mjs';

const round = (value) => (Number.isNaN(value) ? null : Number(value.toPrecision(7)));

const toRow = (run, c) => {
  const value = (column) => round(run.value(c.index, column));
  return {
    date: run.date,
    commit: run.commit,
    dirty: run.dirty,
    machine: run.configuration.machine,
    target: run.configuration.target,
    threads: Number(run.configuration.threads),
    executor: run.configuration.executor,
    compiler: run.environment.compiler,
    case: c.key,
    class: c.class,
    element_bytes: c.element,
    bytes: c.bytes,
    ratio: value('ratio'),
    ratio_lower: value('lower'),
    ratio_upper: value('upper'),
    vs_memcpy: value('vs_memcpy'),
    ns: value('ns'),
    GBps: round((2 * c.bytes) / run.value(c.index, 'ns')),
  };
};

export const downloadRows = (model, state) => {
  const configurations = filteredConfigurations(model, state);
  const cases = filteredCases(model, state);
  return model.runs
    .filter((run) => configurations.includes(run.configuration))
    .flatMap((run) => cases.filter((c) => run.has(c.index)).map((c) => toRow(run, c)));
};

const csvField = (value) => {
  const text = String(value ?? '');
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const toCsv = (rows) => {
  if (!rows.length) return '';
  const names = Object.keys(rows[0]);
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((fields) => `${fields.map(csvField).join(',')}\n`)
    .join('');
};

export const save = (name, type, text) => {
  const url = URL.createObjectURL(new Blob([text], {type}));
  Object.assign(document.createElement('a'), {href: url, download: name}).click();
  URL.revokeObjectURL(url);
};
