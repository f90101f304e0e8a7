// SPDX-License-Identifier: Apache-2.0
//
// Reads a results folder. A file that is corrupt, foreign or half-written does not stop the others: it is left out and
// listed with each field that is wrong.

import {existsSync, readFileSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';

import {configurationOf} from './configuration.mjs';
import {checkAnnotations, checkGate, checkRun} from './schema.mjs';

const kAnnotations = 'annotations.json';

const jsonFiles = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .sort()
    : [];

// {value} or {problems}.
const readChecked = (path, check) => {
  let value;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return {problems: [{field: '(file)', message: `not readable as JSON: ${error.message}`}]};
  }
  const problems = check(value);
  return problems.length ? {problems} : {value};
};

// A median over repetitions stands for the row, else the row itself. Rows that failed are left out.
const rowsByCase = (benchmarks) => {
  const rows = new Map();
  for (const row of benchmarks) {
    if (row.error_occurred) continue;
    const median = row.aggregate_name === 'median';
    if (row.run_type === 'aggregate' && !median) continue;
    if (median || !rows.has(row.run_name)) rows.set(row.run_name, row);
  }
  return rows;
};

const toRun = (file, {context, benchmarks}) => ({
  file,
  date: new Date(context.date).toISOString(),
  context,
  configuration: configurationOf(context),
  rows: rowsByCase(benchmarks),
});

// {runs, gates, annotations, skipped}: runs and gates oldest first; skipped is [{file, problems: [{field, message}]}].
// Throws where there is no such folder.
export const loadResults = (folder) => {
  if (!statSync(folder, {throwIfNoEntry: false})?.isDirectory()) throw new Error(`${folder}: no such folder`);
  const skipped = [];
  const read = (file, check) => {
    const {value, problems} = readChecked(join(folder, file), check);
    if (problems) skipped.push({file, problems});
    return value === undefined ? [] : [{file, value}];
  };
  const byDate = (a, b) => Date.parse(a.date) - Date.parse(b.date);
  const runs = jsonFiles(folder)
    .filter((file) => file !== kAnnotations)
    .flatMap((file) => read(file, checkRun));
  const gates = jsonFiles(join(folder, 'gate')).flatMap((name) => read(join('gate', name), checkGate));
  const annotations = existsSync(join(folder, kAnnotations)) ? read(kAnnotations, checkAnnotations) : [];
  return {
    runs: runs.map(({file, value}) => toRun(file, value)).sort(byDate),
    gates: gates.map(({file, value}) => ({...value, file})).sort(byDate),
    annotations: annotations.flatMap(({value}) => value),
    skipped,
  };
};
