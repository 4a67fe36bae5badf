#!/bin/bash
# make bench-oversubscription: the policies of SC'19, data from 0.3 to 7 times
# the device's memory.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: oversubscription.sh BENCH UMMGR STAGE PROFILES SOURCE
#   BENCH     the built bench directory: programs in policies/; results go there
#   UMMGR     the ummgr command
#   STAGE     the staged lib directory
#   PROFILES  directory of the simulator's profiles
#   SOURCE    the directory of this script
# QUICK=1 takes three sizes on a smaller machine.  SIZES="9 19" (gigabytes on the
# paper's machine), SCALE=N, CHOOSE="bfs cfd", POLYBENCH="gemm", POLICIES="um rdm"
# and COMPONENTS="rdm-hybrid" choose; ORDERS="nn bfs" of the programs in both orders of clauses.

# What is set here, runs.sh and plots.sh use.
# shellcheck disable=SC2034
set -u -o pipefail
export LC_ALL=C

bench=$1
ummgr=$2
stage=$3
export UMMGR_PROFILE_PATH=$4
source=$5
target='bench-oversubscription'
work=$bench/policies/oversubscription
lines=$work/lines
profile=v100-nvlink2
programs=${CHOOSE-louvain backprop bfs cfd hotspot kmeans nn srad}
polybench=${POLYBENCH-2dconv bicg doitgen fdtd2d gemm gramschmidt mvt}
policies=${POLICIES-um prefetch host lru rlm glm rdm}
components=${COMPONENTS-rdm-implicit rdm-explicit rdm-hybrid rdm-paper}
orders=${ORDERS-$(awk '/^[^#]/ { printf "%s ", $1 }' "$source/../auto/programs.txt")}

# The paper names 9, 19, 31 and 112 GB; its GPU has 15.75.
if [ -n "${QUICK:-}" ]; then
  scale=${SCALE:-1024}
  sizes=${SIZES:-9 19 31}
  polybench_sizes=${SIZES:-19}
  far=
else
  scale=${SCALE:-512}
  sizes=${SIZES:-5 9 13 19 24 31 48}
  polybench_sizes=${SIZES:-9 19 31}
  far='80 112'
fi

[ -z "${SIZES:-}" ] || far=
# Some of PolyBench's walk down columns, and here one after another, where a GPU
# walks down many at once: the faults of um grow with the columns.
polybench_scale=16384

# arguments PROGRAM: beyond its size.  PolyBench's with more work than data
# have it kept in proportion.  backprop maps as the published versions do; how many
# patterns SC'19 trains it doesn't say, but that "roughly 90 %" of the traffic can
# be saved (section 5.2): as near as 8.
arguments()
{
  case $1 in
  backprop) echo --map=regions --iterations=8 ;;
  gemm) echo --inner=32 ;;
  doitgen) echo --inner=32 ;;
  gramschmidt) echo --columns=16 ;;
  esac
}

# size_runs SUITE PROGRAM GIGABYTES CONFIG...
size_runs()
{
  local suite=$1 program=$2 size=$3 config extra
  shift 3
  read -r -a extra <<<"$(arguments "$program")"
  run "$suite" "$program" "$size" host-only --size="$(bytes "$size")" "${extra[@]}"
  # Where the data doesn't fit, Baseline is no way.
  if [ "${size%.*}" -lt 15 ]; then
    set -- explicit "$@"
  fi
  for config; do
    run "$suite" "$program" "$size" "$config" --size="$(bytes "$size")" \
      "${extra[@]}"
  done
}

run_all()
{
  local program size sc19_scale=$scale
  for program in $programs; do
    progress "$program"
    for size in $sizes; do
      # shellcheck disable=SC2086
      size_runs sc19 "$program" "$size" $policies $components
    done
    # Fig. 7 is bfs alone.
    if [ "$program" = bfs ]; then
      for size in $far; do
	size_runs sc19 "$program" "$size" um host glm rdm
      done
    fi
  done
  scale=$polybench_scale
  for program in $polybench; do
    progress "$program"
    for size in $polybench_sizes; do
      # shellcheck disable=SC2086
      size_runs polybench "$program" "$size" $policies
    done
  done
  scale=$sc19_scale
  finish
}

# tables SUITE SCALE
tables()
{
  [ -s "$work/runs-$1" ] || return 0
  "$bench/policies/sc19" --work="$work" --output="$lines" --profile=$profile \
    --scale="$2" <"$work/runs-$1" || status=1
}

rm -rf "$work"
mkdir -p "$work" || die "can't make $work"
: >"$lines"
# shellcheck source=/dev/null
. "$source/runs.sh"
# shellcheck source=/dev/null
. "$source/plots.sh"
# shellcheck disable=SC2086
known policies explicit $policies
status=0
run_all
progress_done
tables sc19 "$scale"
echo
echo "PolyBench, in none of the figures above"
tables polybench "$polybench_scale"
# shellcheck source=bench/policies/orders.sh
. "$source/orders.sh"
"$bench/collect" --name=oversubscription \
  --output="$bench/oversubscription.json" <"$lines" || exit 1
plots_sc19
echo "rows and summary: $bench/oversubscription.json"
exit $status
