#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# annotate.sh [FILE]: adds the slowdowns that commits in the history of HEAD announce (Perf-Accept) to the list in
# results/annotations.json, and writes it with one line per entry. Entries that are in the list stay, and a commit that
# one of them names is not added again. Needs node.
set -euo pipefail

tools="$(dirname "${BASH_SOURCE[0]}")"
file="$(realpath -m "${1:-$tools/../../results/annotations.json}")"

"$tools/accepted.sh" HEAD | tac | node -e '
  const {existsSync, readFileSync, writeFileSync} = require("node:fs");
  const file = process.argv[1];

  const readList = () => {
    try {
      const list = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
      if (Array.isArray(list)) return list;
      console.error(`annotate.sh: ${file}: must be a list`);
    } catch (error) {
      console.error(`annotate.sh: ${file}: ${error.message}`);
    }
    process.exit(1);
  };

  const lineOf = (entry) =>
    ` {${Object.entries(entry)
      .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(", ")}}`;

  const list = readList();
  const known = new Set(list.map(({commit}) => commit));
  const announced = readFileSync(0, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"))
    .filter(([commit]) => !known.has(commit))
    .map(([commit, date, cases, reason]) => ({date, commit, cases, reason}));
  const lines = [...list, ...announced].map(lineOf);
  writeFileSync(file, lines.length ? `[\n${lines.join(",\n")}\n]\n` : "[]\n");
' "$file"
