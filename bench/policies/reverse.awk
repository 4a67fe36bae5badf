# The same C program with the map clauses of each `#pragma omp target' in the reverse order, and what
# each lists, too.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   #pragma omp target map(to: a[0:n], b) if(x) map(from: c)
# becomes
#   #pragma omp target map(from: c) if(x) map(to: b, a[0:n])

# The parenthesis in TEXT that closes the one at FROM.
function closing(text, from,    i, depth, c)
{
  for (i = from; i <= length(text); i++) {
    c = substr(text, i, 1)
    depth += (c == "(") - (c == ")")
    if (!depth)
      return i
  }
  return 0
}

# What LIST, as of `to: a[0:n], f(x, y)', lists, last first.
function reversed(list,    kind, out, item, i, depth, c)
{
  if (match(list, /^[a-z, ]*:/)) {
    kind = substr(list, 1, RLENGTH) " "
    list = substr(list, RLENGTH + 1)
  }
  for (i = 1; i <= length(list) + 1; i++) {
    c = substr(list, i, 1)
    depth += (c ~ /[(\[]/) - (c ~ /[)\]]/)
    if (c == "" || (c == "," && !depth)) {
      gsub(/^ +| +$/, "", item)
      out = item (out == "" ? "" : ", ") out
      item = ""
    } else
      item = item c
  }
  return kind out
}

function directive(text,    lists, count, out, start, list, end)
{
  out = ""
  while (match(text, /map *\(/)) {
    start = RSTART
    list = RSTART + RLENGTH
    end = closing(text, list - 1)
    lists[++count] = reversed(substr(text, list, end - list))
    out = out substr(text, 1, start - 1) "\001"
    text = substr(text, end + 1)
  }
  out = out text
  while (count) {
    # As sub would take & for what it found.
    end = index(out, "\001")
    out = substr(out, 1, end - 1) "map(" lists[count--] ")" substr(out, end + 1)
  }
  return out
}

{
  line = $0
  joined = 0
  if (line ~ /^#pragma omp target/)
    while (line ~ /\\$/ && (getline more) > 0) {
      sub(/ *\\$/, " ", line)
      sub(/^ +/, "", more)
      line = line more
      joined++
    }
  print line ~ /^#pragma omp target/ ? directive(line) : line
  # The lines behind it keep their numbers.
  while (joined--)
    print ""
}
