#!/bin/bash
# make bench-replay: traces replayed on less memory than they were recorded on, and
# under other policies, beside live runs with these settings.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: replay.sh BENCH UMMGR PROFILES
#   BENCH     the built bench directory, with instrumented programs in trace/; work
#             goes to replay/work there
# ONLY="mvt bfs": these programs.  OVER="fits 15": data beyond memory, in per cent, or `fits'.
# POLICIES="um rdm".  KERNELS="ptx host".  SIZE=4M.  MACHINE=v100-nvlink2.  SCALE=64.
#
# A row a program, source of accesses, policy and size of memory: live seconds, faults,
# batches and bytes in; the replay's in parts of those; and how many seconds the replay
# and the live run took of the clock.

set -u -o pipefail
export LC_ALL=C OMP_NUM_THREADS=1
bench=$1
ummgr=$2
export UMMGR_PROFILE_PATH=$3
work=$bench/replay/work
machine=(--profile="${MACHINE:-v100-nvlink2}" --scale="1/${SCALE:-64}")
mkdir -p "$work"

die ()
{
  echo "bench-replay: $*" >&2
  exit 1
}

# live NAME OPTIONS... -- PROGRAM: its counters to $work/NAME.json.
live ()
{
  local name=$1
  shift
  "$ummgr" run -q --gpu=sim "${machine[@]}" --fidelity=access \
    --stats="$work/$name.json" "$@" --unified --no-check --size="${SIZE:-4M}" \
    >"$work/out" 2>"$work/err" || die "$*: $(tail -n 2 "$work/err")"
}

# numbers FILE FIELD...: each as it stands there first; totals are before devices'.
numbers ()
{
  local file=$1 field
  shift
  for field; do
    sed -n "s/^ *\"$field\": \([0-9.e+-]*\),\{0,1\}$/\1/p" "$file" | head -n 1
  done | tr '\n' ' '
}

row ()
{
  local program=$1 kernels=$2 policy=$3 over=$4 path=$5 memory options
  memory=$(($(numbers "$work/fits.json" device_peak_bytes)* 100 / (100 + ${over/fits/0}) / 131072 * 131072))
  options=(--policy="$policy")
  [ "$over" = fits ] || options+=(--device-mem="$memory")
  local start=$EPOCHREALTIME
  live live "${options[@]}" --kernels="$kernels" -- "$path"
  local ran=$((${EPOCHREALTIME/./} - ${start/./}))
  start=$EPOCHREALTIME
  "$ummgr" replay --json "${machine[@]}" "${options[@]}" "$work/fits.ummt" \
    >"$work/replay.json" 2>"$work/err" || die "$program: $(tail -n 2 "$work/err")"
  local took=$((${EPOCHREALTIME/./} - ${start/./}))
  echo "$program $kernels $policy $over" \
    "$(numbers "$work/live.json" model_seconds gpu_faults fault_batches h2d_bytes d2h_bytes)" \
    "$(numbers "$work/replay.json" model_seconds gpu_faults fault_batches h2d_bytes d2h_bytes)" \
    "$took $ran" | awk '
    function part (a, b) { return b > 0 ? sprintf ("%.3f", a / b) : a > 0 ? "more" : "1.000" }
    { printf "| %s | %s | %s | %s | %.4g | %d | %d | %.2f | %s | %s | %s | %s | %s | %.2f | %.2f |\n",
	$1, $2, $3, $4, $5 * 1e3, $6, $7, $8 / 1e6, part($10, $5), part($11, $6),
	part($12, $7), part($13, $8), part($14, $9), $15 / 1e6, $16 / 1e6 }'
}

echo "| program | accesses | policy | over | ms | faults | batches | MB in | replay: s | faults | batches | in | out | took | live |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
for kernels in ${KERNELS:-ptx host}; do
  for program in ${ONLY:-stencil mvt bicg 2dconv hotspot srad bfs spmv}; do
    # The GPU's own code, too: only instrumented programs report what the host does.
    path=$bench/trace/$program
    rm -f "$work/fits.ummt"
    start=$EPOCHREALTIME
    live fits --policy=um --kernels="$kernels" --trace="$work/fits.ummt" -- "$path"
    echo "$program $kernels: recorded in $((${EPOCHREALTIME/./} - ${start/./})) us," \
      "$(stat -c %s "$work/fits.ummt") bytes" >&2
    for policy in ${POLICIES:-um lru rdm}; do
      for over in ${OVER:-fits 15 30 50}; do
	row "$program" "$kernels" "$policy" "$over" "$path" || exit 1
      done
    done
  done
done | tee "$work/rows"
