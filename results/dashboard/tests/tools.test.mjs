// SPDX-License-Identifier: Apache-2.0
//
// The tools as they are called.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {test} from 'node:test';

import {repository, writeFolder} from './synthetic.mjs';

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
