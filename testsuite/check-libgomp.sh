#!/bin/bash
# GCC's own OpenMP target tests as ummgr's conformance suite.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-libgomp.sh BUILDDIR "POLICY…"
#
# Takes the C tests with target constructs out of Debian's gcc-12-source,
# builds each with the installed gcc, and runs it on the simulated GPU without
# libummgr, then under each policy with it, once with the ordinary size
# threshold and once taking over every object.  A test that passes without
# libummgr must pass with it; one that fails without is not counted.  Writes
# libgomp.sum (DejaGnu's line format) into the current directory.
set -u

build=$1
policies=$2
cc=${CC:-gcc}
stage=$build/libummgr/stage/lib
src=$(cd "$(dirname "$0")/.." && pwd)
work=$PWD/libgomp-work
tar=$(compgen -G '/usr/src/gcc-12/gcc-12*.tar.xz' | head -1)
limit=${UMMGR_TEST_TIMEOUT:-60}

die ()
{
  echo "check-libgomp: $*" >&2
  exit 1
}

test -n "$tar" || die "no sources of GCC 12 under /usr/src: install gcc-12-source"
test -e "$stage/ummgr/sim/libcuda.so.1" || die "no simulated driver under $stage: run make first"

unpack ()
{
  test -d "$work/src" && return
  mkdir -p "$work/src.new" || die "cannot write $work"
  tar xf "$tar" -C "$work/src.new" --strip-components=2 --wildcards '*/libgomp/testsuite/libgomp.c/*' \
    '*/libgomp/testsuite/libgomp.c-c++-common/*' '*/libgomp/testsuite/libgomp.c++/*' \
    || die "cannot unpack $tar"
  mv "$work/src.new" "$work/src"
}

# Flags that build an offload program here.
find_flags ()
{
  flags="-fopenmp $(sh "$src/bench/offload-flags.sh" $cc)"
  case $flags in
    *-foffload=disable*) die "$cc cannot build offload programs" ;;
  esac
}

# Tests with target constructs that are programs to run.
list_tests ()
{
  (cd "$work/src/testsuite" \
    && grep -lE '(omp|OMP).*target|omp_target' libgomp.c/*.c libgomp.c-c++-common/*.c \
    | while read -r t; do
	grep -qE 'dg-do *(compile|link|preprocess)' "$t" || echo "$t"
      done)
}

# A directive's quoted text in test $2.
directive ()
{
  sed -nE "s/.*\{ *$1 +\"([^\"]*)\".*/\1/p" "$2" | tr '\n' ' '
}

build_test ()
{
  local t=$1 exe=$2 path=$work/src/testsuite/$1 opts extra
  opts=$(directive dg-options "$path")
  extra=$(directive dg-additional-options "$path")
  local more=
  for f in $(directive dg-additional-sources "$path"); do more="$more $(dirname "$path")/$f"; done
  $cc -O2 $opts $extra $flags -I"$work/src" -w "$path" $more -o "$exe" -lm >"$exe.log" 2>&1
}

# Run $1 with the environment $2…; true if it passes.
run_test ()
{
  local exe=$1 want=0
  shift
  env LD_LIBRARY_PATH="$stage/ummgr/sim" UMMGR_PROFILE_PATH="$src/libummgr/simcuda/profiles" OMP_NUM_THREADS=2 GOMP_SPINCOUNT=100 "$@" \
    timeout -k 5 "$limit" "$exe" >"$exe.out" 2>&1 </dev/null
}

# All of one test: lines of the summary on standard output.
one_test ()
{
  local t=$1 exe=$work/bin/${1//\//-}.exe policy size should=0
  if ! build_test "$t" "$exe"; then
    echo "UNSUPPORTED: $t: does not build"
    return
  fi
  grep -q 'dg-shouldfail' "$work/src/testsuite/$t" && { echo "UNSUPPORTED: $t: meant to fail"; rm -f "$exe"; return; }
  if ! run_test "$exe" UMMGR_LOG=warn; then
    echo "UNTESTED: $t: fails without libummgr: $(tail -1 "$exe.out" | tr -cd '[:print:]' | cut -c1-100)"
    rm -f "$exe"
    return
  fi
  for policy in $policies; do
    for size in 64K 1; do
      test "$policy $size" = "explicit 1" && continue
      if run_test "$exe" LD_PRELOAD="$stage/libummgr.so" UMMGR_POLICY="$policy" UMMGR_MIN_SIZE="$size"; then
	echo "PASS: $t policy $policy min-size $size"
      else
	echo "FAIL: $t policy $policy min-size $size: $(tail -1 "$exe.out" | tr -cd '[:print:]' | cut -c1-160)"
	cp "$exe.out" "$exe.$policy-$size.failed"
      fi
    done
  done
  rm -f "$exe"
}

mkdir -p "$work/bin"
unpack
find_flags
list_tests >"$work/list"
total=$(wc -l <"$work/list")
rm -rf "$work/sums"
mkdir -p "$work/sums"

# Two at a time keep two cores busy: most of the time is compilation.
export -f one_test build_test run_test directive
export work cc flags stage src limit policies
n=0
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
cat "$work"/sums/* >libgomp.sum

count () { grep -c "^$1:" libgomp.sum; }
printf '%s tests: ' "$total"
printf '%d runs passed, %d failed; %d tests fail without libummgr, %d do not build or are meant to fail\n' \
  "$(count PASS)" "$(count FAIL)" "$(count UNTESTED)" "$(count UNSUPPORTED)"
! grep '^FAIL:' libgomp.sum
