#!/bin/bash
# What the compiler plugin adds to the time that a compilation takes.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: compile.sh WORK CC PLUGIN FLAGS FILE...
#   WORK      a directory for what is made on the way
#   CC        the C compiler, with options if need be
#   PLUGIN    the plugin; "" measures nothing
#   FLAGS     options for all of FILE...
#   FILE...   C sources of the bench programs
# RUNS=N: each CPU time is the least of N (default 7).  COUNT=1 counts
# instructions with valgrind instead, which are the same on a busy machine but
# take twenty minutes.
#
# Lines on standard output, for collect.  A compilation is -c: linking, which
# compiles the device's code without the plugin, would only dilute it.

set -u -o pipefail
export LC_ALL=C

work=$1
cc=$2
plugin=$3
flags=$4
shift 4
runs=${RUNS:-7}

die()
{
  echo "bench-overhead: $*" >&2
  exit 1
}

# instructions FILE FLAGS...: of all that compiling FILE runs.
instructions()
{
  rm -f "$work"/count.*
  # Options are words.
  # shellcheck disable=SC2086
  $cc -wrapper "valgrind,-q,--tool=cachegrind,--cache-sim=no,--cachegrind-out-file=$work/count.%p" \
    "${@:2}" -c "$1" -o "$work/compile.o" >"$work/compile.log" 2>&1 \
    || die "$1 does not compile: $(tail -n 3 "$work/compile.log")"
  cat "$work"/count.* | awk '/^summary:/ { s += $2 } END { printf "%.0f\n", s }'
}

# cpu FILE FLAGS...: the least CPU seconds of some runs.
cpu()
{
  local i TIMEFORMAT='%U %S'
  # shellcheck disable=SC2086
  for ((i = 0; i < runs; i++)); do
    { time $cc "${@:2}" -c "$1" -o "$work/compile.o" >"$work/compile.log" 2>&1; } 2>&1 \
      || die "$1 does not compile: $(tail -n 3 "$work/compile.log")"
  done | awk '{ print $1 + $2 }' | sort -g | head -n 1
}

# compared NAME FILE FLAGS...: a row; sets plain and with.
compared()
{
  plain=$($measure "${@:2}") || exit 1
  with=$($measure "${@:2}" "-fplugin=$plugin") || exit 1
  echo "row bench=compile file=$1 unit=$measure plain=$plain with=$with ratio=$(ratio "$plain" "$with")"
}

ratio()
{
  awk -v p="$1" -v w="$2" 'BEGIN { printf "%.4f", w / p }'
}

# The largest C and the largest C++ source of GCC's tests that are no tests of
# errors and are for this machine.
largest='gcc.dg/float-exact-1.c g++.dg/Wclass-memaccess.C'

compare_largest()
{
  local tar file worst=0 version
  # They compile in hundredths of a second: too little for a clock.
  command -v valgrind >/dev/null && measure=instructions
  version=$($cc -dumpversion)
  version=${version%%.*}
  tar=$(compgen -G "/usr/src/gcc-$version/gcc-$version*.tar.xz" | head -n 1)
  if test -z "$tar"; then
    echo "bench-overhead: no gcc-$version-source: GCC's largest test is left out" >&2
    return
  fi
  for file in $largest; do
    test -f "$work/$(basename "$file")" \
      || tar xf "$tar" -C "$work" --transform='s,.*/,,' --wildcards "*/gcc/testsuite/$file" \
      || die "can't unpack $file"
    compared "$file" "$work/$(basename "$file")" -O2 -g -fopenmp -w
    worst=$(printf '%s\n' "$worst" "$(ratio "$plain" "$with")" | sort -g | tail -n 1)
  done
  echo "summary compile_ratio_largest=$worst"
}

test -n "$plugin" || exit 0
measure=cpu
if test -n "${COUNT:-}"; then
  command -v valgrind >/dev/null || die "COUNT=1 needs valgrind"
  measure=instructions
fi
plain_all=0
with_all=0
for source; do
  # shellcheck disable=SC2086
  compared "$(basename "$source")" "$source" $flags
  plain_all=$(awk -v a="$plain_all" -v b="$plain" 'BEGIN { print a + b }')
  with_all=$(awk -v a="$with_all" -v b="$with" 'BEGIN { print a + b }')
done
echo "summary compile_ratio=$(ratio "$plain_all" "$with_all")"
compare_largest
