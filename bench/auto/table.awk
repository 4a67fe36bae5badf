# bench-auto's tables and auto.json (-v json=FILE) of rows
#   PROGRAM HALF MACHINE TIMES WAY SECONDS
# SPDX-License-Identifier: GPL-3.0-or-later

function add(kind, ratio) {
  sum[kind] += log(ratio)
  count[kind]++
  if (!(kind in worst) || ratio < worst[kind])
    worst[kind] = ratio
}

function mean(kind) {
  return exp(sum[kind] / count[kind])
}

{
  key = $1 " | " $3 " | " $4
  if (!(key in seen)) {
    seen[key] = 1
    order[++keys] = key
    half[key] = $2
    machine[key] = $3
    times[key] = $4
  }
  if ($5 == "auto")
    mine[key] = $6
  else if (!(key in best) || $6 < best[key]) {
    best[key] = $6
    who[key] = $5
  }
  if ($5 == "um")
    um[key] = $6
  if ($5 == "explicit")
    explicit[key] = $6
}

END {
  print "| program | machine | data over memory | best other | ms | auto, ms | faster |"
  print "|---|---|---|---|---|---|---|"
  for (i = 1; i <= keys; i++) {
    key = order[i]
    if (!(key in mine) || !(key in best))
      continue
    ratio = best[key] / mine[key]
    name = who[key]
    gsub(/,/, " ", name)
    printf "| %s | %s | %.4g | %.4g | %.2f |\n", key, name, best[key] * 1e3, mine[key] * 1e3, ratio
    add("all", ratio)
    add("half " half[key], ratio)
    add(machine[key] ", " times[key], ratio)
    if (key in um && times[key] > 1)
      add("um", um[key] / mine[key])
    if (key in explicit)
      add("explicit", explicit[key] / mine[key])
    if (ratio == worst["all"])
      worst_key = key
  }
  print ""
  print "| | geometric mean | worst |"
  print "|---|---|---|"
  for (i = 1; i <= keys; i++) {
    kind = machine[order[i]] ", " times[order[i]]
    if (kind in count && !done[kind]++)
      printf "| best other over auto, %s times the memory | %.3f | %.3f |\n", kind, mean(kind), worst[kind]
  }
  for (h in half)
    halves[half[h]] = 1
  for (h in halves)
    if (("half " h) in count)
      printf "| half %s of the programs | %.3f | %.3f |\n", h, mean("half " h), worst["half " h]
  printf "| all | %.3f | %.3f |\n", mean("all"), worst["all"]
  if ("explicit" in count)
    printf "| explicit over auto, where explicit runs | %.3f | %.3f |\n", mean("explicit"), worst["explicit"]
  if ("um" in count)
    printf "| um over auto, oversubscribed | %.2f | %.2f |\n", mean("um"), worst["um"]
  printf "{\n \"summary\": {\n  \"over_best_fixed\": %.4f,\n  \"worst_over_best_fixed\": %.4f,\n", mean("all"), worst["all"] > json
  gsub(/ \| /, ", ", worst_key)
  printf "  \"worst_program\": \"%s\"", worst_key > json
  if ("explicit" in count)
    printf ",\n  \"fitting_over_explicit\": %.4f,\n  \"fitting_worst\": %.4f", mean("explicit"), worst["explicit"] > json
  if ("um" in count)
    printf ",\n  \"over_um\": %.4f", mean("um") > json
  print "\n }\n}" > json
}
