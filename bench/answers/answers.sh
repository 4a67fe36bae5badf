#!/bin/bash
# make bench-answers: programs with known faults: does `ummgr advise' say first what brings most, by
# names that the source has, and does what it says of the gain hold?
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: answers.sh BENCH UMMGR PROFILES SOURCE
#   BENCH     the built bench directory: programs and work go to answers/work there, the
#             table's figures to answers.json
#   SOURCE    the directory of bench/, for jobs.sh, answers/expected.txt, which says what is right,
#             and answers/programs
# CC, CXX: the compilers; CC's gfortran is next to it, mpicc in PATH.  ONLY="heat again": these programs.  JOBS=N.
#
# Each program is built as it is and with -DMENDED, which removes its faults; both run on the simulated
# driver.  A row a program: is the kind right, the words, the place (the loop, and the constructs);
# names that the advice has and the source doesn't; the gain that as many advices as there are faults
# say, against the difference of model_seconds; do both versions print the same, and the program to which
# the first change that has a patch was applied, and that with the directive of a trace of copies alone.  Policies are runs.sh's.

set -u -o pipefail
export LC_ALL=C
# shellcheck disable=SC2034 # jobs.sh's
target='bench-answers'
bench=$1
ummgr=$2
export UMMGR_PROFILE_PATH=$3
source=$4
programs=$source/answers/programs
work=$bench/answers/work
# shellcheck source=bench/jobs.sh
. "$source/jobs.sh"
# shellcheck source=bench/answers/check.sh
. "$source/answers/check.sh"
rm -rf "$work"
mkdir -p "$work" || exit 1

# shellcheck disable=SC2153 # The environment's.
fortran=$(sed 's/gcc\([^/ ]*\)/gfortran\1/' <<<"$CC")

# build SOURCE PROGRAM FLAGS...
build()
{
  local from=$1 program=$2 compiler=$CC flags libraries=()
  shift 2
  case $from in
  *.cc) compiler=$CXX ;;
  *.f90) compiler=$fortran; set -- -cpp -J "$work" "$@" ;;
  esac
  read -ra flags <"$bench/offload.flags"
  if has_ranks "$from"; then
    read -ra libraries < <(mpicc --showme:link)
    # shellcheck disable=SC2207 # Words.
    flags+=($(mpicc --showme:compile))
  fi
  UMMGR_CC=$compiler "$ummgr" cc -O2 -g -ftrace "$@" "${flags[@]}" "$from" -o "$program" "${libraries[@]}" \
    >"$program.log" 2>&1
}

# build_program NAME PROGRAM FLAGS...: of bench/programs.
build_program()
{
  local name=$1 program=$2 flags
  shift 2
  read -ra flags <"$bench/offload.flags"
  UMMGR_CC=$CC "$ummgr" cc -std=gnu99 -O2 -g -ftrace "$@" -I"$source/../include" -I"$source" "${flags[@]}" \
    -foffload-options=-lm "$source/programs/$name.c" -o "$program" -lm >"$program.log" 2>&1 \
    || die "$name can't be built: see $program.log"
}

# has_ranks SOURCE: is it a program of MPI?
has_ranks()
{
  grep -q '<mpi.h>' "$1"
}

# recorded BASE PROGRAM OPTIONS...: a run's statistics, trace and output beside BASE; of ranks the first one's.
recorded()
{
  local base=$1 program=$2
  shift 2
  simulated "$base" --profile=v100-nvlink2 --policy=explicit --trace="$base.ummt" "$@" -- "$program"
  if [ "${#launcher[@]}" != 0 ]; then
    mv "$base.0.json" "$base.json" && mv "$base.0.ummt" "$base.ummt"
  fi
}

# traced PROGRAM: its statistics, trace and output beside it.
traced()
{
  recorded "$1" "$1"
}

# gained PROGRAM OTHER: the modelled seconds that OTHER takes less.
gained()
{
  awk -v a="$(figure "$1.json" model_seconds)" -v b="$(figure "$2.json" model_seconds)" 'BEGIN { printf "%.9f", a - b }'
}

# marked FILE WORD: the lines whose comment is WORD, as 3,7.
marked()
{
  grep -nE "(/\*|//|!) $2( \*/)?\$" "$1" | cut -d: -f1 | paste -sd,
}

# advised JSON FILTER: of the first change.
advised()
{
  jq -r "(.changes[0] // {}) | $2" "$1"
}

# names_wrong JSON FILE: names in what the changes say that are no words of FILE.  Sections and
# comments are left out; a member's name is several words.
names_wrong()
{
  jq -r '.changes[] | select(.kind != "driver-advice") | .directive // "", .what' "$1" | awk '
    function list (text) {
      gsub(/\/\*[^*]*\*\//, "", text)
      while (gsub(/\[[^][]*\]/, "", text)) ;
      sub(/^[a-z]+: */, "", text)
      gsub(/[^A-Za-z0-9_]+/, "\n", text)
      print text
    }
    {
      line = $0
      if (match(line, /^keep .* on the device:/)) {
	text = substr(line, 6, RLENGTH - 20)
	gsub(/ and [0-9]+ more/, "", text)
	gsub(/ and /, ", ", text)
	list(text)
      }
      while (match(line, /(map|to|from) ?\([^)]*\)/)) {
	text = substr(line, RSTART, RLENGTH)
	sub(/^[a-z]+ ?\(/, "", text)
	sub(/\)$/, "", text)
	list(text)
	line = substr(line, RSTART + RLENGTH)
      }
    }' | grep -v '^[0-9]*$' | sort -u | while read -r name; do
    grep -qw -- "$name" "$2" || echo "$name"
  done | paste -sd,
}

# applied SOURCE BASE DIRECTIVE LINE: the program with DIRECTIVE put in before LINE, and what comes
# of it: equal, OTHER results, or why it couldn't be tried.  The note asks for target updates where the
# host looks at data meanwhile, or changes it, which are not put in: other-as-noted, of a program that
# has HOST there.
applied()
{
  local from=$1 base=$2 name=$2-applied directive=$3 line=$4 other
  other=$name.${from##*.}
  if [[ "$directive" != *"target data map"* || $line = 0 ]]; then
    echo no-directive
    return
  fi
  awk -v at="$line" -v what="$directive" -v fortran="$([[ $from = *.f90 ]] && echo 1)" '
    NR == at { print what; inside = fortran }
    inside && /^ *do / { depth++ }
    { print }
    inside && /^ *end do/ && --depth == 0 { print "!$omp end target data"; inside = 0 }' "$from" >"$other"
  if ! build "$other" "$name"; then
    echo no-build
    return
  fi
  traced "$name"
  if [ "$(cat "$name.status")" = 0 ] && cmp -s "$base.out" "$name.out"; then
    echo equal
  elif [ -n "$(marked "$from" HOST)" ]; then
    echo other-as-noted
  else
    echo OTHER
  fi
}

# patched SOURCE BASE: what comes of the patch of the first change that has one: equal, OTHER results,
# no-apply or no-build; none: there is no patch.
patched()
{
  local from=$1 base=$2 name=$2-patched number repository=$2-repository file=${1##*/}
  number=$(jq '[.changes[].patch != null] | index(true) // -1 | . + 1' "$base.advice.json")
  if [ "$number" = 0 ]; then
    echo none
    return
  fi
  mkdir "$repository" && cp "$from" "$repository/" && git init -q "$repository" || die "$file: no repository"
  # Applied to a copy, which is called otherwise.
  if ! "$ummgr" advise --no-replay --patch="$number" "$base.ummt" | sed -E "s#^(---|\+\+\+) ([ab])/.*#\1 \2/$file#" \
    >"$repository/patch" || ! (cd "$repository" && git apply patch) 2>"$name.log"; then
    echo no-apply
  elif ! build "$repository/$file" "$name"; then
    echo no-build
  else
    traced "$name"
    gained "$base" "$name" >"$name.gain"
    [ "$(cat "$name.status")" = 0 ] && cmp -s "$base.out" "$name.out" && echo equal || echo OTHER
  fi
}

# by_copies SOURCE BASE: what comes of the directive that the advice from a trace of copies alone has, of
# map(to:), what need not come again; for what it has in the other clauses the note asks for more.
by_copies()
{
  local from=$1 base=$2 directive
  recorded "$base-light" "$base" --trace-level=copies
  "$ummgr" advise --json --no-replay "$base-light.ummt" >"$base-light.advice.json" || die "$base: no advice from copies"
  directive=$(advised "$base-light.advice.json" '.directive // ""' | sed 's/ map(\(tofrom\|from\|alloc\): [^)]*)//g')
  applied "$from" "$base" "$directive" "$(advised "$base-light.advice.json" '.around.line // 0')"
}

# judge FILE KIND FAULTS WORDS: a row.
judge()
{
  local from=$programs/$1 base=$work/${1%.*} kind=no words=no place=no said loop places seconds gain same=no patched copies
  "$ummgr" advise --json --no-replay "$base.ummt" >"$base.advice.json" || die "$1: no advice"
  [ "$(advised "$base.advice.json" .kind)" = "$2" ] && kind=yes
  said=$(advised "$base.advice.json" '(.what // "nothing") + " | " + (.directive // "")')
  grep -qE -- "$4" <<<"$said" && words=yes
  loop=
  [ "$2" = data-construct ] && loop=$(marked "$from" LOOP)
  places=$(marked "$from" HERE)
  [ "$(advised "$base.advice.json" '[.places[]?.line] | map(tostring) | join(",")')" = "$places" ] \
    && [ "$(advised "$base.advice.json" '.around.line // 0 | if . > 0 then . else "" end')" = "$loop" ] \
    && place=yes
  seconds=$(jq "[.changes[:$3][].seconds] | add // 0" "$base.advice.json")
  gain=$(gained "$base" "$base-mended")
  [ -s "$base.out" ] && cmp -s "$base.out" "$base-mended.out" && same=yes
  patched=$(patched "$from" "$base")
  copies=$(by_copies "$from" "$base")
  awk -v head="row program=$1 expected=$2 kind=$kind words=$words place=$place" \
    -v right="$([ $kind$words$place = yesyesyes ] && echo 1 || echo 0)" -v wrong="$(names_wrong "$base.advice.json" "$from")" \
    -v said="$seconds" -v gain="$gain" -v same="$same" -v patched="$patched" -v copies="$copies" -v brings="$(cat "$base-patched.gain" 2>/dev/null)" 'BEGIN {
      error = gain > 0 ? (said - gain) / gain : 1
      printf "%s right=%d names_wrong=%s said_s=%.9f gain_s=%.9f gain_error=%.4f same=%s patched=%s patched_gain_s=%s copies=%s\n", head, right,
	wrong == "" ? "none" : wrong, said, gain, error < 0 ? -error : error, same, patched,
	brings == "" ? "none" : brings, copies
    }'
  [ $kind$words$place = yesyesyes ] || echo "$1 says: $said; $(advised "$base.advice.json" '.places')" | tr -s '\n ' ' ' \
    >"$base.wrong"
}

# one FILE KIND FAULTS WORDS
one()
{
  local base=$work/${1%.*}
  has_ranks "$programs/$1" && launcher=(mpirun --allow-run-as-root --oversubscribe -n 2)
  build "$programs/$1" "$base" || die "$1 can't be built: see $base.log"
  build "$programs/$1" "$base-mended" -DMENDED || die "$1 can't be built mended: see $base-mended.log"
  for program in "$base" "$base-mended"; do
    traced "$program"
    [ "$(cat "$program.status")" = 0 ] || die "${program##*/}: status $(cat "$program.status"), see $program.err"
  done
  judge "$@" >"$base.row"
}

grep -q -- -foffload=disable "$bench/offload.flags" && die "$CC can't build for nvptx"
while IFS=$'\t' read -r file kind faults words; do
  if [[ $file = *.f90 ]] && ! ${fortran%% *} -dumpversion >/dev/null 2>&1; then
    say "$file: there is no $fortran"
    continue
  fi
  if has_ranks "$programs/$file" && ! mpicc -E "$programs/$file" >/dev/null 2>&1; then
    say "$file: there is no Open MPI (libopenmpi-dev)"
    continue
  fi
  progress "$file"
  echo "$file" >>"$work/programs"
  wait_for_core
  one "$file" "$kind" "$faults" "$words" </dev/null &
done < <(awk -F '\t+' -v OFS='\t' -v of=" ${ONLY:-} " '/^[^#]/ { name = $1; sub(/\..*/, "", name) }
  /^[^#]/ && (of == "  " || index(of, " " name " ")) { $1 = $1; print }' "$source/answers/expected.txt")
wait

while read -r file; do
  [ -s "$work/${file%.*}.row" ] || die "$file has no row"
  cat "$work/${file%.*}.row"
done <"$work/programs" >"$work/rows"

check_all

# The summary: a name is wrong once for each program.
median=$(sed 's/.* gain_error=\([^ ]*\).*/\1/' "$work/rows" | sort -g \
  | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }')
awk -v median="$median" '
  { for (i = 2; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] } }
  {
    n++; right += v["right"]; same += v["same"] == "yes"
    equal += v["patched"] == "equal"; other += v["patched"] != "none" && v["patched"] != "equal"
    light += v["copies"] == "OTHER"; slower += v["patched_gain_s"] != "none" && v["patched_gain_s"] < 0
    names += v["names_wrong"] == "none" ? 0 : split(v["names_wrong"], any, ",")
  }
  END {
    printf "summary programs=%d first_advice_right=%d gain_error_median=%.4f names_wrong=%d results_equal=%d patches_right=%d patches_wrong=%d patches_slower=%d copies_other=%d\n",
      n, right, median, names, same, equal, other, slower, light
  }' "$work/rows" | paste -d '\0' - "$work/check.summary" >"$work/summary"
# shellcheck source=bench/answers/runs.sh
. "$source/answers/runs.sh"
sed -i "s/\$/ $(cat "$work/runs-summary")/" "$work/summary"
"$bench/collect" --name=answers --output="$bench/answers.json" < <(cat "$work/rows" "$work/runs" "$work/check.rows" "$work/summary") || exit 1

progress_done
awk '
  BEGIN {
    print "| program | expected | kind | words | place | names wrong | says, us | gain, us | error | same result | by patch | brings, us | by copies |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
  }
  {
    for (i = 2; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] }
    printf "| %s | %s | %s | %s | %s | %s | %.1f | %.1f | %.1f %% | %s | %s | %s | %s |\n", v["program"], v["expected"], v["kind"],
      v["words"], v["place"], v["names_wrong"], v["said_s"] * 1e6, v["gain_s"] * 1e6, v["gain_error"] * 100, v["same"], v["patched"],
      v["patched_gain_s"] == "none" ? "" : sprintf("%.1f", v["patched_gain_s"] * 1e6), v["copies"]
  }' "$work/rows"
cat "$work"/*.wrong 2>/dev/null
cat "$work/runs"
grep -E ' (found=0|false=[1-9])' "$work/check.rows"
sed 's/^summary //' "$work/summary"
echo "rows and summary: $bench/answers.json"
