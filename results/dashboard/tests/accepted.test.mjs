// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';

import {acceptedIn, merge} from '../lib/accepted.mjs';
import {checkAnnotations} from '../lib/schema.mjs';
import {temporaryFolder} from './synthetic.mjs';

const repositoryWith = (...messages) => {
  const cwd = temporaryFolder();
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {cwd});
  git('init', '-q');
  for (const message of messages) git('commit', '-q', '--allow-empty', '-m', message);
  return cwd;
};

test('trailers of commits become annotations, once', () => {
  const folder = repositoryWith(
    'First',
    'Second\n\nWhy.\n\nPerf-Accept: t2d/*/1 half the code',
    'Third\n\nPerf-Accept: nchw2nhwc/1x3x224x224/? safer\nPerf-Accept: weight/* smaller\n tables',
    'Fourth\n\nPerf-Accept: all/of/it',
  );
  const accepted = acceptedIn(folder, 'HEAD');
  assert.deepEqual(
    accepted.map(({cases, reason}) => [cases, reason]),
    [
      ['t2d/*/1', 'half the code'],
      ['nchw2nhwc/1x3x224x224/?', 'safer'],
      ['weight/*', 'smaller tables'],
    ],
  );
  assert.deepEqual(checkAnnotations(accepted), []);
  const old = {date: '2026-01-01', commit: 'abcdef0', cases: '*', reason: 'by hand'};
  const merged = merge([old], accepted);
  assert.deepEqual(merged, [old, ...accepted]);
  assert.deepEqual(merge(merged, accepted), merged);
});

test('a history without trailers gives none', () => assert.deepEqual(acceptedIn(repositoryWith('Only'), 'HEAD'), []));
