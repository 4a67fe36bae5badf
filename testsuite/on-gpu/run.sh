#!/bin/bash
# Try ummgr on the GPU of this machine, with what `make gpu-kit' put beside this script.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: run.sh [-o DIRECTORY] STAGE...
#
#   info        what is here
#   calibrate   what this GPU costs to use: a profile (ummgr calibrate)
#   tests       the tests, under no policy and under all
#   answers     programs of bench/, which check their results, under all policies and with a third of the memory
#   bench       seconds of the same where data fits, and where it doesn't: DIRECTORY/bench.tsv
#   overhead    what an empty region costs
#
# JOBS=N: so many tests and answers at once.  SIZE=64M: of each program's data.  No memory is ever oversubscribed:
# where data is not to fit, that is --device-mem's doing, which leaves the GPU as it is.  The last line: N passed, N
# failed.

set -u -o pipefail
export LC_ALL=C
kit=$(cd "$(dirname "$0")" && pwd)
out=$PWD/gpu-results
if [ "${1:-}" = -o ]; then
  out=$2
  shift 2
fi
test $# -gt 0 || { sed -n '2,/^$/p' "$0"; exit 1; }
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 1
export LD_LIBRARY_PATH=$kit/lib/system${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export UMMGR_PROFILE_PATH=$kit/installed/share/ummgr/profiles
ummgr=$kit/installed/bin/ummgr
size=${SIZE:-64M}
work=$(mktemp -d) || exit 1
results=$out/results.txt
trap 'rm -rf "$work"' EXIT

# A line of results, and why, where it failed.
verdict ()
{
  if [ "$1" = 0 ]; then
    echo "PASS: $2" >>"$results"
  else
    echo "FAIL: $2: status $1: $(tail -c 600 "$3" | tr '\n' '/')" >>"$results"
  fi
}

# once NAME ENVIRONMENT COMMAND...: with a limit, in a directory of its own.
once ()
{
  local name=$1 variables=$2 log=$work/log.$BASHPID status
  shift 2
  # Variables are words.
  # shellcheck disable=SC2086
  timeout -k 5 "${LIMIT:-60}" env $variables "$@" </dev/null >"$log" 2>&1
  status=$?
  verdict $status "$name" "$log"
  rm -f "$log"
}

wait_for_room ()
{
  while [ "$(jobs -pr | wc -l)" -ge "${JOBS:-8}" ]; do
    wait -n
  done
}

info ()
{
  {
    date -u
    nvidia-smi 2>&1
    uname -a
    "$ummgr" info 2>&1
    "$ummgr" info --topology 2>&1
  } >"$out/info.txt"
  cat "$out/info.txt"
}

calibrate ()
{
  "$ummgr" calibrate -f "$out/measured.conf" >"$out/calibrate.txt" 2>&1
  verdict $? calibrate "$out/calibrate.txt"
  cat "$out/calibrate.txt"
}

tests ()
{
  local name policies variables policy
  while IFS='|' read -r name policies variables; do
    for policy in none $policies; do
      wait_for_room
      if [ "$policy" = none ]; then
	once "$name none" "$variables" "$kit/tests/$name" &
      else
	once "$name $policy" "UMMGR_MIN_SIZE=1 $variables" "$ummgr" run -q --gpu=cuda --policy="$policy" \
	  --stats="$work/$name-$policy.json" -- "$kit/tests/$name" &
      fi
    done
  done <"$kit/tests/list"
  wait
}

programs ()
{
  for program in "$kit"/bench/plain-*; do
    program=${program##*/plain-}
    case " ${ONLY:-$program} " in *" $program "*) echo "$program" ;; esac
  done
}

# The bytes of PROGRAM's data of SIZE.
bytes_of ()
{
  "$kit/bench/$1" --size="$2" --footprint
}

answers ()
{
  local program third policy
  for program in $(programs); do
    third=$(($(bytes_of "$program" "$size") / 3))
    wait_for_room
    once "answer $program none" "" "$kit/bench/plain-$program" --size="$size" &
    for policy in explicit um prefetch host lru otm rlm glm rdm auto; do
      wait_for_room
      once "answer $program $policy" "" "$ummgr" run -q --gpu=cuda --policy=$policy -- "$kit/bench/$program" --size="$size" &
      test $policy != explicit || continue
      wait_for_room
      once "answer $program $policy, a third" "" "$ummgr" run -q --gpu=cuda --policy=$policy --device-mem=$third \
	-- "$kit/bench/$program" --size="$size" &
    done
    wait_for_room
    once "answer $program stream, a third" "" "$ummgr" run -q --gpu=cuda --stream=on --device-mem=$third \
      -- "$kit/bench/$program" --size="$size" &
  done
  wait
}

# What PROGRAM's regions and constructs take, by the wall clock, and the bytes copied.
timed ()
{
  local program=$1 memory=$2 way=$3 stats=$work/timed.json log=$work/timed.log
  rm -f "$stats"
  # A way is options.
  # shellcheck disable=SC2086
  timeout -k 5 "${LIMIT:-60}" "$ummgr" run -q --gpu=cuda --policy=$way ${memory:+--device-mem=$memory} \
    --stats="$stats" -- "$kit/bench/$program" --size="$size" --no-check </dev/null >"$log" 2>&1
  verdict $? "bench $program $way ${memory:-fits}" "$log"
  test -e "$stats" || return
  awk -v p="$program" -v m="${memory:-fits}" -v w="$way" '
    function field(line) { sub(/.*: */, "", line); sub(/,$/, "", line); return line }
    /^ "wall_seconds"/ { wall = field($0) }
    /^ "host_seconds"/ { host = field($0) }
    /^ "totals"/ { totals = 1 }
    /^ }/ { totals = 0 }
    totals && /"h2d_bytes"/ { h2d = field($0) }
    totals && /"d2h_bytes"/ { d2h = field($0) }
    totals && /"launches"/ { launches = field($0) }
    END { printf "%s\t%s\t%s\t%.6f\t%s\t%s\t%s\n", p, m, w, wall - host, launches, h2d, d2h }' "$stats" >>"$out/bench.tsv"
}

bench ()
{
  local program bytes way times
  printf 'program\tmemory\tway\tseconds\tlaunches\th2d_bytes\td2h_bytes\n' >"$out/bench.tsv"
  for program in $(programs); do
    # The first run of a program has its code translated by the driver, which keeps it.
    "$kit/bench/plain-$program" --size=1M --no-check >/dev/null 2>&1 </dev/null
    bytes=$(bytes_of "$program" "$size")
    for way in explicit um prefetch auto "auto --keep=off"; do
      timed "$program" "" "$way"
    done
    for times in ${TIMES:-1.5 3}; do
      for way in host lru "lru --partial=on" rdm "rdm --stream=on" auto "auto --stream=on"; do
	timed "$program" "$(awk -v b="$bytes" -v t="$times" 'BEGIN { printf "%d", b / t }')" "$way"
      done
    done
  done
  local mib memory
  for mib in 128 1024; do
    "$kit/bench/stream" "$mib" >>"$out/stream.txt"
    for memory in "" "$((mib * 3))M" "$((mib * 3 / 2))M" "${mib}M"; do
      for way in explicit prefetch um host lru "lru --partial=on" rdm "rdm --stream=on" auto "auto --stream=on"; do
	case "$memory $way" in [0-9]*M\ explicit | [0-9]*M\ um | [0-9]*M\ prefetch) continue ;; esac
	echo "$mib MiB, ${memory:-all}, $way: $(timeout 60 "$ummgr" run -q --gpu=cuda --policy=$way \
	  ${memory:+--device-mem=$memory} -- "$kit/bench/stream" "$mib" 2>&1)" >>"$out/stream.txt"
      done
    done
  done
  cat "$out/stream.txt"
}

overhead ()
{
  local i way
  for i in 1 2 3; do
    echo "plain: $("$kit/bench/region")" "$("$kit/bench/resident")"
    for way in explicit auto; do
      echo "$way: $("$ummgr" run -q --gpu=cuda --policy=$way -- "$kit/bench/region") $("$ummgr" run -q --gpu=cuda \
	--policy=$way -- "$kit/bench/resident")"
    done
  done 2>&1 | tee "$out/overhead.txt"
}

: >"$results"
for stage; do
  start=$SECONDS
  case $stage in
    info | calibrate | tests | answers | bench | overhead) $stage ;;
    *) echo "run.sh: no stage '$stage'" >&2; exit 1 ;;
  esac
  echo "run.sh: $stage: $((SECONDS - start)) s"
done
grep '^FAIL' "$results"
echo "$(grep -c '^PASS' "$results") passed, $(grep -c '^FAIL' "$results") failed"
! grep -q '^FAIL' "$results"
