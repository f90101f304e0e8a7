// SPDX-License-Identifier: Apache-2.0
//
// LNT's report file, format version 2, for its default suite (nts). https://llvm.org/docs/lnt/importing_data.html
// One report holds one machine: the newest run. Info of machine and run is text; execution_time is in seconds. LNT
// orders runs by llvm_project_revision; commits of git have no order, so that is the time of the run.

import {configurationName, rowsOf} from './runs.mjs';

const seconds = (iso) => iso.slice(0, 19);

const machineInfo = ({configuration, context}) => ({
  name: configurationName(configuration),
  cpu: context.cpu_model,
  os: context.os,
  cpus: String(context.num_cpus),
  governor: context.governor,
  page_bytes: context.page_bytes,
  huge_pages: context.huge_pages,
});

const runInfo = ({date, context}) => ({
  start_time: seconds(date),
  end_time: seconds(date),
  llvm_project_revision: date.replace(/\D/g, '').slice(0, 14),
  commit: context.commit,
  compiler: context.compiler,
  flags: context.flags,
  suite: context.suite,
});

export const exportLnt = ({runs}) => {
  const run = runs.at(-1);
  const tests = rowsOf(run).map(({key, row}) => ({name: key, execution_time: [row.ns * 1e-9]}));
  return `${JSON.stringify({format_version: '2', machine: machineInfo(run), run: runInfo(run), tests}, null, 1)}\n`;
};
