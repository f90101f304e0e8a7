#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing (apt), builds the release preset, runs the quick suite, prints the table and records the run
# in results/. Arguments go to dimorder-bench: bench/run.sh --suite=standard --threads=4 --benchmark_filter=^t2d/
# With --peers it installs other libraries and times them, too; with --peers=all also libtorch, which is large.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
packages=(cmake ninja-build g++ pkg-config libhwy-dev libbenchmark-dev libgtest-dev libgmock-dev)
suite=quick
for argument in "$@"; do
  case "$argument" in
    --suite=*) suite="${argument#--suite=}" ;;
    --peers | --peers=all) packages+=(libeigen3-dev libopenblas-dev libdnnl-dev) ;;&
    --peers=all) packages+=(libtorch-dev) ;;
  esac
done
bash .ci/apt.sh "${packages[@]}"

export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
cmake --preset release
cmake --build --preset release --parallel "$(nproc)" --target dimorder-bench

# results/<time>-<commit>-<suite>.json, which lies in the build folder until it is whole. Calls that measure nothing and
# those with a --benchmark_out of their own write none.
commit="$(git describe --always --dirty --exclude '*' 2>/dev/null || echo unknown)"
record="$(date -u +%Y%m%dT%H%M%SZ)-$commit-$suite.json"
unfinished="build/release/$record"
rm -f "$unfinished"

status=0
build/release/bench/dimorder-bench --benchmark_out="$unfinished" --benchmark_out_format=json "$@" || status=$?
if ((status <= 1)) && [[ -s "$unfinished" ]]; then  # 1: all was timed, but some rows failed
  mv "$unfinished" results/
  echo
  echo "Recorded in results/$record"
fi
exit "$status"
