#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run_test.sh DIRECTORY: what run.sh records, in a tree made for it in DIRECTORY. Nothing is installed or built there,
# and dimorder-bench is a script that does what its argument --play says.
set -euo pipefail

source="$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")"
rm -rf "$1"
mkdir -p "$1"/{bench,.ci,results,bin,build/release/bench}
cd "$1"
cp "$source/bench/run.sh" bench
printf '#!/bin/sh\n' | tee .ci/apt.sh >bin/cmake
cat >build/release/bench/dimorder-bench <<'END'
#!/usr/bin/env bash
for argument in "$@"; do
  case "$argument" in
    --benchmark_out=*) out="${argument#*=}" ;;
    --play=*) play="${argument#*=}" ;;
  esac
done
eval "$play"
END
chmod +x bin/cmake build/release/bench/dimorder-bench
export PATH="$PWD/bin:$PATH"

# check STATUS RECORDED PLAY [ARGUMENT...]: whether run.sh ends with that status and records that text, or nothing, and
# says so.
check() {
  local expected="$1 $2" play="$3" status=0 said recorded
  shift 3
  rm -f results/*
  said="$(bench/run.sh --suite=full --play="$play" "$@" 2>errors)" || status=$?
  recorded="$(cat results/*-full.json 2>/dev/null)" || true
  [[ "$status $recorded" == "$expected" && "$said" == "${recorded:+$'\n'Recorded in $(echo results/*)}" ]] && return
  echo "run_test: $play $*: exit status $status, recorded '$recorded', said '$said'" >&2
  cat errors >&2
  exit 1
}

check 0 whole 'echo whole >"$out"'
check 1 'rows failed' 'echo rows failed >"$out"; exit 1'
check 137 '' 'echo half >"$out"; kill -KILL $$'
check 0 '' 'true'
check 2 '' 'echo half >"$out"; exit 2'
check 0 '' 'echo elsewhere >"$out"' --benchmark_out=own.json
[[ "$(cat own.json)" == elsewhere ]]
echo "run_test: passed"
