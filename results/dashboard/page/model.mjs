// SPDX-License-Identifier: Apache-2.0
//
// The results as the views read them, made from the payload of lib/payload.mjs.

import {boundOf, columns, decodeBounds, decodeFloats} from '#page/columns.mjs';

// One recorded run. A case is an index into model.cases.
class Run {
  #slots;
  #values;
  #bounds;

  constructor({values, bounds, ...fields}, index, shared) {
    Object.assign(this, fields, {index, time: Date.parse(fields.date)});
    this.configuration = shared.configurations[fields.configuration];
    this.environment = shared.environments[fields.environment];
    this.#slots = shared.slots[fields.caseList];
    this.#values = decodeFloats(values);
    this.#bounds = decodeBounds(bounds);
  }

  has(c) {
    return this.#slots.has(c);
  }

  // ratio, vs_memcpy, ns, or the bounds of the ratio: lower, upper. NaN when the run lacks the case, or the case that.
  value(c, name) {
    const slot = this.#slots.get(c);
    if (slot === undefined) return NaN;
    if (name === 'lower') return boundOf(this.value(c, 'ratio'), this.#bounds[2 * slot], -1);
    if (name === 'upper') return boundOf(this.value(c, 'ratio'), this.#bounds[2 * slot + 1], 1);
    return this.#values[slot * columns.length + columns.indexOf(name)];
  }

  slot(c) {
    return this.#slots.get(c);
  }

  get caseCount() {
    return this.#slots.size;
  }

  get label() {
    return `${this.date.slice(0, 16).replace('T', ' ')}  ${this.commit.slice(0, 9)}${this.dirty ? '+' : ''}`;
  }
}

const slotsOf = (caseList) => new Map(caseList.map((c, slot) => [c, slot]));

const decodePeers = (values) => Object.entries(values).map(([name, base64]) => ({name, values: decodeFloats(base64)}));

export class Model {
  #runsOf;
  #plans;
  #peers;

  constructor(payload) {
    const {generated, commitUrl, gates, annotations, skipped} = payload;
    Object.assign(this, {generated, commitUrl, gates, annotations, skipped});
    this.cases = payload.cases.map((c, index) => ({...c, index}));
    this.configurations = payload.configurations.map((configuration, index) => ({...configuration, index}));
    const shared = {...payload, configurations: this.configurations, slots: payload.caseLists.map(slotsOf)};
    this.runs = payload.runs.map((run, index) => new Run(run, index, shared));
    this.#runsOf = new Map(this.configurations.map((of) => [of, this.runs.filter((run) => run.configuration === of)]));
    this.#plans = payload.plans.map(({caseList, labels}) => ({slots: shared.slots[caseList], labels}));
    this.#peers = new Map(payload.peers.map(({run, values}) => [this.runs[run], decodePeers(values)]));
  }

  // Oldest first.
  runsOf(configuration) {
    return this.#runsOf.get(configuration);
  }

  // The newest run of a configuration that has the case, or undefined.
  newest(configuration, c) {
    return this.runsOf(configuration).findLast((run) => run.has(c));
  }

  caseOf(key) {
    return this.cases.find((c) => c.key === key);
  }

  // How the newest run of the configuration that has the case moved it, or undefined.
  plan({index}, c) {
    const {slots, labels} = this.#plans[index];
    return labels[slots.get(c)];
  }

  // Runs whose peers are kept, newest first.
  get runsWithPeers() {
    return [...this.#peers.keys()].reverse();
  }

  // [{name, ratio}] of the other libraries that took the case in that run: their time / time of the limit.
  peers(run, c) {
    return (this.#peers.get(run) ?? [])
      .map(({name, values}) => ({name, ratio: values[run.slot(c)]}))
      .filter(({ratio}) => !Number.isNaN(ratio));
  }
}
