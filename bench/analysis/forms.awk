# Writes target regions of all forms that loops have: each construct with each schedule,
# collapse and nest, as functions of C programs for testsuite/checker/random-use-check.c.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -v first=K -v last=L [-v every=E] [-v seed=S] [-v rejected=FILE] -f forms.awk
# The forms from number K to L, or each E-th of them, but for the numbers in FILE, which GCC
# doesn't take.  With list=1 a line for each form instead: number, construct, schedule,
# dist_schedule, collapse, nest, subscripts, type.  What a form doesn't enumerate (subscripts, the
# type of the indices, how the outermost loop counts) is drawn, by SEED.

# CONSTRUCT's directives, apart by "|", with clauses: @S schedule, @D dist_schedule, @C collapse,
# @N num_teams, @M map, @R reduction.  INNER: that of the loop within the collapsed ones, which
# shares SHARES loops.  0 SHARED: it shares none.  BODY: what is around what an iteration does.
function construct (name, text, inner_text, shares_n, shared_n, body_text)
{
  names[++constructs] = name
  texts[name] = text
  inner[name] = inner_text
  shares[name] = shares_n
  shared[name] = shared_n
  body[name] = body_text
}

function constructs_make ()
{
  construct("target teams distribute parallel for", "target teams distribute parallel for @C @S @D @N @R @M", "", 0, 1)
  construct("target teams distribute parallel for simd", "target teams distribute parallel for simd @C @S @D @N @R @M", "", 0, 1)
  construct("target + teams distribute parallel for", "target @M|teams distribute parallel for @C @S @D @N", "", 0, 1)
  construct("target teams + distribute parallel for", "target teams @N @M|distribute parallel for @C @S @D", "", 0, 1)
  construct("target teams + distribute parallel for simd", "target teams @N @M|distribute parallel for simd @C @S @D", "", 0, 1)
  construct("target parallel for", "target parallel for @C @S @R @M", "", 0, 1)
  construct("target parallel for simd", "target parallel for simd @C @S @R @M", "", 0, 1)
  construct("target parallel + for", "target parallel @M|for @C @S", "", 0, 1)
  construct("target + parallel + for", "target @M|parallel|for @C @S nowait", "", 0, 1)
  construct("target + parallel for simd", "target @M|parallel for simd @C @S", "", 0, 1)
  construct("target teams distribute, parallel for", "target teams distribute @C @D @N @M", "parallel for @S", 1, 1)
  construct("target teams distribute, parallel for simd", "target teams distribute @C @D @N @M", "parallel for simd @S", 1, 1)
  construct("target teams distribute, parallel for collapse", "target teams distribute @C @D @N @M", "parallel for collapse (2) @S", 2, 1)
  construct("target teams distribute", "target teams distribute @C @D @N @R @M", "", 0, 1)
  construct("target teams distribute simd", "target teams distribute simd @C @D @N @R @M", "", 0, 1)
  construct("target teams distribute, simd", "target teams distribute @C @D @N @M", "simd", 0, 1)
  construct("target teams loop", "target teams loop @C @N @R @M", "", 0, 1)
  construct("target parallel loop", "target parallel loop @C @R @M", "", 0, 1)
  construct("target + loop bind(thread)", "target @M|loop bind (thread) @C", "", 0, 0)
  construct("target teams + loop", "target teams @N @M|loop @C", "", 0, 1)
  construct("target parallel + loop", "target parallel @M|loop @C", "", 0, 1)
  construct("target simd", "target simd @C @R @M", "", 0, 0)
  construct("target", "target @M", "", 0, 0)
  construct("target parallel + sections", "target parallel @M|sections", "", 0, 0)
  construct("target + parallel sections", "target @M|parallel sections", "", 0, 0)
  construct("target parallel, single", "target parallel @M|single", "", 0, 0)
  construct("target parallel, master", "target parallel @M|master", "", 0, 0)
  construct("target parallel, masked", "target parallel @M|masked", "", 0, 0)
  construct("target parallel for ordered", "target parallel for ordered @C @S @M", "", 0, 1, "ordered")
  construct("target + parallel + for ordered(n)", "target @M|parallel|for ordered (@L) @C @S", "", 0, 1, "doacross")
  construct("target + parallel for, scan", "target @M map (tofrom: s)|parallel for @C @S reduction (inscan, +: s)", "", 0, 1, "scan")
  construct("target + parallel for simd, scan", "target @M map (tofrom: s)|parallel for simd @C @S reduction (inscan, +: s)", "", 0, 1, "scan")
  construct("target + simd, scan", "target @M map (tofrom: s)|simd @C reduction (inscan, +: s)", "", 0, 0, "scan")
  construct("target + parallel + for, task reduction", "target @M map (tofrom: s)|parallel|for @C @S reduction (task, +: s)", "", 0, 1, "sum")
  construct("target parallel for simd, declare simd", "target parallel for simd @C @S @M", "", 0, 1, "call")
  construct("target simd, declare simd", "target simd @C @M", "", 0, 0, "call")
}

# Loops, outermost first: variable, first value, end.  LINEAR: the place of an iteration, of ALL.
function nest (name, depth_n, loops, linear_text, all_text,  parts, part, i)
{
  nests[++nest_count] = name
  depth[name] = depth_n
  linear[name] = linear_text
  all[name] = all_text
  split(loops, parts, "|")
  for (i = 1; i <= depth_n; i++)
    {
      split(parts[i], part, ";")
      variable[name, i] = part[1]
      start[name, i] = part[2]
      end[name, i] = part[3]
      way[name, i] = part[4]
    }
}

function nests_make ()
{
  nest("one loop", 1, "i;0;n", "i", "n")
  nest("rectangle", 2, "i;0;n|j;0;m", "i * m + j", "n * m")
  nest("cuboid", 3, "i;0;n|j;0;m|k;0;p", "(i * m + j) * p + k", "n * m * p")
  nest("triangle, to the index", 2, "i;0;n|j;0;i + 1", "i * n + j", "n * n")
  nest("triangle, from the index", 2, "i;0;n|j;i;n", "i * n + j", "n * n")
  nest("tiles", 2, "i;0;n * m;tile|j;i;(i + 8 < n * m ? i + 8 : n * m)", "j", "n * m")
  nest("statement beside", 2, "i;0;n|j;0;m", "i * m + j", "n * m")
  nest("triangles in a row", 3, "i;0;n|j;0;m|k;0;j + 1", "(i * m + j) * m + k", "n * m * m")
  nest("while within", 2, "i;0;n|j;0;m;while", "i * m + j", "n * m")
  nest("do while within", 2, "i;0;n|j;0;m;do", "i * m + j", "n * m")
}

function lists_make ()
{
  split("i|i * m + j|(i * m + j) * p + k", rows, "|")
  schedules = split("|static|static, 1|static, 4|static, q|dynamic|dynamic, 3|guided|runtime|auto|nonmonotonic: guided, 2", schedule, "|")
  dists = split("|static|static, 4", dist, "|")
  types = split("int|unsigned|long|unsigned long", type, "|")
  subscript_count = split("same|update|apart|back|neighbours|columns|sum", subscripts, "|")
  way_count = split("up|to|down|by two|unequal", outermost, "|")
}

# 1 to N; a Lehmer generator, whose products fit a double.
function draw (n)
{
  state = state * 48271 % 2147483647
  return int(state / 7) % n + 1
}

# TEXT, a bound in terms of an outer loop's variable, where another expression stands for that: as
# OpenMP has it for collapsed loops, without parentheses.
function bound (text)
{
  if (level_one_runs_down() && text == "i + 1")
    return "i"
  return level_one_runs_down() && text == "i" ? "i - 1" : text
}

# Is the outermost variable one more than the row it is of?
function level_one_runs_down ()
{
  return way[nest_now, 1] == "" && outer_way == "down" && type_now ~ /unsigned/
}

# The head of loop LEVEL; what stands for its variable in subscripts goes to index_of[].
function head (level,  v, lo, hi, w)
{
  v = variable[nest_now, level]
  lo = bound(start[nest_now, level])
  hi = bound(end[nest_now, level])
  w = way[nest_now, level]
  if (level == 1 && w == "")
    w = outer_way
  index_of[v] = v
  if (w == "tile")
    return type_now " " v " = " lo "; " v " < " hi "; " v " += 8"
  if (w == "to" && type_now !~ /unsigned/)
    return type_now " " v " = " lo "; " v " <= " hi " - 1; " v "++"
  if (w == "down" && type_now !~ /unsigned/)
    return type_now " " v " = " hi " - 1; " v " >= " lo "; " v "--"
  if (w == "down")
    {
      index_of[v] = "(" v " - 1)"
      return type_now " " v " = " hi "; " v " > " lo "; " v "--"
    }
  if (w == "by two")
    return type_now " " v " = " lo "; " v " < " hi "; " v " += 2"
  if (w == "unequal")
    return type_now " " v " = " lo "; " v " != " hi "; " v "++"
  return type_now " " v " = " lo "; " v " < " hi "; " v "++"
}

# In an expression, each variable by what stands for it.
function indices (text,  v)
{
  for (v in index_of)
    if (index_of[v] != v)
      text = rename(text, v, index_of[v])
  return text
}

function rename (text, v, by,  out)
{
  while (match(text, "[a-z]+"))
    {
      out = out substr(text, 1, RSTART - 1) (substr(text, RSTART, RLENGTH) == v ? by : substr(text, RSTART, RLENGTH))
      text = substr(text, RSTART + RLENGTH)
    }
  return out text
}

# What one iteration does, at LINEAR of ALL.
function statement (text, count)
{
  if (how == "scan" || how == "sum" || (how == "" && subscript == "sum" && texts[name_now] ~ /@R/))
    return "s += b[" text "];"
  if (how == "call")
    return "a[" text "] = at" number " (b, " text ");"
  if (subscript == "same")
    return "a[" text "] = b[" text "];"
  if (subscript == "apart")
    return "a[2 * (" text ")] = b[2 * (" text ") + 1];"
  if (subscript == "back")
    return "a[" count " - 1 - (" text ")] = b[" text "];"
  if (subscript == "neighbours")
    return "a[" text " + 1] = b[" text "] + b[" text " + 1] + b[" text " + 2];"
  if (subscript == "columns" && nest_now ~ /rectangle/)
    return "a[" indices("j * n + i") "] = b[" text "];"
  return "a[" text "] += 1;"
}

# From an index of the outermost loop to that of the iteration before.
function before ()
{
  if (way[nest_now, 1] == "tile")
    return " - 8"
  return outer_way == "down" ? " + 1" : outer_way == "by two" ? " - 2" : " - 1"
}

function around (text,  level, at)
{
  if (how == "ordered")
    return "#pragma omp ordered\n{\n" text "\n}"
  if (how == "scan")
    return "{\n" text "\n}\n#pragma omp scan inclusive (s)\nc[" indices(rows[collapse_now]) "] = s;"
  if (how != "doacross")
    return text
  at = ""
  for (level = 1; level <= collapse_now; level++)
    at = at (level > 1 ? ", " : "") variable[nest_now, level] (level == 1 ? before() : "")
  return "#pragma omp ordered depend (sink: " at ")\n" text "\n#pragma omp ordered depend (source)"
}

# The loops from LEVEL on, with what is in them.
function loops (level,  text, v, pragma, open)
{
  v = variable[nest_now, level]
  pragma = level == collapse_now + 1 && inner[name_now] != "" ? "#pragma omp " clauses(inner[name_now]) "\n" : ""
  if (level > depth[nest_now])
    return statement(indices(linear[nest_now]), all[nest_now])
  if (way[nest_now, level] == "while")
    return pragma type_now " " v " = 0;\nwhile (" v " < " end[nest_now, level] ")\n{\n" loops(level + 1) "\n" v "++;\n}"
  if (way[nest_now, level] == "do")
    return pragma type_now " " v " = 0;\ndo\n{\n" loops(level + 1) "\n}\nwhile (++" v " < " end[nest_now, level] ");"
  text = pragma "for (" head(level) ")\n"
  if (level < collapse_now)
    return text loops(level + 1)
  open = loops(level + 1)
  if (nest_now == "statement beside" && level == 1)
    open = "c[" indices("i") "] += 2;\n" open
  if (level == collapse_now)
    open = around(open)
  return text "{\n" open "\n}"
}

function replace (text, mark, by,  at)
{
  while ((at = index(text, mark)))
    text = substr(text, 1, at - 1) by substr(text, at + 2)
  return text
}

function clauses (text)
{
  text = replace(text, "@S", schedule_now != "" ? "schedule (" schedule_now ")" : "")
  text = replace(text, "@D", dist_now != "" ? "dist_schedule (" dist_now ")" : "")
  text = replace(text, "@C", collapse_now > 1 ? "collapse (" collapse_now ")" : "")
  text = replace(text, "@L", collapse_now)
  text = replace(text, "@N", number % 2 ? "num_teams (3)" : "")
  text = replace(text, "@R", how == "" && subscript == "sum" ? "reduction (+: s) map (tofrom: s)" : "")
  return replace(text, "@M", "map (tofrom: a[0:z], c[0:z]) map (to: b[0:z])")
}

# The function that counts the iterations of the loops that are shared.
function trip_write (levels,  level, text, v)
{
  text = "t++;"
  for (level = levels; level; level--)
    {
      v = variable[nest_now, level]
      text = "for (" head(level) ")\n{\n" text "\n}"
    }
  print "static long\ntrip" number " (" type_now " n, " type_now " m, " type_now " p)\n{\n  long t = 0;\n" text "\n  return t + 0 * (n + m + p);\n}\n"
}

function form_write (  parts, n, i, text)
{
  print "#line 1 \"form-" number "\""
  split("", index_of)
  if (how == "call")
    print "#pragma omp declare target\n#pragma omp declare simd uniform (x) linear (i)\n" \
      "static __attribute__ ((noinline)) double\nat" number " (const double *x, long i)\n{\n  return x[i] + 1;\n}\n#pragma omp end declare target"
  trip_write(collapse_now + shares[name_now])
  print "static void\nform" number " (" type_now " n, " type_now " m, " type_now " p, int q, long z, double *a, double *b, double *c)\n{\n  double s = 0;\n  (void) n; (void) m; (void) p; (void) q;"
  text = loops(1)
  n = split(texts[name_now], parts, "|")
  for (i = 1; i <= n; i++)
    {
      sub(/ +$/, "", parts[i])
      print "#pragma omp " clauses(parts[i])
    }
  if (name_now ~ /sections/)
    print "{\n#pragma omp section\n" text "\n#pragma omp section\nfor (long l = 0; l < n; l++)\n  c[l] = l;\n}"
  else
    print text
  print "  use_sink += s;\n}\n"
}

function calls_write (  i, sizes, size)
{
  split("23, 7, 5|1, 1, 1|0, 3, 2|8, 4, 4", sizes, "|")
  calls = calls "  use_form (" number ");\n"
  for (i = 1; i <= 4; i++)
    {
      split(sizes[i], size, ", ")
      # GCC 12 gives back memory that it has not got, where a scan has nothing to do.
      if (how == "scan" && size[1] == 0)
	continue
      if (shared[name_now])
	calls = calls "  use_trip (trip" number " (" sizes[i] "));\n"
      calls = calls "  form" number " (use_value (" size[1] "), use_value (" size[2] "), use_value (" size[3] "), use_value (5), 2400, a, b, c);\n"
    }
}

function form (  wanted)
{
  number++
  subscript = subscripts[draw(subscript_count)]
  type_now = type[draw(types)]
  outer_way = outermost[draw(way_count)]
  how = body[name_now]
  # Of unsigned ones libgomp's own wait crashes where there are more threads than iterations.
  if (how == "doacross")
    sub(/^unsigned */, "", type_now)
  if (type_now == "")
    type_now = "int"
  if (number < first || number > last || (number - first) % every || (number in refused))
    return
  if (list)
    {
      print number "\t" name_now "\t" schedule_now "\t" dist_now "\t" collapse_now "\t" nest_now "\t" (how != "" ? how : subscript) "\t" type_now
      return
    }
  form_write()
  calls_write()
}

# All forms of a construct.
function construct_forms (  s, d, x, text)
{
  text = texts[name_now] "|" inner[name_now]
  for (s = 1; s <= (text ~ /@S/ ? schedules : 1); s++)
    for (d = 1; d <= (text ~ /@D/ ? dists : 1); d++)
      for (x = 1; x <= nest_count; x++)
	{
	  schedule_now = schedule[s]
	  dist_now = dist[d]
	  nest_now = nests[x]
	  for (collapse_now = 1; collapse_now <= (text ~ /@C/ ? depth[nest_now] : 1); collapse_now++)
	    if ((collapse_now == 1 || nest_now != "statement beside") && collapse_now + (inner[name_now] != "") + (shares[name_now] == 2) <= depth[nest_now])
	      form()
	}
}

BEGIN {
  state = 20261125 + seed * 7919
  if (!every)
    every = 1
  if (!last)
    last = 1000000
  while (rejected != "" && (getline line < rejected) > 0)
    refused[line] = 1
  constructs_make()
  nests_make()
  lists_make()
  if (!list)
    print "#include \"random-use-program.h\"\n"
  for (c = 1; c <= constructs; c++)
    {
      name_now = names[c]
      construct_forms()
    }
  if (!list)
    print "#line 1 \"main\"\nint\nmain (void)\n{\n  double *a = use_new (\"a\", 2400 * sizeof *a, 5);\n" \
      "  double *b = use_new (\"b\", 2400 * sizeof *b, 5), *c = use_new (\"c\", 2400 * sizeof *c, 5);\n" calls "  return use_end ();\n}"
}
