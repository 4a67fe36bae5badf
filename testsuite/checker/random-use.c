/* Write programs at random whose target regions use arrays in many ways.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: random-use [-p PART/PARTS] SEED [COUNT].  One source on standard
   output, C and C++ alike, with COUNT programs of the
   seeds from SEED on; with -p a PART (0 ...) of it, PARTS of which are the same
   program.  The same seed gives the same program.  A third of them is affine:
   where they access depends on no data.  A third launches all that they launch a
   constant number of times.

   What they compute means nothing; that the compiler's tables are right about
   them is for random-use-check.c to say.

   Owns the program being written and the state of the random numbers.  */

#include "random-use.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FUNCTIONS = 3, LAUNCHES = 24 };

struct program program;
FILE *out;

static uint64_t random_state;
static unsigned part, parts = 1;

/* The function being written, and how many launches a call of each makes, more
   or less.  */
static unsigned launches[FUNCTIONS];
static char *functions[FUNCTIONS];

/* splitmix64.  */
unsigned
pick (unsigned n)
{
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (unsigned) ((z ^ z >> 31) >> 16) % n;
}

bool
chance (unsigned percent)
{
  return pick (100) < percent;
}

void
indent (unsigned depth)
{
  say ("%*s", 2 * (int) depth, "");
}

void
say (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  vfprintf (out, format, args);
  va_end (args);
}

static void
arrays_make (void)
{
  static const enum array_kind kinds[] = { FLAT, FLAT, FLAT, ROWS, STATIC, MEMBER, MEMBER };
  program.array_count = 3 + pick (ARRAYS - 4);
  for (unsigned a = 0; a < program.array_count; a++)
    program.arrays[a] = (struct array) {
      .kind = kinds[pick (7)], .type = pick (ELEMENT_TYPES), .size = 1 + pick (50), .cols = 1 + pick (8),
      .own = chance (50)
    };
  program.arrays[program.array_count++]
    = (struct array) { .kind = pick (2) ? INDICES : STARTS, .type = 2, .size = 2,
		       .range = 1 + pick (program.affine ? 3 : 6) };
  struct array *last = &program.arrays[program.array_count - 1];
  if (last->kind == INDICES)
    last->range = 20 + pick (200);
}

static void
params_make (void)
{
  static const char *const small[] = { "int", "unsigned", "short", "long" };
  unsigned t = pick (4);
  long n0 = 12 + pick (40), n1 = 4 + pick (9), n2 = pick (5);
  program.params[0] = (struct param) { "long", { n0 - pick (8), n0 }, true };
  program.params[1] = (struct param) { "int", { n1 - pick (3), n1 }, true };
  program.params[2] = (struct param) { small[t], { n2 - (n2 > 0 && chance (40)), n2 }, t != 1 };
}

/* Function F's name, which MACRO makes that of a member function.  */
static void
function_name (const char *macro, unsigned f)
{
  if (program.form == THIS)
    say ("p%u_%s (p%u_f%u) (", program.number, macro, program.number, f);
  else
    say ("p%u_f%u (", program.number, f);
}

/* The parameters of each function, or the ARGUMENTS of a call.  */
static void
signature (bool arguments)
{
  for (unsigned a = 0; a < program.array_count; a++)
    {
      const struct array *x = &program.arrays[a];
      const char *type = element_types[x->type].name;
      if (x->kind == STATIC || x->kind == MEMBER)
	continue;
      if (arguments)
	say ("a%u, ", a);
      else if (x->kind == ROWS)
	say ("%s (*a%u)[p%u_a%u_C], ", type, a, program.number, a);
      else
	say ("%s *a%u, ", type, a);
    }
  if (program.form == THIS)
    say (arguments ? "p%u_GIVEN " : "p%u_TAKEN ", program.number);
  else if (program.form == ELEMENT)
    say (arguments ? "w, " : "int w, ");
  else if (arguments)
    say ("m, ");
  else
    say ("struct p%u_%s %sm, ", program.number, program.form == NESTED ? "o" : "m",
	 program.form == BY_VALUE ? "" : "*");
  if (!arguments)
    say ("long n0, int n1, %s n2, long s0", program.params[2].type);
}

/* Values for a call's parameters.  */
static void
values_write (void)
{
  for (unsigned p = 0; p < PARAMS; p++)
    {
      const struct interval *v = &program.params[p].v;
      long value = chance (60) ? v->hi : v->lo;
      if (chance (50))
	say ("use_value (%ld), ", value);
      else
	say ("%ld, ", value);
    }
  say ("p%u_a0_S", program.number);
}

/* Open a loop of the host around what follows; returns how often it runs.  */
static unsigned
host_loop (unsigned depth)
{
  unsigned times = 1 + pick (4);
  indent (depth);
  if (program.constant)
    say ("for (int r%u = 0; r%u < %u; r%u++)\n", depth, depth, times, depth);
  else if (chance (30))
    say ("if (use_value (%u))\n", pick (2));
  else
    say ("for (int r%u = 0; r%u < use_value (%u); r%u++)\n", depth, depth, times, depth);
  indent (depth + 1);
  say ("{\n");
  return times;
}

/* The arguments of a call within function F, or in main.  */
static void
arguments_write (unsigned f)
{
  signature (true);
  if (f == FUNCTIONS)
    values_write ();
  else
    say ("n0, n1, n2, s0");
  say (");\n");
}

/* A call of function G or H by function F, or main, through a pointer: to what a constant table
   has, or a variable of which the compiler believes nothing.  */
static void
pointer_call_write (unsigned depth, unsigned f, unsigned g, unsigned h)
{
  const bool table = chance (70);
  indent (depth);
  say (table ? "{ static void (*const to[2]) (" : "{ void (*volatile to) (");
  signature (false);
  if (table)
    say (") = { p%u_f%u, p%u_f%u }; ", program.number, g, program.number, h);
  else
    say (") = p%u_f%u; ", program.number, g);
  if (table && chance (50))
    say ("to[use_value (%u)] (", pick (2));
  else if (table)
    say ("to[%u] (", pick (2));
  else
    say ("to (");
  arguments_write (f);
  indent (depth);
  say ("}\n");
}

/* The same by a virtual call, in C++; in C of G.  */
static void
virtual_call_write (unsigned depth, unsigned f, unsigned g, unsigned h)
{
  say ("#ifdef __cplusplus\n");
  indent (depth);
  say ("{ p%u_v%u x; p%u_v%u y; p%u_v *o = use_value (%u) ? (p%u_v *) &x : &y; o->run (",
       program.number, g, program.number, h, program.number, pick (2), program.number);
  arguments_write (f);
  indent (depth);
  say ("}\n#else\n");
  indent (depth);
  say ("p%u_f%u (", program.number, g);
  arguments_write (f);
  say ("#endif\n");
}

/* A call of function G, or of another before it, by function F, or main.  Where launches shall be
   constant, few are not by name, and no member function is.  */
static void
some_call_write (unsigned depth, unsigned f, unsigned g, unsigned h)
{
  unsigned way = pick (100), seldom = program.form == THIS ? 0 : program.constant ? 2 : 20;
  if (way < seldom)
    pointer_call_write (depth, f, g, h);
  else if (way < 2 * seldom && program.classes)
    virtual_call_write (depth, f, g, h);
  else
    {
      indent (depth);
      function_name (f == FUNCTIONS ? "MAIN" : "CALL", g);
      arguments_write (f);
    }
}

/* A call of a function that was written before F.  */
static void
call_write (unsigned depth, unsigned f, unsigned times)
{
  if (f == 0)
    return;
  unsigned g = pick (f), h = pick (f);
  unsigned most = launches[g] > launches[h] ? launches[g] : launches[h];
  if (launches[f] + times * most > LAUNCHES)
    return;
  launches[f] += times * most;
  some_call_write (depth, f, g, h);
}

static void
data_open (unsigned depth)
{
  (void) depth;
  say ("#pragma omp target data");
  bool any = false;
  for (unsigned a = 0; a < program.array_count; a++)
    if (program.arrays[a].kind != STATIC && program.arrays[a].kind != MEMBER
	&& (chance (50) || (!any && a == program.array_count - 1)))
      {
	say (" map (tofrom: a%u[:p%u_a%u_S])", a, program.number, a);
	any = true;
      }
  say ("\n");
}

static void
function_write (unsigned f)
{
  size_t size;
  trip_functions[0] = '\0';
  char *body = NULL;
  out = open_memstream (&body, &size);
  launches[f] = 0;
  for (unsigned n = 1 + pick (2), r = 0; n; n--)
    {
      bool loop = chance (45), data = chance (20);
      unsigned depth = 1, times = 1;
      if (data)
	data_open (depth);
      indent (depth);
      say ("{\n");
      depth++;
      if (loop)
	{
	  times = host_loop (depth);
	  depth += 2;
	}
      if (chance (25))
	call_write (depth, f, times);
      if (launches[f] + times <= LAUNCHES || n == 1)
	{
	  region_write (depth, f, r++);
	  launches[f] += times;
	}
      if (loop)
	{
	  indent (depth - 1);
	  say ("}\n");
	}
      say ("  }\n");
    }
  fclose (out);
  out = open_memstream (&functions[f], &size);
  say ("%s", trip_functions);
  say ("#line %u \"program-%" PRIu64 "\"\nvoid\n", 1000 * (f + 1), program.seed);
  function_name ("METHOD", f);
  signature (false);
  say (")\n{\n  double s = 0;\n%s  use_sink += s;\n}\n\n", body);
  free (body);
  fclose (out);
}

static void
allocate (unsigned a)
{
  const struct array *x = &program.arrays[a];
  const char *type = element_types[x->type].name;
  if (x->kind == STATIC)
    say ("  use_static (\"p%u_a%u\", p%u_a%u, sizeof p%u_a%u, %u, %d);\n", program.number, a,
	 program.number, a, program.number, a, x->type, x->own);
  else if (x->kind == ROWS)
    say ("  %s (*a%u)[p%u_a%u_C] = (%s (*)[p%u_a%u_C]) use_new (\"a%u\", (size_t) p%u_a%u_S * sizeof *a%u, %u);\n",
	 type, a, program.number, a, type, program.number, a, a, program.number, a, a, x->type);
  else if (x->kind == MEMBER)
    say ("  members.a%u = (%s *) use_new (\"a%u\", p%u_a%u_S * sizeof *members.a%u, %u);\n", a, type, a,
	 program.number, a, a, x->type);
  else
    say ("  %s *a%u = (%s *) use_new (\"a%u\", p%u_a%u_S * sizeof *a%u, %u);\n", type, a, type, a,
	 program.number, a, a, x->type);
  if (x->kind == INDICES)
    say ("  use_indices (a%u, p%u_a%u_S, %ld);\n", a, program.number, a, x->range);
  else if (x->kind == STARTS)
    say ("  use_starts (a%u, p%u_a%u_S, %ld);\n", a, program.number, a, x->range);
}

/* What main passes for the struct M.  */
static void
holder_write (void)
{
  unsigned p = program.number;
  if (program.form == NESTED)
    say ("  struct p%u_o outer = { 1, &members }, *m = &outer;\n", p);
  else if (program.form == ELEMENT)
    say ("  int w = (int) use_value (%u);\n  p%u_ms[w] = members;\n  use_holders (p%u_ms, sizeof p%u_ms);\n",
	 pick (3), p, p, p);
  else
    say ("  struct p%u_m %sm = %smembers;\n", p, program.form == BY_VALUE ? "" : "*",
	 program.form == BY_VALUE ? "" : "&");
}

/* X, STATIC array A, with HOW before it.  */
static void
static_declare (const struct array *x, unsigned a, const char *how)
{
  say ("%s%s%s p%u_a%u[p%u_a%u_S];\n%s", x->own ? "#pragma omp declare target\n" : "", how,
       element_types[x->type].name, program.number, a, program.number, a,
       x->own ? "#pragma omp end declare target\n" : "");
}

static void
main_write (void)
{
  for (unsigned a = 0; a < program.array_count; a++)
    if (program.arrays[a].kind == STATIC)
      static_declare (&program.arrays[a], a, "");
  if (program.form == ELEMENT)
    say ("struct p%u_m p%u_ms[3];\n", program.number, program.number);
  say ("\nstatic void\np%u_main (void)\n{\n", program.number);
  say ("  struct p%u_m members;\n", program.number);
  for (unsigned a = 0; a < program.array_count; a++)
    allocate (a);
  holder_write ();
  unsigned made = 0;
  for (unsigned n = 0, calls = FUNCTIONS + pick (2); n < calls; n++)
    {
      unsigned g = n < FUNCTIONS ? n : pick (FUNCTIONS), depth = 1;
      bool loop = chance (40) && made + 4 * launches[g] < 2 * LAUNCHES;
      made += launches[g] * (loop ? host_loop (depth) : 1);
      depth += loop ? 2 : 0;
      some_call_write (depth, FUNCTIONS, g, pick (g + 1));
      say ("%s", loop ? "    }\n" : "");
    }
  say ("  use_release ();\n}\n");
}

/* A class for each function, whose virtual function calls it.  Each file has objects of all of
   them: what the compiler takes a virtual call for depends on that.  */
static void
classes_write (void)
{
  say ("#ifdef __cplusplus\nstruct p%u_v { virtual void run (", program.number);
  signature (false);
  say (") = 0; };\n");
  for (unsigned f = 0; f < FUNCTIONS; f++)
    {
      say ("struct p%u_v%u : p%u_v { void run (", program.number, f, program.number);
      signature (false);
      say (") { p%u_f%u (", program.number, f);
      arguments_write (f);
      say ("} };\n");
    }
  say ("static __attribute__ ((used)) p%u_v *\np%u_new (int i)\n{\n  switch (i)\n    {\n", program.number,
       program.number);
  for (unsigned f = 0; f < FUNCTIONS; f++)
    say ("    case %u: return new p%u_v%u;\n", f, program.number, f);
  say ("    default: return 0;\n    }\n}\n#endif\n");
}

static void
prototype (unsigned f)
{
  say ("void p%u_f%u (", program.number, f);
  signature (false);
  say (");\n");
}

/* What makes functions with M as a parameter member functions.  */
static void
this_macros (void)
{
  unsigned p = program.number;
  say ("struct p%u_m;\n", p);
  say ("#ifdef __cplusplus\n#define p%u_M this->\n#define p%u_ME this\n#define p%u_TAKEN\n", p, p, p);
  say ("#define p%u_GIVEN\n#define p%u_CALL(F) this->F\n#define p%u_MAIN(F) m->F\n", p, p, p);
  say ("#define p%u_METHOD(F) p%u_m::F\n", p, p);
  say ("#else\n#define p%u_M m->\n#define p%u_ME m\n#define p%u_TAKEN struct p%u_m *m,\n", p, p, p, p);
  say ("#define p%u_GIVEN m,\n#define p%u_CALL(F) F\n#define p%u_MAIN(F) F\n", p, p, p);
  say ("#define p%u_METHOD(F) F\n#endif\n", p);
}

static void
head_write (void)
{
  say ("\n/* Seed %" PRIu64 ".  */\n", program.seed);
  for (unsigned a = 0; a < program.array_count; a++)
    {
      const struct array *x = &program.arrays[a];
      say ("#define p%u_a%u_S %ld\n", program.number, a, x->size);
      if (x->kind == ROWS)
	say ("#define p%u_a%u_C %ld\n", program.number, a, x->cols);
      if (x->kind == STATIC)
	static_declare (x, a, "extern ");
    }
  if (program.form == THIS)
    this_macros ();
  say ("struct p%u_m\n{\n  long n;\n", program.number);
  for (unsigned a = 0; a < program.array_count; a++)
    if (program.arrays[a].kind == MEMBER)
      say ("  %s *a%u;\n", element_types[program.arrays[a].type].name, a);
  if (program.form == THIS)
    {
      say ("#ifdef __cplusplus\n");
      for (unsigned f = 0; f < FUNCTIONS; f++)
	prototype (f);
      say ("#endif\n");
    }
  say ("};\n");
  if (program.form == NESTED)
    say ("struct p%u_o { long k; struct p%u_m *q; };\n", program.number, program.number);
  if (program.form == ELEMENT)
    say ("extern struct p%u_m p%u_ms[3];\n", program.number, program.number);
  say ("#line 1 \"helpers-%" PRIu64 "\"\n#pragma omp declare target\n%s#pragma omp end declare target\n", program.seed,
       program.helpers);
  if (program.form == THIS)
    say ("#ifndef __cplusplus\n");
  for (unsigned f = 0; f < FUNCTIONS; f++)
    prototype (f);
  say (program.form == THIS ? "#endif\n" : "");
  if (program.classes)
    classes_write ();
  say ("\n");
}

static void
program_write (uint64_t seed, unsigned number)
{
  static const enum member_form forms[] = { BY_VALUE, BY_POINTER, NESTED, THIS, ELEMENT, BY_POINTER };
  random_state = seed * 1000003;
  program = (struct program) { .seed = seed, .number = number,
			       .affine = seed % 3 == 0, .constant = seed / 3 % 3 == 0,
			       .form = forms[seed % 6] };
  program.classes = chance (program.constant ? 8 : 50) && program.form != THIS;
  arrays_make ();
  params_make ();
  for (unsigned f = 0; f < FUNCTIONS; f++)
    function_write (f);
  /* Whose indices reach everything that they name.  */
  for (unsigned a = 0; a < program.array_count; a++)
    if (program.arrays[a].kind == STARTS)
      program.arrays[a].size += 1;
  out = stdout;
  head_write ();
  for (unsigned f = 0; f < FUNCTIONS; f++)
    {
      if (f % parts == part)
	say ("%s", functions[f]);
      free (functions[f]);
    }
  if (part == 0)
    main_write ();
}

int
main (int argc, char **argv)
{
  int option;
  while ((option = getopt (argc, argv, "p:")) == 'p')
    if (sscanf (optarg, "%u/%u", &part, &parts) != 2 || part >= parts)
      return 2;
  uint64_t seed = optind < argc ? strtoull (argv[optind], NULL, 10) : 1;
  unsigned count = optind + 1 < argc ? (unsigned) atoi (argv[optind + 1]) : 1;
  out = stdout;
  puts ("#include \"random-use-program.h\"");
  for (unsigned p = 0; p < count; p++)
    program_write (seed + p, p);
  if (part != 0)
    return 0;
  puts ("\nint\nmain (void)\n{");
  for (unsigned p = 0; p < count; p++)
    printf ("  use_program (%" PRIu64 ", %d, %d);\n  p%u_main ();\n", seed + p, (seed + p) % 3 == 0,
	    (seed + p) / 3 % 3 == 0, p);
  puts ("  return use_end ();\n}");
  return 0;
}
