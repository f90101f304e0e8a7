// SPDX-License-Identifier: Apache-2.0

const isProperties = (value) => value?.constructor === Object;

const isShown = (child) => child !== null && child !== undefined && child !== false;

const setProperty = (element, name, value) => {
  if (!isShown(value)) return;
  if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
  else element.setAttribute(name, value === true ? '' : value);
};

const make = (tag, parts) => {
  const element = document.createElement(tag);
  const [properties, ...children] = isProperties(parts[0]) ? parts : [{}, ...parts];
  for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
  element.append(...children.flat(Infinity).filter(isShown));
  return element;
};

// Makes elements: h.td({class: 'number', onclick}, 'text', child, [children]). The properties may be missing; whatever
// is null, undefined or false is left out.
export const h = new Proxy(
  {},
  {
    get:
      (_, tag) =>
      (...parts) =>
        make(tag, parts),
  },
);

export const link = (href, text, properties = {}) => h.a({href, ...properties}, text);
