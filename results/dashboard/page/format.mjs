// SPDX-License-Identifier: Apache-2.0

const kMinus = '\u2212';

export const ratioText = (value) => (Number.isNaN(value) ? '' : value.toFixed(2));

export const boundsText = (lower, upper) => (Number.isNaN(lower) ? '' : `${lower.toFixed(2)}..${upper.toFixed(2)}`);

// 1.0312 -> "+3.1 %".
export const changeText = (factor) => {
  const percent = Math.round((factor - 1) * 1000) / 10;
  return `${percent < 0 ? kMinus : '+'}${Math.abs(percent).toFixed(1)}\u00a0%`;
};

const scaled = (value, units, step) => {
  let unit = 0;
  while (value >= step && unit + 1 < units.length) {
    value /= step;
    ++unit;
  }
  return `${Number(value.toPrecision(3))}\u00a0${units[unit]}`;
};

export const timeText = (ns) => (Number.isNaN(ns) ? '' : scaled(ns, ['ns', '\u00b5s', 'ms', 's'], 1000));

export const bytesText = (bytes) => scaled(bytes, ['B', 'KiB', 'MiB', 'GiB'], 1024);

// Bytes read and written per second, as memcpy is rated.
export const gbps = (bytes, ns) => (2 * bytes) / ns;

export const dateText = (iso) => iso.slice(0, 16).replace('T', ' ');

// The executor and the compiler that most runs have.
const kUsual = {executor: 'serial', compiler_family: 'GNU'};
const unusual = (name, value) => (value === kUsual[name] ? [] : [value]);

// "AVX2, 4 threads, openmp, Clang"; what is usual is left out.
export const setupText = ({target, threads, executor, compiler_family: family}) =>
  [
    target,
    plural(Number(threads), 'thread'),
    ...unusual('executor', executor),
    ...unusual('compiler_family', family),
  ].join(', ');

export const configurationText = (configuration) => `${configuration.machine}, ${setupText(configuration)}`;

export const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
