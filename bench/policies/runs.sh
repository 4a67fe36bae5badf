# What oversubscription.sh and otm.sh share: running programs under policies.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced.  Expects bench, ummgr, stage, work, profile, scale and source;
# $work/runs-SUITE lists the runs for the table programs (runs.h), in order.
# Modelled time is counted, not measured, so that runs (jobs.sh) don't disturb each
# other.
# shellcheck shell=bash disable=SC2154

# shellcheck source=/dev/null
. "$source/../jobs.sh"
# shellcheck source=/dev/null
. "$source/../known.sh"

# One thread each: a kernel's teams then run one after the other, as they are
# numbered, and a run's counters are always the same.
export OMP_NUM_THREADS=1

# bytes GIGABYTES: of that much data on the machine that is scaled down.
bytes()
{
  awk -v g="$1" -v n="$scale" 'BEGIN { printf "%.0f", g * 1073741824 / n }'
}

# one BASE PROGRAM CONFIG ARGUMENTS...: a single run; BASE.status says how it
# went.  CONFIG is a policy, rdm-WHAT, or host-only, which also checks.
one()
{
  local base=$1 program=$bench/policies/$2 config=$3 options=()
  shift 3
  if [ "$config" = host-only ]; then
    OMP_TARGET_OFFLOAD=disabled \
      LD_LIBRARY_PATH="$stage${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
      "$program" "$@" >"$base.out" 2>"$base.err"
    echo $? >"$base.status"
    return
  fi
  case $config in
  explicit) options=(--policy=explicit) ;;
  rdm) options=(--policy=rdm) ;;
  rdm-implicit) options=(--policy=rdm --transfer=implicit --partial=off) ;;
  rdm-explicit) options=(--policy=rdm --transfer=explicit --partial=off) ;;
  rdm-hybrid) options=(--policy=rdm --transfer=hybrid --partial=off) ;;
  rdm-paper) options=(--policy=rdm --transfer=hybrid --partial=paper) ;;
  *) options=(--policy="$config" --transfer=hybrid --partial=off) ;;
  esac
  # Baseline maps its data; all others share it.
  [ "$config" = explicit ] || set -- --unified "$@"
  "$ummgr" run -q --gpu=sim --profile="$profile" --scale="1/$scale" \
    --min-size=1K --stats="$base.json" "${options[@]}" -- \
    "$program" --no-check "$@" >"$base.out" 2>"$base.err"
  echo $? >"$base.status"
}

# run SUITE PROGRAM GIGABYTES CONFIG ARGUMENTS...: list it, and start it as soon
# as there is a core.
run()
{
  local base=$work/$2-$3-$4
  echo "$1 $2 $3 $4" >>"$work/runs-$1"
  wait_for_core
  one "$base" "$2" "$4" "${@:5}" &
}

# finish: wait for all; any that failed is named.
finish()
{
  local suite program size config status failed=0
  wait
  while read -r suite program size config; do
    status=$(cat "$work/$program-$size-$config.status" 2>/dev/null)
    [ "$status" = 0 ] && continue
    say "$program, $size, $config ($suite): status ${status:-none}, see $work/$program-$size-$config.err"
    tail -n 3 "$work/$program-$size-$config.err" >&2
    failed=1
  done < <(cat "$work"/runs-*)
  [ $failed = 0 ] || die "runs fail, or give a wrong result"
}

# programs_of SUITE: that ran, in order.
programs_of()
{
  awk -v s="$1" '$1 == s && !seen[$2]++ { printf "%s ", $2 }' "$work/runs-$1"
}
