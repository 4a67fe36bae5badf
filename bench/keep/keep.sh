#!/bin/bash
# make bench-keep: programs with map clauses on each kernel, and others, under auto with and without copies that stay
# (ummgr run --keep), beside explicit, and beside the same programs with their faults mended.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: keep.sh BENCH UMMGR PROFILES SOURCE
#   BENCH     the built bench directory; work goes to keep/work there, the table's figures to keep.json
#   SOURCE    the directory of bench/, for jobs.sh, keep/cg.c and answers/programs, which have -DMENDED
# CC, CXX: the compilers; CC's gfortran is next to it.  ONLY="cg heat": these.  MACHINES="h200-pcie5 …".  JOBS=N.
#
# A row a program and machine: modelled seconds (elapsed) under explicit, under auto without and with --keep, and of the
# mended program under explicit; how many times as fast auto with --keep is as explicit, and as without; bytes to the
# device.  All print the same, or the bench fails.

set -u -o pipefail
export LC_ALL=C
target=bench-keep
bench=$1
ummgr=$2
export UMMGR_PROFILE_PATH=$3
source=$4
work=$bench/keep/work
# shellcheck source=bench/jobs.sh
. "$source/jobs.sh"
rm -rf "$work"
mkdir -p "$work" || exit 1

# shellcheck disable=SC2153 # The environment's.
fortran=$(sed 's/gcc\([^/ ]*\)/gfortran\1/' <<<"$CC")

# build SOURCE PROGRAM FLAGS...
build()
{
  local from=$1 program=$2 compiler=$CC flags
  shift 2
  case $from in
  *.cc) compiler=$CXX ;;
  *.f90) compiler=$fortran; set -- -cpp -J "$work" "$@" ;;
  esac
  read -ra flags <"$bench/offload.flags"
  UMMGR_CC=$compiler "$ummgr" cc -O2 "$@" "${flags[@]}" "$from" -o "$program" -lm >"$program.log" 2>&1
}

wanted=" ${ONLY:-} "
for from in "$source"/keep/*.c "$source"/answers/programs/*; do
  name=$(basename "${from%.*}")
  # Those of MPI are others' business.
  grep -q 'mpi\.h' "$from" && continue
  test "$wanted" = "  " || case $wanted in *" $name "*) ;; *) continue ;; esac
  echo "$name $from" >>"$work/programs"
done
test -s "$work/programs" || die "no program is called $ONLY"

while read -r name from; do
  progress "$name is built"
  wait_for_core
  { build "$from" "$work/$name" && build "$from" "$work/$name-mended" -DMENDED; } || touch "$work/$name.failed" &
done <"$work/programs"
wait
for failed in "$work"/*.failed; do
  test ! -e "$failed" || die "$(basename "$failed" .failed) does not build: see ${failed%.failed}.log"
done

machines=${MACHINES:-rtx3090-pcie3 v100-nvlink2 h200-pcie5}
while read -r name from; do
  for machine in $machines; do
    progress "$name, $machine"
    base=$work/$name-$machine
    while read -r way program options; do
      wait_for_core
      # shellcheck disable=SC2086 # Words.
      simulated "$base-$way" --profile="$machine" $options -- "$work/$program" </dev/null &
    done <<-EOF
	explicit $name --policy=explicit
	copies $name --policy=auto --keep=off
	keep $name --policy=auto
	mended $name-mended --policy=explicit
EOF
  done
done <"$work/programs"
wait

while read -r name from; do
  for machine in $machines; do
    base=$work/$name-$machine
    for way in explicit copies keep mended; do
      test "$(cat "$base-$way.status")" = 0 || die "$name on $machine, $way: see $base-$way.err"
      cmp -s "$base-explicit.out" "$base-$way.out" || test $way = mended \
	|| die "$name on $machine, $way, prints something else: $base-$way.out"
    done
    echo "$name $machine $(for way in explicit copies keep mended; do figure "$base-$way.json" elapsed_seconds; done | xargs)" \
      "$(figure "$base-explicit.json" h2d_bytes) $(figure "$base-keep.json" h2d_bytes)"
  done
done <"$work/programs" >"$work/rows" || exit 1

progress_done
awk -v json="$bench/keep.json" '
  BEGIN {
    print "| program | machine | explicit, ms | auto, ms | and keep, ms | mended, ms | over explicit | over auto | in, MB | with keep |"
    print "|---|---|---|---|---|---|---|---|---|---|"
  }
  {
    over = $3 / $5; gain = $4 / $5
    printf "| %s | %s | %.3f | %.3f | %.3f | %.3f | %.2f | %.2f | %.3g | %.3g |\n", $1, $2, $3 * 1e3, $4 * 1e3, $5 * 1e3,
      $6 * 1e3, over, gain, $7 / 1e6, $8 / 1e6
    for (m = 1; m <= 2; m++) {
      key = m == 1 ? $2 : "all"
      sum[key] += log(over); kept[key] += log(gain); n[key]++
      if (!(key in worst) || gain < worst[key]) { worst[key] = gain; who[key] = $1 }
      best[key] = over > best[key] ? over : best[key]
    }
  }
  END {
    printf "{\n \"summary\": {" > json
    for (m in n) {
      printf "%s: %.2f times as fast as explicit in the mean, %.2f at most; as without keep %.2f, %.3f at worst (%s)\n", m,
	exp(sum[m] / n[m]), best[m], exp(kept[m] / n[m]), worst[m], who[m]
      printf "%s\n  \"%s\": { \"over_explicit\": %.4f, \"most\": %.4f, \"over_auto\": %.4f, \"worst\": %.4f, \"worst_program\": \"%s\" }",
	k++ ? "," : "", m, exp(sum[m] / n[m]), best[m], exp(kept[m] / n[m]), worst[m], who[m] > json
    }
    print "\n }\n}" > json
  }' "$work/rows"
