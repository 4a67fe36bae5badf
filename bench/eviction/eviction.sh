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
# CHOOSE="bfs mvt" chooses among programs.txt; JOBS=N does N programs at once (default:
# the cores); THREADS=256 gives teams so many threads.

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
capacities=75%,50%
# In HPE's simulator a fault stops its warp, and the others go on (section III), as in
# ours.  Memory is enough here, so that the order favours no policy: what faults is what
# comes for the first time.  CUDA's kernels of such programs take some 20 registers: 8
# teams of 128 threads fit a multiprocessor, as many as it takes.
threads=${THREADS:-128}
export UMMGR_KERNEL_REGISTERS=32

# shellcheck source=/dev/null
. "$source/../jobs.sh"

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
  part_of "${SIZE:-$1}" $((${QUICK:+2} + 1))
}

# traced BASE PROGRAM ARGUMENTS...: its trace to BASE.ummt.
traced()
{
  local base=$1 program=$2
  shift 2
  "$ummgr" run -q --gpu=sim --profile=fermi-hpe --policy=um --fidelity=access \
    --team-threads="$threads" --filter=off --trace="$base.ummt" -- \
    "$bench/trace/$program" --unified --no-check "$@" >"$base.out" 2>"$base.err"
}

# --- HPE -----------------------------------------------------------------------

# one PROGRAM SIZE ARGUMENTS...: everything of a program; PROGRAM.status says how
# it went.
one()
{
  local program=$1 base=$work/$1
  # Which TLB serves what, each memory of the replay decides.
  traced "$base" "$program" --size="$(bytes "$2")" "${@:3}" \
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
    say "$program fails, see $work/$program.err and .cpu.err"
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
progress_done
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
