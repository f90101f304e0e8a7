// SPDX-License-Identifier: Apache-2.0
//
// node export.mjs --format=NAME [--results=FOLDER] [--out=FILE] [--machine=NAME] [--target=NAME] [--threads=N]
//   [--compiler=FAMILY]
// Writes recorded runs as a file for another dashboard. Needs no packages.

import {writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {exportBencher} from './exporters/bencher.mjs';
import {exportGithubActionBenchmark} from './exporters/github-action-benchmark.mjs';
import {exportLnt} from './exporters/lnt.mjs';
import {exportOpenMetrics} from './exporters/openmetrics.mjs';
import {exportOtava} from './exporters/otava.mjs';
import {fail, orFail} from './lib/fail.mjs';
import {loadResults} from './lib/load.mjs';

const formats = {
  'github-action-benchmark': exportGithubActionBenchmark,
  bencher: exportBencher,
  lnt: exportLnt,
  otava: exportOtava,
  openmetrics: exportOpenMetrics,
};

const text = {type: 'string'};
const known = {
  format: text,
  out: text,
  machine: text,
  target: text,
  threads: text,
  compiler: text,
  results: {type: 'string', default: dirname(dirname(fileURLToPath(import.meta.url)))},
};
const {values: options} = orFail(() => parseArgs({options: known}));

const wanted = ({configuration: {machine, target, threads, compiler_family: family}}) =>
  (options.machine ?? machine) === machine &&
  (options.target ?? target) === target &&
  (options.threads ?? threads) === threads &&
  (options.compiler ?? family) === family;

if (!Object.hasOwn(formats, options.format ?? '')) fail(`--format must be one of ${Object.keys(formats).join(', ')}`);
const {runs, skipped} = orFail(() => loadResults(options.results));
for (const {file, problems} of skipped)
  console.error(`left out: ${file}: ${problems[0].field}: ${problems[0].message}`);
const chosen = runs.filter(wanted);
if (!chosen.length) fail(`no run to export in ${options.results}`);
const output = orFail(() => formats[options.format]({runs: chosen}));
if (options.out) orFail(() => writeFileSync(options.out, output));
else process.stdout.write(output);
