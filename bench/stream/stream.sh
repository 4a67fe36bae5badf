#!/bin/bash
# make bench-stream: regions whose data doesn't fit, in slices (ummgr run --stream=on), beside the
# policies that use it where it is, or bring it by demand.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: stream.sh BENCH UMMGR PROFILES SOURCE
#   BENCH     the built bench directory, with programs in policies/; work goes to
#             stream/work there, the table's figures to stream.json
#   SOURCE    the directory of bench/, for jobs.sh and stream/programs.txt, which has the
#             programs and their data
# ONLY="vadd stencil": these programs.  TIMES="1.5 2 4": data in parts of the memory.
# MACHINES="h200-pcie5 v100-nvlink2".  JOBS=N: so many runs at once.
#
# A row a program, machine and size: modelled seconds (elapsed) of the best policy without slices,
# with its best options, and with slices; how many times as fast that is; what goes over the link.

set -u -o pipefail
export LC_ALL=C
target=bench-stream
bench=$1
ummgr=$2
export UMMGR_PROFILE_PATH=$3
source=$4
work=$bench/stream/work
# shellcheck source=bench/jobs.sh
. "$source/jobs.sh"
rm -rf "$work"
mkdir -p "$work" || exit 1

# What a user would try.
ways=(um prefetch host lru 'rdm --partial=off' 'lru --partial=on' rdm 'rdm --stream=on')

while read -r program arguments; do
  for machine in ${MACHINES:-h200-pcie5 v100-nvlink2}; do
    base=$work/$program-$machine
    # Arguments are words.
    # shellcheck disable=SC2086
    simulated "$base" --profile="$machine" --policy=um -- "$bench/policies/$program" $arguments </dev/null
    [ "$(cat "$base.status")" = 0 ] || die "$program: see $base.err"
    peak=$(figure "$base.json" device_peak_bytes)
    for times in ${TIMES:-2 4}; do
      memory=$(awk -v p="$peak" -v t="$times" 'BEGIN { printf "%.0f", int(p / t / 131072) * 131072 }')
      progress "$program, $machine, $times times the memory"
      for way in "${ways[@]}"; do
	name=$base-$times-${way// /}
	echo "$program $machine $times $name $way" >>"$work/runs"
	wait_for_core
	# shellcheck disable=SC2086
	simulated "$name" --profile="$machine" --device-mem="$memory" --policy=$way -- \
	  "$bench/policies/$program" $arguments </dev/null &
      done
    done
  done
done < <(awk -v of=" ${ONLY:-} " '/^[^#]/ && (of == "  " || index(of, " " $1 " "))' \
  "$source/stream/programs.txt")
wait

while read -r program machine times name way; do
  status=$(cat "$name.status")
  [ "$status" = 0 ] || die "$program, $way: status $status, see $name.err"
  echo "$program $machine $times ${way// /,} $(figure "$name.json" elapsed_seconds)" \
    "$(figure "$name.json" h2d_bytes) $(figure "$name.json" remote_bytes)" \
    "$(figure "$name.json" launches)"
done <"$work/runs" >"$work/rows"

progress_done
awk -v json="$bench/stream.json" '
  function flush (	sliced) {
    if (key == "")
      return
    sliced = best / slices
    printf "| %s | %s | %s | %s | %.4g | %.4g | %.2f | %.4g | %.4g | %d |\n", p, m, t, who, best * 1e3,
      slices * 1e3, sliced, far / 1e6, into / 1e6, launches
    sum[m] += log(sliced); n[m]++
    if (!(m in worst) || sliced < worst[m])
      worst[m] = sliced
  }
  BEGIN {
    print "| program | machine | data over memory | best without | ms | in slices, ms | faster | remote, MB | in, MB | launches |"
    print "|---|---|---|---|---|---|---|---|---|---|"
  }
  $1 " " $2 " " $3 != key { flush(); key = $1 " " $2 " " $3; p = $1; m = $2; t = $3; best = 0 }
  $4 ~ /stream/ { slices = $5; into = $6; far = $7; launches = $8; next }
  !best || $5 < best { best = $5; who = $4; gsub(/,/, " ", who) }
  END {
    flush()
    printf "{\n \"summary\": {" > json
    for (m in n) {
      printf "%s: %.2f in the mean, %.2f at worst\n", m, exp(sum[m] / n[m]), worst[m]
      printf "%s\n  \"%s\": { \"over_best\": %.4f, \"worst\": %.4f }", k++ ? "," : "", m, exp(sum[m] / n[m]), worst[m] > json
    }
    print "\n }\n}" > json
  }' "$work/rows"
