// SPDX-License-Identifier: Apache-2.0
//
// OpenMetrics 1.0 text: gauges of the newest row of each case and configuration, with the time of its run.
// https://prometheus.io/docs/specs/om/open_metrics_spec/. A family's samples stand together, its unit ends its name,
// and the last line is "# EOF".

import {newestRuns, rowsOf} from './runs.mjs';

const families = [
  {name: 'dimorder_move_seconds', unit: 'seconds', help: 'Time of one move.', of: (row) => row.ns * 1e-9},
  {
    name: 'dimorder_limit_ratio',
    unit: 'ratio',
    help: 'Time of the move / time of the better of two copies of its bytes.',
    of: (row) => row.ratio,
  },
  {
    name: 'dimorder_limit_lower_ratio',
    unit: 'ratio',
    help: 'Lower 95 % confidence bound of dimorder_limit_ratio.',
    of: (row) => row.ratio_lower,
  },
  {
    name: 'dimorder_limit_upper_ratio',
    unit: 'ratio',
    help: 'Upper 95 % confidence bound of dimorder_limit_ratio.',
    of: (row) => row.ratio_upper,
  },
  {
    name: 'dimorder_memcpy_ratio',
    unit: 'ratio',
    help: 'Time of the move / time of memcpy.',
    of: (row) => row.vs_memcpy,
  },
];

const escaped = (text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const labels = (pairs) =>
  `{${Object.entries(pairs)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')}}`;

const timestamp = ({date}) => Date.parse(date) / 1000;

const samples = ({name, of}, run) =>
  rowsOf(run)
    .filter(({row}) => of(row) !== undefined)
    .map(({key, row}) => `${name}${labels({case: key, ...run.configuration})} ${of(row)} ${timestamp(run)}\n`);

const metadata = (name, type, help) => `# TYPE ${name} ${type}\n# HELP ${name} ${help}\n`;

const family = (description, runs) => {
  const {name, unit, help} = description;
  const lines = runs.flatMap((run) => samples(description, run));
  return `${metadata(name, 'gauge', help)}# UNIT ${name} ${unit}\n${lines.join('')}`;
};

const runInfo = (runs) => {
  const labelsOf = (run) => labels({...run.configuration, commit: run.context.commit, compiler: run.context.compiler});
  const times = new Map(runs.map((run) => [labelsOf(run), timestamp(run)]));
  const samples = [...times].map(([text, time]) => `dimorder_run_info${text} 1 ${time}\n`);
  return metadata('dimorder_run', 'info', 'Where the numbers come from.') + samples.join('');
};

export const exportOpenMetrics = ({runs}) => {
  const newest = newestRuns(runs);
  return `${runInfo(newest)}${families.map((description) => family(description, newest)).join('')}# EOF\n`;
};
