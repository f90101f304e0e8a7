#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing (apt), builds the release preset with warnings as errors, and runs the tests.
# Arguments go to ctest: tests/run.sh -L unit, tests/run.sh -R sweep, ...
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
packages=(cmake ninja-build g++ pkg-config libhwy-dev libbenchmark-dev libgtest-dev libgmock-dev)
packages+=(libonnx-dev libprotobuf-dev python3-onnx libxnnpack-dev libpthreadpool-dev)
command -v node >/dev/null || packages+=(nodejs)
bash .ci/apt.sh "${packages[@]}"

export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
jobs="$(nproc)"
cmake --preset release
cmake --build --preset release --parallel "$jobs"
ctest --preset release --parallel "$jobs" "$@"
