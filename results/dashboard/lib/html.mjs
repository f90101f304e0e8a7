// SPDX-License-Identifier: Apache-2.0
//
// Puts the page together: one HTML file that holds its style, its modules, uPlot and the data.

import {readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const kPage = join(dirname(dirname(fileURLToPath(import.meta.url))), 'page');

const readPage = (name) => readFileSync(join(kPage, name), 'utf8');

const uplot = () => {
  const folder = dirname(createRequire(import.meta.url).resolve('uplot/package.json'));
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  return {
    style: read('dist/uPlot.min.css'),
    module: `/*\n${read('LICENSE')}*/\n${read('dist/uPlot.iife.min.js')}\nexport default uPlot;\n`,
  };
};

// Text in a script element ends at the first "</script"; none of ours may hold one.
const moduleElement = (name, source) => {
  if (/<\/script/i.test(source)) throw new Error(`${name}: holds the end of a script element`);
  return `<script type="text/plain" data-module="${name}">\n${source}//# sourceURL=${name.replace('#', '')}\n</script>`;
};

const ownModules = () =>
  readdirSync(kPage)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => moduleElement(`#page/${name}`, readPage(name)));

const payloadElement = (payload) =>
  `<script id="payload" type="application/json">${JSON.stringify(payload).replaceAll('<', '\\u003c')}</script>`;

// Each comment of the template that names a part becomes that part.
const fill = (template, parts) => template.replace(/<!-- (\w+) -->/g, (_, name) => parts[name]);

export const makeHtml = (payload) => {
  const {style, module} = uplot();
  return fill(readPage('page.html'), {
    style: `<style>\n${style}${readPage('style.css')}</style>`,
    modules: [moduleElement('uplot', module), ...ownModules()].join('\n'),
    payload: payloadElement(payload),
    boot: `<script>\n${readPage('boot.js')}</script>`,
  });
};
