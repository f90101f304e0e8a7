#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# baseline_test.sh DIRECTORY: gate.sh where results/baseline names no commit, in a repository made for it in DIRECTORY.
set -euo pipefail

source="$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")"
rm -rf "$1"
mkdir -p "$1/bench" "$1/.ci" "$1/results"
cd "$1"
cp "$source/bench/gate.sh" bench
cp "$source/.ci/apt.sh" .ci
echo '# No commit yet.' >results/baseline
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git init -q -b main .
for message in first second; do git commit -q --allow-empty -m "$message"; done

code=0
message="$(bench/gate.sh 2>&1)" || code=$?
if [[ "$code $message" != "2 gate: results/baseline names no commit" ]]; then
  echo "baseline_test: exit code $code: $message" >&2
  exit 1
fi
echo "baseline_test: passed"
