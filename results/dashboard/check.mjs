// SPDX-License-Identifier: Apache-2.0
//
// node check.mjs [FOLDER]: checks every file of a results folder. Exit 1 when one is wrong, 2 without a folder; each
// error names file, field and what is wrong with it. Needs no packages.

import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';

import {orFail} from './lib/fail.mjs';
import {loadResults} from './lib/load.mjs';

const folder = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
const {runs, gates, annotations, skipped} = orFail(() => loadResults(folder));

for (const {file, problems} of skipped) {
  for (const {field, message} of problems) console.error(`${file}: ${field}: ${message}`);
}
console.log(
  `${runs.length} runs, ${gates.length} gate runs, ${annotations.length} annotations; ${skipped.length} files wrong`,
);
process.exitCode = skipped.length ? 1 : 0;
