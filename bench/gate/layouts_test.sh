#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# layouts_test.sh DIRECTORY: link_layouts of gate.sh in DIRECTORY, with stand-ins for ninja and the linker.
set -euo pipefail

eval "$(sed -n '/^link_layouts() {$/,/^}$/p' "$(dirname "${BASH_SOURCE[0]}")/../gate.sh")"

fail() {
  echo "layouts_test: $1" >&2
  exit 1
}

ninja() { echo "$ninja_says"; }
# linker -shared -o LIBRARY OBJECT...: writes what it was to link, and fails at the third library if $breaks.
linker() {
  [[ -z "${breaks:-}" || "$3" != layouts/3.so ]] || return 1
  echo "${@:4}" >"$3"
}
export -f linker

# links: whether link_layouts succeeds, called as gate.sh calls it.
links() {
  rm -rf "$directory"
  mkdir -p "$directory"
  true && (link_layouts "$directory") >"$directory/log" 2>&1 || return 1
}

directory="$1"
ninja_says=$'c++ -c a.cc\n: && linker -shared -o libdimorder.so a.o b.o c.o d.o -lm && :'
links || fail "a link that works: $(<"$directory/log")"
libraries=("$directory"/layouts/*.so)
((${#libraries[@]} == 16)) || fail "${#libraries[@]} libraries"
(($(sort -u "${libraries[@]}" | wc -l) > 1)) || fail "all have the same order"
for library in "${libraries[@]}"; do
  [[ "$(tr ' ' '\n' <"$library" | sort | paste -sd' ')" == "-lm a.o b.o c.o d.o" ]] || fail "links $(<"$library")"
done

! breaks=1 links || fail "a link that fails passes"
ninja_says='c++ -c a.cc'
! links || fail "no link passes"
[[ "$(<"$directory/log")" == "ninja names no command"* ]] || fail "message: $(<"$directory/log")"

echo "layouts_test: passed"
