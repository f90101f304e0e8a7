// SPDX-License-Identifier: Apache-2.0
//
// Lines with confidence bands over time, on uPlot.

import uPlot from 'uplot';

import {h} from '#page/dom.mjs';

const kHeight = 360;
const kFont = '12px system-ui, sans-serif';
const kMarkColours = {environment: '--mark-environment', target: '--mark-target', annotation: '--mark-annotation'};

// A colour of the style sheet as "rgb(r, g, b)" in the theme that holds.
const css = (name) => {
  const probe = h.i({style: `color: var(${name})`});
  document.body.append(probe);
  const {color} = getComputedStyle(probe);
  probe.remove();
  return color;
};

// Colours of the lines, apart in both themes and for the colour-blind (Okabe and Ito).
export const lineColour = (index) => css(`--line-${index % 8}`);

// The names of the lines of a chart, [{name, note}], with their colours.
export const lineLegend = (lines) =>
  h.ul(
    {class: 'lines'},
    lines.map(({name, note}, index) =>
      h.li(h.span({class: 'dot', style: `background: ${lineColour(index)}`}), name, h.span({class: 'muted'}, note)),
    ),
  );

// uPlot's table of date formats: least step in seconds, format, what it adds on the second line when the year, month,
// day, hour, minute, second changes, and how the two are put together.
const kHour = 3600;
const kDay = 24 * kHour;
const kDates = [
  [365 * kDay, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * kDay, '{YYYY}-{MM}', null, null, null, null, null, null, 1],
  [kDay, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
];

const axis = (options) => ({
  stroke: css('--text-muted'),
  grid: {stroke: css('--grid'), width: 1},
  ticks: {stroke: css('--grid'), width: 1},
  font: kFont,
  ...options,
});

// Dashed verticals with their numbers, for what changed besides the code.
const drawMarks = (marks) => (u) => {
  const {ctx, bbox} = u;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  let free = 0; // numbers of marks close together stand side by side
  for (const {time, kind, number} of marks) {
    const x = Math.round(u.valToPos(time / 1000, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = ctx.fillStyle = css(kMarkColours[kind]);
    ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const at = Math.max(x, free);
    ctx.fillText(number, at, bbox.top - 4 * devicePixelRatio);
    free = at + 14 * devicePixelRatio;
  }
  ctx.restore();
};

// A box at the cursor with what `describe(index)` says of the nearest time.
const tooltip = (describe) => {
  const box = h.div({class: 'tooltip', hidden: true});
  const place = (u) => {
    const {idx, left, top} = u.cursor;
    box.hidden = idx === null || idx === undefined || left < 0;
    if (box.hidden) return;
    box.replaceChildren(...describe(idx));
    const flip = left > u.over.clientWidth / 2;
    box.style.transform = `translate(${left + (flip ? -12 : 12)}px, ${top + 12}px) translateX(${flip ? '-100%' : '0'})`;
  };
  return {hooks: {init: (u) => u.over.append(box), setCursor: place}};
};

const valueSeries = (colour, points) => ({stroke: colour, width: 2, points: {show: points, size: 6, fill: colour}});
const boundSeries = () => ({stroke: 'transparent', points: {show: false}});
const translucent = (colour) => colour.replace('rgb(', 'rgba(').replace(')', ', 0.18)');

// Each line takes three columns of uPlot's data: value, lower, upper.
const layOut = (lines, times) => {
  const columns = [times];
  const series = [{}];
  const bands = [];
  const points = times.length <= 100;
  lines.forEach(({values, lower, upper}, index) => {
    const colour = lineColour(index);
    const first = columns.length;
    columns.push(values, lower, upper);
    series.push(valueSeries(colour, points), boundSeries(), boundSeries());
    bands.push({series: [first + 2, first + 1], fill: translucent(colour)});
  });
  return {columns, series, bands};
};

// One point has no range of its own: give it a day.
const timeRange = ({data: [times]}, min, max) => {
  if (times.length === 1) return [times[0] - kDay / 2, times[0] + kDay / 2];
  const margin = (max - min) * 0.02;
  return [min - margin, max + margin];
};

const linearRange = (fromZero) => (u, min, max) => (fromZero ? [0, max * 1.05] : uPlot.rangeNum(min, max, 0.1, true));

const logRange = (u, min, max) => [min / 1.05, max * 1.05];

const kRound = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9];

// uPlot labels powers only, of which a history seldom has two.
const logSplits = (u, axisIndex, min, max) => {
  const splits = [];
  for (let decade = 10 ** Math.floor(Math.log10(min)); decade <= max; decade *= 10) {
    splits.push(...kRound.map((step) => step * decade).filter((value) => value >= min && value <= max));
  }
  return splits;
};

const scales = (log, fromZero) => ({
  x: {time: true, range: timeRange},
  y: log ? {distr: 3, range: logRange} : {range: linearRange(fromZero)},
});

const axes = (unit, log) => [
  axis({values: kDates}),
  axis({
    label: unit,
    size: 60,
    labelFont: kFont,
    labelSize: 20,
    ...(log && {splits: logSplits, filter: (u, all) => all}),
  }),
];

// Draws once `holder` is in the page, follows its width, and ends when it is taken out.
const drawIn = (holder, options, columns) => {
  let plot = null;
  const observer = new ResizeObserver(() => {
    const width = holder.clientWidth;
    if (!holder.isConnected) {
      observer.disconnect();
      plot?.destroy();
    } else if (plot) {
      plot.setSize({width, height: kHeight});
    } else {
      plot = new uPlot({...options, width}, columns, holder);
    }
  });
  observer.observe(holder);
};

// The element to place. `times` in milliseconds; `lines` is [{values, lower, upper}] over them, undefined where a
// line has no point; they take the colours of their indexes.
export const chart = ({times, lines, marks, unit, log, fromZero, describe}) => {
  const seconds = times.map((time) => time / 1000);
  const {columns, series, bands} = layOut(lines, seconds);
  const options = {
    height: kHeight,
    series,
    bands,
    scales: scales(log, fromZero),
    axes: axes(unit, log),
    tzDate: (time) => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
    padding: [22, 16, 0, 0],
    legend: {show: false},
    cursor: {points: {size: 9}, y: false},
    plugins: [tooltip(describe)],
    hooks: {draw: [drawMarks(marks)]},
  };
  const holder = h.div({class: 'chart'});
  drawIn(holder, options, columns);
  return holder;
};
