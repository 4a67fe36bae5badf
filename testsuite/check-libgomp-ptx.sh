#!/bin/bash
# libgomp's target tests on the GPU's own code, judged by GCC's own harness.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-libgomp-ptx.sh BUILDDIR TREE "LANGUAGE…" "LEVEL…" [SAMPLE]
#
# TREE has GCC's libgomp/, include/ and gcc/testsuite/lib/.  Each test that mentions a
# target is built at each LEVEL (-O2) as its directives say, and its programs run with
# UMMGR_KERNELS=ptx: what asks for a real device gets one.  A region that runs as its
# host version is a failure.  SAMPLE: that many tests of a language, by a fixed shuffle.
# Prints DejaGnu's summary lines; those of tests in libgomp-ptx/known are expected
# failures.  Uses libgomp-ptx-work in the current directory; its logs stay.
set -u

build=$1
tree=$2
languages=$3
levels=$4
sample=${5:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$PWD/libgomp-ptx-work
export CC=${CC:-gcc} CXX=${CXX:-g++} FC=${FC:-gfortran}
export DEJAGNU=$here/libgomp-ptx/site.exp RUN_ON_PTX=$here/libgomp-ptx/run
export STAGE=$build/libummgr/stage/lib PROFILES=$here/../libummgr/simcuda/profiles
export KERNELS=$work/kernels LIMIT="$build/testsuite/limit ${UMMGR_TEST_TIMEOUT:-120}"
OFFLOAD_FLAGS=$(sh "$here/../bench/offload-flags.sh" "$CC")
export OFFLOAD_FLAGS here work tree

die ()
{
  echo "check-libgomp-ptx: $*" >&2
  exit 1
}

type runtest >/dev/null || die "no runtest: install dejagnu"

# The names of language $1's tests.  The harness goes by them without their directories,
# so each is listed once.
names ()
{
  local in
  case $1 in
    c) in="libgomp.c libgomp.c-c++-common" ;;
    c++) in="libgomp.c++ libgomp.c-c++-common" ;;
    fortran) in="libgomp.fortran" ;;
    *) die "unknown language $1 (known: c c++ fortran)" ;;
  esac
  (cd "$tree/libgomp/testsuite" && grep -rliE 'omp.*target|omp_target' --include='*.c' \
    --include='*.C' --include='*.[fF]*' $in) | sed 's,.*/,,' | sort -u \
    | if test -n "$sample"; then shuf --random-source=<(yes ummgr) -n "$sample"; else cat; fi
}

# One part of language $1 at level $2: the tests $3….
part ()
{
  local language=$1
  export LEVEL=$2
  shift 2
  dir=$(mktemp -d "$work/$language$LEVEL.XXXXXX") && cd "$dir" || exit 1
  cp "$here/libgomp-ptx/libgomp-test-support.exp" .
  runtest --tool libgomp --srcdir "$tree/libgomp/testsuite" --directory "libgomp.$language" \
    "$language.exp=$*" >runtest.log 2>&1
  test -s libgomp.sum || echo "ERROR: libgomp.$language $LEVEL: no summary; see $dir/runtest.log"
}

# Without a device libgomp runs regions on the host, and tests that ask for one are left
# out: nobody would notice.
find_device ()
{
  printf '%s\n' '#include <omp.h>' 'int main (void)' '{' '  int host = 1;' \
    '#pragma omp target map(from: host)' '  host = omp_is_initial_device ();' '  return host;' '}' \
    >"$work/device.c"
  $CC $OFFLOAD_FLAGS -fopenmp "$work/device.c" -o "$work/device" && "$RUN_ON_PTX" "$work/device" \
    || die "a region does not run on the device"
}

rm -rf "$work"
mkdir -p "$work" "$KERNELS"
find_device
export -f part
for language in $languages; do
  names "$language" >"$work/names" || exit 1
  for level in $levels; do
    xargs -n 8 <"$work/names" | sed "s,^,$language $level ,"
  done
done | xargs -P "$(nproc)" -I{} bash -c 'part $1' _ {}

cat "$work"/*/libgomp.sum | awk -v known="$here/libgomp-ptx/known" -f "$here/libgomp-known.awk"
