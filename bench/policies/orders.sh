# What the order of map clauses changes: programs, and the same with all clauses the other way round.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by oversubscription.sh.  Programs and their data are bench-auto's (auto/programs.txt), whose
# clauses say what is mapped; on 2/3 of the memory that they need they run under rdm as it is by default, the
# GPU's own code.
# shellcheck shell=bash disable=SC2154

# order_runs: each program in both orders, to $work/orders-PROGRAM and -reversed.
order_runs()
{
  local program scale base memory order machine arguments
  while read -r program _ scale arguments; do
    base=$work/orders-$program
    machine=(--kernels=ptx --fidelity=access --profile="$profile" --scale="1/$scale")
    # Arguments are words.
    # shellcheck disable=SC2086
    simulated "$base-all" "${machine[@]}" --policy=lru --device-mem=1G -- "$bench/policies/$program" $arguments \
      </dev/null
    [ "$(cat "$base-all.status")" = 0 ] || die "$program: fails (see $base-all.err)"
    memory=$(awk -v p="$(figure "$base-all.json" device_peak_bytes)" \
      'BEGIN { printf "%.0f", int(p * 2 / 3 / 8192) * 8192 }')
    for order in '' -reversed; do
      wait_for_core
      # shellcheck disable=SC2086
      simulated "$base$order" "${machine[@]}" --policy=rdm --device-mem="$memory" -- \
	"$bench/policies/$program$order" $arguments </dev/null &
    done
    echo "$program" >>"$work/orders"
  done < <(awk -v of=" $orders " '/^[^#]/ && index(of, " " $1 " ")' "$source/../auto/programs.txt")
  wait
}

# order_table: worst last; rows and summary to $lines.
order_table()
{
  local program order a b
  while read -r program; do
    for order in '' -reversed; do
      [ "$(cat "$work/orders-$program$order.status")" = 0 ] \
	|| die "$program$order: fails (see $work/orders-$program$order.err)"
    done
    a=$(figure "$work/orders-$program.json" elapsed_seconds)
    b=$(figure "$work/orders-$program-reversed.json" elapsed_seconds)
    awk -v p="$program" -v a="$a" -v b="$b" \
      'BEGIN { print p, a * 1e3, b * 1e3, (a > b ? a / b : b / a) }'
  done <"$work/orders" | sort -k 4 -g >"$work/orders.rows"
  awk -v lines="$lines" '
    BEGIN { print "\nOrders of map clauses, modelled milliseconds (elapsed)\n"
	    printf "%-12s %10s %10s %8s\n", "program", "as written", "reversed", "ratio" }
    { printf "%-12s %10.4g %10.4g %8.3f\n", $1, $2, $3, $4
      printf "row table=orders program=%s milliseconds=%s reversed=%s ratio=%s\n", $1, $2, $3, $4 >>lines }
    END { printf "summary order_of_clauses_worst=%.4f order_of_clauses_program=%s\n", $4, $1 >>lines }
  ' "$work/orders.rows"
}

[ -z "$orders" ] || {
  progress "orders of clauses"
  order_runs
  progress_done
  order_table
}
