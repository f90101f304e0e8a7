#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing (git, nodejs, npm and chromium by apt, the packages of the lock file by npm), runs the tests:
# the recorded files against the schema, the exports against their formats, the page in headless Chromium.
# CHROMIUM=/path/to/browser takes another browser than Debian's.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
packages=()
command -v git >/dev/null || packages+=(git)
command -v npm >/dev/null || packages+=(nodejs npm)
[[ -n "${CHROMIUM:-}" ]] || packages+=(chromium fonts-dejavu-core)
((${#packages[@]} == 0)) || bash ../../.ci/apt.sh "${packages[@]}"
npm ci --no-audit --no-fund
npm test
