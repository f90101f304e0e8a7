// SPDX-License-Identifier: Apache-2.0

// An element: h('td', {class: 'number', onclick}, 'text', child, ...). Properties that are null or false are left out,
// as are such children.
export const h = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

// A select of [value, text] pairs.
export const select = (label, pairs, chosen, onchange) =>
  h('label', {class: 'field'}, h('span', {}, label),
    h('select', {onchange: (event) => onchange(event.target.value)},
      pairs.map(([value, text]) => h('option', {value, selected: value === chosen}, text))));

export const checkbox = (label, checked, onchange) =>
  h('label', {class: 'check'}, h('input', {type: 'checkbox', checked, onchange: (event) => onchange(event.target.checked)}), label);

export const link = (state, text, properties = {}) => h('a', {href: state, ...properties}, text);
