# What scripts with many runs share.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced.  Expects target, the script's name in messages; simulated also ummgr.  JOBS=N does N
# runs at once (default: the cores).
# shellcheck shell=bash disable=SC2154

jobs=${JOBS:-$(nproc)}
begin=$SECONDS

die()
{
  echo "$target: $*" >&2
  exit 1
}

progress()
{
  printf '%s: %4d s  %s\n' "$target" $((SECONDS - begin)) "$*" >&2
}

# wait_for_core: until another can begin.
wait_for_core()
{
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
    wait -n
  done
}

# part_of SIZE N: an Nth of SIZE, which may end in K, M or G, in bytes.
part_of()
{
  awk -v s="$1" -v n="$2" 'BEGIN {
    k["K"] = 1024; k["M"] = 1048576; k["G"] = 1073741824
    unit = substr(s, length(s))
    printf "%.0f", s * (unit in k ? k[unit] : 1) / n }'
}

# simulated BASE OPTIONS... -- PROGRAM...: a run on simulated devices, to BASE.json, .out, .err and
# .status.  Given up after LIMIT seconds (600).
simulated()
{
  local base=$1
  shift
  OMP_NUM_THREADS=2 timeout "${LIMIT:-600}" "$ummgr" run -q --gpu=sim --stats="$base.json" "$@" \
    >"$base.out" 2>"$base.err"
  echo $? >"$base.status"
}

# figure FILE FIELD: as it stands in statistics first; totals come first.
figure()
{
  sed -n "s/^ *\"$2\": \([0-9.e+-]*\),\{0,1\}$/\1/p" "$1" | head -n 1
}
