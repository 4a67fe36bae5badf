# What scripts with many runs share.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced.  Expects target, the script's name in messages; simulated also ummgr.  JOBS=N does N
# runs at once (default: the cores).
# shellcheck shell=bash disable=SC2154

jobs=${JOBS:-$(nproc)}
# Words before what simulated runs: mpirun's.
launcher=()
begin=$SECONDS

# On a terminal progress is a line of standard error that is drawn again and again.
redrawn=
if [ -t 2 ]; then
  redrawn='\r\033[K'
  trap progress_done EXIT
fi

# progress_done: no such line stands any more; to be called before tables.
progress_done()
{
  # shellcheck disable=SC2059 # What the terminal is told.
  printf "$redrawn" >&2
}

# say TEXT: a line that stays.
say()
{
  progress_done
  echo "$target: $*" >&2
}

die()
{
  say "$*"
  exit 1
}

# progress TEXT: what is being done; nothing in a file.
progress()
{
  local line
  if [ -n "$redrawn" ]; then
    printf -v line '%s: %d s  %s' "$target" $((SECONDS - begin)) "$*"
    progress_done
    printf %s "${line:0:79}" >&2
  fi
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
  OMP_NUM_THREADS=2 timeout "${LIMIT:-600}" "${launcher[@]}" "$ummgr" run -q --gpu=sim --stats="$base.json" "$@" \
    >"$base.out" 2>"$base.err"
  echo $? >"$base.status"
}

# figure FILE FIELD: as it stands in statistics first; totals come first.
figure()
{
  sed -n "s/^ *\"$2\": \([0-9.e+-]*\),\{0,1\}$/\1/p" "$1" | head -n 1
}

# rate FILE NAME: a figure of the machine, as statistics have it.
rate()
{
  awk -v name="\"$2\":" '$1 == name { found = 1 } found && $1 == "\"value\":" { gsub(/,/, ""); print $2; exit }' "$1"
}
