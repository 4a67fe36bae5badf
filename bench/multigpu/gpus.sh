# The part of bench-multigpu over ordinary GPUs: regions by ranges of their loops, with memory of
# their own for each GPU (ummgr run --spread).
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced.  Expects bench, ummgr, profiles, source, work and target, and what jobs.sh has.
# GPUS="1 2" chooses among the numbers of GPUs, PROFILE another machine.
# shellcheck shell=bash disable=SC2154

# What one GPU does best: the policies a user would try.
singles='explicit um prefetch rdm'

# gpus_one BASE GPUS WAY PROGRAM ARGUMENTS...: a run; WAY is a policy, or how it is spread.
gpus_one()
{
  local base=$1 gpus=$2 way=$3 program=$4
  shift 4
  case $way in
    on | demand) way=--spread=$way ;;
    *) way=--policy=$way ;;
  esac
  UMMGR_PROFILE_PATH=$profiles OMP_NUM_THREADS=2 "$ummgr" run -q --gpu=sim \
    --profile="${PROFILE:-v100-nvlink2}" --gpus="$gpus" "$way" --stats="$base.json" -- \
    "$bench/policies/$program" "$@" >"$base.out" 2>"$base.err"
  echo $? >"$base.status"
}

# gpus_start WAY GPUS PROGRAM ARGUMENTS...: start a run, and note it.
gpus_start()
{
  local way=$1 gpus=$2 program=$3
  local base=$work/gpus-$program-$way-$gpus
  shift 3
  echo "$program $way $gpus $base" >>"$work/gpus"
  wait_for_core
  gpus_one "$base" "$gpus" "$way" "$program" "$@" </dev/null &
}

# gpus_all: start all runs.
gpus_all()
{
  local program arguments gpus way
  while read -r program arguments; do
    progress "$program over GPUs"
    # Arguments are words.
    # shellcheck disable=SC2086
    {
      for way in $singles; do
	gpus_start "$way" 1 "$program" $arguments
      done
      for gpus in ${GPUS:-1 2 4 8}; do
	gpus_start on "$gpus" "$program" $arguments
      done
      [[ " ${GPUS:-4} " != *" 4 "* ]] || gpus_start demand 4 "$program" $arguments
    }
  done < <(awk -v of=" ${ONLY:-} " '/^[^#]/ && (of == "  " || index(of, " " $1 " "))' \
    "$source/gpus.txt")
  wait
}

# gpus_collected: a row a run.  Of regions: those that ran over as many GPUs as there were, and
# why one did not.
gpus_collected()
{
  local program way gpus base status
  [ -s "$work/gpus" ] || return 0
  while read -r program way gpus base; do
    status=$(cat "$base.status" 2>/dev/null)
    [ "$status" = 0 ] || die "$program, $way, $gpus GPUs: status ${status:-none}, see $base.err"
    awk -v p="$program" -v w="$way" -v g="$gpus" '
      /^ *"totals"/ { totals = 1 }
      /^ *"regions": \[/ { totals = 0; regions = 1 }
      /^ \]/ { regions = 0 }
      match($0, /"[a-z0-9_]*": [0-9.e+-]*/) {
	split(substr($0, RSTART + 1, RLENGTH - 1), f, "\": ")
	if (totals && !(f[1] in v))
	  v[f[1]] = f[2]
	if (regions && f[1] == "calls")
	  all++
	if (regions && f[1] == "pieces" && f[2] == g)
	  over++
      }
      regions && match($0, /"whole": "[^"]*"/) && why == "" {
	why = substr($0, RSTART + 10, RLENGTH - 11); gsub(/ /, "_", why) }
      END { printf "row what=gpus program=%s way=%s gpus=%d elapsed=%.9g regions=%d over=%d " \
	"d2d_bytes=%.0f far_bytes=%.0f faults=%d why=%s\n", p, w, g, v["elapsed_seconds"], all, over,
	v["d2d_bytes"], v["remote_bytes"], v["gpu_faults"], why == "" ? "-" : why }' "$base.json" \
      >>"$lines"
  done <"$work/gpus"
}
