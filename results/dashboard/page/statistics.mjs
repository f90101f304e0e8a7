// SPDX-License-Identifier: Apache-2.0

// NaN of nothing.
export const geometricMean = (values) => {
  const finite = values.filter(Number.isFinite);
  return Math.exp(finite.reduce((sum, value) => sum + Math.log(value), 0) / finite.length);
};

// What counts as a change between two runs: their 95 % bounds do not meet, and the ratios differ by more than 2 %.
// Without bounds nothing is significant. Runs are taken at different times: this orders a list to look at, while the
// gate, which times both sides together, decides.
export const kLeastChange = 0.02;

// One case in two runs: {before, after, change, significant}; change is after / before.
export const compareCase = (base, head, c) => {
  const read = (run) => ({ratio: run.value(c, 'ratio'), lower: run.value(c, 'lower'), upper: run.value(c, 'upper')});
  const before = read(base);
  const after = read(head);
  const change = after.ratio / before.ratio;
  const apart = after.lower > before.upper || after.upper < before.lower;
  return {before, after, change, significant: apart && Math.abs(change - 1) > kLeastChange};
};
