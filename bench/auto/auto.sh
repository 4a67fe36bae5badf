#!/bin/bash
# make bench-auto: `auto' beside every other policy with its best options, from data that fits to
# four times the memory.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: auto.sh BENCH UMMGR PROFILES SOURCE CC PLUGIN
#   BENCH     the built bench directory, with programs in policies/; work goes to
#             auto/work there, the figures to auto.json
#   SOURCE    the directory of bench/, for jobs.sh, auto/programs.txt, which has the programs of the
#             papers and their data, and auto/shapes.txt, which has those that are written
#   CC        the C compiler       PLUGIN  its plugin
# GROUP=paper, GROUP=written: those of the papers, those written.  ONLY="vadd stencil": these programs;
# HALF=a: that half.  TIMES="0.5 1.5": data in parts of the memory.  MACHINES="h200-pcie5 v100-nvlink2 rtx3090-pcie3".  JOBS=N: so many runs at once.
# FIDELITY=touch: host versions and what they touch, some 20 times as fast; else the GPU's own code
# and its accesses, as bench-model compares with machines: what is touched a little counts as
# used, and what is resident as read.
# WAYS="rdm:lru --partial=on": these other policies alone.
# LIMIT=N: seconds after which a run is given up (one that thrashes; 600).
# KEEP=1: runs of an earlier call that are there aren't run again, but auto's are.
# PART=main: only the first table; PART=suv, bound or costs: only one of those behind it:
#   suv     beside unified memory with 15, 30 and 50 % more data than memory, on the programs and the
#           machine of SUV (MICRO'24) that are here
#   bound   beside the best that a trace of the program allows (ummgr replay --policy=best), host
#           versions and what they touch, as replays have it
#   costs   what the transform takes of regions that aren't split, and the plugin of compilations
#
# A row a program, machine and size: modelled seconds (elapsed) of the best policy but auto, with
# its best options, which it was, and of auto; how many times as fast that is.

set -u -o pipefail
export LC_ALL=C
target=bench-auto
bench=$1
ummgr=$2
export UMMGR_PROFILE_PATH=$3
source=$4
cc=$5
plugin=$6
work=$bench/auto/work
# shellcheck source=bench/jobs.sh
. "$source/jobs.sh"
[ -n "${KEEP:-}" ] || rm -rf "$work"
mkdir -p "$work" || exit 1
rm -f "$work/runs"

# What a user would try; explicit only where the data fits.
ways=(explicit um prefetch host lru 'lru --partial=on' otm rlm 'rlm --partial=on' glm
  'glm --partial=on' 'rdm --partial=off' rdm 'rdm --stream=on')
[ -z "${WAYS:-}" ] || IFS=: read -ra ways <<<"$WAYS"
ways+=(auto)

model=(--kernels=ptx --fidelity=access)
[ "${FIDELITY:-}" != touch ] || model=()

# memory_of PEAK TIMES: so much that data of PEAK bytes is TIMES as much.
memory_of()
{
  awk -v p="$1" -v t="$2" 'BEGIN { printf "%.0f", int(p / t / 8192) * 8192 }'
}

# run PROGRAM HALF SCALE MACHINE TIMES... -- ARGUMENTS...: all ways; what ran goes to $work/runs.
run()
{
  local program=$1 half=$2 scale=$3 machine=$4 sizes=() base peak times memory way name
  base=$work/$program-$machine
  shift 4
  while [ "$1" != -- ]; do
    sizes+=("$1")
    shift
  done
  shift
  [ -e "$base.status" ] || simulated "$base" "${model[@]}" --profile="$machine" --scale="1/$scale" --policy=um \
    --device-mem=1G -- "$bench/policies/$program" "$@" </dev/null
  [ "$(cat "$base.status")" = 0 ] || die "$program: see $base.err"
  peak=$(figure "$base.json" device_peak_bytes)
  progress "$program, $machine, $peak bytes"
  for times in "${sizes[@]}"; do
    memory=$(memory_of "$peak" "$times")
    for way in "${ways[@]}"; do
      name=$base-$times-${way// /}
      [ "$way" != explicit ] || [ "${times%%.*}" = 0 ] || continue
      echo "$program $half $machine $times $name $way" >>"$work/runs"
      [ "$way" = auto ] || [ ! -e "$name.status" ] || continue
      wait_for_core
      # A way is words.
      # shellcheck disable=SC2086
      UMMGR_LOG=$([ "$way" != auto ] || echo info) simulated "$name" "${model[@]}" --profile="$machine" \
	--scale="1/$scale" --device-mem="$memory" --policy=$way -- "$bench/policies/$program" "$@" </dev/null &
    done
  done
}

# wanted PART: is it to be done?
wanted()
{
  [ -z "${PART:-}" ] || [ "$PART" = "$1" ]
}

case ${GROUP:-} in
  "") lists=("$source/auto/programs.txt" "$source/auto/shapes.txt") ;;
  paper) lists=("$source/auto/programs.txt") ;;
  written) lists=("$source/auto/shapes.txt") ;;
  *) die "GROUP=$GROUP: expected paper or written" ;;
esac

# The lines of programs that are to be done.
programs()
{
  awk -v of=" ${ONLY:-} " -v half="${HALF:-}" '
    FILENAME ~ /shapes.txt$/ && !sub(/^program /, "") { next }
    /^[^#]/ && (of == "  " || index(of, " " $1 " ")) && (half == "" || half == $2)' "${lists[@]}"
}

: >"$work/rows"
: >"$work/runs"
while wanted main && read -r program half scale arguments; do
  for machine in ${MACHINES:-v100-nvlink2 rtx3090-pcie3 h200-pcie5}; do
    # Arguments are words.
    # shellcheck disable=SC2086
    run "$program" "$half" "$scale" "$machine" ${TIMES:-0.5 0.9 1.1 1.5 2 4} -- $arguments
  done
done < <(programs)
ways=(um auto)
while wanted suv && [ -z "${ONLY:-}${HALF:-}" ] && [ "${GROUP:-}" != written ] && read -r program half scale arguments; do
  # shellcheck disable=SC2086
  run "$program" suv "$scale" rtx3090-pcie3 1.15 1.3 1.5 -- $arguments
done < <(awk '/^(2dconv|fdtd2d|gemm|mvt) /' "$source/auto/programs.txt")

# moved FILE: the seconds that what statistics count takes by itself, at the machine's rates: copied in, copied out, used
# over the link, and from the GPU's memory.
moved()
{
  local name bytes of
  while read -r name bytes of; do
    awk -v name="$name" -v bytes="$(figure "$1" "$bytes")" -v rate="$(rate "$1" "$of")" 'BEGIN { print name, bytes / rate }'
  done <<<"in h2d_bytes h2d_rate
out d2h_bytes d2h_rate
link remote_bytes remote_rate
local local_bytes memory_rate"
}

# bound PROGRAM SCALE ARGUMENTS...: what a trace of it allows, and what auto takes.
bound()
{
  local program=$1 scale=$2 machine=v100-nvlink2 base times memory way name
  shift 2
  base=$work/$program-bound
  progress "$program, the best possible"
  simulated "$base" --profile=$machine --scale="1/$scale" --policy=explicit --trace="$base.ummt" -- \
    "$bench/auto/traced/$program" "$@" </dev/null
  [ "$(cat "$base.status")" = 0 ] || die "$program: see $base.err"
  # Where explicit has all of it.
  simulated "$base" --profile=$machine --scale="1/$scale" --policy=um --device-mem=1G -- \
    "$bench/policies/$program" "$@" </dev/null
  for times in ${TIMES:-0.9 1.5 4}; do
    memory=$(memory_of "$(figure "$base.json" device_peak_bytes)" "$times")
    "$ummgr" replay --policy=best --json --profile=$machine --scale="1/$scale" --device-mem="$memory" \
      "$base.ummt" >"$base-$times.best" 2>"$base-$times.err" || die "$program: see $base-$times.err"
    echo "$program bound $machine $times best $(figure "$base-$times.best" model_seconds)" >>"$work/rows"
    for way in auto 'auto --stream=on'; do
      name=$base-$times-${way// /}
      # shellcheck disable=SC2086
      simulated "$name" --profile=$machine --scale="1/$scale" --device-mem="$memory" --policy=$way -- \
	"$bench/policies/$program" "$@" </dev/null
      [ "$(cat "$name.status")" = 0 ] || die "$program: see $name.err"
      echo "$program bound $machine $times ${way// /,} $(figure "$name.json" elapsed_seconds)" >>"$work/rows"
    done
    moved "$base-$times-auto.json" | sed "s/^/$program bound $machine $times /" >>"$work/rows"
  done
}

# costs PROGRAM SCALE ARGUMENTS...: where all fits and runs whole, with the transform and without.
costs()
{
  local program=$1 scale=$2 way name
  shift 2
  progress "$program, what the transform costs"
  for way in policies auto/whole; do
    name=$work/$program-${way/\//-}
    wait_for_core
    simulated "$name" --kernels=ptx --fidelity=access --profile=v100-nvlink2 --scale="1/$scale" --policy=explicit -- \
      "$bench/$way/$program" "$@" </dev/null &
  done
}

while wanted bound && read -r program half scale arguments; do
  # shellcheck disable=SC2086
  bound "$program" "$scale" $arguments
done < <(programs)
while wanted costs && read -r program half scale arguments; do
  # shellcheck disable=SC2086
  costs "$program" "$scale" $arguments
done < <(programs)
wait
while wanted costs && read -r program half scale arguments; do
  for way in policies auto/whole; do
    name=$work/$program-${way/\//-}
    [ "$(cat "$name.status")" = 0 ] || die "$program: see $name.err"
    echo "$program costs v100-nvlink2 0 $way $(figure "$name.json" elapsed_seconds)" >>"$work/rows"
  done
done < <(programs)

while read -r program half machine times name way; do
  status=$(cat "$name.status")
  # Some can't at all: data of its own, of libgomp's, doesn't fit.
  if [ "$status" != 0 ]; then
    [ "$way" != auto ] || say "$program, $machine, $times times the memory: auto has status $status, see $name.err"
    continue
  fi
  told=
  # How well auto knows the driver, and foresees its launches.
  [ "$way" != auto ] || told="$(figure "$name.json" evictions) $(figure "$name.json" launches) \
    $(grep -c 'auto: .* took .* instead of' "$name.err")"
  echo "$program $half $machine $times ${way// /,} $(figure "$name.json" elapsed_seconds)" $told
done <"$work/runs" >>"$work/rows"

progress_done
compile=
if wanted costs && [ -n "$plugin" ]; then
  progress "compilations"
  files=()
  while read -r program half; do
    file=$source/programs/$program.c
    [ -e "$file" ] || file=$bench/auto/written/$program.c
    files+=("$file")
  done < <(programs)
  compile=$(bash "$source/overhead/compile.sh" "$work" "$cc" "$plugin" \
    "-std=gnu99 -O2 -g -fopenmp -I$source/../include -I$source -I$bench/.. $(cat "$bench/offload.flags")" "${files[@]}" \
    | sed -n 's/^summary compile_ratio=//p') || die "measuring compilations fails"
  progress_done
fi
# A launch with 64 objects of 128, of which each makes others leave.
decision=$("$bench/overhead/decide" --policy=auto --objects=128) || die "decide fails"
decision=$(awk -F'[ =]' '{ print $4 * $6 / 1000 }' <<<"$decision")
awk -v json="$bench/auto.json" -v decision_us="$decision" -v compile_ratio="$compile" -f "$source/auto/table.awk" \
  "$source/auto/shapes.txt" "$work/rows" || exit 1
