// SPDX-License-Identifier: Apache-2.0
//
// Where something other than the code changed: marks on a history.

const watched = {
  compiler: 'compiler',
  flags: 'flags',
  os: 'kernel',
  governor: 'governor',
  huge_pages: 'huge pages',
  tuning: 'tuning',
};

const changes = (before, after) =>
  Object.entries(watched)
    .filter(([name]) => name in before && name in after && before[name] !== after[name])
    .map(([name, title]) => `${title} ${before[name]} \u2192 ${after[name]}`);

const environmentMarks = (runs) =>
  runs.slice(1).flatMap((run, index) => {
    const texts = changes(runs[index].environment, run.environment);
    return texts.length ? [{kind: 'environment', time: run.time, text: texts.join(', ')}] : [];
  });

// A machine's later configurations begin somewhere: a target that it did not have before is marked.
const targetMarks = (lines) => {
  const targets = new Map();
  return [...lines]
    .sort((a, b) => a.runs[0].time - b.runs[0].time)
    .flatMap(({configuration: {machine, target}, runs}) => {
      const before = targets.get(machine) ?? [];
      if (before.includes(target)) return [];
      targets.set(machine, [...before, target]);
      return before
        .slice(-1)
        .map((last) => ({kind: 'target', time: runs[0].time, text: `target ${last} \u2192 ${target}`}));
    });
};

const annotationMarks = (annotations) =>
  annotations.map(({date, commit, reason}) => ({
    kind: 'annotation',
    time: Date.parse(date),
    text: `${reason} (accepted in ${commit.slice(0, 9)})`,
  }));

const day = ({time}) => new Date(time).toISOString().slice(0, 10);

// The same change of several machines on a day is one mark.
const merged = (marks) =>
  [...new Map(marks.reverse().map((mark) => [`${day(mark)} ${mark.text}`, mark])).values()].reverse();

// `lines` is [{configuration, runs}], none empty. Marks in order of time, numbered from 1.
export const marksOf = (lines, annotations) =>
  merged(
    [...lines.flatMap(({runs}) => environmentMarks(runs)), ...targetMarks(lines), ...annotationMarks(annotations)].sort(
      (a, b) => a.time - b.time,
    ),
  ).map((mark, index) => ({...mark, number: index + 1}));
