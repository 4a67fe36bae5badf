#!/bin/sh
# Fuzz each reader with AFL++ for a while, one after the other.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   fuzz.sh TOP_SRCDIR WORK SECONDS [HARNESS...]
#
# WORK gets a build of the library that is instrumented and has sanitizers, and
# of each harness what afl-fuzz found.  What crashes or hangs one is named, stays
# there, and makes the exit status 1; once it is mended it belongs into corpus/.
set -u
top=$1 work=$2 seconds=$3
shift 3
here=$top/testsuite/fuzz
tree=$work/tree
export AFL_QUIET=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1
export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1

say ()
{
  printf 'fuzz: %s\n' "$*"
}

if ! command -v afl-fuzz >/dev/null || ! command -v afl-clang-fast >/dev/null; then
  say "skipped: afl-fuzz and afl-clang-fast are missing (Debian: afl++)"
  exit 0
fi
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=undefined"

# The library, with the lists of sources that it has anyway.
build_tree ()
{
  mkdir -p "$tree" || return 1
  test -f "$tree/config.status" \
    || (cd "$tree" && "$top/configure" -q --enable-sanitizers >"$work/configure.log" 2>&1) \
    || { say "configure failed; see $work/configure.log"; return 1; }
  make -C "$tree/libummgr" -s CC=afl-clang-fast CFLAGS="-g -O1" \
    UMMGR_CFLAGS="-std=gnu11 -w" UMMGR_SANITIZE="$sanitize" \
    ummgr libsimdriver.la >"$work/make.log" 2>&1 \
    || { say "the library doesn't build; see $work/make.log"; return 1; }
}

# Compile harness $1.
build_harness ()
{
  # Every word of these is one.
  afl-clang-fast -std=gnu11 -g -O1 $sanitize -I"$tree" -I"$top/include" \
    -I"$top/libummgr" -I"$top/testsuite" \
    "-DUMMGR_TEST_PROFILES=\"$top/libummgr/simcuda/profiles\"" \
    "$here/$1.c" "$tree"/libummgr/cli/ummgr-[a-ln-z]*.o -Wl,--start-group \
    $(find "$tree/libummgr/.libs" -name '*.a') -Wl,--end-group \
    $(sed -n 's/^set UMMGR_UNIT_LIBS "\(.*\)"/\1/p' "$tree/testsuite/ummgr-site.exp") \
    -lpthread -ldl -lm -o "$work/$1.fuzz"
}

# Fuzz harness $1.  An input of up to FUZZ_MOST bytes takes milliseconds; a
# machine that is busy with other things makes that a thousand times as many.
fuzz_harness ()
{
  local out=$work/$1.out
  rm -rf "$out"
  afl-fuzz -i "$here/corpus/$1" -o "$out" -V "$seconds" -t 20000 -m none \
    -G "${FUZZ_MOST:-16384}" -- "$work/$1.fuzz" >"$work/$1.log" 2>&1
  if ! test -f "$out/default/fuzzer_stats"; then
    say "$1: afl-fuzz failed; see $work/$1.log"
    return 1
  fi
  say "$1: $(awk '$1 == "execs_done" { print $3 }' "$out/default/fuzzer_stats") executions in $seconds s"
  find "$out/default/crashes" "$out/default/hangs" -type f -name 'id*' >"$work/$1.found"
  test -s "$work/$1.found" || return 0
  say "$1: these crash or hang it:"
  cat "$work/$1.found"
  return 1
}

status=0
build_tree || exit 1
test $# -gt 0 || set -- $(cd "$here/corpus" && ls)
for name; do
  if build_harness "$name"; then
    test "$seconds" = 0 || fuzz_harness "$name" || status=1
  else
    status=1
  fi
done
exit $status
