/* Regions of random programs: constructs, clauses and loops.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random-use.h"

#include <stdlib.h>
#include <string.h>

struct loop loops[DEPTH];
unsigned loop_count;
bool in_loop_construct;
char trip_functions[65536];

/* What a region consists of.  */
struct construct
{
  const char *outer;		/* With the map clauses.  */
  const char *split;		/* Nested in it, with the loops' clauses.  */
  const char *inner;		/* Before the loop within the shared ones.  */
  bool teams, threads, simd, shared;
};

static const struct construct constructs[] = {
  { "target teams distribute parallel for", NULL, NULL, true, true, false, true },
  { "target teams distribute parallel for", NULL, NULL, true, true, false, true },
  { "target teams distribute parallel for simd", NULL, NULL, true, true, true, true },
  { "target parallel for", NULL, NULL, false, true, false, true },
  { "target parallel for simd", NULL, NULL, false, true, true, true },
  { "target teams distribute", NULL, "parallel for", true, false, false, true },
  { "target teams distribute", NULL, "simd", true, false, false, true },
  { "target teams distribute simd", NULL, NULL, true, false, true, true },
  { "target", "teams distribute parallel for", NULL, true, true, false, true },
  { "target teams", "distribute parallel for", NULL, true, true, false, true },
  { "target teams", "distribute", "parallel for simd", true, false, false, true },
  { "target parallel", "for", NULL, false, true, false, true },
  { "target teams loop", NULL, NULL, false, false, true, true },
  { "target parallel loop", NULL, NULL, false, false, true, true },
  { "target", NULL, NULL, false, false, false, false },
  { "target simd", NULL, NULL, false, false, true, false }
};

static void
bound_constant (struct expr *e, long v)
{
  *e = (struct expr) { .v = { v, v } };
  snprintf (e->text, TEXT, "%ld", v);
}

/* L's lower bound; OUTER: it may depend on the loops around.  */
static void
lower_make (struct expr *e, const struct loop *l, bool outer)
{
  if (outer && loop_count && chance (15))
    {
      const struct loop *o = &loops[pick (loop_count)];
      if (o->is_signed == l->is_signed)
	{
	  long k = pick (3);
	  *e = (struct expr) { .v = { o->v.lo + k, o->v.hi + k } };
	  snprintf (e->text, TEXT, k ? "%s + %ld" : "%s", o->var, k);
	  return;
	}
    }
  if (chance (12))
    {
      *e = (struct expr) { .v = program.params[2].v };
      snprintf (e->text, TEXT, "n2");
      return;
    }
  bound_constant (e, chance (65) ? 0 : 1 + pick (4));
}

/* L's upper bound, one above its last index.  SMALL: of few iterations.  */
static void
upper_make (struct expr *e, const struct loop *l, bool outer, unsigned most)
{
  const struct loop *o = loop_count ? &loops[pick (loop_count)] : NULL;
  unsigned p = most > 20 ? pick (2) : most > 6 ? 1 : 2;
  const struct param *n = &program.params[p];
  bool can = o && outer && o->is_signed == l->is_signed && o->v.hi < most;
  if (can && chance (15))
    {
      long k = 1 + pick (3);
      *e = (struct expr) { .v = { o->v.lo + k, o->v.hi + k } };
      snprintf (e->text, TEXT, "%s + %ld", o->var, k);
    }
  else if (can && chance (10))
    {
      long k = 1 + pick (4);
      *e = (struct expr) { .v = { 0, n->v.hi } };
      snprintf (e->text, TEXT, "MIN (%s + %ld, (%s) n%u)", o->var, k, l->type, p);
    }
  else if (chance (55))
    {
      *e = (struct expr) { .v = n->v };
      snprintf (e->text, TEXT, "n%u", p);
    }
  /* An unsigned loop up to less than 0 never ends.  */
  else if (chance (30) && n->is_signed && (l->is_signed || n->v.lo > 3))
    {
      long k = 1 + pick (3);
      *e = (struct expr) { .v = { n->v.lo - k, n->v.hi - k } };
      snprintf (e->text, TEXT, "n%u - %ld", p, k);
    }
  else
    bound_constant (e, 2 + pick (most));
}

/* Write loop L's head; at most MOST iterations, more or less.  */
static void
loop_make (struct loop *l, bool outer, unsigned most)
{
  static const char *const types[] = { "int", "long", "int", "long", "unsigned", "unsigned long" };
  unsigned t = pick (6);
  struct expr lo, hi;
  *l = (struct loop) { .type = types[t], .is_signed = t < 4 };
  l->var[0] = "ijkl"[loop_count];
  lower_make (&lo, l, outer);
  upper_make (&hi, l, outer, most);
  long step = chance (70) ? 1 : 2 + pick (4);
  l->v = (struct interval) { lo.v.lo, hi.v.hi - 1 };
  if (l->v.hi < l->v.lo)
    l->v.hi = l->v.lo;
  l->trips = (l->v.hi - l->v.lo) / step + 1;
  unsigned form = pick (10);
  if (form < 2 && l->is_signed)
    snprintf (l->head, sizeof l->head, "for (%s %s = (%s) (%s) - 1; %s >= (%s) (%s); %s -= %ld)",
	      l->type, l->var, l->type, hi.text, l->var, l->type, lo.text, l->var, step);
  else if (form == 2 && l->is_signed)
    snprintf (l->head, sizeof l->head, "for (%s %s = %s; %s <= (%s) (%s) - 1; %s += %ld)", l->type,
	      l->var, lo.text, l->var, l->type, hi.text, l->var, step);
  else if (form == 3 && step == 1 && strcmp (lo.text, "0") == 0 && hi.v.lo >= 0)
    snprintf (l->head, sizeof l->head, "for (%s %s = 0; %s != (%s) (%s); %s++)", l->type,
	      l->var, l->var, l->type, hi.text, l->var);
  else if (step == 1)
    snprintf (l->head, sizeof l->head, "for (%s %s = %s; %s < (%s) (%s); %s++)", l->type, l->var,
	      lo.text, l->var, l->type, hi.text, l->var);
  else
    snprintf (l->head, sizeof l->head, "for (%s %s = %s; %s < (%s) (%s); %s += %ld)", l->type,
	      l->var, lo.text, l->var, l->type, hi.text, l->var, step);
}

/* How many iterations a loop may have where those around have TRIPS.  */
static unsigned
trips_left (long trips, unsigned depth)
{
  long left = 3000 / (trips ? trips : 1);
  if (left > 60)
    left = 60;
  if (depth > 0 && left > 14)
    left = 14;
  return left < 3 ? 2 : (unsigned) left;
}

/* The loops from loop_count on to COUNT, with what is in them.  */
static void
nest_write (unsigned depth, unsigned count, unsigned collapsed, long trips,
	    const struct construct *c, bool reduction)
{
  struct loop *l = &loops[loop_count];
  unsigned level = loop_count;
  bool shared = level < collapsed;
  loop_make (l, level >= (collapsed ? collapsed : 1), trips_left (trips, level));
  if (level == collapsed && collapsed && c->inner && c->shared)
    {
      say ("#pragma omp %s", c->inner);
      if (reduction)
	say (" reduction (+: s)");
      say ("\n");
    }
  indent (depth);
  say ("%s\n", l->head);
  loop_count++;
  bool perfect = loop_count < collapsed;
  if (perfect)
    nest_write (depth + 1, count, collapsed, trips * l->trips, c, reduction);
  else
    {
      indent (depth + 1);
      say ("{\n");
      bool last = loop_count == count;
      if (last || (chance (35) && !(c->inner && shared)))
	body_write (depth + 2, reduction);
      if (!last)
	nest_write (depth + 2, count, collapsed, trips * l->trips, c, reduction);
      if (!last && chance (25) && !(c->inner && shared))
	statement_write (depth + 2, reduction);
      indent (depth + 1);
      say ("}\n");
    }
  loop_count--;
}

static void
loop_clauses (const struct construct *c, unsigned collapsed, bool reduction)
{
  bool simd_only = !c->threads;
  if (collapsed > 1)
    say (" collapse (%u)", collapsed);
  if (reduction)
    say (" reduction (+: s)");
  if (!simd_only && chance (35))
    {
      if (program.affine || chance (70))
	say (chance (50) ? " schedule (static)" : " schedule (static, %u)", 1 + pick (5));
      else
	say (" schedule (%s)", chance (50) ? "dynamic, 2" : "guided");
    }
  const char *shared = c->split ? c->split : c->outer;
  if (strstr (shared, "distribute") && chance (30))
    say (" dist_schedule (static, %u)", 1 + pick (8));
}

/* The teams' clauses, where C's part LAST or not has teams.  */
static void
teams_clauses (const char *part)
{
  if (!strstr (part, "teams"))
    return;
  if (chance (30))
    say (" num_teams (%u)", 1 + pick (3));
  if (chance (20))
    say (" thread_limit (4)");
}

static const char *
map_kind (const struct array *x)
{
  if (x->written)
    return chance (70) ? "tofrom" : chance (50) ? "from" : "alloc";
  return chance (70) ? "to" : "tofrom";
}

/* The section of array A that a region maps.  */
static void
map_clause (unsigned a)
{
  struct array *x = &program.arrays[a];
  const char *kind = map_kind (x), *prefix = array_prefix (a);
  /* Without its section a member is a pointer that is found in memory, wherever that leads.  */
  if (x->kind == STATIC || (chance (12) && !(x->kind == MEMBER && program.affine)))
    return;
  if (chance (25))
    {
      /* What is accessed, and some more.  */
      long lo = x->touched.lo - (long) pick (3), hi = x->touched.hi + pick (4);
      lo = lo < 0 ? 0 : lo;
      if (hi >= x->size)
	x->size = hi + 1;
      say (" map (%s: %sa%u[%ld:%ld])", kind, prefix, a, lo, hi - lo + 1);
    }
  else if (a == 0)
    say (" map (%s: %sa0[0:s0])", kind, prefix);
  else
    say (" map (%s: %sa%u[:p%u_a%u_S])", kind, prefix, a, program.number, a);
}

/* The structs that the members are in.  */
static void
holders_map (bool first)
{
  if (program.form == BY_POINTER)
    say (" map (to: m[0:1])");
  else if (program.form == NESTED)
    say (first ? " map (to: m[0:1], m->q[0:1])" : " map (to: m->q[0:1], m[0:1])");
  else if (program.form == THIS)
    say (" map (to: p%u_ME[0:1])", program.number);
}

/* The sections of what is used.  GCC 12 loses the pointer M where it comes to put other
   clauses between it and what it points to: FIRST says where it doesn't.  */
static void
sections_map (bool first)
{
  bool members = false;
  for (unsigned a = 0; a < program.array_count; a++)
    members |= program.arrays[a].used && program.arrays[a].kind == MEMBER;
  if (members && first)
    holders_map (first);
  for (unsigned a = 0; a < program.array_count; a++)
    if (program.arrays[a].used)
      map_clause (a);
  if (members && !first)
    holders_map (first);
}

/* The function that counts what the work-shared loops do.  HEADS: of the first
   COUNT loops.  */
static void
trip_function (unsigned f, unsigned r, char heads[][3 * TEXT], unsigned count)
{
  size_t used = strlen (trip_functions);
  FILE *saved = out;
  char *text = NULL;
  size_t size;
  out = open_memstream (&text, &size);
  say ("static long\np%u_t%u_%u (long n0, int n1, %s n2)\n{\n  long t = 0;\n", program.number, f, r,
       program.params[2].type);
  for (unsigned i = 0; i < count; i++)
    {
      indent (i + 1);
      say ("%s\n", heads[i]);
    }
  indent (count + 1);
  say ("t++;\n  return t + 0 * (n0 + n1 + n2);\n}\n\n");
  fclose (out);
  out = saved;
  if (used + size >= sizeof trip_functions)
    abort ();
  strcpy (trip_functions + used, text);
  free (text);
}

void
region_write (unsigned depth, unsigned f, unsigned r)
{
  const struct construct *c = &constructs[pick (sizeof constructs / sizeof *constructs)];
  unsigned count = 1 + pick (3) + chance (15);
  unsigned collapsed = 1;
  if (count > 1 && chance (30))
    collapsed = 2 + (count > 2 && chance (30));
  if (c->inner && collapsed == count)
    count++;
  if (count > DEPTH)
    collapsed = count = DEPTH, collapsed--;
  bool loop_construct = strstr (c->outer, "loop") != NULL;
  bool reduction = chance (30) && !c->split && !loop_construct
		   && strcmp (c->outer, "target") != 0;
  for (unsigned a = 0; a < program.array_count; a++)
    program.arrays[a].used = program.arrays[a].written = false;
  FILE *saved = out;
  char *text = NULL;
  size_t size;
  out = open_memstream (&text, &size);
  in_loop_construct = loop_construct;
  nest_write (depth + 1, count, strcmp (c->outer, "target") == 0 && !c->split ? 0 : collapsed, 1, c,
	      reduction);
  fclose (out);
  out = saved;
  char heads[DEPTH][3 * TEXT];
  for (unsigned i = 0; i < collapsed; i++)
    strcpy (heads[i], loops[i].head);
  /* An inner loop that is shared, too, has no count of its own.  */
  if (c->shared && (!c->inner || strcmp (c->inner, "simd") == 0))
    {
      trip_function (f, r, heads, collapsed);
      indent (depth);
      say ("use_trip (p%u_t%u_%u (n0, n1, n2));\n", program.number, f, r);
    }
  unsigned where = pick (100), seldom = program.constant ? 2 : 12;
  /* Every other launch or so is none.  */
  if (where < seldom)
    {
      indent (depth);
      say ("static unsigned q%u; q%u++;\n", r, r);
    }
  say ("#pragma omp %s", c->outer);
  if (where < seldom)
    say (" if (q%u %% %u)", r, 2 + pick (2));
  else if (where < 2 * seldom)
    say (chance (50) ? " device (use_value (0))" : " device (0)");
  if (reduction)
    say (" map (tofrom: s)");
  teams_clauses (c->outer);
  if (!c->split && (c->shared || c->simd))
    loop_clauses (c, collapsed, reduction);
  sections_map (strcmp (c->outer, "target") != 0);
  if (chance (20))
    say (chance (50) ? " map (to: n1)" : " firstprivate (n0)");
  say ("\n");
  if (c->split)
    {
      say ("#pragma omp %s", c->split);
      teams_clauses (c->split);
      loop_clauses (c, collapsed, false);
      say ("\n");
    }
  fputs (text, out);
  free (text);
}
