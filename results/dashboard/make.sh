#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing (nodejs and npm by apt, uPlot by npm) and makes the dashboard: build/dashboard.html, one file
# that needs no network. Arguments go to build.mjs: --results=FOLDER, --out=FILE, --commit-url=ADDRESS
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
command -v npm >/dev/null || bash ../../.ci/apt.sh nodejs npm
npm ci --omit=dev --no-audit --no-fund
node build.mjs "$@"
