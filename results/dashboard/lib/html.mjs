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

const fill = (template, parts) => template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);

export const makeHtml = (payload) => {
  const {style, module} = uplot();
  const own = readdirSync(kPage).filter((name) => name.endsWith('.mjs')).map((name) => moduleElement(`#page/${name}`, readPage(name)));
  return fill(readPage('page.html'), {
    style: style + readPage('style.css'),
    modules: [moduleElement('uplot', module), ...own].join('\n'),
    payload: JSON.stringify(payload).replaceAll('<', '\\u003c'),
    boot: readPage('boot.js'),
  });
};
