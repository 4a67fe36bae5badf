#!/bin/bash
# GCC's own C, C++, Fortran and OpenMP tests, compiled with the plugin.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-compile.sh BUILDDIR "LEVELS" [SAMPLE]
#
# Takes gcc.c-torture, libgomp's C and C++ tests and all tests in GCC's gomp
# directories out of Debian's gcc-N-source and compiles each with the plugin at each of LEVELS; nothing is
# run.  A level is options joined by commas ("-O0 -O2,-flto"); the option `all'
# stands for all the plugin can do.  What compiles plain must compile with the
# plugin, and at -O2, without the calls that announce what the host does, to the
# same code, but for the table; what fails plain as well is skipped.  Of
# the gomp directories' tests, most of which are about errors and warnings, none
# is skipped: what the compiler says must be the same, too.  SAMPLE: that many
# pairs of a test and a level, chosen by a fixed shuffle.  ONLY in the environment:
# the tests whose names match it, a pattern of grep -E.  Writes compile.sum
# (DejaGnu's line format) into the current directory, and compile.log.
set -u
export LC_ALL=C

build=$1
levels=$2
sample=${3:-}
cc=${CC:-gcc}
cxx=${CXX:-g++}
fc=${FC:-gfortran}
plugin=${UMMGR_PLUGIN:-$build/gcc-plugin/.libs/ummgr.so}
work=$PWD/compile-work
version=$($cc -dumpversion)
version=${version%%.*}
tar=$(compgen -G "/usr/src/gcc-$version/gcc-$version*.tar.xz" | head -1)
# Seconds of CPU time: the machine may be busy.
limit=${UMMGR_TEST_TIMEOUT:-300}

die ()
{
  echo "check-compile: $*" >&2
  exit 1
}

plugin=$(realpath "$plugin") || die "no plugin $plugin: run make first"
test -n "$tar" || die "no sources of GCC $version under /usr/src: install gcc-$version-source"

# c-c++-common's tests are C++ tests, too.  gfortran may not be here.
unpack ()
{
  local file
  test -d "$work/src" && return
  rm -rf "$work/src.new"
  mkdir -p "$work/src.new" || die "cannot write $work"
  tar xf "$tar" -C "$work/src.new" --strip-components=1 --wildcards '*/gcc/testsuite/gcc.c-torture/*' \
    '*/libgomp/testsuite/libgomp.c/*' '*/libgomp/testsuite/libgomp.c++/*' \
    '*/libgomp/testsuite/libgomp.c-c++-common/*' '*/gcc/testsuite/gcc.dg/gomp/*' \
    '*/gcc/testsuite/c-c++-common/gomp/*' '*/gcc/testsuite/g++.dg/gomp/*' \
    '*/gcc/testsuite/gfortran.dg/gomp/*' || die "cannot unpack $tar"
  command -v "${fc%% *}" >/dev/null || rm -r "$work/src.new/gcc/testsuite/gfortran.dg"
  for file in "$work"/src.new/libgomp/testsuite/libgomp.c-c++-common/*.c \
    "$work"/src.new/gcc/testsuite/c-c++-common/gomp/*.c; do
    ln -s "${file##*/}" "${file%.c}.cc"
  done
  mv "$work/src.new" "$work/src"
}

# Options that test $1 asks for.
options ()
{
  sed -nE 's/.*\{ *dg-(additional-)?options +"([^"]*)".*/\2/p' "$1" | tr '\n' ' '
}

# The options of level $1 that a compiler without the plugin knows.
plain_options ()
{
  printf '%s ' "$1" | sed -E 's/,/ /g; s/\ball\b//g'
}

# And those for test $2 with it; what speaks for itself is left out where what is
# said is compared (-ftrace does of transactions, which it leaves alone).
plugin_options ()
{
  local all='-fplugin-arg-ummgr-trace -fplugin-arg-ummgr-unify -fplugin-arg-ummgr-dump'
  if ! is_diagnosed "$2"; then
    all+=' -fplugin-arg-ummgr-warn -fopt-info-optall'
  elif options "$2" | grep -q -e -fgnu-tm; then
    all=${all/-fplugin-arg-ummgr-trace/}
  fi
  printf -- '-fplugin=%s %s ' "$plugin" "$1" | sed -E "s/,/ /g; s/ all\b/ $all/"
}

# Compile test $1 as $2, DIR/test-HOW.SUFFIX, with options $3….  The compiler is
# given one name for each HOW: code may depend on it, and on its options where
# they are recorded.
compile ()
(
  ulimit -t "$limit"
  ulimit -c 0
  local path=$1 out=$2 made compiler=$cc mode=-c
  made=${out%-*}.${out##*.}
  shift 2
  case $path in
    *.C | *.cc) compiler=$cxx ;;
    *.[fF] | *.[fF]90) compiler=$fc ;;
  esac
  case $out in *.s) mode=-S ;; esac
  # Where the modules that other tests make are not.
  cd "${out%/*}" || exit 1
  if ! $compiler $(words "$path") -fopenmp -foffload=disable -frandom-seed=1 \
    $(options "$path") "$@" -gno-record-gcc-switches -dumpdir "$made-" $mode "$path" \
    -o "$made" >"$out.log" 2>&1; then
    exit 1
  fi
  mv "$made" "$out"
  case " $* " in
    *" -flto "*)
      $compiler -w -fopenmp -foffload=disable "$@" -flto-partition=none -nostdlib \
	-r -flinker-output=nolto-rel -dumpdir "$out-" "$out" -o "$out.2" >>"$out.log" 2>&1
      ;;
  esac
)

# Is test $1 one of which is compared what the compiler says?
is_diagnosed ()
{
  case $1 in */gomp/*) return 0 ;; esac
  return 1
}

# How the compiler is to say something of test $1.
words ()
{
  if is_diagnosed "$1"; then echo -fdiagnostics-plain-output; else echo -w; fi
}

# Is what was said with the plugin of what was compiled to $1-….$2 all that is said
# without?  Says what isn't.
same_words ()
{
  diff <(sort "$1-plain.$2.log") <(sort "$1-plugin.$2.log") | grep -m1 '^[<>]' \
    | tr -cd '[:print:]' | cut -c1-300
}

# Assembler output $1 without the table, and without the command line that is
# kept for the offload compiler.  What that gets of the code stays: it is
# compared, too.
code ()
{
  awk '
    /^\t\.(section|text|data|bss)/ {
      options = /\.gnu\.offload_lto_\.opts/
      table = /\.note\.ummgr/
      # The table may stand between two parts of one section.
      if (options || table || $0 == section) next
      section = $0
    }
    table && /^(\.ummgr_table:|\t\.(string|ascii|byte|value|long|quad|zero|align)[ \t]|\t\.(type|size)\t\.ummgr_table,)/ { next }
    { table = 0 }
    !options' "$1"
}

# Is $2-plugin.s what test $1 comes to without the plugin?  Says why not.  The order of
# a lambda's captures is GCC's whim: the same command makes one of several.
same_code ()
{
  local try
  for try in 1 2 3 4 5 6 7 8; do
    if ! compile "$1" "$2-plain.s" $3; then
      echo "compiles with the plugin alone"
      return
    fi
    cmp -s <(code "$2-plugin.s") <(code "$2-plain.s") && return
  done
  echo "other code"
}

# Test $1 at level $2: a line of the summary.
one_test ()
{
  local name=$1 path=$work/src/$1 level=$2 failed= suffix=o
  local own=$work/out/${1//\//-}$level base plain_level plugin_level
  base=$own/test
  mkdir -p "$own" || return
  plain_level=$(plain_options "$level")
  plugin_level=$(plugin_options "$level" "$path")
  if test "$level" = -O2; then
    suffix=s
    # What -flto writes is not the code.
    plugin_level+='-fplugin-arg-ummgr-no-announce -fno-lto'
    plain_level+=' -fno-lto'
  fi
  if ! compile "$path" "$base-plugin.$suffix" $plugin_level; then
    failed="does not compile: $(grep -m1 -E 'error|undefined' "$base-plugin.$suffix.log" | tr -cd '[:print:]' | cut -c1-200)"
    if compile "$path" "$base-plain.$suffix" $plain_level; then
      :
    elif is_diagnosed "$path"; then
      failed=$(same_words "$base" $suffix)
    else
      echo "UNTESTED: $name $level: fails without the plugin"
      rm -rf "$own"
      return
    fi
  elif test $suffix = s; then
    failed=$(same_code "$path" "$base" "$plain_level")
    test -n "$failed" || ! is_diagnosed "$path" || failed=$(same_words "$base" s)
  elif is_diagnosed "$path"; then
    compile "$path" "$base-plain.o" $plain_level || failed="compiles with the plugin alone"
    test -n "$failed" || failed=$(same_words "$base" o)
  fi
  if test -z "$failed"; then
    echo "PASS: $name $level"
  else
    echo "FAIL: $name $level: $failed"
    {
      echo "--- $name $level: $failed"
      cat "$base-plugin.$suffix.log"
    } >&2
  fi
  rm -rf "$own"
}

mkdir -p "$work"
unpack
rm -rf "$work/sums" "$work/out"
mkdir -p "$work/sums" "$work/out"
(cd "$work/src" && find . -name '*.[cCfF]' -o -name '*.cc' -o -name '*.[fF]90' | sed 's,^\./,,' | sort) \
  | grep -E "${ONLY:-.}" >"$work/all"
for level in $levels; do
  sed "s/\$/ $level/" "$work/all"
done >"$work/pairs"
if test -n "$sample"; then
  shuf --random-source=<(yes ummgr) -n "$sample" "$work/pairs"
else
  cat "$work/pairs"
fi >"$work/list"

export -f one_test compile code same_code options plain_options plugin_options is_diagnosed words same_words
export work cc cxx fc plugin limit
xargs -P "${JOBS:-$(nproc)}" -L1 bash -c 'one_test "$0" "$1" >"$work/sums/${0//\//-}$1"' \
  <"$work/list" 2>compile.log
find "$work/sums" -type f -print0 | sort -z | xargs -0 cat >compile.sum

count () { grep -c "^$1:" compile.sum; }
printf 'check-compile: %d passed, %d failed, %d skipped (they fail without the plugin)\n' \
  "$(count PASS)" "$(count FAIL)" "$(count UNTESTED)"
test "$(wc -l <compile.sum)" = "$(wc -l <"$work/list")" || die "some tests left no result; see compile.log"
! grep '^FAIL:' compile.sum
