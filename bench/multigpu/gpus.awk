# The table of bench-multigpu over ordinary GPUs, from its rows; the summary to the file LINES,
# what plots show into the directory DIR.
# SPDX-License-Identifier: GPL-3.0-or-later

/^row what=gpus / {
  delete f
  for (i = 2; i <= NF; i++) {
    at = index($i, "=")
    f[substr($i, 1, at - 1)] = substr($i, at + 1)
  }
  p = f["program"]
  if (!(p in best)) {
    best[p] = 1e9
    name[++programs] = p
  }
  if (f["way"] != "on" && f["way"] != "demand") {
    if (f["elapsed"] < best[p]) {
      best[p] = f["elapsed"]
      by[p] = f["way"]
    }
    next
  }
  elapsed[p, f["way"], f["gpus"]] = f["elapsed"]
  if (f["way"] == "on") {
    sizes[f["gpus"]] = 1
    whole[p, f["gpus"]] = f["over"] < f["regions"]
    if (f["gpus"] == 4) {
      d2d[p] = f["d2d_bytes"]
      far[p] = f["far_bytes"]
      why[p] = f["why"]
      gsub(/_/, " ", why[p])
    }
  }
}

function speedup(p, way, gpus) {
  return (p, way, gpus) in elapsed && elapsed[p, way, gpus] > 0 ? best[p] / elapsed[p, way, gpus] : 0
}

function cell(x) { return x > 0 ? sprintf("%.2f", x) : "" }

END {
  if (!programs)
    exit
  print "Speedups over the best policy on one GPU, modelled, copies included; by demand: the same ranges,"
  print "data by page faults. Split: all regions run over 4 GPUs all the time"
  print ""
  print "| program | best on one | 1 | 2 | 4 | 8 | 4, by demand | split | between GPUs at 4, MB: copied | read there | why not all |"
  print "|---|---|---|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= programs; i++) {
    p = name[i]
    # A region of which a call did not go over all may have gone later.
    split_all = !whole[p, 4] && why[p] == "-"
    printf "| %s | %s | %s | %s | %s | %s | %s | %s | %.1f | %.1f | %s |\n", p, by[p], cell(speedup(p, "on", 1)),
      cell(speedup(p, "on", 2)), cell(speedup(p, "on", 4)), cell(speedup(p, "on", 8)),
      cell(speedup(p, "demand", 4)), split_all ? "yes" : "no", d2d[p] / 1e6, far[p] / 1e6,
      why[p] == "-" ? "" : why[p]
    printf "%s %.4f %.4f %.4f %.4f\n", p, speedup(p, "demand", 4), speedup(p, "on", 2), speedup(p, "on", 4),
      speedup(p, "on", 8) >(dir "/gpus.dat")
    for (g in sizes)
      if (speedup(p, "on", g) > 0) {
	sum[g] += log(speedup(p, "on", g))
	n[g]++
	if (split_all) {
	  of_split[g] += log(speedup(p, "on", g))
	  m[g]++
	}
	if (g == 4 && (!worst || speedup(p, "on", g) < worst)) {
	  worst = speedup(p, "on", g)
	  loser = p
	}
      }
  }
  print ""
  print "| GPUs | split programs | all |"
  print "|---|---|---|"
  for (g = 1; g <= 16; g *= 2)
    if (g in sizes) {
      printf "| %d | %s | %s |\n", g, m[g] ? sprintf("%.2f", exp(of_split[g] / m[g])) : "", n[g] ? sprintf("%.2f", exp(sum[g] / n[g])) : ""
      if (g > 1) {
	printf "summary split_speedup_%d=%.4g spread_speedup_%d=%.4g\n", g, m[g] ? exp(of_split[g] / m[g]) : 0, g, exp(sum[g] / n[g]) >lines
      }
    }
  printf "summary spread_worst=%.4g spread_worst_name=%s\n", worst, loser >lines
}
