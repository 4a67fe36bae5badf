# Forms of loops by nest and by construct: how many there are and are exact, as a table of
# Markdown; and for collect, in the file LINES.  SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -v lines=FILE -f forms-table.awk VERDICTS (of forms.sh)

function count (kind, name)
{
  if (!((kind, name) in all))
    order[kind, ++names[kind]] = name
  all[kind, name]++
  exact[kind, name] += $1 == "exact"
  wrong[kind, name] += $1 == "wrong"
}

# The most frequent reason.
function reason (kind, name,  key, part, most, text)
{
  for (key in reasons)
    {
      split(key, part, SUBSEP)
      if (part[1] == kind && part[2] == name && reasons[key] > most)
	{
	  most = reasons[key]
	  text = part[3]
	}
    }
  return text
}

function table (kind, title,  i, name)
{
  print "\n| " title " | forms | exact | wrong | what isn't, mostly |\n|---|---|---|---|---|"
  for (i = 1; i <= names[kind]; i++)
    {
      name = order[kind, i]
      printf "| %s | %d | %d | %d | %s |\n", name, all[kind, name], exact[kind, name], wrong[kind, name], reason(kind, name)
      text = name
      gsub(/ /, "_", text)
      printf "row forms_by=%s name=%s forms=%d exact=%d wrong=%d\n", kind, text, all[kind, name], exact[kind, name], wrong[kind, name] >>lines
    }
}

BEGIN { FS = "\t" }

{
  kinds["nest"] = $7 ", collapse " $6
  kinds["construct"] = $3
  kinds["schedule"] = $4 == "" ? "none" : $4
  kinds["dist_schedule"] = $5 == "" ? "none" : $5
  kinds["subscripts"] = $8
  kinds["index"] = $9
  for (kind in kinds)
    {
      count(kind, kinds[kind])
      if ($1 != "exact")
	reasons[kind, kinds[kind], kind == "nest" ? $10 : $7 ": " $10]++
    }
  total++
  good += $1 == "exact"
  bad += $1 == "wrong"
}

END {
  if (!total)
    exit 1
  print "\nForms of loops whose tables are exact: " good " of " total ", " bad " wrong"
  table("nest", "nest")
  table("construct", "construct")
  table("schedule", "schedule")
  table("dist_schedule", "dist_schedule")
  table("subscripts", "subscripts")
  table("index", "index")
  printf "summary schedules_exact=%.6f schedules_forms=%d schedules_wrong=%d\n", good / total, total, bad >>lines
}
