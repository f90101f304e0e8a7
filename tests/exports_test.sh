#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# exports_test.sh NM LIBRARY...: fails when a shared library exports a name that is not ours, like an instance of a
# template of the standard library, which another library in the process would then be bound to.
set -euo pipefail

ours='^(dimorder::|(non-virtual thunk to|guard variable for|(typeinfo|vtable)( name)? for) dimorder::|dimorder_)'
nm="$1"
shift
wrong=0
for library in "$@"; do
  names="$("$nm" -DC --defined-only "$library" | sed -E 's/^[0-9a-f]* *[A-Za-z] //')"
  if [[ -z "$names" ]]; then
    echo "$(basename "$library") exports nothing" >&2
    wrong=1
  fi
  foreign="$(grep -vE "$ours" <<<"$names" || true)"
  if [[ -n "$foreign" ]]; then
    echo "$(basename "$library") exports $foreign" >&2
    wrong=1
  fi
  echo "$(basename "$library"): $(wc -l <<<"$names") names"
done
exit "$wrong"
