#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# node_cases.sh PYTHON NODE_CASES FOLDER [xnnpack]: generates ONNX's node tests into FOLDER and runs them, by that
# delegate where it can. Skipped (77) where Debian's python3-onnx is missing.
set -euo pipefail

python="$1" program="$2" folder="$3"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
if ! "$python" -c 'import numpy, onnx' 2>/dev/null; then
  echo "no onnx for $python (Debian: python3-onnx)"
  exit 77
fi
rm -rf "$folder"
mkdir -p "$folder"
mapfile -t ops < <("$program" --ops)
"$python" "$here/node_cases.py" "$folder" "${ops[@]}"
"$python" "$here/quantized_models.py" "$folder"
"$program" "$folder" "$here/known_cases.txt" "${@:4}"
