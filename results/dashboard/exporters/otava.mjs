// SPDX-License-Identifier: Apache-2.0
//
// A CSV for Apache Otava (formerly Hunter), which looks for change points in a history: time, commit, then a column per
// case. https://otava.apache.org. A history is of one configuration, that of the newest run. Otava refuses a field that
// is no number, so only cases that every run has are columns. A quick run, or a part of one, would leave few of them or
// none: runs with less than half as many cases as the largest are no part of the history.

import {configurationName, historyOfNewest} from './runs.mjs';

const quoted = (field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

const line = (fields) => `${fields.map(quoted).join(',')}\n`;

const withoutSmall = (runs) => {
  const most = Math.max(...runs.map(({rows}) => rows.size));
  return runs.filter(({rows}) => rows.size >= most / 2);
};

export const exportOtava = ({runs}) => {
  const history = withoutSmall(historyOfNewest(runs));
  const cases = [...history.at(-1).rows.keys()].filter((key) => history.every(({rows}) => rows.has(key)));
  if (!cases.length) throw new Error(`no case that every run of ${configurationName(runs.at(-1).configuration)} has`);
  const rowOf = ({date, context, rows}) => [date, context.commit, ...cases.map((key) => String(rows.get(key).ratio))];
  return line(['time', 'commit', ...cases]) + history.map((run) => line(rowOf(run))).join('');
};
