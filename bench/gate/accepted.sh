#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# accepted.sh RANGE: the slowdowns that commits announce, newest first. One line for each trailer
# "Perf-Accept: GLOB REASON", of four fields between tabs: commit, date, glob, reason. A trailer without a reason
# announces nothing: it is left out, with a message.
set -euo pipefail

TZ=UTC git log --abbrev=12 --date=format-local:%Y-%m-%dT%H:%M:%SZ \
  --format='%h%x1D%cd%x1D%(trailers:key=Perf-Accept,valueonly,unfold,separator=%x1E)' "$1" -- |
  awk -F'\035' '{
    count = split($3, values, "\036")
    for (i = 1; i <= count; ++i) {
      glob = reason = values[i]
      sub(/[ \t].*/, "", glob)
      sub(/^[^ \t]*[ \t]*/, "", reason)
      gsub(/\t/, " ", reason)
      if (reason == "") {
        print "accepted.sh: commit " $1 ": Perf-Accept: " glob ": left out, it gives no reason" >"/dev/stderr"
        continue
      }
      print $1 "\t" $2 "\t" glob "\t" reason
    }
  }'
