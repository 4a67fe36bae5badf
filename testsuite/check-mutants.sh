#!/bin/bash
# One-line defects, planted one at a time: does a test notice?
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-mutants.sh BUILDDIR SEED SAMPLE [FILE…]
#
# Takes SAMPLE of the defects that mutants/mutate.c makes of the FILEs (of
# libummgr/; without any: policies, paging, what handles memory, and the model),
# chosen by SEED.  Each is compiled and linked before the build's archives with
# those unit tests that use the file, the quickest first, until one fails.  Those
# that don't compile or compile to the same code are left out.  Writes mutants.sum
# into the current directory: PASS caught, FAIL survived, XFAIL survived for the
# reason that mutants/known gives, UNTESTED left out.  Succeeds if at least 95 of
# 100 are caught of those that the list does not excuse.
set -u

build=$1
seed=$2
sample=$3
shift 3
cc=${CC:-gcc}
src=$(cd "$(dirname "$0")/.." && pwd)
work=$PWD/mutants-work
limit=${UMMGR_TEST_TIMEOUT:-60}
known=$src/testsuite/mutants/known

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
  $cc $cflags "$work/tests/$1.o" "${@:3}" -Wl,--start-group $archives -Wl,--end-group $libs -lpthread -ldl -lm -o "$2"
}

run_test ()
{
  (ulimit -c 0
   UMMGR_PROFILE_PATH=$src/libummgr/simcuda/profiles "$build/testsuite/limit" "$limit" "$1" >/dev/null 2>&1 </dev/null)
}

# Test $1 as it is: what it takes, in milliseconds, and the members it uses.
prepare_test ()
{
  local name start
  name=$(basename "$1" .c)
  start=$(date +%s%N)
  if { compile -O1 -c "$1" -o "$work/tests/$name.o" \
	 && link_test "$name" "$work/tests/$name" "-Wl,-Map,$work/tests/$name.used"; } 2>"$work/tests/$name.log" \
       && run_test "$work/tests/$name"; then
    echo "$((($(date +%s%N) - start) / 1000000)) $name"
  else
    echo "check-mutants: $name fails without a defect, or alone, and is left out" >&2
  fi
}

# The tests that use file $1, the quickest first.
tests_of ()
{
  local member time name
  member=$(basename "$1" .c).o
  while read -r time name; do
    grep -q "^[^ ]*[.]a($member)" "$work/tests/$name.used" && echo "$name"
  done <"$work/order"
}

# Mutant $2 of file $1, compiled in directory $3.
try_mutant ()
{
  local name
  for name in $(tests_of "$1"); do
    if ! link_test "$name" "$3/test" "$3/mutant.o"; then
      echo "UNTESTED: $1:$2: does not link"
      return
    elif ! run_test "$3/test"; then
      echo "PASS: $1:$2: $name"
      return
    fi
  done
  grep -qxF "$1 ${2#* }" "$known" && echo "XFAIL: $1:$2" || echo "FAIL: $1:$2"
}

# Mutant: file $1, number $2, and $3, "line operator | old | new".  A line of the
# summary.
one_mutant ()
{
  local file=$1 number=$2 what=$3 dir
  dir=$work/one/${file//\//-}-$number
  mkdir -p "$dir/plain"
  cp "$src/libummgr/$file" "$dir/plain/mutant.c"
  compile -O2 -S "$dir/plain/mutant.c" -o "$dir/plain/mutant.s"
  "$work/mutate" "$src/libummgr/$file" "$number" >"$dir/mutant.c"
  if ! compile -O2 -S "$dir/mutant.c" -o "$dir/mutant.s"; then
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
  set -- $(cd "$src/libummgr" && ls policy/*.c paging/*.c objects.c object-pool.c regions.c plan.c storage.c \
    mapping.c unmapping.c construct.c unified.c manager.c \
    simcuda/mem-*.c simcuda/{model,tree,migrate,extent,managed,plain}.c)
fi
rm -rf "$work"
mkdir -p "$work/tests" "$work/one" "$work/lib"
# A build meanwhile is none of ours.
for name in replay trace diagnose record pictures-png runtime tables policy simdriver simmem paging base; do
  cp "$build/libummgr/.libs/lib$name.a" "$work/lib" 2>/dev/null
done
archives=$(echo "$work"/lib/*.a)
$cc -O1 "$src/testsuite/mutants/mutate.c" -o "$work/mutate" || die "cannot build mutate.c"
export -f compile link_test run_test prepare_test tests_of try_mutant one_mutant
export work build src cc cflags libs archives limit known
ls "$src"/testsuite/ummgr.unit/*.c "$src"/testsuite/ummgr.sim/*.c | grep -v '/drv-' \
  | xargs -P "$(nproc)" -I{} bash -c 'prepare_test {}' | sort -n >"$work/order"
test -s "$work/order" || die "no test passes"
for file in "$@"; do
  "$work/mutate" "$src/libummgr/$file" | sed "s,^,$file ,"
done >"$work/all"
awk -v seed="$seed" 'BEGIN { srand (seed) } { print rand () "\t" $0 }' "$work/all" \
  | sort -n | cut -f 2- | head -n "$sample" >"$work/list"
while read -r file number what; do
  printf '%s\0%s\0%s\0' "$file" "$number" "$what"
done <"$work/list" | xargs -0 -P "$(nproc)" -n 3 bash -c 'one_mutant "$@" 2>/dev/null' _ >"$work/results"
sort "$work/results" >mutants.sum

count () { grep -c "^$1:" mutants.sum; }
caught=$(count PASS)
survived=$(count FAIL)
printf 'check-mutants: %d caught, %d survived, %d of no consequence, %d left out, of %d defects\n' \
  "$caught" "$survived" "$(count XFAIL)" "$(count UNTESTED)" "$(wc -l <"$work/all")"
grep '^FAIL:' mutants.sum
test $((caught * 100)) -ge $(((caught + survived) * 95))
