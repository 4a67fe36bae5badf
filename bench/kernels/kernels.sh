#!/bin/bash
# make bench-kernels: the GPU's own code on the CPU, beside the host versions.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: kernels.sh BENCH UMMGR
#   BENCH     the built bench directory: plain programs there, instrumented ones
#             in trace/; results go there
#   UMMGR     the ummgr command
# RUNS=N: each time is the least of N (default 3).  ONLY="gemm bfs": these
# programs, and no summary.  LIBGOMP=FILE: libgomp.sum, as `make check-libgomp
# WAYS=ptx' leaves it in testsuite/libgomp-work, for how many of GCC's tests pass.
#
# A row a program: are results equal (checks, and checksums with fma as a
# multiplication and an addition, which is what host versions do); run time in
# host versions' (wall and processor seconds); seconds that the first run takes
# longer; are accesses those that the instrumented build reports; how many
# instructions its warps have in launches that are modelled by its reports
# (--fidelity=access), in those of the GPU's own code.

set -u -o pipefail
export LC_ALL=C
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}

bench=$1
ummgr=$2
runs=${RUNS:-3}
work=$bench/kernels.work
mkdir -p "$work"
rm -rf "$work/cache"
export XDG_CACHE_HOME=$work/cache

die()
{
  echo "bench-kernels: $*" >&2
  exit 1
}

# Large enough that a launch is not all of it, small enough for the slow ones.
size_of()
{
  case $1 in
    gaussian | gramschmidt | lud) echo 512K ;;
    cfd | cutcp | doitgen | gemm | hydro | louvain | mriq | sgemm | smithwaterman) echo 2M ;;
    *) echo 8M ;;
  esac
}

# ran OPTIONS -- PROGRAM ARGUMENTS: its result line, and the seconds of the
# clock and of processors that it took.
ran()
{
  local TIMEFORMAT='%R %U %S'
  { time "$ummgr" run -q --gpu=sim "$@" >"$work/out" 2>"$work/err"; } 2>"$work/time" \
    || die "$*: $(tail -n 2 "$work/err")"
  grep -q 'runs as its host version\|run as their host versions' "$work/err" \
    && die "$*: $(tail -n 2 "$work/err")"
  read -r wall user sys <"$work/time"
  cpu=$(awk -v u="$user" -v s="$sys" 'BEGIN { print u + s }')
  result=$(grep '^result ' "$work/out")
}

# least OPTIONS -- PROGRAM ARGUMENTS: the least of some runs in wall and cpu.
least()
{
  local i w=1e9 c=1e9
  for ((i = 0; i < runs; i++)); do
    ran "$@"
    w=$(awk -v a="$w" -v b="$wall" 'BEGIN { print a < b ? a : b }')
    c=$(awk -v a="$c" -v b="$cpu" 'BEGIN { print a < b ? a : b }')
  done
  wall=$w
  cpu=$c
}

checksum()
{
  sed -n 's/.* checksum=\([0-9a-f]*\).*/\1/p' <<<"$result"
}

# What devices' code did to their copies, by object and phase: words that it
# accessed, wrote, and read as the host wrote them.  Names and sizes of
# allocations are known to instrumented programs alone, and the order of objects
# is that of their allocation there.  What a region reads of its own is left out:
# optimised code has it in a register (gemm's and mvt's sums), where the
# instrumented build reports the read that the source has.
device_facts()
{
  "$ummgr" report --csv "$1" 2>/dev/null | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["device"] ~ /^[0-9]/ {
      print $at["phase"], $at["words"], $at["gpu_wrote"], $at["c_g"], \
	$at["gpu_accessed"] }' | sort
}

accesses_equal()
{
  local program=$1 size=$2
  [ -x "$bench/trace/$program" ] || { echo none; return; }
  "$ummgr" run -q --gpu=sim --trace="$work/host.ummt" -- "$bench/trace/$program" \
    --size="$size" --no-check >/dev/null 2>&1 || { echo failed; return; }
  "$ummgr" run -q --gpu=sim --kernels=ptx --trace="$work/ptx.ummt" -- \
    "$bench/$program" --size="$size" --no-check >/dev/null 2>&1 || { echo failed; return; }
  device_facts "$work/host.ummt" >"$work/host.facts"
  device_facts "$work/ptx.ummt" >"$work/ptx.facts"
  [ -s "$work/host.facts" ] || { echo none; return; }
  cmp -s "$work/host.facts" "$work/ptx.facts" && echo yes || echo no
}

# Warps' instructions of all launches, from statistics.
instructions()
{
  awk '/"totals"/ { totals = 1 }
    totals && /"warp_instructions"/ { inside = 1; next }
    inside && /}/ { exit }
    inside { sub (/,/, ""); sum += $2 }
    END { print sum + 0 }' "$1"
}

instructions_ratio()
{
  local program=$1 size=$2
  [ -x "$bench/trace/$program" ] || { echo none; return; }
  "$ummgr" run -q --gpu=sim --fidelity=access --stats="$work/host.json" -- \
    "$bench/trace/$program" --size="$size" --no-check >/dev/null 2>&1 || { echo failed; return; }
  "$ummgr" run -q --gpu=sim --kernels=ptx --fidelity=access --stats="$work/ptx.json" -- \
    "$bench/$program" --size="$size" --no-check >/dev/null 2>&1 || { echo failed; return; }
  awk -v h="$(instructions "$work/host.json")" -v p="$(instructions "$work/ptx.json")" \
    'BEGIN { if (p) printf "%.2f\n", h / p; else print "none" }'
}

one()
{
  local program=$1 size equal=no first host_wall host_cpu plain_wall plain_cpu
  size=$(size_of "$program")
  # A small one first: what programs have in common is translated by then.
  ran --kernels=ptx -- "$bench/$program" --size=1M --no-check
  first=$wall
  ran --kernels=ptx -- "$bench/$program" --size=1M --no-check
  first=$(awk -v a="$first" -v b="$wall" 'BEGIN { print a - b }')
  ran -- "$bench/$program" --size="$size"
  local host=$(checksum)
  UMMGR_KERNEL_FMA=split ran --kernels=ptx -- "$bench/$program" --size="$size"
  [ "$host" = "$(checksum)" ] && [[ $result == *check=ok* ]] && equal=yes
  least -- "$bench/$program" --size="$size" --no-check
  host_wall=$wall host_cpu=$cpu
  least --kernels=ptx -- "$bench/$program" --size="$size" --no-check
  plain_wall=$wall plain_cpu=$cpu
  [[ $result == *check=* ]] || die "$program: no result"
  ran --kernels=ptx --fidelity=access -- "$bench/$program" --size=1M --no-check
  least --kernels=ptx --fidelity=access -- "$bench/$program" --size="$size" --no-check
  awk -v p="$program" -v s="$size" -v e="$equal" -v f="$first" -v hw="$host_wall" \
    -v hc="$host_cpu" -v pw="$plain_wall" -v pc="$plain_cpu" -v cw="$wall" -v cc="$cpu" \
    -v a="$(accesses_equal "$program" 1M)" -v i="$(instructions_ratio "$program" 1M)" 'BEGIN {
    printf "row program=%s size=%s equal=%s translate_seconds=%.2f host_seconds=%.3f " \
      "plain=%.2f counting=%.2f plain_cpu=%.2f counting_cpu=%.2f accesses=%s " \
      "instructions=%s\n", p, s, e, f, hw, pw / hw, cw / hw, pc / (hc > 0 ? hc : 0.001), \
      cc / (hc > 0 ? hc : 0.001), a, i }'
}

# Of GCC's tests that were run.
libgomp()
{
  [ -n "${LIBGOMP:-}" ] || return
  echo "libgomp_passed=$(grep -c '^PASS: .* execution test' "$LIBGOMP")" \
    "libgomp_failed=$(grep -c '^FAIL: .* execution test' "$LIBGOMP")"
}

programs=${ONLY:-$(cd "$bench" && for p in 2dconv backprop bc bfs bicg btree ccomp cfd cutcp \
  dc doitgen dwt2d fdtd2d gaussian gcolor gemm gramschmidt heartwall histo hotspot hotspot3d \
  hybridsort hydro kmeans leukocyte louvain lud mriq mvt nn nw pagerank pathfinder sad sgemm \
  smithwaterman spmv srad sssp stencil tc vadd; do [ -x "$p" ] && echo "$p"; done)}
ran --kernels=ptx -- "$bench/vadd" --size=1M --no-check
: >"$work/lines"
for p in $programs; do
  one "$p" | tee -a "$work/lines" || exit 1
done
[ -z "${ONLY:-}" ] || exit 0
awk -v libgomp="$(libgomp)" '
  { for (i = 2; i <= NF; i++) { split ($i, w, "="); v[w[1]] = w[2] }
    n++
    equal += v["equal"] == "yes"
    if (v["accesses"] != "none") { compared++; same += v["accesses"] == "yes" }
    if (v["instructions"] + 0) {
      counted++; r = v["instructions"]; near += r < 1.5 && r > 1 / 1.5 }
    plain += log (v["plain"]); counting += log (v["counting"])
    plain_cpu += log (v["plain_cpu"]); counting_cpu += log (v["counting_cpu"])
    if (v["translate_seconds"] > most) most = v["translate_seconds"] }
  END {
    printf "summary %s bench_equal=%.3f slowdown_counting=%.2f slowdown_plain=%.2f " \
      "slowdown_counting_cpu=%.2f slowdown_plain_cpu=%.2f translate_seconds=%.2f " \
      "accesses_equal=%.3f instructions_near=%.3f\n", libgomp, equal / n, exp (counting / n), exp (plain / n), \
      exp (counting_cpu / n), exp (plain_cpu / n), most, compared ? same / compared : 0, \
      counted ? near / counted : 0 }' \
  "$work/lines" >"$work/summary" || die "no summary"
cat "$work/summary"
cat "$work/lines" "$work/summary" | "$bench/collect" --name=kernels --output="$bench/kernels.json"

# A picture of it: run time in host versions', by program.
command -v gnuplot >/dev/null || exit 0
gnuplot <<PLOT
set terminal pngcairo size 1100,480
set output "$bench/kernels.png"
set title "The GPU's own code on the CPU: run time in its host version's"
set logscale y
set yrange [0.5:]
set grid y
set style data histogram
set style fill solid
set xtics rotate by -45
set key outside below
plot "< sed 's/[a-z_]*=//g' $work/lines" using 7:xtic(2) title "kernels=ptx", \
  "" using 8 title "and accesses counted", 3 title "aim" with lines dashtype 2, \
  4 title "aim, counted" with lines dashtype 3
PLOT
