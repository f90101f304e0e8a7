// SPDX-License-Identifier: Apache-2.0
//
// Where the numbers come from: recorded runs with their environment, and files that were left out.

import {list, numberCell, numberHead} from '#page/controls.mjs';
import {h, link} from '#page/dom.mjs';
import {dateText, plural} from '#page/format.mjs';
import {commitLink} from '#page/provenance.mjs';

const environment = ({environment: e}) =>
  `${e.os}, governor ${e.governor}, pages ${e.page_bytes} (huge: ${e.huge_pages}), flags${e.flags}`;

const details = (run) => [
  environment(run),
  `load average at the start: ${run.load?.toFixed(1) ?? 'unknown'} on ${run.environment.num_cpus} CPUs`,
  `GB/s of copies: ${run.copies}`,
];

const runRow = (page, run) =>
  h.tr(
    {'data-run': run.file},
    h.td(dateText(run.date)),
    h.td(commitLink(page.model, run)),
    h.td(run.configuration.machine),
    h.td(run.configuration.target),
    numberCell(run.configuration.threads),
    h.td(run.environment.compiler),
    h.td(run.environment.suite),
    numberCell(link(page.href({view: 'compare', head: run.file, base: ''}), run.caseCount)),
    h.td({class: 'reason', title: details(run).join('\n')}, environment(run)),
  );

const runTable = (page, runs) => {
  const [threads, cases] = ['threads', 'cases'].map((name) => numberHead(name));
  const heads = ['date', 'commit', 'machine', 'target', threads, 'compiler', 'suite', cases, 'environment'];
  return list(heads, runs.map((run) => runRow(page, run)).reverse());
};

const kProblemsShown = 5;

const skippedRows = ({file, problems}) => {
  const rows = problems
    .slice(0, kProblemsShown)
    .map(({field, message}) => h.tr(h.td(file), h.td(h.code(field)), h.td(message)));
  const more = problems.length - rows.length;
  return more > 0 ? [...rows, h.tr(h.td(file), h.td(), h.td(`and ${more} more`))] : rows;
};

const skippedTable = ({skipped}) => [
  h.h2(`${plural(skipped.length, 'file')} left out`),
  list(['file', 'field', 'what is wrong'], skipped.map(skippedRows), 'skipped'),
];

export const renderRuns = (page) => {
  const runs = page.model.runs.filter((run) => page.configurations.includes(run.configuration));
  return [
    page.model.skipped.length > 0 && skippedTable(page.model),
    h.h2(plural(runs.length, 'recorded run')),
    runTable(page, runs),
  ];
};
