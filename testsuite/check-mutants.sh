#!/bin/bash
# One-line defects, planted one at a time: does a test notice?
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-mutants.sh BUILDDIR SEED SAMPLE [FILE…]
#
# Takes SAMPLE of the defects of each room, chosen by SEED (the same ones as long as
# their lines don't change), that mutants/mutate.c
# makes of the FILEs (of libummgr/; without any: policies, paging, what handles
# memory, and the model).  Each is tried in two stages, until a test fails:
#  1. compiled and linked before the build's archives with those unit tests that
#     use the file, the quickest first;
#  2. linked into a libummgr.so and a libcuda.so.1 of its own, with which those
#     tests of the suite run that mutants/programs names; their programs are built
#     once.
# Those that don't compile or compile to the same code are left out.  Writes
# mutants.sum into the current directory: PASS caught, by which test; FAIL
# survived; XFAIL survived for the reason that mutants/known gives; UNTESTED left
# out.  Succeeds if at least 95 of 100 are caught of those that the list does not
# excuse.
set -u

build=$1
seed=$2
sample=$3
shift 3
cc=${CC:-gcc}
src=$(cd "$(dirname "$0")/.." && pwd)
work=$PWD/mutants-work
limit=${UMMGR_TEST_TIMEOUT:-60}
# A program of the second stage uses less than one.
hangs=5
known=$src/testsuite/mutants/known
# What the two libraries are made of (libummgr/Makefile.am, simcuda/Makefile.frag).
made_of_library='runtime tables policy report diagnose trace gpu uvm paging base'
made_of_driver='simdriver simmem profile gpu uvm paging base'

die ()
{
  echo "check-mutants: $*" >&2
  exit 1
}

site ()
{
  sed -nE "s/^set $1 \"(.*)\"\$/\1/p" "$build/testsuite/ummgr-site.exp"
}

compile ()
{
  $cc -std=gnu11 -w $cflags -I"$build" -I"$src/include" -I"$src/libummgr" -I"$src/testsuite" \
    -DUMMGR_PKGLIBDIR='"/none"' -DUMMGR_LIBDIR='"/none"' -DUMMGR_PROFILEDIR='"/none"' \
    -DUMMGR_TEST_PROFILES="\"$src/libummgr/simcuda/profiles\"" "$@"
}

# Link test $1 to program $2, with $3… before the archives.
link_test ()
{
  $cc $cflags "$work/tests/$1.o" "${@:3}" "$work/watch.o" "@$src/testsuite/watch.options" -Wl,--start-group $archives -Wl,--end-group $libs -lpthread -ldl -lm -o "$2"
}

# Run program $1 for at most $2 seconds of its time.
run_test ()
{
  (ulimit -c 0
   UMMGR_PROFILE_PATH=$src/libummgr/simcuda/profiles "$build/testsuite/limit" -s 10 "$2" "$1" >/dev/null 2>&1 </dev/null)
}

# Test $1 as it is: what it takes, in milliseconds, and the members it uses.
prepare_test ()
{
  local name start
  name=$(basename "$1" .c)
  start=$(date +%s%N)
  if { compile -O1 -c "$1" -o "$work/tests/$name.o" \
	 && link_test "$name" "$work/tests/$name" "-Wl,-Map,$work/tests/$name.used"; } 2>"$work/tests/$name.log" \
       && run_test "$work/tests/$name" "$limit"; then
    echo "$((($(date +%s%N) - start) / 1000000)) $name"
  else
    echo "check-mutants: $name fails without a defect, or alone, and is left out" >&2
  fi
}

# The tests that use file $1, the quickest first, and what each took.
tests_of ()
{
  local member time name
  member=$(basename "$1" .c).o
  while read -r time name; do
    grep -q "^[^ ]*[.]a($member)" "$work/tests/$name.used" && echo "$name $time"
  done <"$work/order"
}

# The libraries in build directory $1, of the archives in $2.
link_libraries ()
{
  local library driver stage=$1/libummgr/stage/lib
  library=$(printf "$2/lib%s.a " $made_of_library)
  driver=$(printf "$2/lib%s.a " $made_of_driver)
  $cc $cflags -shared -fPIC -Wl,--as-needed,--whole-archive $library -Wl,--no-whole-archive "$work"/lib/own/*.o \
    $libs -lm -ldl -Wl,--version-script="$src/libummgr/libummgr.map",-z,nodelete,-soname,libummgr.so.0 \
    -o "$stage/libummgr.so" \
    && $cc $cflags -shared -fPIC -Wl,--as-needed,--whole-archive $driver -Wl,--no-whole-archive \
      $libs -lpthread -ldl -Wl,--version-script="$src/libummgr/simcuda/libcuda.map",-soname,libcuda.so.1 \
      -o "$stage/ummgr/sim/libcuda.so.1"
}

# Build directory $1, with libraries of the archives in $2.
make_build ()
{
  mkdir -p "$1/libummgr/stage/lib/ummgr/sim" "$1/testsuite"
  ln -s "$2" "$1/libummgr/.libs"
  ln -s "$build/gcc-plugin" "$build/config.h" "$1"
  ln -s "$build/libummgr/ummgr" "$1/libummgr"
  ln -s "$build/testsuite/limit" "$1/testsuite"
  ln -s "$build"/libummgr/stage/lib/ummgr/{ummgr-trace.o,libgomp-plugin-nvptx.so*} "$1/libummgr/stage/lib/ummgr"
  sed -E "s,^set (UMMGR_TOP_BUILDDIR|objdir) .*,set \1 \"$1\"," "$build/testsuite/site.exp" >"$1/testsuite/site.exp"
  sed -i "s,^set srcdir .*,set srcdir \"$src/testsuite\"," "$1/testsuite/site.exp"
  link_libraries "$1" "$2"
}

# Test $2 of the suite, "part.exp=file", in build directory $1.
run_program ()
{
  (cd "$1/testsuite" && rm -f ummgr.sum \
     && UMMGR_TEST_PROGRAMS=$work/built UMMGR_TEST_TIMEOUT=$hangs runtest --tool ummgr "$2" >/dev/null 2>&1 </dev/null \
     && grep -q '^PASS:' ummgr.sum)
}

# Test $1 of the suite as it is: as prepare_test.
prepare_program ()
{
  local start
  run_program "$work/plain" "$1"
  start=$(date +%s%N)
  if run_program "$work/plain" "$1"; then
    echo "$((($(date +%s%N) - start) / 1000000)) $1"
  else
    echo "check-mutants: $1 fails without a defect, or alone, and is left out" >&2
  fi
}

# The test of the suite that fails with the mutant of file $1 in directory $2.
second_stage ()
{
  local member archive time name
  member=$(basename "$1" .c).o
  mkdir "$2/lib"
  cp "$work"/lib/*.a "$2/lib"
  cp "$2/mutant.o" "$2/$member"
  for archive in $(grep -lxF "$member" "$work"/lib/*.members); do
    ar r "$2/lib/$(basename "$archive" .members).a" "$2/$member" || return
  done
  make_build "$2/build" "$2/lib" || return
  while read -r time name; do
    # Twice: what fails on a busy machine alone is no answer.
    { run_program "$2/build" "$name" || run_program "$2/build" "$name"; } && continue
    echo "$name"
    return
  done <"$work/programs"
}

# Mutant $2 of file $1, compiled in directory $3.
try_mutant ()
{
  local name time
  while read -r name time; do
    if ! link_test "$name" "$3/test" "$3/mutant.o"; then
      echo "UNTESTED: $1:$2: does not link"
      return
    # What hangs is to take little of everybody's time.
    elif ! run_test "$3/test" $((2 + 3 * time / 1000)); then
      echo "PASS: $1:$2: $name"
      return
    fi
  done < <(tests_of "$1")
  name=$(second_stage "$1" "$3")
  if test -n "$name"; then
    echo "PASS: $1:$2: $name"
  elif grep -qxF "$1 ${2#* }" "$known"; then
    echo "XFAIL: $1:$2"
  else
    echo "FAIL: $1:$2"
  fi
}

# Mutant: file $1, number $2, and $3, "line operator | old | new".  A line of the
# summary.
one_mutant ()
{
  local file=$1 number=$2 what=$3 dir
  dir=$work/one/${file//\//-}-$number
  mkdir -p "$dir/plain"
  cp "$src/libummgr/$file" "$dir/plain/mutant.c"
  # By the same name: it may stand in the code.
  (cd "$dir/plain" && compile -O2 -fPIC -S mutant.c -o mutant.s)
  "$work/mutate" "$src/libummgr/$file" "$number" >"$dir/mutant.c"
  if ! (cd "$dir" && compile -O2 -fPIC -S mutant.c -o mutant.s); then
    echo "UNTESTED: $file:$what: does not compile"
  elif cmp -s "$dir/mutant.s" "$dir/plain/mutant.s"; then
    echo "UNTESTED: $file:$what: the same code"
  else
    $cc -c "$dir/mutant.s" -o "$dir/mutant.o"
    try_mutant "$file" "$what" "$dir"
  fi
  rm -rf "$dir"
}

cflags="$(site UMMGR_UNIT_CFLAGS) $(site UMMGR_SANITIZE)"
libs=$(site UMMGR_UNIT_LIBS)
if test $# = 0; then
  set -- $(cd "$src/libummgr" && ls policy/*.c paging/*.c memory/objects.c memory/object-pool.c memory/regions.c memory/plan.c memory/storage.c \
    memory/mapping.c memory/unmapping.c memory/construct.c memory/unified.c memory/manager.c \
    uvm/*.c gpu/*.c simcuda/memory/{advise,alloc,copy,init,launch,extent,managed,plain}.c)
fi
rm -rf "$work"
mkdir -p "$work/tests" "$work/built" "$work/one" "$work/lib/own"
# A build meanwhile is none of ours.
cp "$build"/libummgr/.libs/*.a "$work/lib"
for archive in "$work"/lib/*.a; do
  ar t "$archive" >"${archive%.a}.members"
done
cp "$build"/libummgr/memory/.libs/unify-libc.o "$build"/libummgr/process/.libs/exit-libc.o "$work/lib/own"
archives=$(echo "$work"/lib/*.a)
$cc -O1 "$src/testsuite/mutants/mutate.c" -o "$work/mutate" || die "cannot build mutate.c"
UMMGR_OFFLOAD_FLAGS=$(sh "$src/bench/offload-flags.sh" $cc 2>/dev/null)
export UMMGR_OFFLOAD_FLAGS
compile -O1 -c "$src/testsuite/watch.c" -o "$work/watch.o" || die "cannot build watch.c"
export -f compile link_test run_test prepare_test tests_of link_libraries make_build run_program prepare_program \
  second_stage try_mutant one_mutant
export work build src cc cflags libs archives limit hangs known made_of_library made_of_driver
ls "$src"/testsuite/ummgr.unit/*.c "$src"/testsuite/ummgr.sim/*.c | grep -v '/drv-' \
  | xargs -P "$(nproc)" -I{} bash -c 'prepare_test {}' | sort -n >"$work/order"
test -s "$work/order" || die "no test passes"
make_build "$work/plain" "$work/lib" || die "the libraries can't be linked"
grep -v '^#' "$src/testsuite/mutants/programs" | while read -r name; do
  prepare_program "$name"
done | sort -n >"$work/programs"

# The room of each file: its directory; what handles memory has none of its own.
for file in "$@"; do
  room=$(dirname "$file")
  "$work/mutate" "$src/libummgr/$file" | sed "s,^,${room/#./memory} $file ,"
done >"$work/all"
# By a hash of each, so that a seed takes the same ones whatever else has changed:
# without numbers, but lines that stand several times are told apart.
awk '{ text = $0; sub (/^[^ ]* [^ ]* [0-9]* [0-9]* /, "", text)
       print $2 " " text " " n[$2 text]++ "\t" $0 }' "$work/all" \
  | sort -R -t "$(printf '\t')" -k 1,1 --random-source=<(yes "$seed") | cut -f 2- \
  | awk -v n="$sample" 'seen[$1]++ < n' >"$work/list"
while read -r room file number what; do
  printf '%s\0%s\0%s\0' "$file" "$number" "$what"
done <"$work/list" | xargs -0 -P "$(nproc)" -n 3 bash -c 'one_mutant "$@" 2>/dev/null' _ >"$work/results"
sort "$work/results" >mutants.sum

# One line of the result: what lines of the summary that match $2 say.
tell ()
{
  printf 'check-mutants: %s: %d caught, %d of them by the second stage; %d survived, %d of no consequence, %d left out\n' \
    "$1" $(for line in 'PASS:' 'PASS:.*: [a-z]+[.]exp=' 'FAIL:' 'XFAIL:' 'UNTESTED:'; do
	     grep -E "^$line" mutants.sum | grep -cE "^[A-Z]+: $2"
	   done)
}

tell memory '[^/:]*:'
for room in $(cut -d ' ' -f 1 "$work/all" | sort -u | grep -vx memory); do
  tell "$room" "$room/[^:]*:"
done
tell all ''
grep '^FAIL:' mutants.sum
caught=$(grep -c '^PASS:' mutants.sum)
survived=$(grep -c '^FAIL:' mutants.sum)
test $((caught * 100)) -ge $(((caught + survived) * 95))
