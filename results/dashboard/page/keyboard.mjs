// SPDX-License-Identifier: Apache-2.0

import {views} from '#page/state.mjs';

const arrows = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

// The next cell from `cell` in a direction, over empty ones; null at the edge.
const neighbour = (cell, [down, right]) => {
  const table = cell.closest('table');
  let row = cell.closest('tr').rowIndex;
  let column = cell.closest('td').cellIndex;
  for (;;) {
    row += down;
    column += right;
    const td = table.rows[row]?.cells[column];
    if (!td) return null;
    if (td.querySelector('.cell')) return td.querySelector('.cell');
  }
};

// Arrow keys walk the cells of a heat map; only the cell with the focus is in the tab order.
export const moveFocus = (event) => {
  const direction = arrows[event.key];
  const next = direction && event.target.matches('.cell') && neighbour(event.target, direction);
  if (!next) return;
  event.preventDefault();
  event.target.setAttribute('tabindex', -1);
  next.setAttribute('tabindex', 0);
  next.focus();
};

const isTyping = ({target}) =>
  target.matches('input[type=search], input[type=text], input:not([type]), select, textarea');

// `actions`: search(), theme(), help(), step(by), view(name).
export const bindKeys = (actions) => {
  const keys = {
    '/': actions.search,
    t: actions.theme,
    '?': actions.help,
    '[': () => actions.step(-1),
    ']': () => actions.step(1),
  };
  views.forEach((view, index) => (keys[index + 1] = () => actions.view(view)));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
};

export const keyHelp = [
  ['1 .. 6', 'heat map, history, compare, peers, gate, runs'],
  ['/', 'search the cases'],
  ['arrows, Enter', 'walk the heat map, open the history of a cell'],
  ['[ and ]', 'the case before and after, in the history'],
  ['t', 'light, dark, as the system'],
  ['?', 'this list'],
];
