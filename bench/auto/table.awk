# bench-auto's tables and auto.json (-v json=FILE, -v decision_us=N) of rows
#   PROGRAM HALF MACHINE TIMES WAY SECONDS
# and of the way auto also EVICTIONS LAUNCHES MISSED, behind shapes.txt, which has the kinds of the programs that are written.  The half "suv" is of programs
# that are compared with um alone, "bound" of such that are compared with the best possible, "costs" of the
# same code, with the transform (WAY policies) and without.  -v compile_ratio=N: "" if not measured.
# SPDX-License-Identifier: GPL-3.0-or-later

function add(kind, ratio) {
  sum[kind] += log(ratio)
  count[kind]++
  if (!(kind in worst) || ratio < worst[kind])
    worst[kind] = ratio
}

# A number of the summary.
function put(name, value) {
  printf "%s\n  \"%s\": %.4f", separator, name, value > json
  separator = ","
}

function mean(kind) {
  return exp(sum[kind] / count[kind])
}

NR == FNR {
  if (/^program /)
    name = $2
  if (/^kind /)
    kind_of[name] = substr($0, 6)
  next
}

$2 == "suv" {
  key = $1 " | " $4
  if (!(key in suv_seen)) {
    suv_seen[key] = 1
    suv_order[++suv_keys] = key
    suv_more[key] = ($4 - 1) * 100
  }
  suv[key, $5] = $6
  next
}

$2 == "bound" {
  key = $1 " | " $4
  if (!(key in bound_seen)) {
    bound_seen[key] = 1
    bound_order[++bound_keys] = key
    times[key] = $4
  }
  bound[key, $5] = $6
  next
}

$2 == "costs" {
  costs[$1, $5] = $6
  if ($5 != "policies")
    add("split", costs[$1, "policies"] / $6)
  next
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
  if ($5 == "auto") {
    mine[key] = $6
    evictions += $7
    launches += $8
    missed += $9
  }
  else if (!(key in best) || $6 < best[key]) {
    best[key] = $6
    who[key] = $5
  }
  if ($5 == "um")
    um[key] = $6
  if ($5 == "explicit")
    explicit[key] = $6
}

# The paper's gain over unified memory with MORE per cent of data (figure 5).
function paper(more) {
  return more == 15 ? 1.83 : more == 30 ? 2.55 : 4.29
}

# Of the program that KEY begins with.
function kind_of_key(key) {
  sub(/ .*/, "", key)
  return key in kind_of ? kind_of[key] : "of papers"
}

function suv_table(  i, key, more) {
  print "| program | data over memory | um, ms | auto, ms | faster |"
  print "|---|---|---|---|---|"
  for (i = 1; i <= suv_keys; i++) {
    key = suv_order[i]
    if (!((key, "um") in suv) || !((key, "auto") in suv))
      continue
    printf "| %s | %.4g | %.4g | %.2f |\n", key, suv[key, "um"] * 1e3, suv[key, "auto"] * 1e3, suv[key, "um"] / suv[key, "auto"]
    more = sprintf("%.0f", suv_more[key])
    add("suv " more, suv[key, "um"] / suv[key, "auto"])
  }
  print ""
  for (more = 15; more <= 50; more += more == 15 ? 15 : 20)
    if (("suv " more) in count)
      printf "um over auto with %d %% more data than memory: %.2f, %.2f at least (SUV: %.2f)\n", more, mean("suv " more),
	worst["suv " more], paper(more)
}

# Those that a link bounds at several times the memory.
function streams(key) {
  return key ~ /^(vadd|2dconv|hotspot|hotspot3d|stencil|fdtd2d|nn) / || kind_of_key(key) ~ /^(streams|stencils)/
}

# A byte counts by itself in the last table: what is side by side, as reads and writes over a link are, takes less.
function bound_table(  i, j, key, auto, sliced, least, part, rows_of, share, done) {
  split("in out link local best", part, " ")
  print "| program | data over memory | best possible, ms | auto, of that | with --stream=on |"
  print "|---|---|---|---|---|"
  for (i = 1; i <= bound_keys; i++) {
    key = bound_order[i]
    auto = bound[key, "auto"] / bound[key, "best"]
    sliced = bound[key, "auto,--stream=on"] / bound[key, "best"]
    least = sliced < auto ? sliced : auto
    printf "| %s | %.4g | %.2f | %.2f |\n", key, bound[key, "best"] * 1e3, auto, sliced
    add("bound", 1 / auto)
    add("bound " times[key], 1 / auto)
    rows_of[times[key]]++
    for (j = 1; j <= 5; j++)
      share[times[key], j] += bound[key, part[j]] / bound[key, "auto"]
    if (streams(key) && times[key] == 4)
      add("link", 1 / least)
  }
  print ""
  for (i = 1; i <= bound_keys; i++) {
    key = "bound " times[bound_order[i]]
    if (!done[key]++)
      printf "auto over the best possible, %s times the memory: %.2f in the mean, %.2f at worst\n", times[bound_order[i]],
	1 / mean(key), 1 / worst[key]
  }
  print "\n| data over memory | copies in | out | over the link | the GPU\047s memory | best possible, of what auto takes |"
  print "|---|---|---|---|---|---|"
  for (i = 1; i <= bound_keys; i++) {
    key = times[bound_order[i]]
    if (key in rows_of) {
      printf "| %s |", key
      for (j = 1; j <= 5; j++)
	printf " %.2f |", share[key, j] / rows_of[key]
      print ""
      delete rows_of[key]
    }
  }
  print ""
  if ("link" in count)
    printf "streams and stencils at 4 times the memory, of what the link allows: %.2f, %.2f at worst\n", mean("link"), worst["link"]
}

function main_tables(  i, key, ratio, name, kind, h) {
  print "| program | machine | data over memory | best other | ms | auto, ms | faster |"
  print "|---|---|---|---|---|---|---|"
  for (i = 1; i <= keys; i++) {
    key = order[i]
    if (!(key in mine) || !(key in best))
      continue
    ratio = best[key] / mine[key]
    below += ratio < 0.97
    name = who[key]
    gsub(/,/, " ", name)
    printf "| %s | %s | %.4g | %.4g | %.2f |\n", key, name, best[key] * 1e3, mine[key] * 1e3, ratio
    add("all", ratio)
    add("half " half[key], ratio)
    kind = kind_of_key(key)
    if (!(kind in kinds_seen)) {
      kinds_seen[kind] = 1
      kinds_order[++kinds] = kind
    }
    add("kind " kind, ratio)
    if (kind != "of papers")
      add("written", ratio)
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
  for (i = 1; i <= kinds; i++) {
    kind = kinds_order[i]
    printf "| programs %s | %.3f | %.3f |\n", kind == "of papers" ? kind : "written: " kind, mean("kind " kind),
      worst["kind " kind]
  }
  if ("written" in count)
    printf "| programs written, all | %.3f | %.3f |\n", mean("written"), worst["written"]
  if ("all" in count)
    printf "| all | %.3f | %.3f |\n", mean("all"), worst["all"]
  if ("explicit" in count)
    printf "| explicit over auto, where explicit runs | %.3f | %.3f |\n", mean("explicit"), worst["explicit"]
  if ("um" in count)
    printf "| um over auto, oversubscribed | %.2f | %.2f |\n", mean("um"), worst["um"]
  printf "\n%d of %d rows are below 0.97.  Under auto the driver evicted %d blocks; of %d launches %d took half as much again as foreseen.\n",
    below, count["all"], evictions, launches, missed
}

END {
  if (keys)
    main_tables()
  if (suv_keys) {
    print ""
    suv_table()
  }
  if (bound_keys) {
    print ""
    bound_table()
  }
  if ("split" in count)
    printf "\nRegions that run whole, with the transform over without: %.4f in the mean, %.4f at least\n", mean("split"),
      worst["split"]
  if (compile_ratio != "")
    printf "Compilations with the plugin over without: %s\n", compile_ratio
  printf "\nA decision for 64 objects, of which each makes others leave: %.1f us, measured\n", decision_us
  separator = ""
  printf "{\n \"summary\": {" > json
  if ("all" in count) {
    gsub(/ \| /, ", ", worst_key)
    put("over_best_fixed", mean("all"))
    put("worst_over_best_fixed", worst["all"])
    printf ",\n  \"worst_program\": \"%s\"", worst_key > json
    put("rows_below", below)
    put("auto_evictions", evictions)
    put("auto_missed", missed)
    if ("kind of papers" in count)
      put("papers_over_best_fixed", mean("kind of papers"))
    if ("written" in count)
      put("written_over_best_fixed", mean("written"))
  }
  if ("explicit" in count) {
    put("fitting_over_explicit", mean("explicit"))
    put("fitting_worst", worst["explicit"])
  }
  if ("um" in count)
    put("over_um", mean("um"))
  for (more = 15; more <= 50; more += more == 15 ? 15 : 20)
    if (("suv " more) in count)
      put("over_um_" more, mean("suv " more))
  if (bound_keys) {
    put("over_best_possible", 1 / mean("bound"))
    put("worst_over_best_possible", 1 / worst["bound"])
  }
  if ("link" in count)
    put("stream_link_share", mean("link"))
  if ("split" in count)
    put("split_overhead", mean("split"))
  if (compile_ratio != "")
    put("compile_ratio", compile_ratio)
  put("decision_us", decision_us)
  print "\n }\n}" > json
}
