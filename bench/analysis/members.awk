# Arguments of programs whose data lies in structs and classes: predicted densities beside those
# counted.  SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -v lines=FILE -f members.awk
# Reads what members.c says of each launch, with the program's name before it.  Prints those
# that are not known exactly, worst first by program, and the shares; appends rows and a summary,
# as collect takes them, to FILE.

function error_of (predicted, counted)
{
  if (predicted == counted)
    return 0
  return predicted < 0 || counted == 0 ? 1e9 : (predicted > counted ? predicted - counted : counted - predicted) / counted
}

{
  key = $1 " " $2 " " $3 " " $4
  error = $6 == "unknown" ? 1e9 : error_of($7, $8)
  if (!(key in worst))
    {
      order[++count] = key
      state[key] = $6
      worst[key] = -1
    }
  if (error > worst[key])
    {
      worst[key] = error
      name[key] = $5
      predicted[key] = $7
      counted[key] = $8
    }
  if ($6 == "unknown" || ($6 == "estimated" && state[key] == "exact"))
    state[key] = $6
  launches[key]++
}

END {
  if (!count)
    exit 1
  print "\nMembers: density of arguments that are not exact, at the launch where it is most wrong"
  printf "%-10s %-18s %-22s %8s %10s %10s %9s\n", "program", "region", "argument", "launches", "predicted", "measured", "error"
  for (i = 1; i <= count; i++)
    {
      key = order[i]
      split(key, part, " ")
      all++
      near = worst[key] <= 0.10
      known += near
      exact += state[key] == "exact"
      if (state[key] == "exact" && worst[key] > wrong)
        wrong = worst[key]
      if (state[key] != "exact" || worst[key] > 1e-6)
        printf "%-10s %-18s %-22.22s %8d %10s %10.6f %9s  %s\n", part[1], part[2], name[key], launches[key], state[key] == "unknown" ? "-" : sprintf("%.6f", predicted[key]), counted[key], worst[key] >= 1e9 ? "-" : sprintf("%.3f%%", 100 * worst[key]), state[key]
      printf "row table=members program=%s region=%s number=%s object=%s state=%s predicted=%s measured=%s known=%d\n", part[1], part[2], part[4], name[key], state[key], predicted[key], counted[key], near >>lines
    }
  printf "members_known        %8.4f   to reach: >= 0.90   %s (%d of %d; exact %d)\n", known / all, known >= 0.9 * all ? "reached" : "NOT REACHED", known, all, exact
  printf "members_exact_error  %8.6f   to reach: <= 0.10   %s\n", wrong, wrong <= 0.1 ? "reached" : "NOT REACHED"
  printf "summary members_known=%.6f members_exact=%.6f members_exact_error=%.6f members_arguments=%d\n", known / all, exact / all, wrong, all >>lines
}
