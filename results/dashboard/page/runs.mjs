// SPDX-License-Identifier: Apache-2.0
//
// Where the numbers come from: recorded runs with their environment, and files that were left out.

import {h, link} from '#page/dom.mjs';
import {dateText, plural} from '#page/format.mjs';
import {commitLink} from '#page/provenance.mjs';

const environment = ({environment: e}) =>
  `${e.os}, governor ${e.governor}, pages ${e.page_bytes} (huge: ${e.huge_pages}), flags${e.flags}`;

const runRow = (page, run) =>
  h.tr(
    {'data-run': run.file},
    h.td(dateText(run.date)),
    h.td(commitLink(page.model, run)),
    h.td(run.configuration.machine),
    h.td(run.configuration.target),
    h.td({class: 'number'}, run.configuration.threads),
    h.td(run.environment.compiler),
    h.td(run.environment.suite),
    h.td({class: 'number'}, link(page.href({view: 'compare', head: run.file, base: ''}), run.caseCount)),
    h.td({class: 'reason', title: `${environment(run)}\nGB/s of copies: ${run.copies}`}, environment(run)),
  );

const runTable = (page, runs) => {
  const heads = [
    ['date'],
    ['commit'],
    ['machine'],
    ['target'],
    ['threads', 'number'],
    ['compiler'],
    ['suite'],
    ['cases', 'number'],
    ['environment'],
  ];
  return h.div(
    {class: 'scroll'},
    h.table(
      {class: 'list'},
      h.thead(h.tr(heads.map(([name, kind]) => h.th({class: kind}, name)))),
      h.tbody(
        runs
          .slice()
          .reverse()
          .map((run) => runRow(page, run)),
      ),
    ),
  );
};

const skippedTable = ({skipped}) => [
  h.h2({id: 'skipped'}, `${plural(skipped.length, 'file')} left out`),
  h.table(
    {class: 'list skipped'},
    h.thead(h.tr(['file', 'field', 'what is wrong'].map((name) => h.th(name)))),
    h.tbody(
      skipped.flatMap(({file, problems}) =>
        problems
          .slice(0, 5)
          .map(({field, message}) => h.tr(h.td(file), h.td(h.code(field)), h.td(message)))
          .concat(problems.length > 5 ? h.tr(h.td(file), h.td({}), h.td(`and ${problems.length - 5} more`)) : []),
      ),
    ),
  ),
];

export const renderRuns = (page) => {
  const runs = page.model.runs.filter((run) => page.configurations.includes(run.configuration));
  return [
    page.model.skipped.length > 0 && skippedTable(page.model),
    h.h2(plural(runs.length, 'recorded run')),
    runTable(page, runs),
  ];
};
