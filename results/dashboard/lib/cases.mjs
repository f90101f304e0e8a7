// SPDX-License-Identifier: Apache-2.0
//
// The tables of cases in bench/, by the names that recorded rows have.

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const layoutOf = (name) => name.split('/')[0];

// Of views, "1:3", the first number counts: so many elements are moved.
const bytesOf = (sizes, element) =>
  sizes.split('x').reduce((product, size) => product * Number(size.split(':')[0]), element);

// The tables have neither quotes nor commas inside a field.
const parseCsv = (csv) => {
  const [header, ...lines] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return lines.map((fields) => Object.fromEntries(header.map((name, index) => [name, fields[index]])));
};

const toCase = ({name, element_bytes: element, sizes, perm, class: group, why}, own) => ({
  key: `${name}/${element}`,
  name,
  class: group,
  layout: layoutOf(name),
  element: Number(element),
  bytes: bytesOf(sizes, Number(element)),
  sizes,
  perm,
  why,
  own,
});

const readTable = (folder, file, own) =>
  parseCsv(readFileSync(join(folder, file), 'utf8')).map((fields) => toCase(fields, own));

// All cases, in the order of the tables.
export const readCases = (folder) => [
  ...readTable(folder, 'cases.csv', false),
  ...readTable(folder, 'own_cases.csv', true),
];

// A recorded row that is in no table: a call that is not a plain execute, or a case that is no longer there.
export const unlistedCase = (key, bytes) => {
  const parts = key.split('/');
  const call = ['oneshot', 'create'].includes(parts[0]);
  return {
    key,
    name: parts.slice(0, -1).join('/'),
    class: call ? 'call' : 'unlisted',
    layout: parts[0],
    element: Number(parts.at(-1)) || 0,
    bytes,
    sizes: '',
    perm: '',
    why: call ? 'what a call costs beside the move' : 'in a recorded run, in no table',
    own: false,
  };
};
