#!/bin/bash
# Programs whose driver fails a call: the right result or an error, under every
# policy, for every call and every error code.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-faults.sh BUILDDIR "POLICIES" [SAMPLE]
#
# Builds ummgr.faults/fault-driver.c and the programs beside it, counts each
# program's calls under each policy ("none": without libummgr), and runs it again
# for each call, number and code, that call failing alone; for each call and code,
# all of its kind failing; and for each number and code, all calls failing from
# that one on.  A program ends with the right result, or with a status other than
# 0 and an error that says so.  SAMPLE: that many cases of each program and call,
# chosen by a fixed shuffle.  Writes faults.sum (DejaGnu's line format) into the
# current directory.  FAULT_PRELOAD: a library to preload before all others, the
# sanitizer's.
set -u

build=$1
policies=$2
sample=${3:-}
cc=${CC:-gcc}
src=$(cd "$(dirname "$0")/.." && pwd)
work=$PWD/faults-work
stage=$build/libummgr/stage/lib
limit=${UMMGR_TEST_TIMEOUT:-60}
always=999999

die ()
{
  echo "check-faults: $*" >&2
  exit 1
}

build_all ()
{
  local name flags plugin
  flags=$(sh "$src/bench/offload-flags.sh" $cc) || die "no offload compiler"
  $cc -O1 -shared -fPIC -I"$src/libummgr" "$src/testsuite/ummgr.faults/fault-driver.c" \
    -Wl,-soname,libcuda.so.1 -o "$work/driver/libcuda.so.1" -ldl || die "cannot build the driver"
  for name in $programs; do
    plugin=
    ! grep -q '{ faults-plugin }' "$src/testsuite/ummgr.faults/$name.c" \
      || plugin=-fplugin=$build/gcc-plugin/.libs/ummgr.so
    $cc -O1 -fopenmp $flags $plugin "$src/testsuite/ummgr.faults/$name.c" -o "$work/$name" >"$work/build.log" 2>&1 \
      || die "cannot build $name.c: $(cat "$work/build.log")"
  done
}

# Program $1 under policy $2 with settings $3 (A=B,C=D or -) and $4… in its
# environment.
run_program ()
{
  local name=$1 policy=$2 settings=$3
  shift 3
  test "$settings" = - || set -- ${settings//,/ } "$@"
  local preload=${FAULT_PRELOAD:-}
  if test "$policy" != none; then
    preload=${preload:+$preload:}$stage/libummgr.so
    set -- "UMMGR_POLICY=$policy" UMMGR_MIN_SIZE=1 "$@"
  fi
  # Core files are of no use here.
  (ulimit -c 0
   "$build/testsuite/limit" "$limit" env LD_LIBRARY_PATH="$work/driver" \
     FAULT_DRIVER="$stage/ummgr/sim/libcuda.so.1" UMMGR_PROFILE_PATH="$src/libummgr/simcuda/profiles" \
     GOMP_SPINCOUNT=100 OMP_NUM_THREADS=2 "$@" LD_PRELOAD="$preload" "$work/$name" 2>&1 </dev/null)
}

# What is wrong with status $1 and output $2, if anything is.
complaint ()
{
  case $1 in
    0) grep -qx right <<<"$2" || echo "says nothing" ;;
    1) grep -qE '^(libgomp|ummgr: error|error): ' <<<"$2" || echo "ends without an error" ;;
    3) echo "wrong result" ;;
    124) echo "hangs" ;;
    # libgomp 14 doesn't do without knowing what it asks of a GPU that it opens.
    134) grep -qE 'libgomp/plugin/plugin-nvptx\.c:[0-9]+: nvptx_open_device: Assertion' <<<"$2" || echo "crashes, status $1" ;;
    *) echo "crashes, status $1" ;;
  esac
}

# One line of the list of cases: a line of the summary.
one_case ()
{
  local name=$1 policy=$2 call=$3 first=$4 last=$5 code=$6 settings=$7 output status found test
  output=$(run_program "$name" "$policy" "$settings" "FAULT_CALL=$call" "FAULT_FIRST=$first" \
    "FAULT_LAST=$last" "FAULT_CODE=$code")
  status=$?
  test="$name $policy $settings $call $first-$last code $code"
  found=$(complaint "$status" "$output")
  if test -z "$found"; then
    echo "PASS: $test"
  else
    echo "FAIL: $test: $found"
    printf '%s\n' "$test: $found" "$output" >>"$work/failures.log"
  fi
}

# The cases of program $1 under policy $2 with settings $3, by its calls.
list_cases ()
{
  local counts=$work/counts output skipped=
  rm -f "$counts"
  if ! output=$(run_program "$1" "$2" "$3" "FAULT_COUNTS=$counts"); then
    # Under a policy that can't do with less, too little memory is an error already.
    grep -q 'out of memory' <<<"$output" || die "$1 under $2 fails without a fault: $output"
    return
  fi
  test -s "$counts" || die "$1 under $2 does not use the driver: $output"
  test "$2" != none || skipped=$skipped_alone
  # All calls from one on fail as after an error that the driver does not recover
  # from.
  awk -v test="$1 $2" -v settings="$3" -v codes="$codes" -v always=$always -v skipped=" $skipped " '
    index (skipped, " " $1 " ") { next }
    {
      n = split (codes, code)
      for (c = 1; c <= n; c++)
	{
	  if ($1 != "all")
	    print test, $1, 1, always, code[c], settings
	  for (i = 1; i <= $2; i++)
	    print test, $1, i, $1 == "all" ? always : i, code[c], settings
	}
    }' "$counts"
}

list_all ()
{
  local name policy settings one
  for name in $programs; do
    settings=$(sed -nE 's/.*\{ faults-env (.*) \}.*/\1/p' "$src/testsuite/ummgr.faults/$name.c" | tr ' ' ,)
    for policy in $policies; do
      for one in ${settings:--}; do
	list_cases "$name" "$policy" "$one"
      done
    done
  done
}

programs=$(cd "$src/testsuite/ummgr.faults" && ls ./*.c | sed -nE '/fault-driver/d; s,^\./(.*)\.c$,\1,p')
# Alone, libgomp 12 ends the program under a lock that its exit handler then waits
# for; the shim prevents it.
skipped_alone='cuMemFree_v2 cuModuleGetGlobal_v2 all'
codes=$(sed -nE 's/^CUDA_RESULT \([A-Z_0-9]+, ([1-9][0-9]*),.*/\1/p' "$src/libummgr/device/cuda-results.def" | xargs)
mkdir -p "$work/driver"
build_all
list_all >"$work/all"
if test -n "$sample"; then
  shuf --random-source=<(yes ummgr) "$work/all" | awk -v n="$sample" 'seen[$1, $3]++ < n'
else
  cat "$work/all"
fi >"$work/list"
rm -f "$work/failures.log"

export -f one_case run_program complaint
export build work stage src limit
xargs -P "$(nproc)" -L1 bash -c 'one_case "$@" 2>/dev/null' _ <"$work/list" | sort >faults.sum
printf 'check-faults: %d passed, %d failed of %d cases\n' \
  "$(grep -c ^PASS: faults.sum)" "$(grep -c ^FAIL: faults.sum)" "$(wc -l <"$work/all")"
! grep '^FAIL:' faults.sum
