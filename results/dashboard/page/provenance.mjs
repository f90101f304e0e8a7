// SPDX-License-Identifier: Apache-2.0

import {h} from '#page/dom.mjs';

// A commit, linked where the page was built with an address for commits.
export const commitLink = ({commitUrl}, {commit, dirty = false}) => {
  const text = h.code(
    {title: dirty ? 'the working tree differed from the commit' : null},
    commit.slice(0, 9),
    dirty && '+',
  );
  return commitUrl ? h.a({href: commitUrl.replace('%s', commit)}, text) : text;
};
