#!/bin/bash
# make bench-report: what a report of a large trace takes.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: report.sh BENCH UMMGR
#   BENCH     the built bench directory: trace/big and trace/clock; results go
#             there
#   UMMGR     the ummgr command
# RUNS=N sets how often the report is made (default 3); BYTES=N how large the
# trace is (default 1000000000), OBJECTS=N of how many objects (default 10000).

set -u -o pipefail
export LC_ALL=C

bench=$1
ummgr=$2
runs=${RUNS:-3}
work=$bench/work
trace=$work/big.ummt

die()
{
  echo "bench-report: $*" >&2
  exit 1
}

# word NAME LINE: the value of NAME=VALUE in LINE.
word()
{
  sed -n "s/.* $1=\([^ ]*\).*/\1/p" <<<"$2"
}

mkdir -p "$work" || die "can't make $work"
trap 'rm -f "$trace" "$work/report.txt"' EXIT
big=$("$bench/trace/big" "$trace" "${BYTES:-1000000000}" "${OBJECTS:-10000}") \
  || die "can't make $trace: see above; is there room for it?"

: >"$work/times"
for ((i = 0; i < runs; i++)); do
  "$bench/trace/clock" "$ummgr" report "$trace" >"$work/report.txt" \
    2>"$work/messages" || die "no report of $trace: $(cat "$work/messages")"
  sed -n 's/^clock //p' "$work/messages" >>"$work/times"
done
accesses=$(word accesses "$big")
grep -q " $accesses accesses recorded" "$work/report.txt" \
  || die "the report does not count the $accesses accesses of the trace"

# The median of the runs' seconds, and the most memory.
taken=$(sort -t = -k 2 -g "$work/times" | awk '
  { for (i = 1; i <= NF; i++) { split($i, w, "="); v[NR, w[1]] = w[2] }
    if (most < v[NR, "memory"]) most = v[NR, "memory"] }
  END {
    m = int((NR + 1) / 2)
    s = NR % 2 ? v[m, "seconds"] : (v[m, "seconds"] + v[m + 1, "seconds"]) / 2
    printf "report_seconds=%.3f report_mib=%.1f", s, most / 1048576
  }')
{
  awk -v big="${big#big }" '{ print "row table=report run=" NR, $0, big }' \
    "$work/times"
  echo "summary $taken report_records=$(word records "$big")"
} >"$work/report.lines"
printf '%12s %12s %8s %10s %10s\n' 'trace bytes' records objects seconds MiB
printf '%12s %12s %8s %10s %10s\n' "$(word bytes "$big")" \
  "$(word records "$big")" "$(word objects "$big")" \
  "$(word report_seconds " $taken")" "$(word report_mib " $taken")"
"$bench/collect" --name=report --output="$bench/report.json" \
  <"$work/report.lines" || exit 1
echo "rows and summary: $bench/report.json"
