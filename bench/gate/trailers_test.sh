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
two="$(commit "Two" $'Perf-Accept: a/1 first\nPerf-Accept: b/2\tsecond')"
three="$(commit "Three" 'Perf-Accept: c/3')"

date=2026-01-02T02:04:05Z
expected="$two	$date	a/1	first
$two	$date	b/2	second
$one	$date	t2d/*	a \"quoted\" reason with \\"
[[ "$("$tools/accepted.sh" HEAD 2>messages)" == "$expected" ]] || fail "accepted: $("$tools/accepted.sh" HEAD)"
[[ "$(<messages)" == *"$three: Perf-Accept: c/3: left out, it gives no reason" ]] || fail "messages: $(<messages)"
[[ "$("$tools/accepted.sh" "$one..$two" | wc -l)" == 2 ]] || fail "the range does not count"

if ! command -v node >/dev/null; then
  echo "trailers_test: passed; without node annotate.sh is not tested"
  exit 0
fi

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

# However it is laid out.
by_hand='{"date": "2026-11-21T12:00:00Z", "commit": "0123456789ab", "cases": "nchw2nhwc/*/1", "reason": "smaller code"}'
for layout in "[$by_hand]" "[${by_hand//, /,$'\n'}]"; do
  echo "$layout" >list.json
  "$tools/annotate.sh" list.json
  [[ "$(head -n 2 list.json)" == "["$'\n'" $by_hand," ]] || fail "laid out by hand: $(<list.json)"
done

echo '[{' >list.json
! "$tools/annotate.sh" list.json 2>messages || fail "took what is no JSON"
[[ "$(<messages)" == *list.json:* && "$(<list.json)" == '[{' ]] || fail "no JSON: $(<messages)"

echo "trailers_test: passed"
