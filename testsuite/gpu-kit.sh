#!/bin/bash
# make gpu-kit: what is needed to try ummgr on a machine that has a GPU and its driver, and nothing else: no
# compiler, no DejaGnu, no packages.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: gpu-kit.sh BUILD CC DIRECTORY
#   BUILD      the build directory     CC    the offload compiler
#   DIRECTORY  what is made; copy it there, and call run.sh in it (on-gpu/run.sh)
#
# In it: the installed command and library, libgomp and its nvptx plugin and other libraries from here (lib/system),
# run and trace tests that ask nothing of the simulated driver (tests), and programs of bench/, plain and with
# tables (bench).  A line a test in tests/list: its name and, behind bars, policies and variables.
set -u -o pipefail
export LC_ALL=C

die ()
{
  echo "gpu-kit: $*" >&2
  exit 1
}

test $# -eq 3 || die "usage: gpu-kit.sh BUILD CC DIRECTORY"
build=$(cd "$1" && pwd) || exit 1
cc=$2
source=$(cd "$(dirname "$0")/.." && pwd)
rm -rf "$3"
mkdir -p "$3"/{tests,bench,lib/system} && kit=$(cd "$3" && pwd) || exit 1
read -r -a flags <"$build/bench/offload.flags"
test "${flags[0]}" != -foffload=disable || die "$cc can't build offload programs"

# --- the command, the library, and what they need ------------------------------

# The installed tree may be moved as a whole; of its libraries archives and headers are of no use there.
make -s -C "$build" install prefix="$kit/installed" >"$kit/install.log" 2>&1 \
  || die "make install failed: see $kit/install.log"
rm -r "$kit/install.log" "$kit"/installed/share/{doc,info,man} "$kit"/installed/include 2>/dev/null
find "$kit/installed" -name '*.a' -delete
cp "$source/testsuite/on-gpu/run.sh" "$kit/run.sh"

# What FILE is linked with, but for the C library, which is the machine's own.
needed ()
{
  ldd "$1" | awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)\.so/ { print $3 }'
}

# A library's file by its NAME.
library ()
{
  local file
  file=$("$cc" -print-file-name="$1")
  if [ ! -e "$file" ]; then
    file=$(/sbin/ldconfig -p | awk -v n="$1" '$1 == n && /x86-64|AArch64|64bit/ { print $NF; exit }')
  fi
  test -e "$file" && echo "$file"
}

files=()
for name in libgomp.so.1 libgomp-plugin-nvptx.so.1; do
  file=$(library $name) || die "no $name here"
  files+=("$file")
done
# Opened if there: GPUs and links of a machine.
if file=$(library libhwloc.so.15); then files+=("$file"); fi
for file in "$kit/installed/bin/ummgr" "$kit"/installed/lib/libummgr.so "$kit"/installed/lib/ummgr/*.so.1 "${files[@]}"; do
  cp -L $(needed "$file") "$kit/lib/system/" 2>/dev/null
done
cp -L "${files[@]}" "$kit/lib/system/"

# --- tests ------------------------------------------------------------------------

# Those of testsuite/ummgr.gpu, by the same patterns (gpu.exp), and those that use what only the compiler knows.
cd "$source/testsuite" || exit 1
tests=(ummgr.run/{map-,exit-,fork-,fuzz-}*.c ummgr.run/{map-,exit-}*.cc ummgr.run/{announce-home,live-copies,live-hidden,live-home}.c
  ummgr.run/many-{small,threads}.c ummgr.run/keep{,-calls,-late,-late-threads,-proved,-random}.c
  ummgr.trace/{exit-in-region,facts-mapped,facts-unified,fork,link-variable,results,threads,threads-launch}.c)

# The argument of DIRECTIVE in FILE.
directive ()
{
  sed -n "s/.*{ dg-$1 \"\\(.*\\)\" }.*/\\1/p" "$2" | head -1
}

policies=$("$build/libummgr/ummgr" --list policies | awk '{ print $1 }' | tr '\n' ' ')
for test in "${tests[@]}"; do
  test -e "$test" || continue
  name=$(basename "${test%.*}")
  own=()
  of=$(directive ummgr-policies "$test")
  case $test in
    ummgr.trace/*)
      name=trace-$name
      own=(-fplugin="$build/gcc-plugin/.libs/ummgr.so" -fplugin-arg-ummgr-trace "$build/libummgr/ummgr-trace.o")
      of=${of:-explicit um prefetch host lru} ;;
  esac
  options=$(directive additional-options "$test")
  options=${options//\[ummgr_plugin\]/$build/gcc-plugin/.libs/ummgr.so}
  compiler=$cc
  case $test in *.cc) compiler=${cc/gcc/g++} ;; esac
  # shellcheck disable=SC2086
  "$compiler" -g -O2 -fopenmp "${flags[@]}" -I"$source/include" -I"$source/libummgr" -I"$build" -I"$source/testsuite" \
    "${own[@]}" $options "$test" -o "$kit/tests/$name" -lpthread -ldl -lm 2>"$kit/tests/log" \
    || { cat "$kit/tests/log"; die "$test was not built"; }
  echo "$name|${of:-$policies}|$(directive ummgr-env "$test")" >>"$kit/tests/list"
done
rm -f "$kit/tests/log"

# --- programs of bench/ -------------------------------------------------------------

programs=$(awk '/^[^#]/ { print $1 }' "$source/bench/auto/programs.txt")
# shellcheck disable=SC2086
make -s -C "$build/bench" $(printf 'policies/%s ' $programs) overhead/region overhead/resident collect \
  || die "the programs of bench/ were not built"
for program in $programs; do
  cp "$build/bench/policies/$program" "$kit/bench/$program"
  cp "$build/bench/$program" "$kit/bench/plain-$program" 2>/dev/null
done
cp "$build"/bench/overhead/{region,resident} "$kit/bench/"
"$cc" -O2 -g -fopenmp "${flags[@]}" -fplugin="$build/gcc-plugin/.libs/ummgr.so" "$source/testsuite/on-gpu/stream.c" \
  -o "$kit/bench/stream" || die "stream.c was not built"
# Which is what is large; where lines are is told by the tables, too.
strip -g "$kit"/{tests,bench,lib/system,installed/bin,installed/lib,installed/lib/ummgr}/* 2>/dev/null
tar -C "$(dirname "$kit")" -cJf "$kit.tar.xz" "$(basename "$kit")" || die "no $kit.tar.xz"
ls -sh "$kit.tar.xz"
