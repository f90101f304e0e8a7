// SPDX-License-Identifier: Apache-2.0
//
// How the numbers of a run travel to the page: in base64, case after case. Values are 32-bit floats, which keep seven
// digits, more than anything shows. Bounds are 16-bit distances from the ratio in steps of a ten-thousandth of it. Both
// take about half the room of text.

export const columns = ['ratio', 'vs_memcpy', 'ns'];

const kSteps = 10000;
const kAbsent = 0xffff;

const toBase64 = (array) => Buffer.from(array.buffer).toString('base64');

const fromBase64 = (base64) => {
  const bytes = atob(base64);
  const buffer = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; ++i) buffer[i] = bytes.charCodeAt(i);
  return buffer.buffer;
};

// An absent number is NaN.
export const encodeFloats = (values) => toBase64(Float32Array.from(values, (value) => value ?? NaN));
export const decodeFloats = (base64) => new Float32Array(fromBase64(base64));

const distance = (ratio, bound) =>
  bound === undefined ? kAbsent : Math.min(Math.round(Math.abs(bound / ratio - 1) * kSteps), kAbsent - 1);

// Of [{ratio, ratio_lower, ratio_upper}].
export const encodeBounds = (rows) =>
  toBase64(
    Uint16Array.from(
      rows.flatMap(({ratio, ratio_lower: lower, ratio_upper: upper}) => [
        distance(ratio, lower),
        distance(ratio, upper),
      ]),
    ),
  );
export const decodeBounds = (base64) => new Uint16Array(fromBase64(base64));

// The bound at that distance below (sign -1) or above (+1) the ratio.
export const boundOf = (ratio, steps, sign) => (steps === kAbsent ? NaN : ratio * (1 + (sign * steps) / kSteps));
