#!/bin/bash
# make bench-trace: what tracing finds in the programs, and what it costs.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: trace.sh BENCH UMMGR STAGE PROFILES SOURCE
#   BENCH     the built bench directory: plain programs there, instrumented
#             ones in trace/; results go there
#   UMMGR     the ummgr command
#   STAGE     the staged lib directory
#   PROFILES  directory of the simulator's profiles
#   SOURCE    the directory of this script
# RUNS=N sets how often each of the timed runs is repeated (default 5);
# ONLY=findings, ONLY=cost or ONLY=light does one part, and writes no summary file.

set -u -o pipefail
export LC_ALL=C
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}

bench=$1
ummgr=$2
stage=$3
profiles=$4
source=$5
runs=${RUNS:-5}
only=${ONLY:-}
work=$bench/trace/work
html=$bench/trace
lines=$work/lines
status=0

die()
{
  echo "bench-trace: $*" >&2
  exit 1
}

# median: of the numbers on standard input.
median()
{
  sort -g | awk '{ v[NR] = $1 } END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# --- findings ----------------------------------------------------------------

# traced PROGRAM RUN OPTIONS -- ARGUMENTS: a run on the simulated driver, its
# statistics, trace and findings in $work.
traced()
{
  local program=$1 run=$2 base=$work/$1-$2 options=()
  shift 2
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  OMP_NUM_THREADS=2 "$ummgr" run -q --gpu=sim --profile=v100-nvlink2 \
    --trace="$base.ummt" --stats="$base.stats.json" "${options[@]}" -- \
    "$bench/trace/$program" "$@" >"$base.out" \
    || die "$program $run: fails when traced (see $base.out)"
  "$ummgr" report "${report_options[@]}" --json "$base.ummt" >"$base.json" \
    || die "$program $run: no report of its trace"
  echo "$program $run" >>"$work/runs"
  applied "$program" "$base" "$@"
}

# applied PROGRAM BASE ARGUMENTS: for each remedy that a replay proposes by itself, a run with it,
# and with traced's OPTIONS: lines `REMEDY SECONDS' in BASE.applied.
applied()
{
  local program=$1 base=$2 remedy
  shift 2
  : >"$base.applied"
  sed -n '/"kind": "unadvised"/,/"change"/ s/.*--apply=\([^";]*\)".*/\1/p' "$base.json" \
    | while IFS= read -r remedy; do
      OMP_NUM_THREADS=2 "$ummgr" run -q --gpu=sim --profile=v100-nvlink2 --apply="$remedy" \
	--stats="$base.applied.json" "${options[@]}" -- "$bench/trace/$program" "$@" \
	>"$base.applied.out" </dev/null || die "$program: fails with --apply=$remedy"
      echo "$remedy $(sed -n 's/.*"model_seconds": \([0-9.e-]*\).*/\1/p' "$base.applied.json" | head -n 1)" \
	>>"$base.applied"
    done || exit 1
}

find_all()
{
  local v
  : >"$work/runs"
  report_options=()
  for v in naive remedied; do
    # The hidden layer is large enough for its unused array to be worth a word.
    # Under explicit libgomp allocates, and only its copies would be seen.
    traced backprop $v --policy=um --min-size=1K -- --variant=$v --size=16M \
      --hidden=1024
    traced gaussian $v --policy=explicit -- --variant=$v --order=256
    # The first row is a small part of the matrix.
    report_options=(--cost=0 --share=0)
    traced lud $v --policy=explicit -- --variant=$v --order=256
    report_options=()
    traced pathfinder $v --policy=explicit -- --variant=$v --size=8M \
      --rows=100 --pyramid=20
    # As the paper does: the run as a whole, here in half the memory it takes;
    # then each launch, by blocks of 256 words, since a diagonal has some
    # hundred.
    traced smithwaterman $v-whole --policy=um --scale=1/64 --device-mem=2M -- \
      --variant=$v --unified --n=700 --m=700
    traced smithwaterman $v --policy=um --block=1K -- --variant=$v --unified \
      --marks --n=1000 --m=1000
  done
  traced nn naive --policy=explicit -- --size=8M
  traced cfd naive --policy=explicit -- --size=4M --iterations=2
  for v in naive advise split; do
    traced hydro $v --policy=um -- --variant=$v --unified --marks --side=12 \
      --iterations=10
  done
  "$bench/trace/check" --expected="$source/expected.txt" --work="$work" \
    --output="$lines" < <(sort -s -k1,1 "$work/runs") || status=1
}

# --- pictures ----------------------------------------------------------------

# picture NAME PROGRAM RUN-OPTIONS -- ARGUMENTS: an HTML report of one run.
picture()
{
  local name=$1 program=$2 options=()
  shift 2
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  OMP_NUM_THREADS=2 "$ummgr" run -q --gpu=sim --profile=v100-nvlink2 \
    --trace="$work/$name.ummt" --report="$html/$name.html" \
    "${options[@]}" -- "$bench/trace/$program" "$@" >"$work/$name.out" \
    || die "$program: fails when reported (see $work/$name.out)"
  echo "access maps: $html/$name.html"
}

pictures()
{
  # Figs 7 and 8 of the paper: 20 x 10, after each iteration and as a whole.
  picture smithwaterman-20x10 smithwaterman --policy=um -- --unified --marks \
    --n=20 --m=10
  picture smithwaterman-20x10-whole smithwaterman --policy=um -- --unified \
    --n=20 --m=10
  picture smithwaterman smithwaterman --policy=um -- --unified --n=2000 \
    --m=1500
  # Fig. 10: five launches.
  picture pathfinder pathfinder --policy=explicit --phase=region -- --size=8M \
    --rows=100 --pyramid=20
  # Figs 4 and 5.
  picture hydro hydro --policy=um -- --unified --marks --side=8 --iterations=3
}

# --- cost --------------------------------------------------------------------

# Host only and on one thread: what is measured is the code and the recorder,
# and neither the simulator nor how the threads of a busy machine meet.
# timed FILE COMMAND...: appends `seconds memory' to FILE.
timed()
{
  local file=$1
  shift
  OMP_TARGET_OFFLOAD=disabled OMP_NUM_THREADS=1 UMMGR_LOG=info \
    LD_LIBRARY_PATH="$stage${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
    "$bench/trace/clock" "$@" >"$work/timed.out" 2>"$file.log" \
    || die "fails on the host: $* (see $file.log)"
  sed -n 's/^clock seconds=\(.*\) memory=\(.*\) cpu=.*/\1 \2/p' "$file.log" >>"$file"
}

# column N FILE: the median of the column.
column()
{
  awk -v n="$1" '{ print $n }' "$2" | median
}

# cost PROGRAM ARGUMENTS: medians of interleaved runs of the plain program, and
# of the instrumented one without a trace, with a full one, and with a sample.
cost()
{
  local program=$1 i base=$work/cost-$1 footprint accesses
  shift
  : >"$base.plain"; : >"$base.off"; : >"$base.full"; : >"$base.sampled"
  for ((i = 0; i < runs; i++)); do
    timed "$base.plain" "$bench/$program" --no-check "$@"
    timed "$base.off" "$bench/trace/$program" --no-check "$@"
    UMMGR_TRACE=$base.ummt \
      timed "$base.full" "$bench/trace/$program" --no-check "$@"
    UMMGR_TRACE=$base-64.ummt UMMGR_SAMPLE=64 \
      timed "$base.sampled" "$bench/trace/$program" --no-check "$@"
  done
  footprint=$("$bench/$program" --footprint "$@") || die "$program: no footprint"
  accesses=$(sed -n 's/.*trace: \([0-9]*\) accesses were reported.*/\1/p' \
    "$base.full.log")
  [ -s "$base.ummt" ] || die "$program: no trace in $base.ummt"
  awk -v program="$program" -v plain="$(column 1 "$base.plain")" \
    -v off="$(column 1 "$base.off")" -v full="$(column 1 "$base.full")" \
    -v sampled="$(column 1 "$base.sampled")" -v accesses="${accesses:-0}" \
    -v bytes="$(stat -c %s "$base.ummt")" -v footprint="$footprint" \
    -v more="$(column 2 "$base.full")" -v less="$(column 2 "$base.off")" '
    BEGIN {
      printf "row table=cost program=%s plain_s=%.4f off=%.4f full=%.4f sampled=%.4f accesses=%.0f trace_bytes=%.0f footprint=%.0f memory_more=%.0f\n",
	program, plain, off / plain, full / plain, sampled / plain, accesses,
	bytes, footprint, more - less
    }' >>"$lines"
  rm -f "$base.ummt" "$base-64.ummt"
  tail -n 1 "$lines" | awk '{
    for (i = 1; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] }
    printf "%-14s %8.3f %8.3f %8.2f %8.2f %14.0f %12.0f %10.4f %10.3f\n",
      v["program"], v["plain_s"], v["off"], v["full"], v["sampled"],
      v["accesses"], v["trace_bytes"],
      v["accesses"] ? v["trace_bytes"] / v["accesses"] : 0,
      v["memory_more"] / v["footprint"]
  }'
}

cost_all()
{
  printf '\n%-14s %8s %8s %8s %8s %14s %12s %10s %10s\n' program 'plain s' \
    'off x' 'full x' '1/64 x' accesses 'trace bytes' 'per access' \
    'memory'
  cost backprop --size=32M --iterations=8
  cost cfd --size=4M --iterations=25
  cost gaussian --order=1024
  cost hydro --side=24 --iterations=40
  cost lud --order=1280
  cost nn --size=24M --iterations=40
  cost pathfinder --size=64M --iterations=4
  cost smithwaterman --n=4000 --m=4000
  # Geometric means; bytes per access, and memory per byte of data, of all.
  sed -n 's/^row table=cost //p' "$lines" | awk '
    {
      for (i = 1; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] }
      n++
      off += log(v["off"]); full += log(v["full"]); sampled += log(v["sampled"])
      accesses += v["accesses"]; bytes += v["trace_bytes"]
      more += v["memory_more"]; data += v["footprint"]
    }
    END {
      printf "summary slowdown_full=%.3f slowdown_sampled=%.3f slowdown_off=%.3f",
	exp(full / n), exp(sampled / n), exp(off / n)
      if (accesses > 0)
	printf " trace_bytes_per_access=%.4f", bytes / accesses
      printf " memory_per_traced_byte=%.4f", more / data
      print ""
    }' >"$work/summary" || die "no means"
  cat "$work/summary" >>"$lines"
  printf 'geometric means, and bytes per access of all: %s\n' \
    "$(sed 's/^summary //' "$work/summary")"
}

# --- the cost of copies alone -------------------------------------------------

# least FILE: of the numbers there.
least()
{
  sort -g "$1" | head -n 1
}

# light PROGRAM ARGUMENTS: the processors' time of whole runs on the simulated driver, as
# plain gcc builds the program, without a trace and with one of copies alone; by turns, and
# the least of each: what other programs take of the caches comes on top.
light()
{
  local program=$1 i base=$work/light-$1 way options
  shift
  : >"$base.plain"; : >"$base.light"
  for ((i = 0; i < runs; i++)); do
    for way in plain light; do
      options=()
      [ $way = plain ] || options=(--trace-level=copies --trace="$base.ummt")
      OMP_NUM_THREADS=1 "$bench/trace/clock" "$ummgr" run -q --gpu=sim \
        --profile=v100-nvlink2 "${options[@]}" -- "$bench/$program" --no-check "$@" \
        >"$work/timed.out" 2>"$base.log" || die "$program: fails (see $base.log)"
      sed -n 's/^clock .* cpu=\(.*\)/\1/p' "$base.log" >>"$base.$way"
    done
  done
  "$ummgr" report --json "$base.ummt" >"$base.json" || die "$program: no report of its trace"
  awk -v program="$program" -v plain="$(least "$base.plain")" \
    -v light="$(least "$base.light")" -v bytes="$(stat -c %s "$base.ummt")" \
    -v copied="$(awk -F: '/^ "moved"/ { on = 1 } /^ ]/ { on = 0 }
      on && /"copied_(in|out)"/ { sum += $2 } END { print sum + 0 }' "$base.json")" '
    BEGIN {
      printf "row table=light program=%s plain_cpu_s=%.4f light=%.4f copied=%.0f trace_bytes=%.0f\n",
	program, plain, light / plain, copied, bytes
      printf "%-14s %10.3f %8.3f %14.0f %12.0f\n", program, plain, light / plain, copied,
	bytes >"/dev/stderr"
    }' >>"$lines"
  rm -f "$base.ummt"
}

light_all()
{
  printf '\n%-14s %10s %8s %14s %12s\n' program 'plain s' 'light x' 'bytes copied' 'trace bytes' >&2
  light backprop --size=32M --iterations=8 --map=regions
  light bfs --size=128M
  light cfd --size=4M --iterations=25
  light gaussian --order=768
  light hydro --side=24 --iterations=40
  light kmeans --size=8M
  light lud --order=1024
  light nn --size=24M --iterations=40
  light pathfinder --size=64M --iterations=4
  light smithwaterman --n=1500 --m=1500
  sed -n 's/^row table=light //p' "$lines" | awk '
    {
      for (i = 1; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] }
      n++
      light += log(v["light"])
    }
    END { printf "summary slowdown_light=%.3f\n", exp(light / n) }' >"$work/summary-light"
  cat "$work/summary-light" >>"$lines"
  cat "$work/summary-light" >&2
}

mkdir -p "$work" || die "can't make $work"
: >"$lines"
export UMMGR_PROFILE_PATH=$profiles
case $only in '' | findings) find_all; pictures ;; esac
case $only in '' | cost) cost_all ;; esac
case $only in '' | light) light_all ;; esac
[ -z "$only" ] || exit $status
"$bench/collect" --name=trace --output="$bench/trace.json" <"$lines" || exit 1
echo "rows and summary: $bench/trace.json"
exit $status
