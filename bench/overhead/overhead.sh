#!/bin/bash
# make bench-overhead: what ummgr and the simulator cost on this machine.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: overhead.sh BENCH UMMGR STAGE PROFILES CC PLUGIN SOURCE
#   BENCH     the built bench directory, with policies/bfs; results go there
#   UMMGR     the ummgr command
#   STAGE     the staged lib directory, with ummgr/sim/libcuda.so.1
#   PROFILES  directory of the simulator's profiles
#   CC        the C compiler
#   PLUGIN    the compiler plugin, if there is one
#   SOURCE    the source directory of the bench
# RUNS=N sets how often each pair of runs is repeated (default 15), OBJECTS=N how
# many are mapped at once at most (1000000).

set -u -o pipefail
export LC_ALL=C
# Threads that spin at barriers would measure what else the machine does.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}

bench=$1
ummgr=$2
stage=$3
profiles=$4
cc=$5
plugin=$6
source=$7
runs=${RUNS:-15}
work=$bench/overhead/work
lines=$work/lines
object_policies='um rdm explicit'

die()
{
  echo "bench-overhead: $*" >&2
  exit 1
}

# shellcheck source=/dev/null
. "$source/../known.sh"
# shellcheck disable=SC2086
known policies $object_policies

# word NAME LINE: VALUE of NAME=VALUE in LINE.
word()
{
  sed -n "s/.*\\<$1=\\([^ ]*\\).*/\\1/p" <<<"$2"
}

# median: of the numbers on standard input.
median()
{
  sort -g | awk '{ v[NR] = $1 } END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

managed()
{
  "$ummgr" run -q --gpu=sim "$@"
}

say()
{
  printf '%-66s %s\n' "$1" "$2"
}

# --- (a) an empty region, with and without libummgr --------------------------

bench_region()
{
  local i with without line differences=()
  for ((i = 0; i < runs; i++)); do
    line=$(LD_LIBRARY_PATH="$stage/ummgr/sim" UMMGR_PROFILE_PATH="$profiles" \
      "$bench/overhead/region") || die "region fails on the simulated driver"
    without=$(word region_ns "$line")
    line=$(managed --policy=explicit -- "$bench/overhead/region") \
      || die "region fails under ummgr run"
    with=$(word region_ns "$line")
    differences+=("$(awk -v a="$with" -v b="$without" 'BEGIN { print a - b }')")
    echo "row bench=region run=$i with_ns=$with without_ns=$without" >>"$lines"
  done
  region_us=$(printf '%s\n' "${differences[@]}" | median \
    | awk '{ printf "%.3f", $1 / 1000 }')
  echo "summary region_overhead_us=$region_us" >>"$lines"
  say "(a) empty region under explicit: more than without libummgr" \
    "$region_us us"
}

# --- (b) resident data -------------------------------------------------------

# resident_one PATH WORK THREADS OPTIONS...: the median ratio, in $ratio.
resident_one()
{
  local path=$1 work=$2 threads=$3 line ratios=() i
  shift 3
  for ((i = 0; i < 3; i++)); do
    line=$(OMP_NUM_THREADS=$threads managed "$@" --work="$work") \
      || die "resident ($path) fails"
    echo "row bench=resident path=$path work=$work threads=$threads run=$i $line" >>"$lines"
    ratios+=("$(word ratio "$line")")
  done
  ratio=$(printf '%s\n' "${ratios[@]}" | median)
  say "(b) resident data, $path, work $work, $threads thread(s): times the host's" \
    "$ratio"
}

# A region that streams and one that computes; on one thread, which measures
# the code alone, and on all, which a busy machine disturbs: only the first
# counts.
bench_resident()
{
  local threads work ratios=()
  for threads in 1 "$(nproc)"; do
    for work in 0 8; do
      resident_one mapped $work "$threads" --policy=explicit -- \
	"$bench/overhead/resident"
      [ "$threads" -gt 1 ] || ratios+=("$ratio")
      resident_one managed $work "$threads" --policy=um -- \
	"$bench/overhead/resident" --unified
      [ "$threads" -gt 1 ] || ratios+=("$ratio")
    done
  done
  echo "summary resident_ratio=$(printf '%s\n' "${ratios[@]}" | sort -g \
    | tail -n 1)" >>"$lines"
}

# --- (c) faults --------------------------------------------------------------

# The tree prefetcher would answer many touches with one fault: off, so that
# the rate is that of 64 KiB faults.
quiet_profile()
{
  [ -f "$profiles/v100-nvlink2.conf" ] \
    || die "no profile v100-nvlink2.conf in $profiles"
  sed 's/^\( *prefetch_threshold *=\).*/\1 0   # off: bench-overhead counts single faults/' \
    "$profiles/v100-nvlink2.conf" >"$work/no-prefetch.conf"
}

# faults_one CASE OPTIONS... -- ARGS: rate per second of CPU time.
faults_one()
{
  local name=$1 line faults evictions best
  shift
  line=$(UMMGR_PROFILE="$work/no-prefetch.conf" managed --policy=um \
    --stats="$work/faults.json" "$@") || die "faults ($name) fails"
  faults=$(sed -n '/"totals"/,/}/s/.*"gpu_faults": *\([0-9]*\).*/\1/p' \
    "$work/faults.json" | head -n 1)
  evictions=$(sed -n '/"totals"/,/}/s/.*"evictions": *\([0-9]*\).*/\1/p' \
    "$work/faults.json" | head -n 1)
  [ -n "$faults" ] || die "no gpu_faults in the statistics"
  best=$(awk -v n="$faults" -v c="$(word cpu_s "$line")" \
    -v w="$(word wall_s "$line")" 'BEGIN { printf "%.0f %.0f", n / c, n / w }')
  rate=${best% *}
  echo "row bench=faults case=$name gpu_faults=$faults evictions=$evictions $line" \
    "per_cpu_second=$rate per_wall_second=${best#* }" >>"$lines"
  say "(c) 64 KiB faults, $name: per second of one core" \
    "$rate ($faults faults, ${best#* } per wall second)"
}

# Data as programs have it: the host wrote it, the region touches it first.
# `fresh` memory was touched by nobody, so that each of its faults makes the
# host's kernel find and clear 64 KiB as well: shown, but no figure of ours.
bench_faults()
{
  local fitting evicting
  quiet_profile
  faults_one fitting -- "$bench/overhead/faults" --size=512M --written
  fitting=$rate
  faults_one evicting --device-mem=64M -- "$bench/overhead/faults" \
    --size=128M --sweeps=8 --written
  evicting=$rate
  faults_one fresh -- "$bench/overhead/faults" --size=512M
  bare
  echo "summary faults_per_second=$(printf '%s\n' "$fitting" "$evicting" \
    | sort -g | head -n 1)" >>"$lines"
}

# The kernel's part of a fault, with nothing of ours: the floor.
bare()
{
  local line
  if ! line=$("$bench/overhead/bare"); then
    say "(c) 64 KiB faults of the kernel alone" "not measured"
    return
  fi
  echo "row bench=faults case=bare $line" >>"$lines"
  say "(c) 64 KiB faults of the kernel alone: per second of one core" \
    "$(word per_cpu_second "$line")"
}

# --- (d) lookup --------------------------------------------------------------

bench_lookup()
{
  local line n ns
  for n in 1000 10000 100000 1000000; do
    line=$("$bench/overhead/lookup" --objects=$n --rounds=5) \
      || die "lookup fails"
    ns=$(word lookup_ns "$line")
    echo "row bench=lookup objects=$n lookup_ns=$ns" >>"$lines"
    say "(d) one object by its address among $n" "$ns ns"
  done
  echo "summary lookup_ns=$ns" >>"$lines"
}

# --- pages that the host writes -----------------------------------------------

bench_written()
{
  local line
  line=$("$bench/overhead/written") || die "written fails"
  echo "row bench=written $line" >>"$lines"
  case $line in
    able=1*)
      echo "summary ${line#able=1 }" | sed 's/\([a-z]*\)_ns/written_\1_ns/g' >>"$lines"
      say "a page of the host's, watched for writes (--keep): watch, look, let go, first write" \
	"$(word watch_ns "$line"), $(word look_ns "$line"), $(word end_ns "$line"), $(word write_ns "$line") ns"
      ;;
    *) say "a page of the host's, watched for writes" "not on this kernel" ;;
  esac
}

# --- (e) decisions -----------------------------------------------------------

# What the dearest of the policies that decide for single objects takes.
bench_decide()
{
  local line used policy ns worst
  for used in 16 1000; do
    worst=0
    for policy in $(listed policies | sed 's/explicit *//'); do
      line=$("$bench/overhead/decide" --policy="$policy" --objects=$((2 * used))) \
        || die "decide fails"
      ns=$(word decision_ns "$line")
      echo "row bench=decide $line" >>"$lines"
      worst=$(printf '%s\n' "$worst" "$ns" | sort -g | tail -n 1)
    done
    echo "summary decision_ns_$used=$worst" >>"$lines"
    say "(e) a decision, for each of a region's $used objects" "$worst ns"
  done
}

# --- (f) the share of rdm's decisions in bfs ----------------------------------

# total NAME FILE: of the totals in the statistics FILE.
total()
{
  sed -n '/"totals"/,/}/s/.*"'"$1"'": *\([^,]*\).*/\1/p' "$2" | head -n 1
}

# 19 GB on the V100 of SC'19, a thousandth of both; decisions take what they take
# on the whole machine too, while all that is modelled takes a thousand times as
# long there.
bfs_once()
{
  OMP_NUM_THREADS=1 managed --profile=v100-nvlink2 --scale=1/$2 --min-size=1K \
    --policy=rdm --transfer=hybrid --partial=on --stats="$1" -- \
    "$bench/policies/bfs" --unified --no-check --size=$((19 * 1024 * 1024)) \
    >"$work/bfs.out"
}

bench_fraction()
{
  local stats=$work/bfs.json scale=1024 decision seconds share i
  # Deciding takes well under a millisecond, of which the machine's other work may
  # make several: the median.
  for ((i = 0; i < 5; i++)); do
    bfs_once "$stats" $scale || die "bfs fails under rdm"
    sed -n 's/.*"decision_ns": *\([^,]*\).*/\1/p' "$stats" | head -n 1
  done >"$work/bfs.decisions" || exit 1
  decision=$(median <"$work/bfs.decisions")
  seconds=$(total model_seconds "$stats")
  share=$(awk -v d="$decision" -v s="$seconds" -v n=$scale \
    'BEGIN { if (s > 0) printf "%.6f", d * 1e-9 / (s * n) }')
  test -n "$share" || die "no modelled time in $stats"
  echo "row bench=fraction program=bfs policy=rdm decision_ns=$decision model_seconds=$seconds scale=$scale" >>"$lines"
  echo "summary rdm_fraction_bfs=$share" >>"$lines"
  say "(f) deciding, of bfs's modelled time under rdm" "$(awk -v s="$share" 'BEGIN { print s * 100 }') %"
}

# --- (g) compiling -------------------------------------------------------------

bench_compile()
{
  if ! test -f "$plugin"; then
    echo "bench-overhead: no compiler plugin: what it costs is left out" >&2
    return
  fi
  bash "$source/overhead/compile.sh" "$work" "$cc" "$plugin" \
    "-std=gnu99 -O2 -g -fopenmp -I$source/../include -I$source -I$bench/.. $(cat "$bench/offload.flags")" \
    "$source"/*.c >"$work/compile.lines" || die "measuring compilations fails"
  cat "$work/compile.lines" >>"$lines"
  say "(g) compiling all programs here with the plugin, over without" \
    "$(sed -n 's/^summary compile_ratio=//p' "$work/compile.lines")"
  say "    a large file of GCC's tests" \
    "$(sed -n 's/^summary compile_ratio_largest=//p' "$work/compile.lines")"
}

# --- (h) very many objects -----------------------------------------------------

# objects_one HOW COUNT COMMAND...: bytes and nanoseconds of one, in $bytes and $ns.
objects_one()
{
  local how=$1 count=$2 line
  shift 2
  line=$("$@" "$bench/overhead/objects" --objects="$count") \
    || die "objects ($how) fails"
  echo "row bench=objects how=$how $line" >>"$lines"
  bytes=$(word bytes "$line")
  ns=$(($(word map_ns "$line") + $(word unmap_ns "$line")))
}

bench_objects()
{
  local most=${OBJECTS:-1000000} count policy bytes ns bare_bytes bare_ns
  for count in $((most / 1000)) $((most / 10)) "$most"; do
    objects_one without "$count" env LD_LIBRARY_PATH="$stage/ummgr/sim"
    bare_bytes=$bytes bare_ns=$ns
    for policy in $object_policies; do
      objects_one "$policy" "$count" managed --min-size=1 --policy="$policy" --
      say "(h) one of $count small objects under $policy, beyond libgomp" \
	"$((bytes - bare_bytes)) bytes, $((ns - bare_ns)) ns"
    done
  done
  echo "summary object_bytes=$((bytes - bare_bytes))" >>"$lines"
  echo "summary object_ns=$((ns - bare_ns))" >>"$lines"
}

# --- plot --------------------------------------------------------------------

plot()
{
  command -v gnuplot >/dev/null || return 0
  sed -n 's/^row bench=region run=\([0-9]*\) with_ns=\([^ ]*\) without_ns=\(.*\)/\1 \2 \3/p' \
    "$lines" >"$work/region.dat"
  gnuplot <<EOF || echo "bench-overhead: gnuplot failed; no plot" >&2
set terminal pngcairo size 800,480
set output '$bench/overhead.png'
set title 'Empty target region on the simulated driver'
set xlabel 'run'
set ylabel 'microseconds, wall'
set yrange [0:*]
set key bottom right
plot '$work/region.dat' using 1:(\$3/1000) with linespoints title 'without libummgr', \
     '' using 1:(\$2/1000) with linespoints title 'libummgr, policy explicit'
EOF
}

mkdir -p "$work" || die "can't make $work"
: >"$lines"
export UMMGR_PROFILE_PATH=$profiles
bench_region
bench_resident
bench_faults
bench_lookup
bench_written
bench_decide
bench_fraction
bench_compile
bench_objects
"$bench/collect" --name=overhead --output="$bench/overhead.json" <"$lines" \
  || exit 1
plot
echo "rows and summary: $bench/overhead.json"
