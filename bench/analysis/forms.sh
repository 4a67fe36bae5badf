#!/bin/bash
# Forms of loops (forms.awk): what the tables say of each, against what it does when it runs.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: forms.sh WORK TOP BUILD LIBRARIES
#   WORK       an empty directory
#   TOP BUILD  of the sources and of the build
#   LIBRARIES  flags of what libummgr's archives need
# CC compiles; FIRST and EVERY say which forms: all, or from number FIRST on each EVERY-th; SEED
# what is drawn; LEVEL how they are compiled, by default -O2; RUN what they run under.
#
# WORK/verdicts gets a line for each form that GCC takes, apart by tabs: "exact", "estimated" or
# "wrong", what forms.awk lists of it, and why.  The programs run on the host, with
# testsuite/checker/random-use-check.c in the place of the recorder.

set -u -o pipefail
export LC_ALL=C

work=$1
top=$2
build=$3
read -ra libraries <<<"$4"
read -ra compiler <<<"${CC:-gcc}"
read -ra limit <<<"${RUN:-timeout 600}"
first=${FIRST:-1}
every=${EVERY:-1}
level=${LEVEL:--O2}
checker=$top/testsuite/checker
# So many forms are one program.
many=150

die()
{
  echo "forms: $*" >&2
  exit 1
}

forms()
{
  awk -v every="$every" -v seed="${SEED:-0}" -v rejected="$work/rejected" "$@" \
    -f "$top/bench/analysis/forms.awk"
}

# Each error is in the lines of its form; what GCC finds late it says once the rest is right.
reject()
{
  local new=1
  while [ -n "$new" ]; do
    forms "$@" >"$work/forms.c"
    new=$("${compiler[@]}" -std=gnu11 -w -fopenmp -foffload=disable -O0 -fmax-errors=0 \
      -I"$checker" -S "$work/forms.c" -o /dev/null 2>&1 \
      | sed -n -E 's/^form-([0-9]+):[0-9:]* (error|sorry).*/\1/p' | sort -nu)
    [ -z "$new" ] || echo "$new" >>"$work/rejected"
  done
}

mkdir -p "$work" || die "can't make $work"
: >"$work/rejected"
: >"$work/verdicts"
objects=()
for name in random-use-check form-check random-use-log; do
  "${compiler[@]}" -std=gnu11 -O2 -Wall -I"$build" -I"$checker" -I"$top/libummgr" \
    -I"$top/include" -c "$checker/$name.c" -o "$work/$name.o" || die "$name.c: doesn't build"
  objects+=("$work/$name.o")
done
last=$(forms -v first="$first" -v list=1 | tail -1 | cut -f1)
for ((from = first; from <= last; from += many * every)); do
  range=(-v first="$from" -v last="$((from + many * every - 1))")
  reject "${range[@]}"
  "${compiler[@]}" "$level" -std=gnu11 -w -fopenmp -foffload=disable -I"$checker" \
    -fplugin="$build/gcc-plugin/.libs/ummgr.so" -fplugin-arg-ummgr-trace "$work/forms.c" \
    -o "$work/forms" "${objects[@]}" -Wl,--start-group "$build"/libummgr/.libs/*.a \
    -Wl,--end-group "${libraries[@]}" -lpthread -ldl -lm || die "the forms don't build"
  OMP_NUM_THREADS=3 OMP_SCHEDULE=dynamic,3 OMP_TARGET_OFFLOAD=disabled "${limit[@]}" \
    "$work/forms" >"$work/said" 2>>"$work/complaints"
  forms "${range[@]}" -v list=1 >"$work/list"
  # A form of which nothing is said ended the program.
  awk -F'\t' -v OFS='\t' 'FNR == NR { if (match($0, /^form [0-9]+ [a-z]+/))
      { split($0, w, " "); verdict[w[2]] = w[3]; why[w[2]] = substr($0, RLENGTH + 2) } next }
    { print ($1 in verdict) ? verdict[$1] : "wrong", $0, ($1 in verdict) ? why[$1] : "it crashed" }' \
    "$work/said" "$work/list" >>"$work/verdicts"
done
