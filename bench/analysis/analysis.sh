#!/bin/bash
# make bench-analysis: what the compiler finds out against what programs do.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: analysis.sh BENCH STAGE PROFILES UMMGR SOURCE
#   BENCH     the built bench directory: instrumented programs, count.so and
#             members.so in analysis/; results go there
#   STAGE     the staged lib directory
#   PROFILES  directory of the simulator's profiles
#   UMMGR     the command; UMMGR_CC is its compiler
#   SOURCE    the bench directory's sources
# CC and FORMS_LIBS are for the forms of loops (forms.sh), FORMS_EVERY says that only each
# so-manieth of them is tried: all of them take half an hour.

set -u -o pipefail
export LC_ALL=C

bench=$1
stage=$2
profiles=$3
ummgr=$4
source=$5
work=$bench/analysis/work
lines=$work/lines

die()
{
  echo "bench-analysis: $*" >&2
  exit 1
}

# counted PROGRAM ARGUMENTS: a run on the simulated driver, its messages and
# counts in $work.  Unified, so that objects have one address; with one thread,
# as what is counted is the same with more, and takes longer.  Without the check
# on the host, for which some programs run the same regions there.
counted()
{
  local program=$1
  shift
  LD_LIBRARY_PATH="$stage/ummgr/sim:$stage/ummgr${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
    LD_PRELOAD="$bench/analysis/count.so:$stage/libummgr.so" \
    UMMGR_PROFILE_PATH=$profiles UMMGR_PROFILE=v100-nvlink2 UMMGR_POLICY=rdm \
    UMMGR_MIN_SIZE=1 UMMGR_LOG=debug OMP_NUM_THREADS=1 GOMP_SPINCOUNT=100 \
    "$bench/analysis/$program" --unified --no-check "$@" >"$work/$program.out" \
    2>"$work/$program.log" || die "$program: fails (see $work/$program.log)"
  echo "$program" >>"$work/programs"
  feedback "$program" "$@"
}

# launched PROGRAM STATISTICS ARGUMENTS: a run as a user's, for what it launches.
launched()
{
  local program=$1 statistics=$2
  shift 2
  UMMGR_PROFILE_PATH=$profiles OMP_NUM_THREADS=1 GOMP_SPINCOUNT=100 "$ummgr" run -q --gpu=sim \
    --stats="$statistics" -- "$program" --no-check "$@" >"$work/launched.out" 2>&1 \
    || die "$program: fails (see $work/launched.out)"
}

# others ARGUMENTS: of another use: half as many iterations again, or, where these follow from the
# data, twice as much of that.
others()
{
  case "$*" in
    *--iterations=*) sed -E 's/(--iterations=)30/\145/; s/(--iterations=)2\b/\13/' <<<"$*" ;;
    *) sed -E 's/(--size=)1M/\12M/; s/(--size=)64K/\1128K/' <<<"$*" ;;
  esac
}

# feedback PROGRAM ARGUMENTS: its launches by its tables, guessed and after feedback from a
# run, beside those of another run, and of one with other arguments.
feedback()
{
  local program=$1 flags more
  shift
  local fed=$work/$program-fed first=$work/$program-first.json again=$work/$program-again.json
  local other=$work/$program-other.json
  read -ra more <<<"$(others "$@")"
  [[ "${more[*]}" != "$*" ]] || die "$program: there are no other arguments"
  read -ra flags <"$bench/offload.flags"
  launched "$bench/analysis/$program" "$first" "$@"
  "$ummgr" cc --profile="$first" -std=gnu99 -O2 -g -I"$source/../include" -I"$source" \
    -foffload-options=-lm "${flags[@]}" "$source/programs/$program.c" -o "$fed" -lm \
    || die "$program: can't be compiled with feedback"
  "$ummgr" tables "$bench/analysis/$program" >"$work/guessed.txt" \
    && "$ummgr" tables "$fed" >"$work/fed.txt" || die "$program: no tables"
  launched "$fed" "$again" "$@"
  launched "$fed" "$other" "${more[@]}"
  awk -v program="$program" -f "$source/analysis/feedback.awk" "$work/guessed.txt" \
    "$work/fed.txt" "$again" "$other" >>"$work/feedback" || die "$program: nothing is said of its launches"
}

# members PROGRAM: what its tables say of its arguments beside what its launches access, on the
# host, where all data has one address.
members()
{
  OMP_TARGET_OFFLOAD=disabled OMP_NUM_THREADS=1 LD_PRELOAD="$bench/analysis/members.so" \
    "$bench/analysis/members/$1" >"$work/members-$1.out" 2>"$work/members-$1.log" \
    || die "$1: fails (see $work/members-$1.log)"
  sed -n "s/^members: /$1 /p" "$work/members-$1.log" >>"$work/members"
  grep -q "^$1 " "$work/members" || die "$1: nothing is said of its arguments"
}

plot()
{
  command -v gnuplot >/dev/null || return 0
  gnuplot <<EOT || echo "bench-analysis: gnuplot failed; no plot" >&2
set terminal pngcairo size 1100,560
set output '$bench/analysis.png'
set multiplot layout 1,2 title 'Regions and their objects: predicted at the launch against counted in it'
set logscale xy
set format '10^{%T}'
set key bottom right
set size ratio -1
set xlabel 'measured'
set ylabel 'predicted'
set title 'density, at the worst launch'
set xrange [1e-4:2]
set yrange [1e-4:2]
plot x with lines linecolor 'gray' title 'equal', \
     '$work/points.dat' using (\$1 == 0 ? (\$2 > 1e-4 ? \$2 : 1e-4) : 1/0):3 \
       with points pointtype 6 linecolor 'orange' title 'estimated (0: left edge)', \
     '' using (\$1 == 1 ? \$2 : 1/0):3 with points pointtype 7 pointsize 0.7 \
       linecolor 'blue' title 'affine'
set title 'accesses, mean of launches'
set xrange [1:1e8]
set yrange [1:1e8]
plot x with lines linecolor 'gray' title 'equal', \
     '$work/points.dat' using (\$1 == 0 ? \$4 : 1/0):5 with points pointtype 6 \
       linecolor 'orange' title 'estimated', \
     '' using (\$1 == 1 ? \$4 : 1/0):5 with points pointtype 7 pointsize 0.7 \
       linecolor 'blue' title 'affine'
unset multiplot
EOT
}

mkdir -p "$work" || die "can't make $work"
: >"$lines"
: >"$work/programs"
: >"$work/feedback"
: >"$work/members"
# The numbers of iterations are a use's, not the defaults: most programs are one
# launch by default, after which there is no next use to predict.  An object's
# last use, which nobody can foresee, is one of so many.
counted louvain --size=1M
counted backprop --size=1M --iterations=30
counted bfs --size=1M --degree=2
counted cfd --size=512K --iterations=30
counted hotspot --size=512K --cols=256 --iterations=30
counted kmeans --size=512K --update=device --iterations=30
counted nn --size=512K --iterations=30
counted srad --size=512K --cols=96 --iterations=30
counted 2dconv --size=512K --iterations=30
counted bicg --size=512K --iterations=30
counted doitgen --size=64K --iterations=2
counted fdtd2d --size=512K --iterations=30
counted gemm --size=96K --iterations=30
counted gramschmidt --size=64K
counted mvt --size=512K --iterations=30
"$bench/analysis/compare" --work="$work" --output="$lines" \
  <"$work/programs" || die "nothing to compare"
echo
echo "Launches a run: guessed, by feedback from a run, counted in another, and in one with other arguments"
awk '{ printf "%-13s %-28s %12.6g %12.6g %12.6g %12.6g\n", $1, $2, $3, $4, $5, $7 }' "$work/feedback"
awk '{ if ($6 > worst) worst = $6; if ($8 > other) other = $8; if ($9 > guess) guess = $9
       if ($10 > share) share = $10; n++ }
     END { if (!n) exit 1; printf "summary feedback_frequency_error=%.6f feedback_regions=%d " \
	   "feedback_other_error=%.6f guessed_other_error=%.6f feedback_other_share_error=%.6f\n",
	   worst, n, other, guess, share }' "$work/feedback" >>"$lines" || die "no region was launched"
for program in blocks cells diffusion heat lulesh minife nested ocean particles resident solver wave; do
  members "$program"
done
awk -v lines="$lines" -f "$source/analysis/members.awk" "$work/members" || die "no members"
rm -rf "$work/forms"
EVERY=${FORMS_EVERY:-1} bash "$source/analysis/forms.sh" "$work/forms" "$source/.." "$bench/.." \
  "$FORMS_LIBS" || die "the forms of loops fail"
awk -v lines="$lines" -f "$source/analysis/forms-table.awk" "$work/forms/verdicts" \
  || die "no form of a loop"
plot
"$bench/collect" --name=analysis --output="$bench/analysis.json" <"$lines" \
  || exit 1
echo "rows and summary: $bench/analysis.json"
