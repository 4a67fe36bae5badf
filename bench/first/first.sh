#!/bin/bash
# make bench-first: README's first example, on simulated GPUs with a third of the memory that it needs.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: first.sh BENCH UMMGR PROFILES SOURCE
#   BENCH     the built bench directory, with first/big; work goes to first/work there
#   SOURCE    the directory of bench/, for jobs.sh
# MACHINES="h200-pcie5 v100-nvlink2 rtx3090-pcie3".  JOBS=N: so many runs at once.
#
# A row a way to run it: modelled milliseconds (elapsed) on each machine.  The last row is what its link needs at least: each
# of four launches uses all three arrays, of which one comes once and stays; one goes back once.

set -u -o pipefail
export LC_ALL=C
# shellcheck disable=SC2034 # jobs.sh's.
target=bench-first
bench=$1
ummgr=$2
export UMMGR_PROFILE_PATH=$3
work=$bench/first/work
# shellcheck source=bench/jobs.sh
. "$4/jobs.sh"
rm -rf "$work"
mkdir -p "$work" || exit 1
read -ra machines <<<"${MACHINES:-v100-nvlink2 rtx3090-pcie3 h200-pcie5}"
ways=('--policy=explicit' '--policy=um' '--policy=prefetch' '--policy=host' '--policy=lru' '--policy=lru --partial=on'
  '--policy=rdm' '--stream=off' '')

for way in "${ways[@]}"; do
  for machine in "${machines[@]}"; do
    wait_for_core
    # A way is words.
    # shellcheck disable=SC2086
    simulated "$work/${way// /}-$machine" --profile="$machine" --device-mem=128M $way -- "$bench/first/big" </dev/null &
  done
done
wait

# took WAY MACHINE: how long it took, in words.
took()
{
  local base=$work/${1// /}-$2
  case $(cat "$base.status") in
  0) awk -v s="$(figure "$base.json" elapsed_seconds)" 'BEGIN { printf "%.1f ms", 1000 * s }' ;;
  *) grep -q 'device memory allocation fail' "$base.err" || die "see $base.err"
    printf 'out of memory' ;;
  esac
}

# link MACHINE: the least that its link takes, for 1 + 4 * 2 arrays in, and 1 out beside that.
link()
{
  local json=$work/-$1.json
  awk -v h2d="$(rate "$json" h2d_rate)" -v both="$(rate "$json" both_rate)" 'BEGIN {
    n = 2 ^ 27; in_ = 9 * n / h2d; both = 10 * n / both
    printf "%.1f ms", 1000 * (in_ > both ? in_ : both) }'
}

progress_done
echo "| | $(sed 's/ / | /g' <<<"${machines[*]}") |"
echo "|---|${machines[*]/*/---|}" | tr -d ' '
for way in "${ways[@]}"; do
  printf '| `ummgr run%s`' "${way:+ $way}"
  for machine in "${machines[@]}"; do
    printf ' | %s' "$(took "$way" "$machine")"
  done
  echo ' |'
done
printf '| what the link needs'
for machine in "${machines[@]}"; do
  printf ' | %s' "$(link "$machine")"
done
echo ' |'
