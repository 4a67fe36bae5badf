# One program's launches: what the tables say before and after feedback, and what a later run
# counts.  SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -v program=NAME -f feedback.awk GUESSED FED STATISTICS
#   GUESSED, FED   what `ummgr tables' prints of the program without and with feedback
#   STATISTICS     of a run of the latter
# Prints a line for each region: program, region, guessed, predicted, counted, error.

FNR == 1 { file++ }

# "      main._omp_fn.0 at 0x2340: target, 1 argument"
file < 3 && / at 0x[0-9a-f]+: / { region = $1 }
file < 3 && /^ +launched / { said[file, region] = $2; names[region] = 1 }

# The array of regions, a key a line.
file == 3 && /^ "/ { inside = /^ "regions": \[/ }
file == 3 && inside && /^   "name": / { gsub (/[",]/, "", $2); region = $2 }
file == 3 && inside && /^   "calls": / { counted[region] += $2 }

END {
  if (file < 3)
    exit 1
  for (region in counted)
    names[region] = 1
  for (region in names)
    {
      error = said[2, region] - counted[region]
      if (error < 0)
	error = -error
      error /= counted[region] > 1 ? counted[region] : 1
      print program, region, said[1, region] + 0, said[2, region] + 0, counted[region] + 0, error
    }
}
