// SPDX-License-Identifier: Apache-2.0
//
// Checks of JSON values. A check is a function (value, field, report); it calls report(field, message) for everything
// that is wrong. `field` is the path from the root of the file, "benchmarks[3].ratio".

export const shown = (value) => {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
};

const must = (holds, what) => (value, field, report) => {
  if (!holds(value))
    report(field, value === undefined ? `missing, must be ${what}` : `must be ${what}, is ${shown(value)}`);
};

const isText = (value) => typeof value === 'string' && value !== '';
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

export const text = must(isText, 'a text');
export const anyText = must((value) => typeof value === 'string', 'a text or ""');
export const number = must(isNumber, 'a number');
export const positive = must((value) => isNumber(value) && value > 0, 'a number above 0');
export const notNegative = must((value) => isNumber(value) && value >= 0, 'a number, 0 or above');
export const count = must((value) => Number.isInteger(value) && value >= 0, 'a whole number');
export const countText = must((value) => isText(value) && /^\d+$/.test(value), 'a whole number as text');
export const positiveText = must((value) => isText(value) && Number(value) > 0, 'a number above 0 as text');
export const compiler = must(
  (value) => isText(value) && /^\S+ \d/.test(value),
  'a compiler and its version, as "GNU 12.2.0"',
);
export const commit = must((value) => isText(value) && /^([0-9a-f]{7,40}|unknown)$/.test(value), 'a commit hash');
export const date = must(
  (value) => isText(value) && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)),
  'an ISO 8601 date',
);

export const oneOf = (...values) => must((value) => values.includes(value), values.map(shown).join(' or '));

// Holds when the field is absent, too.
export const optional = (check) => (value, field, report) => {
  if (value !== undefined) check(value, field, report);
};

// JSON has no infinity: a bound that is not there is null.
export const nullable = (check) => (value, field, report) => {
  if (value !== null) check(value, field, report);
};

export const list = (check) => (value, field, report) => {
  if (!Array.isArray(value)) return report(field, `must be a list, is ${shown(value)}`);
  value.forEach((item, index) => check(item, `${field}[${index}]`, report));
};

// An object with at least these fields; `pattern` checks further ones by name.
export const record =
  (fields, ...patterns) =>
  (value, field, report) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return report(field || '(file)', `must be an object, is ${shown(value)}`);
    }
    const path = (name) => (field ? `${field}.${name}` : name);
    for (const [name, check] of Object.entries(fields)) check(value[name], path(name), report);
    for (const [expression, check] of patterns) {
      for (const name of Object.keys(value)) if (expression.test(name)) check(value[name], path(name), report);
    }
  };

// All that `check` finds wrong with `value`: [{field, message}].
export const problemsOf = (check, value) => {
  const problems = [];
  check(value, '', (field, message) => problems.push({field: field || '(file)', message}));
  return problems;
};
