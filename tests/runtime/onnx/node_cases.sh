#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# node_cases.sh PYTHON NODE_CASES FOLDER [xnnpack]: generates ONNX's node tests for the ops in supported_ops.txt into
# FOLDER and runs them, by that delegate where it can. Skipped (77) where Debian's python3-onnx is missing.
set -euo pipefail

python="$1" program="$2" folder="$3"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
if ! "$python" -c 'import numpy, onnx' 2>/dev/null; then
  echo "no onnx for $python (Debian: python3-onnx)"
  exit 77
fi
rm -rf "$folder"
mkdir -p "$folder"
mapfile -t ops < <(sed -n 's/^\([A-Za-z0-9]\+\).*/\1/p' "$here/supported_ops.txt")
diff <(printf '%s\n' "${ops[@]}") <("$program" --ops) || { echo "^ supported_ops.txt against the importer's" && exit 1; }
"$python" "$here/node_cases.py" "$folder" "${ops[@]}"
"$python" "$here/quantized_models.py" "$folder"
"$program" "$folder" "$here" "${@:4}"
