# For answers.sh: what `ummgr run --check' finds, in programs with a fault each and in right ones.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A line of a wrong program whose comment is `fault: KIND' is where KIND is to be found.  Right are those of
# check/right, all that the bench's other part has built, as they are and mended, which waste time, but have
# right results, and the programs of bench/programs.
# shellcheck shell=bash disable=SC2154

# seconds COMMAND...: the processor time that it took.
seconds()
{
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

# checked PROGRAM ARGUMENTS...: what is found, in PROGRAM.check.
checked()
{
  rm -f "$1.check"
  timeout 300 "$ummgr" run -q --gpu=sim --profile=v100-nvlink2 --check="$1.check" -- "$@" >"$1.check.out" 2>"$1.check.err"
}

# check_wrong FILE: a row.
check_wrong()
{
  local from=$1 name=${1##*/} base expected found=0 more=0
  base=$work/check-${name%.*}
  expected=$(grep -n 'fault: ' "$from" | head -1 | sed 's/:.*fault: /: /')
  build "$from" "$base" || die "$name can't be built: see $base.log"
  checked "$base"
  [ -s "$base.check" ] || die "$name: nothing was written, see $base.check.err"
  grep -qF -- "$name:$expected:" "$base.check" && found=1
  more=$(grep "^[^ ]*$name:" "$base.check" | grep -cvF -- "$name:$expected:")
  echo "row check=$name expected=${expected// /_} found=$found more=$more"
}

# check_right PROGRAM ARGUMENTS...: a row, of one that is built.
check_right()
{
  local base=$1 with without
  with=$(seconds checked "$@")
  [ -s "$base.check" ] || die "${base##*/}: nothing was written, see $base.check.err"
  without=$(seconds "$ummgr" run -q --gpu=sim --profile=v100-nvlink2 --policy=explicit -- "$@")
  awk -v name="${base##*/}" -v with="$with" -v without="$without" -v wrong="$(grep -c '^[^ ]*:[0-9]*: ' "$base.check")" \
    'BEGIN { printf "row check=%s false=%d check_s=%.3f without_s=%.3f slowdown=%.2f\n", name, wrong, with, without, with / (without > 0.01 ? without : 0.01) }'
}

# check_all: rows to check.rows, and what the summary has of them to check.summary.
check_all()
{
  local from base
  for from in "$source"/answers/check/wrong/*; do
    progress "check ${from##*/}"
    check_wrong "$from"
  done >"$work/check.rows"
  for from in "$source"/answers/check/right/*; do
    base=$work/check-${from##*/}
    base=${base%.*}
    build "$from" "$base" || die "${from##*/} can't be built: see $base.log"
    echo "$base"
  done >"$work/right"
  while read -r from; do
    echo "$work/${from%.*}"
    echo "$work/${from%.*}-mended"
  done <"$work/programs" >>"$work/right"
  while read -r from how _ _ clauses arguments; do
    [ "$how $clauses" = "fits ok" ] || continue
    progress "$from, to be checked"
    build_program "$from" "$work/check-program-$from"
    echo "$work/check-program-$from $arguments"
  done <"$source/matrix.txt" >>"$work/right"
  while read -r base arguments; do
    progress "check ${base##*/}"
    # shellcheck disable=SC2086 # Arguments.
    check_right "$base" $arguments </dev/null
  done <"$work/right" >>"$work/check.rows"
  sed -n 's/.* slowdown=//p' "$work/check.rows" | sort -g >"$work/slowdowns"
  awk -v slowdowns="$work/slowdowns" '
    { for (i = 2; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] } }
    / found=/ { wrong++; found += v["found"]; more += v["more"] }
    / false=/ { right++; bad += v["false"] > 0 }
    END {
      while ((getline one <slowdowns) > 0)
	s[++n] = one
      printf " check_wrong=%d check_found=%d check_more=%d check_right=%d check_false=%d check_slowdown=%.2f check_slowdown_most=%.2f\n",
	wrong, found, more, right, bad, s[int((n + 1) / 2)], s[n]
    }' "$work/check.rows" >"$work/check.summary"
}
