#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# self_test.sh [TRIALS]: does the gate pass what is the same, and find what is slower? Builds libraries that are slower on
# purpose (bench/gate/variants) and judges each with several seeds; 5 trials of each by default. Run it under load, too,
# and after tests/run.sh, whose library it looks into.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
trials="${1:-5}"
out="build/gate/self_test"
failures=0 inconclusive=0 runs=0

# gate SEED [ARGUMENT...]: one run, head against the same revision; its exit code.
gate() {
  local seed="$1" code=0
  shift
  bench/gate.sh --base HEAD --head HEAD --seed "$seed" --out "$out" "$@" >"$out.log" 2>&1 || code=$?
  runs=$((runs + 1))
  grep -q '^## dimorder gate: inconclusive' "$out.log" && inconclusive=$((inconclusive + 1))
  return "$code"
}

# check WHAT CONDITION...
check() {
  local what="$1"
  shift
  if "$@"; then
    echo "ok      $what"
  else
    echo "FAILED  $what; the last run said:"
    cat "$out.log"
    failures=$((failures + 1))
  fi
}

# passes RUNS [ARGUMENT...]
passes() {
  local most="$1" seed
  shift
  for ((seed = 1; seed <= most; ++seed)); do gate "$seed" "$@" || return 1; done
}

# finds LEAST VARIANT CASE [ARGUMENT...]: whether at least that many trials fail and name the case.
finds() {
  local least="$1" variant="$2" case="$3" seed code found=0
  shift 3
  : >"$out.blamed"
  for ((seed = 1; seed <= trials; ++seed)); do
    code=0
    gate "$seed" --head-option "-DDIMORDER_GATE_VARIANT=$variant" "$@" || code=$?
    grep '| regression |' "$out.log" >>"$out.blamed" || true
    if ((code == 1)) && grep -q "^| \`$case\` | regression" "$out.log"; then found=$((found + 1)); fi
  done
  ((found >= least))
}

# Whether no case beside those that match was blamed in the runs of the last `finds`.
blames_only() { ! grep -Ev "^\| \`($1)\`" "$out.blamed"; }

# cases_whose_plan HAS: of the last run, joined by |.
cases_whose_plan() { sed -n "s/.*\"case\": \"\([^\"]*\)\".*\"head_plan\": \"[^\"]*$1.*/\1/p" "$out/gate.json" | paste -sd'|'; }

has_hook() { [[ "$(nm -C "$1")" == *dimorder_gate* ]]; }
# A library that is missing, empty or stripped does not show it.
lacks_hook() { [[ "$(nm -C "$1")" == *dimorder::* ]] && ! has_hook "$1"; }
# The library of the last run's head.
head_library() { echo "$(sed -n 's/.*--head=[^,]*,[^,]*,//p' "$out/arguments")/layouts/1.so"; }

# The last run's builds again, with all slowdowns announced.
accepts() {
  local arguments base
  mapfile -t arguments <"$out/arguments"
  base="$(sed -n 's/^--base=[^,]*,\([^,]*\),.*/\1/p' "$out/arguments")"
  printf '%s\t0123456789ab\t2026-01-01T00:00:00Z\t%s\t%s\n' "$base" 't2d/256x256/*' 'on purpose' >"$out/accepted"
  build/release/bench/dimorder-gate "${arguments[@]}" --filter=t2d/256x256/ --accepted="$out/accepted" >"$out.log" &&
    grep -q '| accepted |.* accepted by 0123456789ab: on purpose' "$out.log"
}

keeps_budget() {
  local began=$SECONDS
  gate 1 --no-skip --budget 20 && ((SECONDS - began <= 30))
}

mkdir -p "$out"
most=$((trials * 4 / 5))
check "identical libraries pass" passes $((4 * trials)) --no-skip
check "code that moved is recognized" passes "$trials" --head-option -DDIMORDER_GATE_VARIANT=padding:48
check "code that moved passes when it is timed" passes "$trials" --head-option -DDIMORDER_GATE_VARIANT=padding:48 --no-skip
check "a walk slower by 10 % is found" finds "$trials" walk:100 t2d/1000x1000/2
check "and only in plans that have loops" blames_only "$(cases_whose_plan ' loops ')"
check "a hook is in the library that was slowed" has_hook "$(head_library)"
check "a kernel slower by 10 % is found" finds "$trials" kernel:100 t2d/256x256/4
tiles="$(cases_whose_plan 'Tile[0-9]')"
check "and only where that kernel runs" blames_only "$tiles"
check "and not where it was announced" accepts
check "a slower plan-cache lookup is found" finds "$trials" lookup:24 oneshot/nchw2nhwc/1x8x4x4/4
check "and only there" blames_only "oneshot/.*"
check "a walk slower by 5 % is mostly found" finds "$most" walk:50 t2d/256x256/8
check "the budget is kept" keeps_budget
check "no hook is in the library that is installed" lacks_hook build/release/libdimorder.so
check "at most 1 run in 16 is inconclusive" test $((inconclusive * 16)) -le "$runs"
echo "$runs runs of the gate in $SECONDS s, $inconclusive inconclusive; $failures failures"
((failures == 0))
