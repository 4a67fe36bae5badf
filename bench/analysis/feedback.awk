# One program's launches: what the tables say before and after feedback, and what later runs
# count, one with the same arguments and one with others.  SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -v program=NAME -f feedback.awk GUESSED FED STATISTICS OTHERS
#   GUESSED, FED   what `ummgr tables' prints of the program without and with feedback
#   STATISTICS     of a run of the latter
#   OTHERS         of one with other arguments
# Prints a line for each region: program, region, guessed, predicted, counted, error; counted with
# other arguments, the errors of what was predicted and guessed for that, and how far the part of
# all launches that it has is from what was predicted.

function error_of (said, is, off)
{
  off = said - is
  return (off < 0 ? -off : off) / (is > 1 ? is : 1)
}

FNR == 1 { file++ }

# "      main._omp_fn.0 at 0x2340: target, 1 argument"
file < 3 && / at 0x[0-9a-f]+: / { region = $1 }
file < 3 && /^ +launched / { said[file, region] = $2; names[region] = 1 }

# The array of regions, a key a line.
file > 2 && /^ "/ { inside = /^ "regions": \[/ }
file > 2 && inside && /^   "name": / { gsub (/[",]/, "", $2); region = $2 }
file > 2 && inside && /^   "calls": / { counted[file, region] += $2; all[file] += $2; names[region] = 1 }

END {
  if (file < 4 || !all[3] || !all[4])
    exit 1
  for (region in names)
    predicted += said[2, region]
  for (region in names)
    {
      share = said[2, region] / predicted - counted[4, region] / all[4]
      print program, region, said[1, region] + 0, said[2, region] + 0, counted[3, region] + 0, \
	error_of(said[2, region] + 0, counted[3, region] + 0), counted[4, region] + 0, \
	error_of(said[2, region] + 0, counted[4, region] + 0), \
	error_of(said[1, region] + 0, counted[4, region] + 0), share < 0 ? -share : share
    }
}
