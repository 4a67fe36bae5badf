# Writes a program of shapes.txt as C: awk -v program=NAME -f write.awk shapes.txt >NAME.c
# SPDX-License-Identifier: GPL-3.0-or-later
#
# shapes.txt says what lines mean.  A program has its regions as functions, run, which calls them as
# the description says, the same of loops of the host, and main, which fills arrays and compares.

# Print TEXT in lines of 80, broken behind what GAP matches; FIRST and REST stand before the lines,
# TAIL behind each but the last.
function wrap(text, gap, first, rest, tail,  line, word) {
  line = first
  while (text != "") {
    word = match(text, gap) ? substr(text, 1, RSTART + RLENGTH - 1) : text
    text = substr(text, length(word) + 1)
    if (line != first && line != rest && length(line word tail) > 80) {
      sub(/ +$/, "", line)
      print line tail
      line = rest
    }
    line = line word
  }
  print line
}

function pragma(text) {
  wrap("#pragma omp " text, "[,)] +|for +", "", "  ", " \\")
}

# Does TEXT have the identifier NAME?
function mentions(text, name) {
  return (" " text " ") ~ ("[^A-Za-z0-9_]" name "[^A-Za-z0-9_]")
}

# LINE, calling the host's versions of regions.
function on_host(line,  r, done, at, before) {
  for (r = 1; r <= regions; r++) {
    done = ""
    while (at = index(line, region_name[r] " (")) {
      before = at > 1 ? substr(line, at - 1, 1) : " "
      done = done substr(line, 1, at - 1) (before ~ /[A-Za-z0-9_]/ ? "" : "host_") region_name[r]
      line = substr(line, at + length(region_name[r]))
    }
    line = done line
  }
  return line
}

# --- reading ---------------------------------------------------------------------

/^#/ || /^$/ {
  next
}

$1 == "program" && /^program / {
  mine = $2 == program
  next
}

!mine {
  next
}

/^[a-z]/ {
  part = $1
  rest = $0
  sub(/^[a-z]+ */, "", rest)
}

/^kind / {
  kind = rest
  next
}

/^about / {
  about = about (about == "" ? "" : " ") rest
  next
}

/^size / {
  size_name[++sizes] = $2
  least[sizes] = 1
  if (match(rest, / >= [0-9]+$/)) {
    least[sizes] = substr(rest, RSTART + 4)
    rest = substr(rest, 1, RSTART - 1)
  }
  sub(/^[^=]*= /, "", rest)
  size_value[sizes] = rest
  next
}

# array NAME TYPE ROLE COUNT = VALUE, or : CALL
/^array / {
  n = ++arrays
  name[n] = $2
  many[n] = ""
  if (match($2, /\[.*\]$/)) {
    many[n] = substr($2, RSTART + 1, RLENGTH - 2)
    name[n] = substr($2, 1, RSTART - 1)
  }
  type[n] = $3
  role[n] = $4
  sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, "", rest)
  match(rest, / [=:] /)
  count[n] = substr(rest, 1, RSTART - 1)
  called[n] = substr(rest, RSTART + 1, 1) == ":"
  fill[n] = substr(rest, RSTART + 3)
  next
}

/^data / {
  data = $2
  only = substr(rest, length($2) + 2)
  next
}

/^tolerance / {
  tolerance = $2
  next
}

/^region / {
  head = substr(rest, 1, index(rest, " (") - 1)
  region_name[++regions] = head
  sub(/^.*[ *]/, "", region_name[regions])
  region_type[regions] = substr(head, 1, length(head) - length(region_name[regions]))
  sub(/ $/, "", region_type[regions])
  region_args[regions] = substr(rest, index(rest, " (") + 1)
  next
}

/^(code|run)$/ {
  next
}

/^ / || /^#/ {
  if (part == "code")
    code[++codes] = substr($0, 3)
  else if (part == "run") {
    run[++runs] = $0
    run_text = run_text " " $0
    if ($0 !~ /^ *#/)
      host_text = host_text " " $0
  } else if (part == "region")
    body[regions, ++lines[regions]] = $0
  next
}

{
  print "shapes.txt:" FNR ": " $0 > "/dev/stderr"
  failed = 1
  exit 1
}

# --- writing -----------------------------------------------------------------------

function function_head(type, name, args,  pad) {
  print ""
  print "static " type
  pad = sprintf("%" (length(name) + 2) "s", "")
  wrap(args, ", ", name " ", pad, "")
  print "{"
}

function write_region(r, host,  i, line) {
  function_head(region_type[r], (host ? "host_" : "") region_name[r], region_args[r])
  for (i = 1; i <= lines[r]; i++) {
    line = body[r, i]
    if (line ~ /^ *@/) {
      sub(/^ *@ */, "", line)
      if (!host)
	pragma("target teams distribute parallel for" (line == "" ? "" : " ") line)
    } else if (line ~ /^ *#/) {
      sub(/^ */, "", line)
      if (!host)
	print line
    } else
      print (host ? on_host(line) : line)
  }
  print "}"
}

# Is array N mapped around the regions?
function outside(n) {
  return data != "regions" && role[n] != "host" && (only == "" || mentions(only, name[n]))
}

# "map(WHICH: ...)" of the arrays whose roles are in ROLES; "" if there are none.
function clause(which, roles,  n, list) {
  for (n = 1; n <= arrays; n++)
    if (outside(n) && many[n] == "" && index(roles, role[n]))
      list = list (list == "" ? "" : ", ") name[n] "[0:" count[n] "]"
  return list == "" ? "" : " map(" which ": " list ")"
}

# Objects of which there are many come and go one by one.
function each(verb, which, roles,  n) {
  for (n = 1; n <= arrays; n++)
    if (outside(n) && many[n] != "" && index(roles, role[n])) {
      print "  for (long k = 0; k < " many[n] "; k++)"
      print "    {"
      print "      " const(n) type[n] " *one = " name[n] "[k];"
      pragma("target " verb " data map(" which ": one[0:" count[n] "])")
      print "      BENCH_MAPPED (one);"
      print "    }"
    }
}

function const(n) {
  return role[n] == "in" ? "const " : ""
}

# What run takes, or, with HOST, host_run: declared, or named.
function run_arguments(declared, host,  n, list, word) {
  for (n = 1; n <= arrays; n++)
    if (used(name[n], host)) {
      word = host && role[n] != "in" ? "host_" name[n] : name[n]
      if (declared)
	word = (many[n] == "" ? const(n) type[n] " *" : type[n] " *const *") name[n]
      list = list ", " word
    }
  for (n = 1; n <= sizes; n++)
    if (used(size_name[n], host))
      list = list ", " (declared ? "long " : "") size_name[n]
  if (used("iterations", host))
    list = list ", " (declared ? "long " : "") "iterations"
  return "(" substr(list, 3) ")"
}

# Does run need WORD, in its text or in its clauses; does host_run?
function used(word, host,  n) {
  if (mentions(host ? host_text : run_text, word))
    return 1
  for (n = 1; n <= arrays && !host; n++)
    if (outside(n) && mentions(count[n] " " name[n], word))
      return 1
  return 0
}

function write_run(host,  i, line, clauses, indent) {
  function_head("void", (host ? "host_" : "") "run", run_arguments(1, host))
  if (!host && data == "around") {
    pragma("target data" clause("to", "in") clause("tofrom", "both") clause("from", "out") clause("alloc", "scratch"))
    if (!one_statement()) {
      indent = "  "
      print "  {"
    }
  }
  if (!host && data == "enter") {
    clauses = clause("to", "in both") clause("alloc", "out scratch")
    if (clauses != "")
      pragma("target enter data" clauses)
    each("enter", "to", "in both")
    each("enter", "alloc", "out scratch")
  }
  for (i = 1; i <= runs; i++) {
    line = run[i]
    if (line ~ /^ *#/) {
      sub(/^ */, "", line)
      if (!host)
	print line
    } else
      print (host ? on_host(line) : indent line)
  }
  if (indent != "")
    print "  }"
  if (!host && data == "enter") {
    each("exit", "from", "both out")
    each("exit", "release", "in scratch")
    clauses = clause("from", "both out") clause("release", "in scratch")
    if (clauses != "")
      pragma("target exit data" clauses)
  }
  print "}"
}

# Is the run one statement, a loop?
function one_statement(  i, n) {
  for (i = 1; i <= runs; i++)
    if (run[i] ~ /^  [^ {}#]/)
      n++
  return n == 1
}

# Begin the loop over the objects of array N, if there are many; how far its body is indented.
function objects(n, pad) {
  if (many[n] == "")
    return pad
  print pad "for (long k = 0; k < " many[n] "; k++)"
  return pad "  "
}

function item(n) {
  return name[n] (many[n] == "" ? "" : "[k]")
}

function written(n) {
  return role[n] != "in"
}

# Is it compared with the host's?
function result(n) {
  return written(n) && role[n] != "scratch"
}

# Its bytes, as a product.
function bytes_of(n) {
  return (count[n] ~ /^[^(]* [-+] / ? "(" count[n] ")" : count[n]) " * sizeof *" item(n)
}

function write_arrays(  n) {
  for (n = 1; n <= arrays; n++)
    if (many[n] == "")
      print "  " type[n] " *" name[n] " = shape_new (&shape, " bytes_of(n) ");"
    else {
      print "  " type[n] " *" name[n] "[" many[n] "]" (written(n) ? ", *host_" name[n] "[" many[n] "]" : "") ";"
      print objects(n, "  ") item(n) " = shape_new (&shape, " bytes_of(n) ");"
    }
}

function write_values(  n, pad) {
  for (n = 1; n <= arrays; n++) {
    pad = objects(n, "  ")
    if (called[n])
      print pad fill[n] ";"
    else {
      print pad "for (long i = 0; i < " count[n] "; i++)"
      print pad "  " item(n) "[i] = " fill[n] ";"
    }
  }
  for (n = 1; n <= arrays; n++)
    if (written(n)) {
      pad = objects(n, "  ")
      print pad (many[n] == "" ? type[n] " *" : "") "host_" item(n) " = shape_copy (" item(n) ", " bytes_of(n) ");"
    }
}

function write_check(  n, pad) {
  print "      host_run " run_arguments(0, 1) ";"
  for (n = 1; n <= arrays; n++)
    if (result(n)) {
      pad = objects(n, "      ")
      print pad "correct = correct"
      print pad "          && shape_close_" type[n] " (\"" name[n] "\", " item(n) ", host_" item(n) ", " count[n] \
	", TOLERANCE);"
    }
}

function write_end(  n, pad) {
  print "  uint64_t checksum = 0;"
  for (n = 1; n <= arrays; n++)
    if (result(n)) {
      pad = objects(n, "  ")
      print pad "checksum ^= bench_checksum (" item(n) ", " bytes_of(n) ");"
    }
  for (n = 1; n <= arrays; n++) {
    pad = objects(n, "  ")
    print pad "free (" item(n) ");"
    if (written(n)) {
      pad = objects(n, "  ")
      print pad "free (host_" item(n) ");"
    }
  }
  print "  return bench_report (&shape.common, shape.footprint, seconds, correct, \"" size_name[1] "\","
  print "                       " size_name[1] ", checksum);"
}

function write_main(  n) {
  print ""
  print "int"
  print "main (int argc, char **argv)"
  print "{"
  print "  struct shape shape = { .common = { .size = 12 << 20, .iterations = 4, .seed = 1 } };"
  n = about
  sub(/[.:;].*/, "", n)
  print "  shape_parse (&shape, argc, argv,"
  print "               \"" n ".\");"
  print "  long bytes = shape.common.size, iterations = shape.common.iterations;"
  for (n = 1; n <= sizes; n++) {
    print "  long " size_name[n] " = " size_value[n] ";"
    print "  shape_least (&shape, \"" size_name[n] "\", " size_name[n] ", " least[n] ");"
  }
  write_arrays()
  print "  if (bench_footprint (&shape.common, shape.footprint))"
  print "    return 0;"
  print ""
  if (random)
    print "  uint64_t *state = &shape.state;"
  write_values()
  print "  double start = omp_get_wtime ();"
  print "  run " run_arguments(0, 0) ";"
  print "  double seconds = omp_get_wtime () - start;"
  print ""
  print "  bool correct = true;"
  print "  if (!shape.common.no_check)"
  print "    {"
  write_check()
  print "    }"
  write_end()
  print "}"
}

END {
  if (failed)
    exit 1
  if (!regions) {
    print "write.awk: no program " program > "/dev/stderr"
    exit 1
  }
  for (n = 1; n <= arrays; n++)
    random = random || mentions(fill[n], "state")
  wrap(about, " ", "/* " program ": ", "   ", "")
  print "   SPDX-License-Identifier: GPL-3.0-or-later"
  print ""
  wrap("Written by write.awk from shapes.txt (" kind ").  Checked against the same loops on the host, " \
    (tolerance ? "to " tolerance " of each number, or of 1." : "exactly.") "  */", " +", "   ", "   ", "")
  print ""
  print "#include \"auto/shape.h\""
  print ""
  print "#define TOLERANCE " tolerance
  for (n = 1; n <= codes; n++) {
    if (n == 1 || code[n] ~ /^static /)
      print ""
    print code[n]
  }
  for (n = 1; n <= regions; n++)
    write_region(n, 0)
  write_run(0)
  for (n = 1; n <= regions; n++)
    write_region(n, 1)
  write_run(1)
  write_main()
}
