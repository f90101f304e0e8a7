// SPDX-License-Identifier: Apache-2.0
//
// Colour steps of a ratio: blue is faster than a copy, pale about as fast, red slower. Nine steps can be told apart and
// named in a legend; the number stands in the cell, too.

const edges = [0.9, 1.05, 1.2, 1.4, 1.7, 2.2, 3, 5];

export const heatStep = (ratio) => edges.filter((edge) => ratio >= edge).length;

export const heatLegend = edges
  .map((edge, step) => ({step, text: `< ${edge}`}))
  .concat({step: edges.length, text: `\u2265 ${edges.at(-1)}`});

// What a metric shows of a case in a run, and the ratio that colours it.
export const metrics = {
  ratio: {title: 'ratio to the limit', colour: 'ratio', digits: 2, of: (run, c) => run.value(c.index, 'ratio')},
  vs_memcpy: {
    title: 'ratio to memcpy',
    colour: 'vs_memcpy',
    digits: 2,
    of: (run, c) => run.value(c.index, 'vs_memcpy'),
  },
  gbps: {title: 'GB/s', colour: 'ratio', digits: 1, of: (run, c) => (2 * c.bytes) / run.value(c.index, 'ns')},
};
