#!/bin/bash
# The whole suite, as many files of tests at a time as there are processors.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-parallel.sh RUNTEST SRCDIR
#
# Each .exp file has a runtest and a directory of its own, parts/NAME; what they
# found is put together in ummgr.sum and ummgr.log, in the files' order.  The long
# ones begin first, so that none is alone at the end.
set -u
export LC_ALL=C

runtest=$1
srcdir=$(cd "$2" && pwd)
longest='unit patterns build losses programs levels calibrate gpu advice split random-uses run check-compile facts
  replay-live apply'

die ()
{
  echo "check-parallel: $*" >&2
  exit 1
}

# Parts, a name a line: the long ones, then the others.
list_parts ()
{
  local all name
  all=$(cd "$srcdir" && basename -s .exp -a ummgr.*/*.exp)
  for name in $longest; do grep -x "$name" <<<"$all" || die "no $name.exp"; done
  grep -vxF "$(tr ' ' '\n' <<<"$longest")" <<<"$all"
}

one_part ()
{
  local start=$SECONDS
  mkdir -p "parts/$1" && cp site.exp "parts/$1/" && cd "parts/$1" || exit 1
  "$runtest" --tool ummgr --srcdir "$srcdir" "$1.exp" >output 2>&1 </dev/null
  echo "$((SECONDS - start)) s: $1.exp" >seconds
}

# ummgr.sum and ummgr.log of all parts.  A part without an end is an error: DejaGnu
# says nothing of tests that it never came to.
join_parts ()
{
  local name
  rm -f ummgr.sum ummgr.log
  for name in $1; do
    cat "parts/$name/ummgr.log" >>ummgr.log
    grep -E '^[A-Z]+: ' "parts/$name/ummgr.sum" >>ummgr.sum
    grep -q '=== ummgr Summary ===' "parts/$name/ummgr.sum" \
      || echo "ERROR: $name.exp did not come to its end: see parts/$name/output" >>ummgr.sum
  done
  cat parts/*/seconds | sort -rn >parts/seconds
}

test -f site.exp || die "no site.exp here: call me by make"
flags=$(sh "$srcdir/../bench/offload-flags.sh" ${CC:-gcc} 2>/dev/null)
export UMMGR_OFFLOAD_FLAGS=$flags runtest srcdir
parts=$(list_parts) || exit 1
rm -rf parts
export -f one_part
xargs -P "$(nproc)" -I{} bash -c 'one_part "$1"' _ {} <<<"$parts"
join_parts "$parts"
grep -E '^(FAIL|XPASS|UNRESOLVED|ERROR):' ummgr.sum && exit 1
grep -q '^PASS:' ummgr.sum || die "no test passed"
