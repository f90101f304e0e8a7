// SPDX-License-Identifier: Apache-2.0
//
// What commits accept on purpose, as annotations.

import {execFileSync} from 'node:child_process';

const kFormat = '%h%x09%cI%x09%(trailers:key=Perf-Accept,valueonly,unfold,separator=%x09)';

const toAnnotation = (commit, date, trailer) => {
  const [, cases, reason] = /^(\S+)\s+(.+)$/.exec(trailer) ?? [];
  return cases ? [{date, commit, cases, reason}] : [];
};

// Of the repository that `folder` is in, oldest first. A trailer without a reason accepts nothing.
export const acceptedIn = (folder, revisions) =>
  execFileSync('git', ['log', '--reverse', '--abbrev=12', `--format=${kFormat}`, revisions, '--'], {
    cwd: folder,
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [commit, date, ...trailers] = line.split('\t');
      return trailers.flatMap((trailer) => toAnnotation(commit, date, trailer));
    });

// Those of `found` that `annotations` lacks are added at its end.
export const merge = (annotations, found) => {
  const has = ({commit, cases}) =>
    annotations.some((known) => known.commit.startsWith(commit) && known.cases === cases);
  return [...annotations, ...found.filter((annotation) => !has(annotation))];
};
