#!/bin/bash
# The demo: breadth-first search and communities on the package graph of this
# very machine, under every policy.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: demo.sh BENCH UMMGR OUTPUT
#   BENCH   the built bench directory     UMMGR  the ummgr command
#   OUTPUT  where everything is written
# DEMO_PACKAGES=FILE takes the package stanzas from FILE instead, and
# DEMO_ROOT=NAME starts from another package than libc6.

# Functions run by `step` look unreachable to shellcheck.
# shellcheck disable=SC2317
set -u -o pipefail
export LC_ALL=C
# Threads that spin at the end of each team slow a busy machine down tenfold.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}

bench=$1
ummgr=$2
out=$3
policies='explicit um prefetch host lru rdm auto'
root=${DEMO_ROOT:-libc6}
# Below this the data would fit a few blocks of the smallest simulated GPU.
smallest=$((128 * 1024))

die()
{
  echo "demo: $*" >&2
  exit 1
}

# shellcheck source=/dev/null
. "$(dirname "$0")/../known.sh"
# shellcheck disable=SC2086
known policies $policies

tty=false
if [ -t 1 ]; then tty=true; fi

# A status line that counts the seconds, as long as the demo lives.
tick()
{
  local from=$SECONDS
  while kill -0 $$ 2>/dev/null; do
    printf '\r\033[K%s ... %d s' "$1" $((SECONDS - from))
    sleep 0.2
  done
}

# step TEXT COMMAND...: run it, on a terminal with a status line.  Its time is
# in $took afterwards.
step()
{
  local begin=$EPOCHREALTIME status=0 ticker=
  if $tty; then
    tick "$1" &
    ticker=$!
  fi
  shift
  "$@" || status=$?
  if $tty; then
    kill "$ticker"
    wait "$ticker" 2>/dev/null
    printf '\r\033[K'
  fi
  took=$(awk -v a="$begin" -v b="$EPOCHREALTIME" \
    'BEGIN { printf "%.1f s", b - a }')
  return $status
}

# --- the graph ---------------------------------------------------------------

# Stanzas of all packages this machine knows, to OUTPUT/stanzas; names their
# source in $source.
collect_packages()
{
  local lists=(/var/lib/apt/lists/*_Packages*)
  if [ -n "${DEMO_PACKAGES:-}" ]; then
    source=$DEMO_PACKAGES
    cp -- "$source" "$out/stanzas" || die "can't read $source"
    return
  fi
  if [ -e "${lists[0]}" ]; then
    if command -v apt-cache >/dev/null; then
      source="apt's package lists (apt-cache dumpavail)"
      apt-cache dumpavail >"$out/stanzas" 2>/dev/null
    fi
    if ! [ -s "$out/stanzas" ] && [ -x /usr/lib/apt/apt-helper ]; then
      source="apt's package lists"
      /usr/lib/apt/apt-helper cat-file "${lists[@]}" >"$out/stanzas" 2>/dev/null
    fi
  fi
  if ! [ -s "$out/stanzas" ]; then
    source="dpkg's status file (there are no package lists: apt-get update fetches them)"
    [ -r /var/lib/dpkg/status ] \
      || die "no apt package lists and no /var/lib/dpkg/status here: set DEMO_PACKAGES to a file of package stanzas"
    cp /var/lib/dpkg/status "$out/stanzas"
  fi
}

# word NAME LINE: VALUE of NAME=VALUE in LINE.
word()
{
  sed -n "s/.*\\<$1=\\([^ ]*\\).*/\\1/p" <<<"$2"
}

make_graph()
{
  "$bench/demo/depgraph" --input="$out/stanzas" --output="$out" --root="$root" \
    >"$out/depgraph.txt"
}

# --- the machine -------------------------------------------------------------

# A real GPU, or the simulated one?  Found by running a small program.
probe_gpu()
{
  "$ummgr" run --gpu=auto --stats="$out/probe.json" -- "$bench/vadd" \
    --size=1M >"$out/probe.txt" 2>&1
}

# limits BYTES JOB: options of `ummgr run` for a program of so much data.  The
# simulated GPU gets memory for two thirds of it, and pages in proportion: at
# least 64 blocks of data, as large data would have many more.
limits()
{
  local bytes=$1 n=1
  options=()
  if [ "$gpu" = cuda ]; then return; fi
  if [ "$bytes" -lt $smallest ]; then
    echo "$2: $bytes bytes are too few to limit memory: every policy has room"
    options=(--scale=1/128 --min-size=512)
    return
  fi
  while [ $n -lt 128 ] && [ $((bytes / 64)) -lt $((2097152 / n)) ]; do
    n=$((2 * n))
  done
  options=("--device-mem=$((bytes * 2 / 3))" "--scale=1/$n"
    "--min-size=$((65536 / n))")
  echo "$2: simulated GPU with $((bytes * 2 / 3)) bytes of memory for $bytes bytes of data" \
    "(scale 1/$n)"
}

# --- the runs ----------------------------------------------------------------

run_one()
{
  local job=$1 policy=$2
  shift 2
  "$ummgr" run --gpu="$gpu" --policy="$policy" "${options[@]}" \
    --stats="$out/stats-$job-$policy.json" -- "$bench/$job" "$@" \
    >"$out/$job-$policy.txt" 2>"$out/$job-$policy.err"
}

# outcome JOB POLICY STATUS: one word.  `explicit` is libgomp as it is: data
# that outgrows the GPU ends the program there.
outcome()
{
  local line
  line=$(grep '^result ' "$out/$1-$2.txt" 2>/dev/null)
  if [ "$3" -eq 0 ] && [ "$(word check "$line")" = ok ]; then
    echo correct
  elif [ "$(word check "$line")" = failed ] \
      || grep -q 'wrong result' "$out/$1-$2.err"; then
    echo WRONG
  elif [ "$2" = explicit ] && [ "$gpu" = sim ] \
      && grep -qi 'out of memory' "$out/$1-$2.err"; then
    echo out-of-memory
  else
    echo FAILED
  fi
}

# run_job JOB ARGS...: under every policy.  Returns 1 if one went wrong.
run_job()
{
  local job=$1 status good=0 verdict words checksum first=
  shift
  for policy in $policies; do
    rm -f "$out/stats-$job-$policy.json"
    status=0
    step "$job under $policy" run_one "$job" "$policy" "$@" || status=$?
    verdict=$(outcome "$job" "$policy" $status)
    if [ "$verdict" = correct ]; then
      # The results of all policies must be the same, bit for bit.
      checksum=$(word checksum "$(grep '^result ' "$out/$job-$policy.txt")")
      first=${first:-$checksum}
      [ "$checksum" = "$first" ] || verdict=DIFFERENT
    fi
    echo "$job $policy $verdict" >>"$out/runs.txt"
    case $verdict in
    correct | FAILED) words=$verdict ;;
    *) words="FAILED: ${verdict//-/ }" ;;
    esac
    printf '%-8s under %-9s %7s  %s\n' "$job" "$policy" "$took" "$words"
    case $verdict in
    correct | out-of-memory) ;;
    *)
      good=1
      sed "s/^/  $job $policy: /" "$out/$job-$policy.err" | tail -n 5 >&2
      ;;
    esac
  done
  return $good
}

print_table()
{
  if [ "$gpu" = sim ]; then
    echo "On a simulated GPU (modelled seconds; the counts are exact):"
  else
    echo "On a GPU of this machine (nothing modelled; counts where CUPTI gives them):"
  fi
  echo
  "$bench/demo/table" --directory="$out" | fold -s -w 126 | sed 's/ *$//' || return 1
  if grep -q ' explicit out-of-memory$' "$out/runs.txt"; then
    echo
    echo "out of memory: under explicit, libgomp's own way, data must fit the GPU."
  fi
}

print_next()
{
  local install
  install="make -C $(dirname "$out") install"
  echo
  echo "Next, with a program of your own:"
  printf "  %-${#install}s  %s\n" "$install" "the command (as root, or configure with --prefix=DIR)" \
    "ummgr cc -O2 prog.c -o prog" "builds it, as gcc -fopenmp does" \
    "ummgr run --stats=s.json -- ./prog" "runs it under \`auto'; ummgr run --policy=help tells the others" \
    "ummgr report s.json" "says what moved"
}

# --- all of it ---------------------------------------------------------------

mkdir -p "$out" || die "can't make $out"
rm -f "$out"/runs.txt "$out"/stanzas "$out"/stats-*.json
source=
collect_packages
step "reading the package graph" make_graph || die "no graph could be made"
summary=$(<"$out/depgraph.txt")
rm -f "$out/stanzas"
echo "$(word packages "$summary") packages and $(word dependencies "$summary")" \
  "dependencies between them, from $source"
node=$(word root "$summary")
if [ "$node" -lt 0 ]; then
  die "there is no package $root: name another with DEMO_ROOT"
fi

step "looking for a GPU" probe_gpu || {
  cat "$out/probe.txt" >&2
  die "a small program fails under $ummgr run"
}
gpu=sim
if grep -q '"gpu": *"cuda"' "$out/probe.json"; then gpu=cuda; fi

failed=0
limits "$("$bench/bfs" --graph="$out/needed-by.csr" --footprint)" bfs
run_job bfs --graph="$out/needed-by.csr" --source="$node" \
  --output="$out/levels.bin" || failed=1
limits "$("$bench/louvain" --graph="$out/undirected.csr" --footprint)" louvain
run_job louvain --graph="$out/undirected.csr" \
  --output="$out/communities.bin" || failed=1

echo
print_table | tee "$out/table.txt" || failed=1
echo
"$bench/demo/answer" --directory="$out" --root="$node" | tee "$out/answer.txt" \
  || failed=1

# Ratios are to what a driver does by itself.
reports=("$out"/stats-*.json)
for job in bfs louvain; do
  if grep -qx "$job um correct" "$out/runs.txt"; then
    reports+=("--baseline=$out/stats-$job-um.json")
  fi
done
if "$ummgr" report --html "${reports[@]}" >"$out/report.html"; then
  echo
  echo "Statistics, report.html, table.txt and answer.txt are in $out"
  print_next
else
  echo "demo: no report could be made of ${reports[*]}" >&2
  failed=1
fi
exit $failed
