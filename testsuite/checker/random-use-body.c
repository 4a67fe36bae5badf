/* Statements and indices of random programs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random-use.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct element_type element_types[] = {
  { "signed char", { "", "", "", "" } }, { "short", { "", "", "", "" } },
  { "int", { "", "", "", "" } }, { "long", { "", "", "", "" } },
  { "float", { "", "", "", "" } }, { "double", { "", "", "", "" } },
  { "struct use_pair", { ".a", ".b", ".c", ".b" } },
  { "struct use_body", { ".x", ".v[0]", ".v[2]", ".x" } }
};

const char *
array_prefix (unsigned a)
{
  static const char *const prefixes[] = { "m.", "m->", "m->q->", "p%u_M ", "p%u_ms[w]." };
  static char text[40];
  snprintf (text, sizeof text, prefixes[program.form], program.number);
  return program.arrays[a].kind == MEMBER ? text : "";
}

struct interval
interval_add (struct interval a, struct interval b)
{
  return (struct interval) { a.lo + b.lo, a.hi + b.hi };
}

struct interval
interval_scale (struct interval a, long k)
{
  return k < 0 ? (struct interval) { a.hi * k, a.lo * k }
	       : (struct interval) { a.lo * k, a.hi * k };
}

void
array_touch (unsigned a, struct interval v, bool write)
{
  struct array *x = &program.arrays[a];
  if (x->size <= v.hi)
    x->size = v.hi + 1;
  if (!x->used)
    x->touched = v;
  x->touched.lo = v.lo < x->touched.lo ? v.lo : x->touched.lo;
  x->touched.hi = v.hi > x->touched.hi ? v.hi : x->touched.hi;
  x->used = true;
  x->written |= write;
}

static void __attribute__ ((format (printf, 2, 3)))
append (struct expr *e, const char *format, ...)
{
  size_t n = strlen (e->text);
  va_list args;
  va_start (args, format);
  int more = vsnprintf (e->text + n, TEXT - n, format, args);
  va_end (args);
  if (more < 0 || n + (size_t) more >= TEXT)
    abort ();
}

/* Add K times loop L's variable.  */
static void
term_add (struct expr *e, const struct loop *l, long k)
{
  /* What is less than nothing, and added to an unsigned number, is large.  */
  bool is_signed = l->is_signed;
  for (unsigned i = 0; i < loop_count; i++)
    is_signed &= loops[i].is_signed;
  const char *cast = k < 0 && !is_signed ? "(long) " : "";
  if (*e->text)
    append (e, k < 0 ? " - " : " + ");
  else if (k < 0)
    append (e, "-");
  if (labs (k) != 1)
    append (e, "%ld * ", labs (k));
  append (e, "%s%s", cast, l->var);
  e->v = interval_add (e->v, interval_scale (l->v, k));
}

/* A parameter times loop L's variable: a row of a flattened array.  */
static void
row_add (struct expr *e, const struct loop *l, unsigned p)
{
  append (e, "%s%s * n%u", *e->text ? " + " : "", l->var, p);
  long most = l->v.hi * program.params[p].v.hi;
  e->v = interval_add (e->v, (struct interval) {
			       l->v.lo < 0 ? -most : 0, most > 0 ? most : 0 });
}

/* Shift E to 0 or a little above.  */
static void
shift_up (struct expr *e)
{
  long k = -e->v.lo;
  if (k < 0 && chance (70))
    k = 0;
  if (chance (25))
    k += pick (5);
  if (!*e->text)
    append (e, "%ld", k);
  else if (k > 0)
    append (e, " + %ld", k);
  else if (k < 0)
    append (e, " - %ld", -k);
  e->v = interval_add (e->v, (struct interval) { k, k });
}

/* An affine index.  */
static void
index_affine (struct expr *e)
{
  static const long factors[] = { 1, 1, 1, 2, 3, -1, -1, -2, 5, 8 };
  *e = (struct expr) { .text = "" };
  if (loop_count && !chance (4))
    {
      unsigned first = chance (60) ? loop_count - 1 : pick (loop_count);
      unsigned p = pick (PARAMS);
      if (loop_count > 1 && chance (45))
	{
	  unsigned other = (first + 1 + pick (loop_count - 1)) % loop_count;
	  if (chance (60))
	    row_add (e, &loops[other], p);
	  else
	    term_add (e, &loops[other], factors[pick (10)]);
	}
      term_add (e, &loops[first], chance (75) ? 1 : factors[pick (10)]);
      if (loop_count > 2 && chance (20))
	term_add (e, &loops[pick (loop_count)], factors[pick (10)]);
    }
  shift_up (e);
}

/* An array of KIND, or -1.  */
static int
array_find (enum array_kind kind)
{
  for (unsigned i = 0; i < program.array_count; i++)
    if (program.arrays[i].kind == kind)
      return (int) i;
  return -1;
}

static void
index_loaded (struct expr *e)
{
  int ix = array_find (INDICES);
  struct expr at;
  index_affine (&at);
  if (ix < 0)
    {
      *e = at;
      return;
    }
  array_touch ((unsigned) ix, at.v, false);
  *e = (struct expr) { .v = { 0, program.arrays[ix].range - 1 } };
  append (e, "a%d[%s]", ix, at.text);
}

/* Of the rest of what programs do, by the values of variables alone.  */
static void
index_odd (struct expr *e)
{
  struct expr x, y;
  index_affine (&x);
  index_affine (&y);
  *e = (struct expr) { .text = "" };
  long k = 2 + pick (7);
  switch (pick (4))
    {
    case 0:
      append (e, "(%s) %% %ld", x.text, k);
      e->v = (struct interval) { 0, k - 1 };
      break;
    case 1:
      append (e, "(%s) / %ld", x.text, k);
      e->v = (struct interval) { 0, x.v.hi / k };
      break;
    case 2:
      append (e, "(n%u > %ld ? %s : %s)", pick (PARAMS), k, x.text, y.text);
      e->v.hi = x.v.hi > y.v.hi ? x.v.hi : y.v.hi;
      break;
    default:
      if (x.v.hi * y.v.hi > 4000)
	{
	  *e = x;
	  return;
	}
      append (e, "(%s) * (%s)", x.text, y.text);
      e->v.hi = x.v.hi * y.v.hi;
    }
}

static void
index_make (struct expr *e)
{
  if (program.affine || chance (65))
    index_affine (e);
  else if (chance (60))
    index_loaded (e);
  else
    index_odd (e);
  if (e->v.hi > 12000)
    {
      *e = (struct expr) { .text = "" };
      if (loop_count)
	term_add (e, &loops[loop_count - 1], 1);
      shift_up (e);
    }
}

static unsigned
array_pick (bool write)
{
  for (;;)
    {
      unsigned a = pick (program.array_count);
      if (program.arrays[a].kind < INDICES
	  || (!write && program.arrays[a].kind == INDICES && chance (30)))
	return a;
    }
}

/* Array A at E, or a row of it there.  WHOLE: all of an element.  */
static void
element_make (struct expr *to, unsigned a, const struct expr *e, bool write,
	      bool whole)
{
  struct array *x = &program.arrays[a];
  *to = (struct expr) { .text = "" };
  if (x->kind == STATIC)
    append (to, "p%u_", program.number);
  append (to, "%sa%u[%s]", array_prefix (a), a, e->text);
  array_touch (a, e->v, write);
  if (x->kind == ROWS)
    {
      struct expr column = { .text = "" };
      if (loop_count && chance (85))
	term_add (&column, &loops[loop_count - 1 - (loop_count > 1
						     && chance (25))], 1);
      shift_up (&column);
      if (x->cols <= column.v.hi)
	x->cols = column.v.hi + 1;
      append (to, "[%s]", column.text);
    }
  if (!whole)
    append (to, "%s", element_types[x->type].members[pick (4)]);
}

static void
access_make (struct expr *to, unsigned a, bool write)
{
  struct expr e;
  index_make (&e);
  element_make (to, a, &e, write, false);
}

/* Some value that can be added.  */
static void
value_make (struct expr *to)
{
  if (chance (75))
    access_make (to, array_pick (false), false);
  else
    {
      *to = (struct expr) { .text = "" };
      if (loop_count && chance (60))
	append (to, "%s", loops[pick (loop_count)].var);
      else
	append (to, "%u", pick (100));
    }
}

/* Add to what stands before the functions, for host and device.  */
static void __attribute__ ((format (printf, 1, 2)))
helper_say (const char *format, ...)
{
  size_t used = strlen (program.helpers), room = sizeof program.helpers - used;
  va_list args;
  va_start (args, format);
  int wrote = vsnprintf (program.helpers + used, room, format, args);
  va_end (args);
  if (wrote < 0 || (size_t) wrote >= room)
    abort ();
}

/* What a helper does.  */
enum helper_kind { HELPER_READS, HELPER_WRITES, HELPER_SUMS, HELPER_RECURS };

/* The parameters of helpers of a KIND, for arrays of TYPE.  */
static const char *
helper_takes (enum helper_kind kind, const char *type)
{
  static char text[60];
  snprintf (text, sizeof text, "(%s%s *x, long i)", kind == HELPER_WRITES ? "" : "const ", type);
  return text;
}

static const char *
helper_returns (enum helper_kind kind)
{
  return kind == HELPER_WRITES ? "void" : "double";
}

/* A device function for array A; its number.  */
static unsigned
helper_make (unsigned a, enum helper_kind kind)
{
  unsigned p = program.number, n = program.helper_count++;
  const struct element_type *t = &element_types[program.arrays[a].type];
  const char *member = t->members[pick (4)], *takes = helper_takes (kind, t->name);
  const char *attribute = chance (40) ? "__attribute__ ((noinline)) " : "";
  if (kind == HELPER_RECURS)
    /* Two calls of itself, which read up to x[i + d].  */
    helper_say ("static %sdouble\np%u_h%u_ (const %s *x, long i, int d)\n"
		"{\n  return d <= 0 ? x[i]%s : x[i + d]%s + p%u_h%u_ (x, i, d - 1)"
		" * p%u_h%u_ (x + 1, i, d - 2);\n}\n", attribute, p, n, t->name, member, member, p, n, p, n);
  helper_say ("static inline %s%s\np%u_h%u %s\n", kind == HELPER_RECURS ? "" : attribute,
	      helper_returns (kind), p, n, takes);
  switch (kind)
    {
    case HELPER_READS:
      helper_say ("{\n  return x[i]%s;\n}\n", member);
      break;
    case HELPER_WRITES:
      helper_say ("{\n  x[i]%s = i & 31;\n}\n", member);
      break;
    case HELPER_RECURS:
      helper_say ("{\n  return p%u_h%u_ (x, i, %u);\n}\n", p, n, 1 + pick (4));
      break;
    case HELPER_SUMS:
      helper_say ("{\n  double t = 0;\n  for (int k = 0; k < 5; k++)\n    t += x[i + k]%s;\n  return t;\n}\n",
		  member);
    }
  return n;
}

/* How a region calls one of two helpers.  */
enum helper_way { BY_NAME, BY_CHOICE, BY_TABLE, BY_VARIABLE, BY_CLASS };

/* What a call by WAY of helper N or OTHER needs before functions.  */
static void
helper_way_make (enum helper_way way, const char *type, enum helper_kind kind, unsigned n,
		 unsigned other)
{
  unsigned p = program.number;
  const char *takes = helper_takes (kind, type), *returns = helper_returns (kind);
  if (way == BY_TABLE)
    helper_say ("static %s (*const p%u_k%u[2]) %s = { p%u_h%u, p%u_h%u };\n", returns, p, n, takes, p, n, p,
		other);
  if (way != BY_CLASS)
    return;
  /* GCC knows all classes of a unit's own, and of others it doesn't.  */
  bool own = chance (60);
  helper_say ("#ifdef __cplusplus\n%sstruct p%u_b%u { virtual %s run %s const = 0; };\n",
	      own ? "namespace {\n" : "", p, n, returns, takes);
  for (unsigned i = 0; i < 2; i++)
    helper_say ("struct p%u_%c%u : p%u_b%u { %s run %s const { return p%u_h%u (x, i); } };\n", p, "cd"[i], n,
		p, n, returns, takes, p, i ? other : n);
  helper_say (own ? "}\n#endif\n" : "#endif\n");
}

/* Write the call by WAY of helper N, or OTHER where WHEN says so, with ARGUMENTS; TO: what
   stands before it.  In C there are no classes.  */
static void
helper_way_write (unsigned depth, enum helper_way way, const char *type, enum helper_kind kind,
		  const unsigned which[2], const char *when, const char *to, const char *arguments)
{
  unsigned p = program.number, n = which[0], other = which[1];
  if (way == BY_CLASS)
    {
      say ("#ifdef __cplusplus\n");
      indent (depth);
      say ("{ p%u_c%u x; p%u_d%u y; const p%u_b%u *o = %s ? (const p%u_b%u *) &y : &x; %so->run (%s); }\n",
	   p, n, p, n, p, n, when, p, n, to, arguments);
      say ("#else\n");
    }
  indent (depth);
  if (way == BY_NAME)
    say ("%sp%u_h%u (%s);\n", to, p, n, arguments);
  else if (way == BY_TABLE)
    say ("%sp%u_k%u[%s] (%s);\n", to, p, n, when, arguments);
  else if (way == BY_VARIABLE)
    say ("{ %s (*f) %s = p%u_h%u; if (%s) f = p%u_h%u; %sf (%s); }\n", helper_returns (kind),
	 helper_takes (kind, type), p, n, when, p, other, to, arguments);
  else
    say ("%s(%s ? p%u_h%u : p%u_h%u) (%s);\n", to, when, p, other, p, n, arguments);
  if (way == BY_CLASS)
    say ("#endif\n");
}

/* When the other of two helpers is called.  Where everything is to depend on no data, always or
   never.  */
static void
helper_when (char *text, size_t size)
{
  if (program.affine)
    snprintf (text, size, "%u", pick (2));
  else
    snprintf (text, size, "(%s & 1)", loop_count ? loops[0].var : "n1");
}

static void
helper_call (unsigned depth)
{
  unsigned a = array_pick (true), which[2];
  struct array *x = &program.arrays[a];
  const char *type = element_types[x->type].name;
  enum helper_kind kind = pick (program.affine ? 3 : 4);
  struct expr e, to;
  char when[40], arguments[2 * TEXT], result[TEXT + 4] = "";
  if (x->kind != FLAT && x->kind != MEMBER)
    return;
  index_affine (&e);
  enum helper_way way = chance (program.affine ? 20 : 45) ? BY_CHOICE + pick (4) : BY_NAME;
  which[0] = which[1] = helper_make (a, kind);
  if (way != BY_NAME)
    which[1] = helper_make (a, kind == HELPER_RECURS ? HELPER_SUMS : kind);
  helper_way_make (way, type, kind, which[0], which[1]);
  helper_when (when, sizeof when);
  array_touch (a, e.v, kind == HELPER_WRITES);
  if (kind >= HELPER_SUMS)
    array_touch (a, interval_add (e.v, (struct interval) { 0, 4 }), false);
  if (kind != HELPER_WRITES)
    {
      access_make (&to, array_pick (true), true);
      snprintf (result, sizeof result, "%s = ", to.text);
    }
  snprintf (arguments, sizeof arguments, "%sa%u, %s", array_prefix (a), a, e.text);
  helper_way_write (depth, way, type, kind, which, when, result, arguments);
}

/* A condition of indices and parameters.  */
static void
condition_affine (struct expr *c)
{
  static const char *const ways[] = { "<", ">", "<=", ">=", "!=", "==" };
  *c = (struct expr) { .text = "" };
  const char *way = ways[chance (80) ? pick (4) : 4 + pick (2)];
  if (!loop_count || chance (15))
    {
      append (c, "n%u %s %u", pick (PARAMS), way, pick (8));
      return;
    }
  const struct loop *l = &loops[pick (loop_count)];
  const struct loop *other = &loops[pick (loop_count)];
  long at = l->v.lo + (long) pick ((unsigned) (l->v.hi - l->v.lo + 2));
  if (other != l && chance (30) && l->is_signed == other->is_signed)
    append (c, "%s %s %s", l->var, way, other->var);
  else if (chance (30))
    append (c, "%s %s (%s) n%u", l->var, way, l->type, pick (PARAMS));
  else if (chance (20))
    append (c, "%s > %ld && %s < %ld", l->var, at, l->var, at + 3);
  else
    append (c, "%s %s %ld", l->var, way, at);
}

static void
condition_make (struct expr *c)
{
  if (program.affine || chance (50))
    {
      condition_affine (c);
      return;
    }
  struct expr v;
  *c = (struct expr) { .text = "" };
  if (loop_count && chance (30))
    append (c, "%s %% 3 == %u", loops[pick (loop_count)].var, pick (3));
  else
    {
      access_make (&v, array_pick (false), false);
      append (c, "%s > %u", v.text, pick (20));
    }
}

static void
assignment_write (unsigned depth)
{
  unsigned a = array_pick (true);
  struct array *x = &program.arrays[a];
  struct expr e, to, from;
  index_make (&e);
  indent (depth);
  if (x->type >= STRUCT_TYPES && chance (35))
    {
      /* An element as a whole.  */
      struct expr at;
      index_make (&at);
      element_make (&from, a, &at, false, true);
      element_make (&to, a, &e, true, true);
      say ("%s = %s;\n", to.text, from.text);
      return;
    }
  element_make (&to, a, &e, true, false);
  switch (pick (6))
    {
    case 0:
      say ("%s = %u;\n", to.text, pick (50));
      break;
    case 1:
      say ("%s += 1;\n", to.text);
      break;
    case 2:
      if (chance (40) && x->type >= 2 && !in_loop_construct)
	{
	  say ("_Pragma (\"omp atomic\")\n");
	  indent (depth);
	}
      say ("%s += %u;\n", to.text, pick (9));
      break;
    default:
      value_make (&from);
      say ("%s = %s", to.text, from.text);
      for (unsigned n = pick (3); n; n--)
	{
	  value_make (&from);
	  say (" + %s", from.text);
	}
      say (";\n");
    }
}

/* A stencil: neighbours of one place.  */
static void
stencil_write (unsigned depth)
{
  unsigned from = array_pick (false), to = array_pick (true);
  struct expr e, at, x;
  index_affine (&e);
  access_make (&x, to, true);
  indent (depth);
  say ("%s = ", x.text);
  for (unsigned k = 0, n = 2 + pick (3); k < n; k++)
    {
      at = (struct expr) { .v = interval_add (e.v, (struct interval) { k, k }) };
      append (&at, "%s + %u", e.text, k);
      element_make (&x, from, &at, false, false);
      say ("%s%s", k ? " + " : "", x.text);
    }
  say (";\n");
}

/* A loop over a row of a sparse matrix, or one that ends early.  */
static void
data_loop_write (unsigned depth)
{
  int starts = array_find (STARTS);
  struct expr e, v, to;
  index_affine (&e);
  unsigned a = array_pick (false);
  access_make (&to, array_pick (true), true);
  indent (depth);
  if (starts >= 0 && e.v.hi < 600 && chance (60))
    {
      struct array *x = &program.arrays[starts];
      array_touch ((unsigned) starts, interval_add (e.v, (struct interval) { 0, 1 }), false);
      struct expr at = { .text = "q", .v = { 0, (e.v.hi + 1) * x->range - 1 } };
      element_make (&v, a, &at, false, false);
      if (program.arrays[a].kind == ROWS)
	v = to;
      say ("for (int q = a%d[%s]; q < a%d[%s + 1]; q++)\n", starts, e.text, starts, e.text);
    }
  else
    {
      struct expr at = { .v = interval_add (e.v, (struct interval) { 0, 9 }) };
      append (&at, "%s + q", e.text);
      element_make (&v, a, &at, false, false);
      say ("for (int q = 0; q < 10 && %s < 5; q++)\n", v.text);
    }
  indent (depth + 1);
  say ("%s += %s;\n", to.text, v.text);
}

static void
sum_write (unsigned depth, bool reduction)
{
  struct expr v, to;
  value_make (&v);
  indent (depth);
  if (reduction)
    say ("s += %s;\n", v.text);
  else
    {
      access_make (&to, array_pick (true), true);
      say ("%s = %s;\n", to.text, v.text);
    }
}

void
statement_write (unsigned depth, bool reduction)
{
  if (chance (program.affine ? 12 : 22))
    {
      struct expr c;
      condition_make (&c);
      indent (depth);
      say ("if (%s)\n", c.text);
      indent (depth + 1);
      say ("{\n");
      assignment_write (depth + 2);
      indent (depth + 1);
      say ("}\n");
      if (chance (25))
	{
	  indent (depth);
	  say ("else\n");
	  assignment_write (depth + 1);
	}
      return;
    }
  unsigned what = pick (10);
  if (what < 5)
    assignment_write (depth);
  else if (what == 5)
    stencil_write (depth);
  else if (what == 6)
    helper_call (depth);
  else if (what == 7 && !program.affine)
    data_loop_write (depth);
  else
    sum_write (depth, reduction);
}

void
body_write (unsigned depth, bool reduction)
{
  for (unsigned n = 1 + pick (3); n; n--)
    statement_write (depth, reduction);
}
