# Which policy `ummgr advise' proposes, and what it says of it, against live runs under each.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by answers.sh, whose variables these are.  RUNS="hotspot": these programs.  Writes a row a program
# to $work/runs, and $work/runs-summary: policy_right, how often no policy takes 2 % less in a live run than
# the one that is proposed, or 5 % less than it takes where none is; policy_error_median, what is said of that one against its live run.
# shellcheck shell=bash disable=SC2154

run_policies="lru rdm auto prefetch um host"

# run_one NAME HOW ARGUMENTS...: a row.
run_one()
{
  local name=$1 how=$2 base=$work/run-$1-$2 machine live policy said seconds best=
  shift 2
  machine="--profile=v100-nvlink2 --scale=1/512"
  live=$base
  build_program "$name" "$base"
  if [ "$how" = maps ]; then
    build_program "$name" "$base-unified" --unify
    live=$base-unified
    policy=explicit
  else
    set -- "$@" --unified
    machine+=" --device-mem=$(($("$base" --footprint "$@" 2>/dev/null) * 2 / 3 / 65536 * 65536 + 16384))"
    policy=um
  fi
  # shellcheck disable=SC2086 # Options.
  simulated "$base" $machine --policy=$policy --trace="$base.ummt" -- "$base" --no-check "$@"
  "$ummgr" advise --json "$base.ummt" >"$base.advice.json" || die "$name: no advice"
  read -r policy seconds < <(jq -r '[.runs.tried[] | select(.kind == "policy" and .proposed)][0] // {}
    | "\(.policy // "none") \(.model_seconds // 0)"' "$base.advice.json")
  for said in $run_policies; do
    # Recorded, too, as the recorder's own construct counts.
    # shellcheck disable=SC2086
    simulated "$live-$said" $machine --policy="$said" --trace="$live-$said.ummt" -- "$live" --no-check "$@"
    echo "$said $(figure "$live-$said.json" model_seconds)"
  done >"$base.live"
  best=$(sort -g -k2 "$base.live" | head -n 1)
  awk -v name="$name" -v how="$how" -v policy="$policy" -v said="$seconds" -v best="$best" \
    -v now="$(figure "$base.json" model_seconds)" '
    { took[$1] = $2 }
    END {
      split(best, b, " ")
      live = took[policy]
      error = live > 0 ? (said - live) / live : 1
      right = policy == "none" ? b[2] >= 0.95 * now : live > 0 && live <= 1.02 * b[2]
      printf "row program=%s recorded=%s now_s=%.9f policy=%s said_s=%.9f live_s=%.9f best=%s best_s=%.9f policy_right=%d policy_error=%s\n",
	name, how, now, policy, said, live, b[1], b[2], right, policy == "none" ? "none" : sprintf("%.4f", error < 0 ? -error : error)
    }' "$base.live"
}

while read -r name how arguments; do
  progress "$name, which $how"
  # shellcheck disable=SC2086
  run_one "$name" "$how" $arguments </dev/null || exit 1
done < <(awk -v of=" ${RUNS:-} " '/^[^#]/ && (of == "  " || index(of, " " $1 " "))' "$source/answers/runs.txt") >"$work/runs" || exit 1
sed 's/.* policy_error=\([^ ]*\).*/\1/' "$work/runs" | grep -v none | sort -g | awk '
  { v[NR] = $1 } END { printf "%.4f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }' >"$work/runs-median"
echo "runs=$(wc -l <"$work/runs") policy_right=$(grep -c 'policy_right=1' "$work/runs") policy_error_median=$(cat "$work/runs-median")" \
  >"$work/runs-summary"
