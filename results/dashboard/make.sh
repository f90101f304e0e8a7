#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing (nodejs and npm by apt, uPlot by npm) and makes the dashboard: build/dashboard.html, one file
# that needs no network. Arguments go to build.mjs: --results=FOLDER, --out=FILE, --commit-url=ADDRESS
set -euo pipefail

dashboard="$(dirname "${BASH_SOURCE[0]}")"
command -v npm >/dev/null || bash "$dashboard/../../.ci/apt.sh" nodejs npm
(cd "$dashboard" && npm ci --omit=dev --no-audit --no-fund)
node "$dashboard/build.mjs" "$@"
