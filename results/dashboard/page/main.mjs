// SPDX-License-Identifier: Apache-2.0
//
// The page: the hash is the state, and every change of it draws the view anew.

import {renderCompare} from '#page/compare.mjs';
import {downloadRows, save, toCsv} from '#page/download.mjs';
import {closeMenusOutside, renderFilterBar} from '#page/filterbar.mjs';
import {filteredCases, filteredConfigurations} from '#page/filters.mjs';
import {dateText, plural} from '#page/format.mjs';
import {renderGate} from '#page/gate.mjs';
import {renderHeatmap} from '#page/heatmap.mjs';
import {chosenCase, renderHistory} from '#page/history.mjs';
import {h, link} from '#page/dom.mjs';
import {bindKeys, keyHelp} from '#page/keyboard.mjs';
import {Model} from '#page/model.mjs';
import {renderPeers} from '#page/peers.mjs';
import {renderRuns} from '#page/runs.mjs';
import {decodeState, defaultState, encodeState} from '#page/state.mjs';

const views = {
  heat: {title: 'Heat map', render: renderHeatmap},
  history: {title: 'History', render: renderHistory},
  compare: {title: 'Compare', render: renderCompare},
  peers: {title: 'Peers', render: renderPeers},
  gate: {title: 'Gate', render: renderGate},
  runs: {title: 'Runs', render: renderRuns},
};
const themes = ['auto', 'light', 'dark'];

const element = (id) => document.getElementById(id);

class Page {
  constructor(payload) {
    this.model = new Model(payload);
    this.read();
  }

  read() {
    this.state = decodeState(location.hash);
    this.cases = filteredCases(this.model, this.state);
    this.configurations = filteredConfigurations(this.model, this.state);
  }

  // The address of this view with some of its state changed.
  href(patch) {
    return encodeState({...this.state, ...patch});
  }

  // Goes there; `quietly` without an entry in the browser's history.
  set(patch, quietly = false) {
    const hash = this.href(patch);
    if (quietly) location.replace(hash);
    else location.hash = hash;
  }

  step(by) {
    const index = this.cases.indexOf(chosenCase(this));
    const next = this.cases[(index + by + this.cases.length) % this.cases.length];
    if (next) this.set({view: 'history', case: next.key}, true);
  }

  draw() {
    const {state} = this;
    if (state.theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = state.theme;
    element('tabs').replaceChildren(
      ...Object.entries(views).map(([view, {title}]) =>
        link(this.href({view}), title, {'aria-current': view === state.view ? 'page' : null}),
      ),
    );
    renderFilterBar(this, element('menus'));
    if (element('search') !== document.activeElement) element('search').value = state.search;
    element('theme').textContent = `Theme: ${state.theme}`;
    this.drawStatus();
    element('view').replaceChildren(...views[state.view].render(this).flat().filter(Boolean));
  }

  drawStatus() {
    const {model, cases, configurations, state} = this;
    const runs = model.runs.filter((run) => configurations.includes(run.configuration));
    const cleared = {...defaultState(), view: state.view, theme: state.theme, metric: state.metric};
    const filtered = cases.length < model.cases.length || configurations.length < model.configurations.length;
    element('status').replaceChildren(
      ...[
        h.span(
          {id: 'count'},
          `${cases.length} of ${plural(model.cases.length, 'case')}, `,
          `${runs.length} of ${plural(model.runs.length, 'run')}`,
        ),
        filtered && link(encodeState(cleared), 'clear filters'),
        model.skipped.length > 0 &&
          link(this.href({view: 'runs'}), `${plural(model.skipped.length, 'file')} left out`, {class: 'badge'}),
      ].filter(Boolean),
    );
  }

  nextTheme() {
    this.set({theme: themes[(themes.indexOf(this.state.theme) + 1) % themes.length]}, true);
  }
}

const bindControls = (page) => {
  element('search').addEventListener('input', ({target}) => page.set({search: target.value.trim()}, true));
  element('theme').addEventListener('click', () => page.nextTheme());
  element('keys').addEventListener('click', () => element('help').showModal());
  element('csv').addEventListener('click', () =>
    save('dimorder.csv', 'text/csv', toCsv(downloadRows(page.model, page.state))),
  );
  element('json').addEventListener('click', () =>
    save('dimorder.json', 'application/json', JSON.stringify(downloadRows(page.model, page.state), null, 1)),
  );
  element('help').append(
    h.h2('Keys'),
    h.dl(keyHelp.map(([key, text]) => [h.dt(key), h.dd(text)])),
    h.form({method: 'dialog'}, h.button('Close')),
  );
  closeMenusOutside(element('menus'));
  bindKeys({
    search: () => element('search').focus(),
    theme: () => page.nextTheme(),
    help: () => element('help').showModal(),
    step: (by) => page.step(by),
    view: (view) => page.set({view}),
  });
};

const page = new Page(JSON.parse(element('payload').textContent));
bindControls(page);
page.draw();
performance.mark('drawn');
element('made').textContent = `made ${dateText(page.model.generated)} UTC`;
addEventListener('hashchange', () => {
  page.read();
  page.draw();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => page.draw());
