# What scripts with many runs share.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced.  Expects target, the script's name in messages.  JOBS=N does N runs at once
# (default: the cores).
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
