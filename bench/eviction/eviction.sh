#!/bin/bash
# make bench-eviction: replacement policies of pages on the applications of HPE.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: eviction.sh BENCH UMMGR PROFILES SOURCE
#   BENCH     the built bench directory: instrumented programs in trace/; results
#             go there
#   UMMGR     the ummgr command
#   PROFILES  directory of the simulator's profiles
#   SOURCE    the directory of this script
# QUICK=1 takes a third of each program's data, SIZE=16M that much of each.
# CHOOSE="bfs mvt" chooses among programs.txt, MODEL="mvt" among those of the
# model check; JOBS=N does N programs at once (default: the cores); THREADS=256 gives
# teams so many threads.

# What is set here, plots.sh uses.
# shellcheck disable=SC2034
set -u -o pipefail
export LC_ALL=C
# One thread: a launch's accesses then always come in the same order.
export OMP_NUM_THREADS=1
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-100}

bench=$1
ummgr=$2
export UMMGR_PROFILE_PATH=$3
source=$4
target='bench-eviction'
work=$bench/eviction/work
lines=$work/lines
jobs=${JOBS:-$(nproc)}
begin=$SECONDS
capacities=75%,50%
# Teams in flight: 15 SMs with 1536 threads each and 8 CUDA blocks at most (a
# limit of compute capability 2.0), and 82 SMs with 1536 threads, 128 a block.
threads=${THREADS:-128}
fermi_teams=$((15 * (1536 / threads < 8 ? 1536 / threads : 8)))
rtx_teams=984
# In HPE's simulator a fault stops its warp, and the others go on (section III).
# Memory is enough here, so that the order favours no policy: what faults is what
# comes for the first time.
hpe_stall=1G
# So much that at 50 % more than the memory, that memory has 128 of the blocks of
# a machine at 1/1024: with fewer it would get smaller blocks (ummgr run --scale),
# and the memory sizes would not be comparable.
model_size=26M

die()
{
  echo "$target: $*" >&2
  exit 1
}

progress()
{
  printf '%s: %4d s  %s\n' "$target" $((SECONDS - begin)) "$*" >&2
}

# cpu FILE COMMAND...: its CPU seconds to FILE.
cpu()
{
  local file=$1 TIMEFORMAT='%U %S'
  shift
  { time "$@" 2>"$file.err"; } 2>"$file.times" || return 1
  awk 'END { print $1 + $2 }' "$file.times" >"$file"
}

# bytes SIZE: what is run of a size in programs.txt.
bytes()
{
  awk -v s="${SIZE:-$1}" -v part=$((${QUICK:+3} + 0)) 'BEGIN {
    k["K"] = 1024; k["M"] = 1048576; k["G"] = 1073741824
    unit = substr(s, length(s))
    printf "%.0f", s * (unit in k ? k[unit] : 1) / (part ? part : 1) }'
}

# stall, filter, team: memory of --stall, and what --filter and --team-threads say,
# if set.
# traced BASE PROFILE TEAMS PROGRAM ARGUMENTS...: its trace to BASE.ummt.
traced()
{
  local base=$1 profile=$2 teams=$3 program=$4
  shift 4
  "$ummgr" run -q --gpu=sim --profile="$profile" --policy=um \
    --interleave="$teams" ${stall:+--stall="$stall"} ${filter:+--filter="$filter"} \
    ${team:+--team-threads="$team"} \
    --trace="$base.ummt" -- "$bench/trace/$program" --unified --no-check "$@" \
    >"$base.out" 2>"$base.err"
}

# wait_for_core: until another can begin.
wait_for_core()
{
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
    wait -n
  done
}

# --- HPE -----------------------------------------------------------------------

# one PROGRAM SIZE ARGUMENTS...: everything of a program; PROGRAM.status says how
# it went.
one()
{
  local program=$1 base=$work/$1
  # Which TLB serves what, each memory of the replay decides.
  stall=$hpe_stall filter=off team=$threads traced "$base" fermi-hpe $fermi_teams "$program" \
    --size="$(bytes "$2")" "${@:3}" \
    && cpu "$base.cpu" "$ummgr" replay --evict="${policies// /,}" \
      --capacity=$capacities --json "$base.ummt" >"$base.replay.json" \
    && "$ummgr" classify --json --svg="$bench/eviction/$program.svg" \
      "$base.ummt" >"$base.classify.json" 2>>"$base.err"
  echo $? >"$base.status"
}

# wanted: programs.txt without comments, of CHOOSE.
wanted()
{
  awk -v of=" ${CHOOSE:-} " '/^[^#]/ && (of == "  " || index(of, " " $1 " "))' \
    "$source/programs.txt"
}

run_all()
{
  local program name type category half size arguments failed=0
  while read -r program name type category half size arguments; do
    if [ ! -x "$bench/trace/$program" ]; then
      echo "$program $name $type $category $half missing" >>"$work/programs"
      continue
    fi
    echo "$program $name $type $category $half there" >>"$work/programs"
    wait_for_core
    progress "$program"
    # shellcheck disable=SC2086
    one "$program" "$size" $arguments </dev/null &
  done < <(wanted)
  wait
  while read -r program name type category half there; do
    [ "$there" = missing ] && continue
    [ "$(cat "$work/$program.status" 2>/dev/null)" = 0 ] && continue
    echo "$target: $program fails, see $work/$program.err and .cpu.err" >&2
    tail -qn 3 "$work/$program.err" "$work/$program.cpu.err" >&2 2>/dev/null
    failed=1
  done <"$work/programs"
  [ $failed = 0 ] || die "programs or replays fail"
}

# --- speed ---------------------------------------------------------------------

# An event is one access of the GPU or the CPU to one page, as the trace has it: each
# memory looks in its own TLBs, and whether the page is there.  It counts once for
# each program, or, where cases are named, once for each policy and capacity.
#
# events PROGRAM: events, and pages of footprint.
events()
{
  awk -F '[:,]' '/"gpu_events"|"cpu_events"|"tlb_hits"/ { n += $2 }
    /"footprint_pages"/ { pages = $2 }
    END { printf "%.0f %.0f\n", n, pages }' \
    "$work/$1.replay.json"
}

# Alone, now that all else is done: events a second of CPU time, of the trace
# with most of them, whole process, the best of three.  Of a capacity in bytes,
# so that the trace is read once.
speed()
{
  local program policy n pages i
  program=$(awk '$6 == "there" { print $1 }' "$work/programs" \
    | while read -r p; do echo "$(events "$p") $p"; done \
    | sort -g | awk 'END { print $3 }')
  read -r n pages < <(events "$program")
  echo
  for policy in lru hpe; do
    : >"$work/speed"
    for ((i = 0; i < 3; i++)); do
      cpu "$work/speed.one" "$ummgr" replay --evict=$policy \
	--capacity=$((pages * 3 * 1024)) --json "$work/$program.ummt" \
	>"$work/speed.json" || die "$program: no replay under $policy"
      cat "$work/speed.one" >>"$work/speed"
    done
    sort -g "$work/speed" | awk -v n="$n" -v policy=$policy \
      -v program="$program" '
      NR == 1 {
	seconds = $1 > 0 ? $1 : 0.001
	printf "row table=speed program=%s policy=%s events=%.0f cpu_seconds=%s events_per_second=%.0f\n",
	  program, policy, n, $1, n / seconds
	printf "%s alone, %s: %.0f events in %.2f CPU seconds, %.1f million a second\n",
	  policy, program, n, $1, n / seconds / 1e6 >"/dev/stderr"
      }' >>"$work/speed.rows" 2>>"$work/speed.text"
  done
  echo "An event is an access to a page, as the trace has it; seconds are those of all threads, from the start of ummgr to its end."
  cat "$work/speed.text"
  # The slower of the two.
  sed 's/.*events_per_second=//' "$work/speed.rows" | sort -g \
    | sed -n '1s/^/summary replay_events_per_second=/p' >"$work/speed.summary"
  cat "$work/speed.rows" "$work/speed.summary" >>"$lines"
  while read -r program _ _ _ _ there; do
    [ "$there" = there ] && echo "$(events "$program") $(cat "$work/$program.cpu")"
  done <"$work/programs" | awk -v cases=$cases '
    { n += $1; s += $3 }
    END {
      printf "All programs in %d cases: %.0f million events, %.1f CPU seconds, %.1f million events x cases a second\n",
	cases, n / 1e6, s, n * cases / s / 1e6 >"/dev/stderr"
      printf "summary replay_cpu_seconds=%.2f replay_cases=%d replay_events=%.0f replay_event_cases_per_second=%.0f\n",
	s, cases, n, n * cases / (s > 0 ? s : 0.001)
    }' 2>"$work/speed.text" >>"$lines"
  cat "$work/speed.text"
}

# --- the model -----------------------------------------------------------------

# stalling PROGRAM DATA OVER ARGUMENTS...: traced in the order of a machine that
# has DATA / OVER per cent of memory and whose warps wait for faults, and replayed
# there.
stalling()
{
  local base=$work/model-$1-$3 memory=$(($2 * 100 / $3))
  "$ummgr" run -q --gpu=sim --profile=rtx3090-pcie3 --scale=1/1024 \
    --device-mem=$((2 * $2)) --policy=um --interleave=$rtx_teams \
    --stall=$memory --trace="$base.ummt" -- \
    "$bench/trace/$1" --unified --no-check "${@:4}" \
    >"$base.out" 2>"$base.err" \
    && "$ummgr" replay --policy=um --profile=rtx3090-pcie3 --scale=1/1024 \
      --device-mem=$memory --json "$base.ummt" >"$base.json" 2>>"$base.err" \
    || return 1
  [ -n "${KEEP:-}" ] || rm -f "$base.ummt"
}

# model_one PROGRAM ARGUMENTS...: slowdown by memory, as model.c reads it: memory
# enough, and of 1/1.15, 1/1.3 and 1/1.5 of the data; the last three also with
# warps that wait.
model_one()
{
  local program=$1 base=$work/model-$1 data
  data=$("$bench/trace/$program" --footprint "${@:2}" 2>"$base.err") \
    && traced "$base" rtx3090-pcie3 $rtx_teams "$@" \
    && "$ummgr" replay --policy=um --profile=rtx3090-pcie3 --scale=1/1024 \
      --device-mem=$((2 * data)),$((data * 100 / 115)),$((data * 100 / 130)),$((data * 100 / 150)) \
      --json "$base.ummt" >"$base.json" 2>>"$base.err" \
    && stalling "$program" "$data" 115 "${@:2}" \
    && stalling "$program" "$data" 130 "${@:2}" \
    && stalling "$program" "$data" 150 "${@:2}"
  echo $? >"$base.status"
}

model()
{
  local program extra failed=0
  : >"$work/model"
  for program in ${MODEL-2dconv gemm fdtd2d mvt}; do
    [ -x "$bench/trace/$program" ] || die "$program: not built"
    echo "$program" >>"$work/model"
    extra=()
    # Its work grows faster than its data.
    [ "$program" = gemm ] && extra=(--inner=32)
    wait_for_core
    progress "model of $program"
    model_one "$program" --size=$model_size "${extra[@]}" </dev/null &
  done
  wait
  while read -r program; do
    [ "$(cat "$work/model-$program.status" 2>/dev/null)" = 0 ] && continue
    echo "$target: the model of $program fails, see $work/model-$program.err" >&2
    tail -qn 3 "$work/model-$program".err "$work/model-$program"-*.err >&2 \
      2>/dev/null
    failed=1
  done <"$work/model"
  [ $failed = 0 ] || die "no model"
}

rm -rf "$work"
mkdir -p "$work" || die "can't make $work"
: >"$lines"
: >"$work/programs"
# shellcheck source=/dev/null
. "$source/../known.sh"
# shellcheck source=/dev/null
. "$source/../policies/plots.sh"
# shellcheck source=/dev/null
. "$source/plots.sh"
# shellcheck source=/dev/null
. "$source/order.sh"
known replay-evict lru hpe ideal
policies=$(listed replay-evict)
cases=$((2 * $(wc -w <<<"$policies")))
run_all
orders
model
progress "tables"
cpu_fault=$(sed -n 's/^cpu_fault_cost = \([0-9.]*\) us.*/\1e-6/p' \
  "$UMMGR_PROFILE_PATH/fermi-hpe.conf")
"$bench/eviction/eviction" --work="$work" --output="$lines" \
  --cpu-fault="$cpu_fault" <"$work/programs" || die "no tables"
speed
echo "summary seconds=$((SECONDS - begin))" >>"$lines"
"$bench/collect" --name=eviction --output="$bench/eviction.json" <"$lines" \
  || exit 1
plots_eviction
[ -n "${KEEP:-}" ] || rm -f "$work"/*.ummt
echo "rows and summary: $bench/eviction.json; access patterns: $bench/eviction/*.svg"
