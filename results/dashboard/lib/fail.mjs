// SPDX-License-Identifier: Apache-2.0
//
// How a tool ends that cannot do what it was asked for: with one line, which names it, and exit status 2.

import {basename} from 'node:path';

export const fail = (message) => {
  console.error(`${basename(process.argv[1])}: ${message}`);
  process.exit(2);
};

// What `action` returns. A plain Error, or one with a code as the system's and parseArgs' have, says what is wrong with
// the call or with the runs that it chose; others are our own mistakes.
export const orFail = (action) => {
  try {
    return action();
  } catch (error) {
    if (error.constructor !== Error && error.code === undefined) throw error;
    return fail(error.message);
  }
};
