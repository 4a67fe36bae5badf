#!/bin/bash
# make bench-multigpu: CODA's placements on CODA's machine; programs over ordinary GPUs.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: multigpu.sh BENCH UMMGR PROFILES SOURCE
#   BENCH     the built bench directory: instrumented programs in trace/; results go there
#   UMMGR     the ummgr command
#   PROFILES  directory of the simulator's profiles
#   SOURCE    the directory of this script
# ONLY="bfs nn" chooses among programs.txt, gpus.txt and decide; PART=coda or PART=gpus does one of
# the two; QUICK=1 takes, of the first, a quarter of each one's data and only the first table; JOBS=N does N runs at once (default: the cores).
#
# Launches are as CUDA's: teams of 256 threads, a thread an iteration, 32 a warp.  Seconds
# are those of all launches, modelled: CODA times kernels, not copies.

# What is set here, plots.sh uses.
# shellcheck disable=SC2034
set -u -o pipefail
export LC_ALL=C
export OMP_NUM_THREADS=1
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-100}

bench=$1
ummgr=$2
profiles=$3
source=$4
target='bench-multigpu'
work=$bench/multigpu/work
lines=$work/lines
# CUDA's kernels of such programs take some 20 registers.
export UMMGR_KERNEL_REGISTERS=32
placements='fine coarse first-touch first-touch+affinity first-touch+steal coda coda+block
  coda+steal fine+affinity'
rates='32 64 128 256'

# shellcheck source=/dev/null
. "$source/../jobs.sh"
# shellcheck source=/dev/null
. "$source/plots.sh"
# shellcheck source=/dev/null
. "$source/gpus.sh"

# one BASE PLACEMENT[+SCHEDULING] RATE PROGRAM ARGUMENTS...: a run, with links of RATE GB/s.
one()
{
  local base=$1 placement=$2 rate=$3 program=$4 scheduling=auto
  shift 4
  [ "${placement#*+}" = "$placement" ] || scheduling=${placement#*+}
  sed "s|^rate = .*|rate = $rate GB/s # bench-multigpu|
    s|^\([a-z0-9]*_rate\) = 16 GB/s|\1 = $rate GB/s|" "$profiles/coda-4gpu.conf" >"$base.conf"
  "$ummgr" run -q --gpu=sim --profile="$base.conf" --placement="${placement%+*}" \
    --scheduling="$scheduling" --team-threads=256 --policy=glm --transfer=explicit \
    --copies=plain --min-size=1 --stats="$base.json" -- \
    "$bench/trace/$program" --no-check "$@" >"$base.out" 2>"$base.err"
  echo $? >"$base.status"
}

# run PROGRAM PAPER CATEGORY PLACEMENT RATE ARGUMENTS...: list it, and start it as soon as
# there is a core.
run()
{
  local base=$work/$1-$4-$5
  [ "${GRAPH:-}" = '' ] || base=$base-$GRAPH
  echo "$1 $2 $3 $4 $5 ${GRAPH:-none} $base" >>"$work/runs"
  wait_for_core
  one "$base" "$4" "$5" "$1" "${@:6}" </dev/null &
}

# wanted: programs.txt without comments, of ONLY, that were built.
wanted()
{
  local program rest
  awk -v of=" ${ONLY:-} " '/^[^#]/ && (of == "  " || index(of, " " $1 " "))' \
    "$source/programs.txt" | while read -r program rest; do
    if [ -x "$bench/trace/$program" ]; then
      echo "$program $rest"
    else
      say "$program was not built"
    fi
  done
}

# each PLACEMENTS RATES: runs of all programs.
each()
{
  local program paper category size arguments placement rate
  while read -r program paper category size arguments; do
    progress "$program, links of $2 GB/s"
    for placement in $1; do
      for rate in $2; do
	# shellcheck disable=SC2086
	run "$program" "$paper" "$category" "$placement" "$rate" \
	  --size="$(part_of "$size" $((${QUICK:+3} + 1)))" $arguments
      done
    done
  done < <(wanted)
}

# graphs: pagerank by the regularity of its graph, as in section 6.4.
graphs()
{
  local kind placement
  [ -x "$bench/trace/pagerank" ] || return
  for kind in regular uniform skewed; do
    progress "pagerank, $kind"
    for placement in fine coda coda+steal; do
      GRAPH=$kind run pagerank PR graphs "$placement" 16 --size=16777216 --iterations=2 \
	--graph="$kind"
    done
  done
}

# deciding LAUNCHES [COMMAND...]: nanoseconds that deciding took for as many launches that use
# 64 objects each, on 8 GPUs.
deciding()
{
  local base=$work/decide launches=$1
  shift
  "$@" "$ummgr" run -q --gpu=sim --profile="$work/decide.conf" --placement=coda \
    --team-threads=32 --policy=lru --transfer=explicit --copies=plain --min-size=1 \
    --stats="$base.json" -- "$bench/trace/decide" --launches="$launches" \
    >"$base.out" 2>"$base.err" || die "decide fails, see $base.err"
  sed -n 's/^ *"layout_ns": *\([0-9]*\).*/\1/p' "$base.json"
}

# planning LAUNCHES: the same for regions over 8 ordinary GPUs.
planning()
{
  local base=$work/decide launches=$1
  UMMGR_PROFILE_PATH=$profiles "$ummgr" run -q --gpu=sim --profile=v100-nvlink2 --gpus=8 \
    --spread=on --min-size=1 --stats="$base.json" -- "$bench/trace/decide" --launches="$launches" \
    >"$base.out" 2>"$base.err" || die "decide fails, see $base.err"
  sed -n 's/^ *"decision_ns": *\([0-9]*\).*/\1/p' "$base.json"
}

# counting LAUNCHES: the instructions of that, and of the simulator when it compares layouts.
counting()
{
  deciding "$1" valgrind --tool=callgrind --callgrind-out-file=/dev/null --trace-children=yes \
    --collect-atstart=no --toggle-collect=ummgr_launch_trace \
    --toggle-collect=sim_layout_spread >"$work/decide.ns" || exit 1
  awk '/Collected : / && $NF > most { most = $NF } END { print most }' "$work/decide.err"
}

# between WHAT NAME: what WHAT takes for a launch, between launches, to the summary as NAME.  Other
# work on the machine makes it longer, so the least of some runs; a run's first launches work out
# what is kept.
between()
{
  local what=$1 name=$2 few=20 many=420 i first all
  for ((i = 0; i < 5; i++)); do
    first=$("$what" $few) || exit 1
    all=$("$what" $many) || exit 1
    echo $((all - first))
  done >"$work/decide.ns" || exit 1
  sort -g "$work/decide.ns" | awk -v n=$((many - few)) -v name="$name" 'NR == 1 {
    printf "summary %s=%.3g\n", name, $1 / n / 1000 }' >>"$lines"
}

# decisions: what deciding where the objects of a launch lie takes.
decisions()
{
  local few=20 first all
  [ -x "$bench/trace/decide" ] || return
  progress 'decisions for 64 objects on 8 GPUs'
  sed 's/^devices = 4/devices = 8/' "$profiles/coda-4gpu.conf" >"$work/decide.conf"
  between deciding decision_us
  between planning spread_decision_us
  command -v valgrind >/dev/null || return 0
  first=$(counting $few) || exit 1
  all=$(counting $((2 * few))) || exit 1
  echo "summary decision_instructions=$(((all - first) / few))" >>"$lines"
}

# collected: a row a run.
collected()
{
  local program paper category placement rate graph base status failed=0
  while read -r program paper category placement rate graph base; do
    status=$(cat "$base.status" 2>/dev/null)
    if [ "$status" != 0 ]; then
      say "$program, $placement: status ${status:-none}, see $base.err"
      tail -n 2 "$base.err" >&2
      failed=1
      continue
    fi
    awk -v p="$program" -v n="$paper" -v c="$category" -v l="$placement" -v r="$rate" \
      -v g="$graph" '
      /^ *"totals"/ { on = 1 }
      on && match($0, /"[a-z0-9_]*": [0-9.e+-]*/) {
	split(substr($0, RSTART + 1, RLENGTH - 1), w, "\": "); v[w[1]] = w[2] }
      on && /^ *}/ { exit }
      END { printf "row program=%s paper=%s category=%s placement=%s rate=%s graph=%s " \
	"seconds=%.9g local_bytes=%.0f remote_bytes=%.0f launches=%d faults=%d\n", p, n, c, l, r, g,
	v["kernel_seconds"], v["local_bytes"], v["peer_bytes"], v["launches"], v["gpu_faults"] }' \
      "$base.json" >>"$lines"
  done <"$work/runs"
  [ $failed = 0 ] || die "runs fail"
}

rm -rf "$work"
mkdir -p "$work" || die "can't make $work"
: >"$work/runs"
: >"$work/gpus"
: >"$lines"
if [ "${PART:-coda}" = coda ]; then
  each "$placements" 16
  [ -n "${QUICK:-}" ] || [ -n "${ONLY:-}" ] || {
    each 'fine coda+steal' "$rates"
    graphs
  }
  wait
  case " ${ONLY:-decide} " in
    *' decide '*) decisions ;;
  esac
fi
[ "${PART:-gpus}" = gpus ] && gpus_all
progress_done
collected
if [ -s "$work/runs" ]; then
  awk -f "$source/tables.awk" -v lines="$work/summary" -v dir="$work" "$lines" || die "tables fail"
  cat "$work/summary" >>"$lines"
fi
gpus_collected
if [ -s "$work/gpus" ]; then
  awk -f "$source/gpus.awk" -v lines="$work/gpus.summary" -v dir="$work" "$lines" || die "tables fail"
  cat "$work/gpus.summary" >>"$lines"
fi
"$bench/collect" --name=multigpu --output="$bench/multigpu.json" <"$lines" || exit 1
plots_multigpu
echo "rows and summary: $bench/multigpu.json"
