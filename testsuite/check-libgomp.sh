#!/bin/bash
# GCC's own OpenMP target tests as ummgr's conformance suite.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-libgomp.sh BUILDDIR "POLICY…" ["LANGUAGE…" ["WAY…" ["LEVEL…" [SAMPLE]]]]
#
# Takes the tests with target constructs out of Debian's gcc-N-source, those in C
# and, if LANGUAGEs (c c++ fortran) say so, C++ and Fortran; builds each with the
# installed compiler, and runs it on the simulated GPU without libummgr, then under
# each policy with it, in each WAY:
#   whole  once with the ordinary size threshold and once taking over every object
#   third  on a device with a third of the memory that the program uses at once
#   trace  instrumented, writing a trace
#   check  instrumented, under --check, with nothing found but in libgomp-known-check
#   split  with regions that can be run by ranges, without libummgr and in pieces
#   spread over three GPUs, if the test passes on these without libummgr
#   ptx    on the GPU's own code, without libummgr: check-libgomp-ptx.sh, which takes
#          LEVELs (-O2) and SAMPLE
# A test that passes without libummgr must pass with it; one that fails without is
# not counted.  On a third of the memory a program may end for want of memory, if
# libgomp or ummgr says so; then it is not counted either.  Writes libgomp.sum
# (DejaGnu's line format) into the current directory.
set -u

build=$1
policies=$2
languages=${3:-c}
ways=${4:-whole}
levels=${5:--O2}
sample=${6:-}
cc=${CC:-gcc}
cxx=${CXX:-g++}
fc=${FC:-${cc%gcc*}gfortran${cc##*gcc}}
plugin=$build/gcc-plugin/.libs/ummgr.so
stage=$build/libummgr/stage/lib
src=$(cd "$(dirname "$0")/.." && pwd)
work=$PWD/libgomp-work
tree=$work/gcc
tests=$tree/libgomp/testsuite
version=$($cc -dumpversion)
version=${version%%.*}
tar=$(compgen -G "/usr/src/gcc-$version/gcc-$version*.tar.xz" | head -1)
limit=${UMMGR_TEST_TIMEOUT:-60}

die ()
{
  echo "check-libgomp: $*" >&2
  exit 1
}

test -n "$tar" || die "no sources of GCC $version under /usr/src: install gcc-$version-source"
test -e "$stage/ummgr/sim/libcuda.so.1" || die "no simulated driver under $stage: run make first"

unpack ()
{
  test -d "$tree" && return
  mkdir -p "$tree.new" || die "cannot write $work"
  tar xf "$tar" -C "$tree.new" --strip-components=1 --wildcards 'gcc-*/libgomp/*' \
    'gcc-*/include/*' 'gcc-*/gcc/testsuite/lib/*' || die "cannot unpack $tar"
  mv "$tree.new" "$tree"
}

# Flags that build an offload program here.
find_flags ()
{
  flags="-fopenmp $(sh "$src/bench/offload-flags.sh" $cc)"
  case $flags in
    *-foffload=disable*) die "$cc cannot build offload programs" ;;
  esac
}

# The files that are tests of language $1; those in C++'s common directory are C's.
language_files ()
{
  case $1 in
    c) ls libgomp.c/*.c libgomp.c-c++-common/*.c ;;
    c++) ls libgomp.c++/*.C ;;
    fortran) ls libgomp.fortran/*.[fF]* ;;
    *) die "unknown language $1 (known: c c++ fortran)" ;;
  esac
}

# Tests with target constructs that are programs to run.  libgomp's harness builds
# C, C++ and Fortran tests that don't say what to do, too.
list_tests ()
{
  local language
  cd "$tests" || die "no tests in $tree"
  for language in $languages; do
    language_files "$language" | xargs grep -liE 'omp.*target|omp_target' \
      | while read -r t; do
	  grep -qE 'dg-do *(compile|link|preprocess)' "$t" || echo "$t"
	done
  done
}

# A directive's quoted text in test $2.
directive ()
{
  sed -nE "s/.*\{ *$1 +\"([^\"]*)\" *\}.*/\1/p" "$2" | tr '\n' ' '
}

# The environment that test $1 asks for.
test_environment ()
{
  sed -nE 's/.*\{ *dg-set-target-env-var +"?([A-Z_]+)"? +"([^"]*)".*/\1=\2/p' "$1"
}

# Build test $1 as $2, with the options $3….
build_test ()
{
  local t=$1 exe=$2 path=$tests/$1 compiler=$cc f opts extra more= modules=
  shift 2
  case $t in
    *.C) compiler=$cxx ;;
    *.[fF]*) compiler=$fc; modules="-J $exe.mod -foffload-options=-lgfortran -foffload-options=-lm"; mkdir -p "$exe.mod" ;;
  esac
  opts=$(directive dg-options "$path")
  extra=$(directive dg-additional-options "$path")
  for f in $(sed -nE 's/.*\{ *dg-additional-sources +"?([^"}]*)"? *\}.*/\1/p' "$path"); do more="$more $(dirname "$path")/$f"; done
  $compiler -O2 $opts $extra $flags $modules -I"$tree/libgomp" -I"$(dirname "$path")" -w "$@" "$path" $more -o "$exe" -lm >"$exe.log" 2>&1
}

# Run $1 with the environment $2…; true if it passes.
run_test ()
{
  local exe=$1
  shift
  "$build/testsuite/limit" "$limit" env LD_LIBRARY_PATH="$stage/ummgr/sim" UMMGR_PROFILE_PATH="$src/libummgr/simcuda/profiles" \
    OMP_NUM_THREADS=2 GOMP_SPINCOUNT=100 $test_env "$@" "$exe" >"$exe.out" 2>&1 </dev/null
}

# Run $1 under policy $2, in a way that is called $3, with the environment $4….
run_with ()
{
  local exe=$1 policy=$2 name="policy $2 $3" last
  shift 3
  if run_test "$exe" LD_PRELOAD="$stage/libummgr.so" UMMGR_POLICY="$policy" "$@"; then
    echo "PASS: $t $name"
    return
  fi
  last=$(grep -v '^$' "$exe.out" | tail -1 | tr -cd '[:print:]' | cut -c1-160)
  if [[ $name == *third* ]] && grep -qiE 'out of memory|no memory|memory is full' "$exe.out"; then
    echo "UNSUPPORTED: $t $name: $last"
  else
    echo "FAIL: $t $name: $last"
    cp "$exe.out" "$exe.${name//[ \/]/-}.failed"
  fi
}

way_whole ()
{
  local policy size
  for policy in $policies; do
    for size in 64K 1; do
      test "$policy $size" = "explicit 1" || run_with "$exe" "$policy" "min-size $size" UMMGR_MIN_SIZE=$size
    done
  done
}

# A third of the memory that the program has on the device under explicit, where
# libgomp takes it all.  The simulated device is shrunken, so that its blocks are
# the smallest that there are: $least bytes, which many of these programs don't fill.
way_third ()
{
  local policy peak least=16384 memory
  if grep -q 'requires.*reverse_offload' "$path"; then
    echo "UNSUPPORTED: $t third: requires reverse_offload: all data is libgomp's"
    return
  fi
  run_test "$exe" LD_PRELOAD="$stage/libummgr.so" UMMGR_POLICY=explicit UMMGR_STATS="$exe.json"
  peak=$(sed -nE 's/.*"device_peak_bytes": *([0-9]+).*/\1/p' "$exe.json" | head -1)
  test "${peak:-0}" -gt 0 || { echo "UNSUPPORTED: $t third: uses no memory on the device"; return; }
  memory=$((peak / 3 > least ? peak / 3 : least))
  for policy in $policies; do
    run_with "$exe" "$policy" "third of $peak" UMMGR_MIN_SIZE=1 UMMGR_SCALE=1024 UMMGR_DEVICE_MEM=$memory
  done
}

# Build it for the way $1, with the options $2…, or say why that fails.
build_way ()
{
  local way=$1
  shift
  build_test "$t" "$exe" "$@" && return
  echo "FAIL: $t $way: does not build: $(grep -m1 -E 'error|undefined' "$exe.log" | tr -cd '[:print:]' | cut -c1-160)"
  return 1
}

way_trace ()
{
  local policy
  build_way trace -fplugin="$plugin" -fplugin-arg-ummgr-trace "$stage/ummgr/ummgr-trace.o" || return 0
  for policy in $policies; do
    run_with "$exe" "$policy" "trace" UMMGR_MIN_SIZE=1 UMMGR_TRACE="$exe.ummt"
  done
}

# Under --check: what is found is an exit status of its own.
way_check ()
{
  build_way check -g -fplugin="$plugin" -fplugin-arg-ummgr-trace "$stage/ummgr/ummgr-trace.o" || return 0
  run_with "$exe" explicit check UMMGR_CHECK="$exe.check"
}

# With regions that can be run by ranges: without libummgr, which runs them whole, and
# three ranges each.
way_split ()
{
  local policy
  build_way split -fplugin="$plugin" -fplugin-arg-ummgr-split=on || return 0
  if run_test "$exe"; then
    echo "PASS: $t split without libummgr"
  else
    echo "FAIL: $t split without libummgr"
  fi
  for policy in $policies; do
    for size in 64K 1; do
      run_with "$exe" "$policy" "split min-size $size" UMMGR_PIECES=3 UMMGR_MIN_SIZE=$size
    done
  done
}

# Over three GPUs: some tests look at how many there are.
way_spread ()
{
  local way
  build_way spread -fplugin="$plugin" || return 0
  run_test "$exe" UMMGR_GPUS=3 || { echo "UNSUPPORTED: $t spread: fails on three devices"; return; }
  for way in on demand; do
    run_with "$exe" explicit "spread $way" UMMGR_GPUS=3 UMMGR_SPREAD=$way
  done
}

# All of one test: lines of the summary on standard output.
one_test ()
{
  local t=$1 exe=$work/bin/${1//\//-}.exe way path=$tests/$1
  local test_env
  test_env=$(test_environment "$path")
  if ! build_test "$t" "$exe"; then
    echo "UNSUPPORTED: $t: does not build"
  elif grep -q 'dg-shouldfail' "$path"; then
    echo "UNSUPPORTED: $t: meant to fail"
  elif ! run_test "$exe" UMMGR_LOG=warn; then
    echo "UNTESTED: $t: fails without libummgr: $(tail -1 "$exe.out" | tr -cd '[:print:]' | cut -c1-100)"
  else
    for way in $ways; do "way_$way"; done
  fi
  rm -rf "$exe" "$exe.mod" "$exe.json" "$exe.ummt" "$exe.check"
}

# All tests in the ways $ways.
run_tests ()
{
  local total worker
  mkdir -p "$work/bin" "$work/sums"
  find_flags
  (list_tests) >"$work/list" || exit 1
  total=$(wc -l <"$work/list")
  # Two at a time keep two cores busy: most of the time is compilation.
  export -f one_test build_test build_way test_environment run_test run_with directive way_whole way_third way_trace way_check way_split way_spread
  export build work tree tests cc cxx fc flags stage src limit policies ways plugin
  xargs -P "$(nproc)" -I{} bash -c 'one_test "$1" >"$work/sums/${1//\//-}" 2>>"$work/shell.log"' _ {} <"$work/list" &
  worker=$!
  if test -t 2; then
    while kill -0 $worker 2>/dev/null; do
      printf '\rcheck-libgomp: %d of %d' "$(find "$work/sums" -type f | wc -l)" "$total" >&2
      sleep 1
    done
    printf '\r\033[K' >&2
  fi
  wait $worker
}

rm -rf "$work/sums" libgomp.sum
unpack
kernels=
case " $ways " in *" ptx "*) kernels=1; ways=${ways//ptx/} ;; esac
test -z "${ways// /}" || run_tests
if test -n "$kernels"; then
  mkdir -p "$work/sums"
  CC=$cc CXX=$cxx FC=$fc bash "$(dirname "$0")/check-libgomp-ptx.sh" "$build" "$tree" "$languages" "$levels" \
    "$sample" >"$work/sums/ptx" || exit 1
fi
cat "$work"/sums/* | awk -v known="$src/testsuite/libgomp-known-check" -v way=check -f "$src/testsuite/libgomp-known.awk" >libgomp.sum

count () { grep -cE "^($1):" libgomp.sum; }
bad='FAIL|XPASS|UNRESOLVED|ERROR'
printf '%s tests: ' "$(sed -E 's/^[A-Z]+: ([^ :]+).*/\1/' libgomp.sum | sort -u | wc -l)"
printf '%d runs passed, %d failed, %d failed as expected; %d tests fail without libummgr, %d do not build, are meant to fail or not for this machine\n' \
  "$(count PASS)" "$(count "$bad")" "$(count XFAIL)" "$(count UNTESTED)" "$(count UNSUPPORTED)"
! grep -E "^($bad):" libgomp.sum
