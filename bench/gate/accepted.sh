#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# accepted.sh RANGE: the slowdowns that commits announce, newest first. One line for each trailer
# "Perf-Accept: GLOB REASON", of four fields between tabs: commit, date, glob, reason.
set -euo pipefail

TZ=UTC git log --abbrev=12 --date=format-local:%Y-%m-%dT%H:%M:%SZ \
  --format='%h%x09%cd%x09%(trailers:key=Perf-Accept,valueonly,unfold,separator=%x1E)' "$1" -- |
  awk -F'\t' '{
    count = split($3, values, "\036")
    for (i = 1; i <= count; ++i) {
      glob = values[i]
      sub(/[ \t].*/, "", glob)
      reason = substr(values[i], length(glob) + 2)
      gsub(/\t/, " ", reason)
      print $1 "\t" $2 "\t" glob "\t" reason
    }
  }'
