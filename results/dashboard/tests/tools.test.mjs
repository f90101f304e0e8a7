// SPDX-License-Identifier: Apache-2.0
//
// The tools as they are called.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {chmodSync, readFileSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {test} from 'node:test';

import {asFiles, makeRuns, repository, writeFolder} from './synthetic.mjs';

const dashboard = join(repository, 'results/dashboard');

test('a results folder that is not there is an error of every tool', () => {
  const file = join(writeFolder({'half.json': '{"context"'}), 'half.json');
  for (const folder of ['/nowhere', file]) {
    for (const [tool, ...options] of [
      ['check.mjs', folder],
      ['build.mjs', `--results=${folder}`, `--out=${file}.html`],
      ['export.mjs', `--results=${folder}`, '--format=lnt'],
    ]) {
      const {status, stdout, stderr} = spawnSync(process.execPath, [join(dashboard, tool), ...options], {
        encoding: 'utf8',
      });
      assert.deepEqual([status, stdout, stderr], [2, '', `${tool}: ${folder}: no such folder\n`]);
    }
  }
});

test("make.sh takes paths from the caller's folder", () => {
  const cwd = writeFolder({...asFiles(makeRuns({machines: 1, commits: 1})), 'bin/npm': '#!/bin/sh\n'});
  chmodSync(join(cwd, 'bin/npm'), 0o755); // installs nothing
  const PATH = [join(cwd, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const {status, stderr} = spawnSync('bash', [join(dashboard, 'make.sh'), '--results=.', '--out=made/page.html'], {
    cwd,
    env: {...process.env, PATH},
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(readFileSync(join(cwd, 'made/page.html'), 'utf8'), /epyc-7003/);
});
