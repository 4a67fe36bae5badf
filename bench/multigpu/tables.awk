# The tables of bench-multigpu, from its rows; the summary to the file
# LINES, what plots show into the directory DIR.
# SPDX-License-Identifier: GPL-3.0-or-later

$1 == "row" {
  for (i = 2; i <= NF; i++) {
    at = index($i, "=")
    f[substr($i, 1, at - 1)] = substr($i, at + 1)
  }
  key = f["program"] SUBSEP f["placement"] SUBSEP f["rate"] SUBSEP f["graph"]
  seconds[key] = f["seconds"]
  near[key] = f["local_bytes"]
  far[key] = f["remote_bytes"]
  if (!(f["program"] in category)) {
    category[f["program"]] = f["category"]
    paper[f["program"]] = f["paper"]
    name[++programs] = f["program"]
  }
  rates[f["rate"]] = graphs[f["graph"]] = 1
}

function of(table, program, placement, rate, graph) {
  return table[program, placement, rate, graph]
}

# By how much WHAT is faster than BASE.
function gain(program, what, base, rate, graph, s, b) {
  s = of(seconds, program, what, rate, graph)
  b = of(seconds, program, base, rate, graph)
  return s > 0 && b > 0 ? b / s : 0
}

# The geometric mean of gains over the programs of a category, or of all where it is "".
function mean(kind, what, base, rate, i, n, sum, g) {
  for (i = 1; i <= programs; i++)
    if ((kind == "" || category[name[i]] == kind) && (g = gain(name[i], what, base, rate, "none")) > 0) {
      sum += log(g)
      n++
    }
  return n ? exp(sum / n) : 0
}

function share(program, placement, n, r) {
  n = of(near, program, placement, 16, "none")
  r = of(far, program, placement, 16, "none")
  return n + r > 0 ? r / (n + r) : 0
}

# Remote bytes of WHAT, in those of BASE.
function remote(program, what, base, b) {
  b = of(far, program, base, 16, "none")
  return b > 0 ? of(far, program, what, 16, "none") / b : 1
}

function number(x) { return x > 0 ? sprintf("%.2f", x) : "" }

function summary(word, value) { printf "summary %s=%.6g\n", word, value >lines }

BEGIN { ours = "coda+steal" }

END {
  print "Speedups over memory interleaved by lines (fine), links of 16 GB/s; remote: of all bytes that"
  print "leave the caches, those from another GPU"
  print ""
  print "| program | paper | category | coarse | first touch | affinity | stealing | coda | blocks | stealing | fine, affinity | remote, fine | first touch | coda | coda, stealing |"
  print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
  worst = 1e9
  for (i = 1; i <= programs; i++) {
    p = name[i]
    if (category[p] == "graphs")
      continue
    printf "| %s | %s | %s |", p, paper[p], category[p]
    n = split("coarse first-touch first-touch+affinity first-touch+steal coda coda+block coda+steal fine+affinity", w, " ")
    for (k = 1; k <= n; k++)
      printf " %s |", number(gain(p, w[k], "fine", 16, "none"))
    printf " %.2f | %.2f | %.2f | %.2f |\n", share(p, "fine"), share(p, "first-touch+affinity"), share(p, "coda"),
      share(p, ours)
    printf "%s %.4f %.4f %.4f %.4f\n", p, gain(p, "coarse", "fine", 16, "none"),
      gain(p, "first-touch+steal", "fine", 16, "none"), gain(p, ours, "fine", 16, "none"),
      gain(p, "fine+affinity", "fine", 16, "none") >(dir "/speedups.dat")
    printf "%s %.4f %.4f %.4f\n", p, share(p, "fine"), share(p, "first-touch+steal"),
      share(p, ours) >(dir "/shares.dat")
    g = gain(p, ours, "fine", 16, "none")
    if (g > 0 && g < worst) { worst = g; loser = p }
    left = remote(p, ours, "fine")
    change += left - 1
    counted++
    if (left > most) { most = left; most_of = p }
  }
  print ""
  print "Geometric means; coda as the paper schedules it, and with blocks and stealing (CODA's section 6.1: 1.31 over fine"
  print "and coarse; 1.19 of first touch over fine; block-exclusive 1.56, core-exclusive 1.13)"
  print ""
  print "| programs | first touch over fine | coda over fine | over coarse | over first touch, affinity | coda, stealing, over fine | over coarse | over first touch, stealing |"
  print "|---|---|---|---|---|---|---|---|"
  split("block-exclusive core-exclusive block-majority core-majority sharing", kinds, " ")
  for (k = 0; k <= 5; k++) {
    kind = k ? kinds[k] : ""
    if (mean(kind, "coda", "fine", 16) > 0)
      printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", kind == "" ? "all" : kind,
	number(mean(kind, "first-touch+affinity", "fine", 16)),
	number(mean(kind, "coda", "fine", 16)), number(mean(kind, "coda", "coarse", 16)),
	number(mean(kind, "coda", "first-touch+affinity", 16)), number(mean(kind, ours, "fine", 16)),
	number(mean(kind, ours, "coarse", 16)), number(mean(kind, ours, "first-touch+steal", 16))
  }
  if (32 in rates) {
    print ""
    print "coda, stealing, over fine with faster links (CODA's figure 11)"
    print ""
    print "| programs | 16 GB/s | 32 | 64 | 128 | 256 |"
    print "|---|---|---|---|---|---|"
    for (k = 0; k <= 5; k++) {
      kind = k ? kinds[k] : ""
      printf "| %s |", kind == "" ? "all" : kind
      printf "%s", kind == "" ? "all" : kind >(dir "/rates.dat")
      for (r = 16; r <= 256; r *= 2) {
	g = mean(kind, ours, "fine", r)
	printf " %s |", number(g)
	printf " %.4f", g >(dir "/rates.dat")
      }
      print ""
      printf "\n" >(dir "/rates.dat")
    }
  }
  if ("regular" in graphs) {
    print ""
    print "pagerank by its graph, coda over fine (CODA's figure 12: 1.55 to 1.05, never a loss)"
    print ""
    print "| graph | coda | coda, stealing |"
    print "|---|---|---|"
    n = split("regular uniform skewed", kind_of, " ")
    for (k = 1; k <= n; k++) {
      g = gain("pagerank", ours, "fine", 16, kind_of[k])
      printf "| %s | %s | %s |\n", kind_of[k], number(gain("pagerank", "coda", "fine", 16, kind_of[k])), number(g)
      printf "pagerank-%s %.4f nan nan nan nan\n", kind_of[k], g >(dir "/rates.dat")
    }
  }
  summary("coda_over_fine", mean("", ours, "fine", 16))
  summary("coda_over_coarse", mean("", ours, "coarse", 16))
  summary("remote_bytes_change", counted ? change / counted : 0)
  summary("remote_bytes_worst", most)
  summary("block_exclusive", mean("block-exclusive", ours, "fine", 16))
  summary("core_exclusive", mean("core-exclusive", ours, "fine", 16))
  summary("worst_program", worst)
  printf "summary worst_program_name=%s remote_bytes_worst_name=%s\n", loser, most_of >lines
}
