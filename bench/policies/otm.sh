#!/bin/bash
# make bench-otm: the policy of IWOMP 2018, on that paper's machine.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: otm.sh BENCH UMMGR STAGE PROFILES SOURCE, as oversubscription.sh.
# QUICK=1 takes three sizes on a smaller machine; SIZES="9 20" and SCALE=N
# choose.

# What is set here, runs.sh and plots.sh use.
# shellcheck disable=SC2034
set -u -o pipefail
export LC_ALL=C

bench=$1
ummgr=$2
stage=$3
export UMMGR_PROFILE_PATH=$4
source=$5
target='bench-otm'
work=$bench/policies/otm-runs
lines=$work/lines
profile=p100-nvlink1
policies='explicit um otm'

if [ -n "${QUICK:-}" ]; then
  scale=${SCALE:-1024}
  sizes=${SIZES:-9 20 28}
else
  scale=${SCALE:-512}
  sizes=${SIZES:-5 9 13 18 20 24 28 32}
fi

run_all()
{
  local program size config
  for program in bfs cfd srad; do
    progress "$program"
    for size in $sizes; do
      for config in host-only $policies; do
	if [ "$config" = explicit ] && [ "${size%.*}" -gt 14 ]; then
	  continue
	fi
	run otm $program "$size" "$config" --size="$(bytes "$size")"
      done
    done
  done
  finish
}

rm -rf "$work"
mkdir -p "$work" || die "can't make $work"
: >"$lines"
# shellcheck source=/dev/null
. "$source/runs.sh"
# shellcheck source=/dev/null
. "$source/plots.sh"
# shellcheck disable=SC2086
known policies $policies
status=0
run_all
progress_done
"$bench/policies/otm" --work="$work" --output="$lines" --profile=$profile \
  --scale="$scale" <"$work/runs-otm" || status=1
"$bench/collect" --name=otm --output="$bench/otm.json" <"$lines" || exit 1
plots_otm
echo "rows and summary: $bench/otm.json"
exit $status
