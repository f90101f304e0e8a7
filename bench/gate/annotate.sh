#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# annotate.sh [FILE]: adds the slowdowns that commits in the history of HEAD announce (Perf-Accept) to the list in
# results/annotations.json, one line each. A commit that is in the list already stays as it is there.
set -euo pipefail

file="$(realpath -m "${1:-$(dirname "${BASH_SOURCE[0]}")/../../results/annotations.json}")"
known="$(grep -E '^ *\{' "$file" 2>/dev/null | sed -E 's/, *$//' || true)"

entries="$known"
while IFS=$'\t' read -r commit date glob reason; do
  [[ "$known" != *"\"commit\": \"$commit\""* ]] || continue
  entries+="${entries:+$'\n'} {\"date\": \"$date\", \"commit\": \"$commit\", \"cases\": \"$glob\", \"reason\": \"$reason\"}"
done < <("$(dirname "${BASH_SOURCE[0]}")/accepted.sh" HEAD | sed 's/[\\"]/\\&/g' | tac)

{
  echo '['
  sed '$!s/$/,/' <<<"$entries"
  echo ']'
} | sed '/^$/d' >"$file.new"
mv "$file.new" "$file"
