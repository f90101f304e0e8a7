#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# trailers_test.sh DIRECTORY: accepted.sh and annotate.sh on a repository made for it in DIRECTORY.
set -euo pipefail

tools="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
rm -rf "$1"
mkdir -p "$1"
cd "$1"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_AUTHOR_DATE='2026-01-02T03:04:05+0100' GIT_COMMITTER_DATE='2026-01-02T03:04:05+0100'

fail() {
  echo "trailers_test: $1" >&2
  exit 1
}

commit() { git commit -q --allow-empty -m "$1" -m "${2:-}" && git rev-parse --short=12 HEAD; }

git init -q -b main .
commit "First" >/dev/null
one="$(commit "One" 'Perf-Accept: t2d/* a "quoted" reason with \')"
commit "Talks of Perf-Accept: only" >/dev/null
two="$(commit "Two" $'Perf-Accept: a/1 first\nPerf-Accept: b/2 second')"

date=2026-01-02T02:04:05Z
expected="$two	$date	a/1	first
$two	$date	b/2	second
$one	$date	t2d/*	a \"quoted\" reason with \\"
[[ "$("$tools/accepted.sh" HEAD)" == "$expected" ]] || fail "accepted: $("$tools/accepted.sh" HEAD)"
[[ "$("$tools/accepted.sh" "$one..HEAD" | wc -l)" == 2 ]] || fail "the range does not count"

echo '[]' >list.json
"$tools/annotate.sh" list.json
expected="[
 {\"date\": \"$date\", \"commit\": \"$one\", \"cases\": \"t2d/*\", \"reason\": \"a \\\"quoted\\\" reason with \\\\\"},
 {\"date\": \"$date\", \"commit\": \"$two\", \"cases\": \"b/2\", \"reason\": \"second\"},
 {\"date\": \"$date\", \"commit\": \"$two\", \"cases\": \"a/1\", \"reason\": \"first\"}
]"
[[ "$(<list.json)" == "$expected" ]] || fail "annotations: $(<list.json)"

# Once only, and what others wrote stays.
sed -i "2i\ {\"date\": \"$date\", \"commit\": \"0123456789ab\", \"cases\": \"*\", \"reason\": \"by hand\"}," list.json
cp list.json before.json
"$tools/annotate.sh" list.json
cmp before.json list.json || fail "the second run changed the list"

echo "trailers_test: passed"
