// SPDX-License-Identifier: Apache-2.0
//
// What tells runs apart: those of one configuration are one history.

// Host names are not recorded; a machine is known by --benchmark_context=machine=NAME, else by its processor.
const machineOf = ({machine, cpu_model: model, cpu_family: family, num_cpus: cpus}) =>
  machine ?? `${model} ${family}, ${cpus} CPUs`;

// "GNU" of "GNU 12.2.0", as CMake names compilers. A newer version goes on with the history of its family.
const compilerFamilyOf = ({compiler}) => compiler.split(' ')[0];

export const configurationOf = (context) => ({
  machine: machineOf(context),
  target: context.target,
  threads: context.threads,
  executor: context.executor,
  compiler_family: compilerFamilyOf(context),
});
