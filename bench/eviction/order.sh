# How the order of a GPU changes which pages are used when, for eviction.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced.  Expects bench, ummgr, work, lines and threads.
# shellcheck shell=bash disable=SC2154

# ordered NAME PROGRAM OPTIONS...: PROGRAM traced with OPTIONS of ummgr run;
# NAME.svg is its pages against time, and a line what replacement makes of it.
# Without the recorder's filter: it knows half of these pages, and hides that a
# walk comes back to them.  Of 4 MB: the TLB would serve all walks of 2.
ordered()
{
  local name=$1 program=$2 base=$work/order-$1
  shift 2
  "$ummgr" run -q --gpu=sim --profile=fermi-hpe --policy=um \
    --filter=off "$@" --trace="$base.ummt" -- "$bench/trace/$program" --unified --no-check \
    --size="$(bytes 4M)" >"$base.out" 2>"$base.err" \
    && "$ummgr" replay --evict=lru,ideal --capacity=75%,50% --json \
      "$base.ummt" >"$base.json" 2>>"$base.err" \
    && "$ummgr" classify --json --svg="$bench/eviction/order-$name.svg" \
      "$base.ummt" >"$base.classify.json" 2>>"$base.err" \
    || die "the order of $program fails, see $base.err"
  awk -F '[:,]' -v program="$program" -v order="${name#"$program"-}" '
    /"footprint_pages"/ { pages = $2 }
    /"gpu_events"/ { events = $2 }
    /"faults"/ { faults[++n] = $2 }
    END {
      printf "row table=order program=%s order=%s pages=%d events=%d lru_faults_75=%d lru_faults_50=%d ideal_faults_75=%d ideal_faults_50=%d\n",
	program, order, pages, events, faults[1], faults[2], faults[3], faults[4]
      printf "%-8s %-12s %6d %11d %11d %11d %11d %11d\n", program, order, pages,
	events, faults[1], faults[2], faults[3], faults[4] >"/dev/stderr"
    }' "$base.json" >>"$lines" 2>>"$work/orders"
  [ -n "${KEEP:-}" ] || rm -f "$base.ummt"
}

orders()
{
  local program
  : >"$work/orders"
  for program in mvt bicg gemm; do
    [ -x "$bench/trace/$program" ] || die "$program: not built"
    progress "order of $program"
    ordered "$program-teams" "$program"
    ordered "$program-gpu" "$program" --fidelity=access --team-threads="$threads"
  done
  echo
  echo "Page faults by the order of accesses: teams one after another, and as a GPU has them in flight"
  printf '%-8s %-12s %6s %11s %11s %11s %11s %11s\n' program order pages \
    events 'lru, 75%' 'lru, 50%' 'ideal, 75%' 'ideal, 50%'
  cat "$work/orders"
  echo "pages against time: $bench/eviction/order-*.svg"
}
