// SPDX-License-Identifier: Apache-2.0
//
// What files in results/ must hold; results/README.md says it in words. Fields that are not named here may be there.

import {
  anyText,
  commit,
  compiler,
  count,
  countText,
  date,
  list,
  notNegative,
  nullable,
  number,
  oneOf,
  optional,
  positive,
  positiveText,
  problemsOf,
  record,
  shown,
  text,
} from './check.mjs';

const context = record(
  {
    dimorder: text,
    date,
    commit,
    dirty: oneOf('true', 'false', 'unknown'),
    compiler,
    flags: anyText,
    suite: text,
    target: text,
    threads: positiveText,
    executor: text,
    tuning: optional(text),
    peers: optional(text),
    machine: optional(text),
    cpu_model: text,
    cpu_family: text,
    num_cpus: positive,
    load_avg: optional(list(number)),
    caches: list(record({type: text, level: count, size: positive, num_sharing: count})),
    cache_l1: countText,
    cache_l2: countText,
    cache_last: countText,
    os: text,
    governor: text,
    page_bytes: positiveText,
    huge_pages: text,
  },
  [/^(memcpy|stream)_GBps_/, positiveText],
);

// Every run measures the two copies at some sizes.
const hasCopies = (value, field, report) => {
  for (const copy of ['memcpy_GBps', 'stream_GBps']) {
    if (!Object.keys(value).some((name) => name.startsWith(copy))) report(`${field}.${copy}_*`, 'missing');
  }
};

const measured = record(
  {
    name: text,
    run_name: text,
    ns: positive,
    GBps: positive,
    bytes: positive,
    blocks: positive,
    placements: optional(positive),
    ratio: positive,
    ratio_lower: optional(positive),
    ratio_upper: optional(positive),
    vs_memcpy: positive,
    loop: optional(positive),
    limit_GBps: positive,
    memcpy_GBps: positive,
    plan_ns: number,
    slower_than_peer: optional(positive),
    slower_than_serial: optional(positive),
    label: text,
  },
  [/^peer_/, positive],
);

const boundsInOrder = (row, field, report) => {
  const {ratio, ratio_lower: lower, ratio_upper: upper} = row;
  if ((lower === undefined) !== (upper === undefined)) report(`${field}.ratio_lower`, 'needs ratio_upper, and reverse');
  if (lower > ratio) report(`${field}.ratio_lower`, `must not be above ratio ${ratio}, is ${lower}`);
  if (upper < ratio) report(`${field}.ratio_upper`, `must not be below ratio ${ratio}, is ${upper}`);
};

const failed = record({name: text, error_message: text});

// Of google-benchmark's aggregates only the median has the unit of what was measured.
const row = (value, field, report) => {
  if (value?.error_occurred) return failed(value, field, report);
  if (value?.run_type === 'aggregate' && value.aggregate_name !== 'median') return;
  measured(value, field, report);
  if (value !== null && typeof value === 'object') boundsInOrder(value, field, report);
};

// Rows are told apart by either name; repetitions of a row share both, its aggregates the second.
const namesDiffer = (benchmarks, name, report) => {
  const first = new Map();
  benchmarks.forEach((row, index) => {
    if (typeof row?.[name] !== 'string') return;
    const key = JSON.stringify([row[name], row.repetition_index, row.aggregate_name]);
    if (first.has(key))
      report(`benchmarks[${index}].${name}`, `repeats benchmarks[${first.get(key)}]: ${shown(row[name])}`);
    else first.set(key, index);
  });
};

const rows = (value, field, report) => {
  list(row)(value, field, report);
  if (!Array.isArray(value)) return;
  if (!value.length) report(field, 'must hold a row, is []');
  for (const name of ['name', 'run_name']) namesDiffer(value, name, report);
};

// One run of dimorder-bench.
const run = (value, field, report) => {
  if (typeof value?.context?.dimorder !== 'string')
    return report('context.dimorder', 'missing: no run of dimorder-bench');
  context(value.context, 'context', report);
  hasCopies(value.context, 'context', report);
  rows(value.benchmarks, 'benchmarks', report);
};

// Of blocks of head against base (or of base against its copy): head's time / base's, with bounds, which are null where
// there are too few blocks; older files have 0 for the lower one.
const blocks = record({
  ratio: positive,
  lower: nullable(notNegative),
  upper: nullable(positive),
  p: nullable(number),
  base_ns: positive,
  head_ns: positive,
  log_ratios: list(number),
});

// A run of bench/gate.sh: one head against each base.
const verdict = oneOf('pass', 'improved', 'inconclusive', 'regression');
const comparison = record({
  base: text,
  commit,
  verdict,
  seconds: number,
  cases: list(
    record({case: text, outcome: text, screen: optional(blocks), confirm: optional(blocks), control: optional(blocks)}),
  ),
});
const gateFields = record({version: oneOf(1), date, head: text, verdict, comparisons: list(comparison)});

const gate = (value, field, report) => {
  if (value?.format !== 'dimorder-gate') return report('format', `must be "dimorder-gate", is ${shown(value?.format)}`);
  gateFields(value, field, report);
};

// Changes that were accepted on purpose.
const annotations = list(record({date, commit, cases: text, reason: text, machine: optional(text)}));

export const checkRun = (value) => problemsOf(run, value);
export const checkGate = (value) => problemsOf(gate, value);
export const checkAnnotations = (value) => problemsOf(annotations, value);
