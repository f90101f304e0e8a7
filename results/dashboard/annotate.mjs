// SPDX-License-Identifier: Apache-2.0
//
// node annotate.mjs [REVISIONS]: adds to results/annotations.json what commits accept on purpose by a trailer
// "Perf-Accept: <case glob> <reason>" and is not there yet. REVISIONS as for git log; by default HEAD and all before.

import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {acceptedIn, merge} from './lib/accepted.mjs';

const results = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(results, 'annotations.json');
const before = JSON.parse(readFileSync(file, 'utf8'));
const after = merge(before, acceptedIn(results, process.argv[2] ?? 'HEAD'));
writeFileSync(file, `${JSON.stringify(after, null, 1)}\n`);
console.log(`${file}: ${after.length - before.length} added`);
