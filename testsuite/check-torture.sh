#!/bin/bash
# GCC's own C execution tests, instrumented or as target regions.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-torture.sh BUILDDIR "LEVELS" "SAMPLE" [WAY]
#
# Takes gcc.c-torture/execute out of Debian's gcc-N-source and builds each test at each
# of LEVELS ("-O0 -O2"; quote options of one level as -O2,-flto).  WAY:
#   trace  with the plugin (-fplugin-arg-ummgr-trace) and trace-log.c, run with tracing
#          on.  A test that passes plain must pass instrumented; one that fails plain as
#          well is skipped.
#   ptx    as a target region (torture-region.c), run on the GPU's own code.  A test whose
#          host version passes must pass; one that doesn't build so is skipped, and so are
#          those in libgomp-ptx/known-torture.
# SAMPLE: that many tests, chosen by a fixed shuffle; empty: all.  Writes torture.sum
# (DejaGnu's line format) into the current directory.
set -u

build=$1
levels=$2
sample=${3:-}
way=${4:-trace}
cc=${CC:-gcc}
plugin=${UMMGR_PLUGIN:-$build/gcc-plugin/.libs/ummgr.so}
src=$(cd "$(dirname "$0")/.." && pwd)
work=$PWD/torture-work
version=$($cc -dumpversion)
version=${version%%.*}
tar=$(compgen -G "/usr/src/gcc-$version/gcc-$version*.tar.xz" | head -1)
limit=${UMMGR_TEST_TIMEOUT:-60}

die ()
{
  echo "check-torture: $*" >&2
  exit 1
}

test -n "$tar" || die "no sources of GCC $version under /usr/src: install gcc-$version-source"

unpack ()
{
  test -d "$work/src" && return
  mkdir -p "$work/src.new" || die "cannot write $work"
  tar xf "$tar" -C "$work/src.new" --strip-components=4 --wildcards \
    '*/gcc/testsuite/gcc.c-torture/execute/*' || die "cannot unpack $tar"
  mv "$work/src.new" "$work/src"
}

# Options that test $1 asks for.
options ()
{
  sed -nE 's/.*\{ *dg-(additional-)?options +(\{ *)?"([^"]*)".*/\3/p' "$1" | tr '\n' ' '
}

# Build test $1 as $2 with options $3…  Those in builtins/ come with library
# functions of their own, and a main program.
build_test ()
{
  local path=$1 exe=$2 more=
  shift 2
  case $path in
    */builtins/*)
      more="-fno-tree-loop-distribute-patterns ${path%.c}-lib.c ${path%/*}/lib/main.c"
      ;;
  esac
  $cc -w "$@" $(options "$path") "$path" $more -o "$exe" -lm >"$exe.log" 2>&1
}

run_test ()
{
  # Core files and the limits of a runaway test are of no use here.
  (ulimit -c 0; "$build/testsuite/limit" "$limit" "$1" >/dev/null 2>&1 </dev/null)
}

# Build test $1, whose main takes $2, as region $3 with the options $4….
build_region ()
{
  local path=$1 arguments=$2 exe=$3
  shift 3
  $cc -w -fopenmp "$@" $(options "$path") $flags -foffload-options=-lm -DTEST="\"$path\"" -DARGUMENTS="$arguments" \
    "$src/testsuite/torture-region.c" -o "$exe" -lm >"$exe.log" 2>&1
}

# Run $1, a region, as KERNELS ($2) says.
run_region ()
{
  (ulimit -c 0; UMMGR_KERNELS=$2 "$src/testsuite/libgomp-ptx/run" "$1" >"$1.out" 2>&1 </dev/null)
}

# Test $1 at level $2: a line of the summary.
one_ptx ()
{
  local path=$work/src/$1 level=${2//,/ } exe=$work/bin/${1//\//-}$2.exe known
  if grep -qE 'dg-(skip|xfail).*nvptx' "$path"; then
    echo "UNTESTED: $1 $level: GCC leaves it out for nvptx"
  elif ! build_region "$path" "" "$exe" $level && ! build_region "$path" "1, 0" "$exe" $level; then
    echo "UNTESTED: $1 $level: does not build as a region"
  elif ! run_region "$exe" host; then
    echo "UNTESTED: $1 $level: its host version fails"
  elif run_region "$exe" ptx; then
    echo "PASS: $1 $level"
  elif known=$(sed -nE "s,^$1(@$version)? +, ,p" "$src/testsuite/libgomp-ptx/known-torture" | grep .); then
    echo "XFAIL: $1 $level:$known"
  else
    echo "FAIL: $1 $level: $(grep -v '^$' "$exe.out" | tail -1 | tr -cd '[:print:]' | cut -c1-160)"
  fi
  rm -f "$exe" "$exe.log" "$exe.out"
}

one_trace ()
{
  local path=$work/src/$1 level=${2//,/ } exe
  exe=$work/bin/${1//\//-}$2.exe
  local traced=$work/trace-log.o failed=
  if ! build_test "$path" "$exe" $level "-fplugin=$plugin" -fplugin-arg-ummgr-trace "$traced"; then
    failed="does not build: $(grep -m1 -E 'error|undefined' "$exe.log" | tr -cd '[:print:]' | cut -c1-160)"
  elif ! run_test "$exe"; then
    failed="exit status differs"
  fi
  if test -z "$failed"; then
    echo "PASS: $1 $level"
  elif build_test "$path" "$exe" $level && run_test "$exe"; then
    echo "FAIL: $1 $level: $failed"
  else
    echo "UNTESTED: $1 $level: fails without the plugin"
  fi
  rm -f "$exe" "$exe.log"
}

mkdir -p "$work/bin"
unpack
case $way in
  trace)
    test -e "$plugin" || die "no plugin $plugin: run make first"
    apart=builtins/lib
    $cc -O2 -w -I"$src/include" -c "$src/testsuite/trace-log/trace-log.c" -o "$work/trace-log.o" \
      || die "cannot compile trace-log.c" ;;
  ptx)
    # Those with library functions of their own have a main program elsewhere.
    apart=builtins
    flags=$(sh "$src/bench/offload-flags.sh" "$cc")
    export STAGE=$build/libummgr/stage/lib PROFILES=$src/libummgr/simcuda/profiles
    export KERNELS=$work/kernels LIMIT="$build/testsuite/limit $limit" flags
    mkdir -p "$KERNELS" ;;
  *) die "unknown way $way (known: trace ptx)" ;;
esac
(cd "$work/src" && find . -name '*.c' ! -path "*/$apart/*" ! -name '*-lib.c' | sed 's,^\./,,' | sort) >"$work/all"
if test -n "$sample"; then
  shuf --random-source=<(yes ummgr) -n "$sample" "$work/all"
else
  cat "$work/all"
fi >"$work/list"
rm -rf "$work/sums"
mkdir -p "$work/sums"

export -f one_trace one_ptx build_test run_test build_region run_region options
export build work cc plugin limit src way version
for level in $levels; do
  sed "s/\$/ $level/" "$work/list"
done | xargs -P "$(nproc)" -L1 bash -c '"one_$way" "$0" "$1" >"$work/sums/${0//\//-}$1" 2>>"$work/shell.log"'
cat "$work"/sums/* >torture.sum

count () { grep -c "^$1:" torture.sum; }
printf 'check-torture: %d passed, %d failed, %d failed as expected, %d skipped (they fail otherwise, too)\n' \
  "$(count PASS)" "$(count FAIL)" "$(count XFAIL)" "$(count UNTESTED)"
! grep '^FAIL:' torture.sum
