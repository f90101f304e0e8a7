// SPDX-License-Identifier: Apache-2.0
//
// node build.mjs [--results=FOLDER] [--out=FILE] [--commit-url=https://host/repository/commit/%s]
// Makes one HTML file from the recorded runs, with no need of a network or a server. Files that are not what they
// should be are left out, named here and listed on the page.

import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {readCases} from './lib/cases.mjs';
import {orFail} from './lib/fail.mjs';
import {makeHtml} from './lib/html.mjs';
import {loadResults} from './lib/load.mjs';
import {makePayload} from './lib/payload.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const {values: options} = parseArgs({
  options: {
    results: {type: 'string', default: join(repository, 'results')},
    out: {type: 'string', default: join(repository, 'build/dashboard.html')},
    'commit-url': {type: 'string', default: ''},
  },
});

const results = orFail(() => loadResults(options.results));
for (const {file, problems} of results.skipped)
  console.error(`left out: ${file}: ${problems[0].field}: ${problems[0].message}`);
const payload = makePayload(results, readCases(join(repository, 'bench')), {
  generated: new Date().toISOString(),
  commitUrl: options['commit-url'],
});
const html = makeHtml(payload);
mkdirSync(dirname(options.out), {recursive: true});
writeFileSync(options.out, html);
console.log(
  `${options.out}: ${results.runs.length} runs, ${payload.cases.length} cases, ${(html.length / 1e6).toFixed(2)} MB`,
);
