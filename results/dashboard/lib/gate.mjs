// SPDX-License-Identifier: Apache-2.0
//
// What the page shows of a run of the gate: a row per base.

const kSlowest = 8;

const quantile = (sorted, share) => sorted[Math.round(share * (sorted.length - 1))];

const bySize = (a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio));

// Bounds of too few blocks are none.
const interval = ({ratio, lower, upper}) => ({ratio, lower: lower || null, upper});

// The blocks that decided: those of the confirmation, where there was one.
const deciding = ({confirm, screen}) => confirm ?? screen;

// Median, 5 % and 95 % quantile over the cases: what machine and build move without a reason.
const spreadOf = (timed) => {
  const ratios = timed.map(({screen}) => screen.ratio).sort((a, b) => a - b);
  return {ratio: quantile(ratios, 0.5), lower: quantile(ratios, 0.05), upper: quantile(ratios, 0.95)};
};

const countBy = (items, of) => {
  const counts = {};
  for (const item of items) counts[of(item)] = (counts[of(item)] ?? 0) + 1;
  return counts;
};

const comparisonRow = ({file, date, head}, {base, commit, verdict, seconds, cases}) => {
  const timed = cases.filter(({screen}) => screen);
  const controls = cases
    .filter(({control}) => control)
    .map(({control}) => interval(control))
    .sort(bySize);
  const slowest = timed
    .map((c) => ({case: c.case, outcome: c.outcome, ...interval(deciding(c))}))
    .sort((a, b) => b.ratio - a.ratio);
  return {
    file,
    date,
    head,
    base,
    commit,
    verdict,
    seconds,
    outcomes: countBy(cases, ({outcome}) => outcome),
    timed: timed.length,
    spread: timed.length ? spreadOf(timed) : null,
    control: controls[0] ?? null,
    slowest: slowest.slice(0, kSlowest),
  };
};

export const gateRows = (gate) => gate.comparisons.map((comparison) => comparisonRow(gate, comparison));
