/* Write C programs at random: arrays that host code and target regions read and
   write in many ways, under many kinds of mapping.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: random-program SEED [COUNT].  One source on standard output, with
   COUNT programs of the seeds from SEED on, one function each.  They do no
   harm: every index is in bounds, and no two threads meet but in atomics.  What
   they compute means nothing; that their traces are right is for checker.c to
   say.  The same seed gives the same program.

   Owns the state of its random numbers and what is known of each array.  */

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  ARRAYS = 5,
  STEPS = 9,			/* At most.  */
  PAIR = 4,			/* Of types.  */
  INDICES = 1024		/* Of the index array, a permutation.  */
};

enum memory { HEAP, UNIFIED, STATIC, OWN }; /* OWN: each device's, `declare target'.  */

/* The first two, and pairs, are whole words.  */
static const char *const types[] = { "int", "double", "unsigned char", "short",
				     "struct pair" };
static const char *const members[] = { "", "", "", "", ".b" };

struct array
{
  enum memory memory;
  unsigned type;
  unsigned count;		/* Elements, at least INDICES.  */
  bool mapped;			/* By enter data, as a whole.  */
};

static struct array arrays[ARRAYS];
static unsigned array_count;
static uint64_t random_state;
static unsigned program;

/* 0 to N - 1; splitmix64.  */
static unsigned
pick (unsigned n)
{
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (unsigned) ((z ^ z >> 31) >> 16) % n;
}

static bool
chance (unsigned percent)
{
  return pick (100) < percent;
}

static void
indent (unsigned depth)
{
  printf ("%*s", 2 * (int) depth, "");
}

/* An element of A at INDEX, which is an expression; WAY is R or W.  */
static void
element (char way, unsigned a, const char *index)
{
  printf ("%c (a%u[%s]%s)", way, a, index, members[arrays[a].type]);
}

/* An index in [0, INDICES) that is another one for each I in there.  */
static const char *
own_index (void)
{
  static const char *const all[]
    = { "i", "i", "i", "1023 - i", "R (ix[i])",
	"(i * 5 + 3) % 1024", "R (ix[i ^ 1])" };
  return all[pick (sizeof all / sizeof *all)];
}

static void
increment (unsigned a, const char *index)
{
  printf ("{ int at = %s; __auto_type v = ", index);
  element ('R', a, "at");
  printf ("; ");
  element ('W', a, "at");
  printf (" = v + 1; }\n");
}

/* The body of a loop over I: threads have I, and elements they write, for
   themselves.  Reads of what is written there have the same index.  */
static void
statement (unsigned depth, unsigned to, const char *index)
{
  unsigned from = pick (array_count);
  const char *other = from == to ? index : own_index ();
  indent (depth);
  if (chance (25))
    printf ("if ((i * %u + k) %% %u < %u)\n%*s", 1 + pick (7), 3 + pick (5),
	    1 + pick (4), 2 * (int) depth + 2, "");
  else if (chance (10))
    {
      /* Other arrays may hold anything.  */
      printf ("if (R (ix[%s]) > %u)\n%*s", other, pick (1024),
	      2 * (int) depth + 2, "");
    }
  switch (pick (6))
    {
    case 0:
      printf ("{ int at = %s; ", index);
      element ('W', to, "at");
      printf (" = k + i; }\n");
      break;
    case 1:
      increment (to, index);
      break;
    case 2:
      printf ("sum += (long) ");
      element ('R', from, other);
      printf (";\n");
      break;
    case 3:
      if (arrays[to].type == PAIR)
	printf ("{ int at = %s; W (a%u[at]) = (struct pair) { 1, k, i }; }\n",
		index, to);
      else
	increment (to, index);
      break;
    default:
      /* The order in which C reads and writes is the statements'.  */
      printf ("{ __auto_type v = ");
      element ('R', from, other);
      printf ("; int at = %s; ", index);
      element ('W', to, "at");
      printf (" = v + %u; }\n", pick (9));
    }
}

/* An array whose elements are whole words: what several threads do to one word
   has no order.  */
static bool
is_wide (unsigned a)
{
  return arrays[a].type < 2 || arrays[a].type == PAIR;
}

/* One array that is written, and others read: what is read and not written may
   be at any index.  */
static void
body (unsigned depth, bool parallel)
{
  unsigned to = pick (array_count), count = 1 + pick (3);
  while (parallel && !is_wide (to))
    to = (to + 1) % array_count;
  const char *index = own_index ();
  for (unsigned s = 0; s < count; s++)
    statement (depth, to, index);
}

static void
loop (unsigned depth, bool parallel)
{
  unsigned first = chance (30) ? pick (200) : 0;
  unsigned end = INDICES - (chance (30) ? pick (300) : 0);
  unsigned step = chance (30) ? 1 + pick (9) : 1;
  if (parallel)
    step = 1 + (step > 4);
  indent (depth);
  if (!parallel && chance (20))
    printf ("for (int i = %u; i >= %u; i -= %u)\n", end - 1, first, step);
  else
    printf ("for (int i = %u; i < %u; i += %u)\n", first, end, step);
  indent (depth + 1);
  printf ("{\n");
  body (depth + 2, parallel);
  indent (depth + 1);
  printf ("}\n");
}

static bool
can_map (unsigned a)
{
  return arrays[a].memory == HEAP || arrays[a].memory == STATIC;
}

/* The clauses of a region, for all arrays: what is there stays there.  */
static void
clauses (void)
{
  static const char *const ways[] = { "to", "tofrom", "tofrom", "from",
				      "alloc" };
  for (unsigned a = 0; a < array_count; a++)
    {
      const char *way = ways[pick (5)];
      printf (" \\\n  ");
      if (arrays[a].memory == OWN)
	{
	  if (chance (30))
	    printf ("map(%s: a%u)", chance (50) ? "always, tofrom" : way, a);
	}
      else if (!can_map (a))
	printf ("is_device_ptr (a%u)", a);
      else if (arrays[a].mapped && chance (50))
	printf ("map(%s: a%u[:%u])", chance (20) ? "always, tofrom" : way, a,
		arrays[a].count);
      else if (arrays[a].mapped)
	printf ("map(alloc: a%u[:%u])", a, arrays[a].count);
      else
	printf ("map(%s: a%u[:%u])", way, a, arrays[a].count);
    }
}

static void
region (unsigned depth)
{
  bool parallel = chance (60), any = false;
  for (unsigned a = 0; a < array_count; a++)
    any |= is_wide (a);
  parallel &= any;
  unsigned held = pick (array_count);
  if (chance (25) && can_map (held))
    printf ("#pragma omp target data map(%s: a%u[:%u])\n",
	    chance (50) ? "tofrom" : "to", held, arrays[held].count);
  printf ("#pragma omp target map(tofrom: sum) map(to: ix[:1024]) "
	  "firstprivate (k)");
  clauses ();
  printf ("\n");
  if (parallel && chance (50))
    printf ("#pragma omp teams distribute parallel for num_teams (3) "
	    "thread_limit (4) reduction (+: sum)\n");
  else if (parallel)
    printf ("#pragma omp parallel for num_threads (4) reduction (+: sum)\n");
  if (parallel)
    {
      loop (depth, true);
      return;
    }
  indent (depth);
  printf ("{\n");
  for (unsigned n = 1 + pick (2); n; n--)
    loop (depth + 1, false);
  indent (depth);
  printf ("}\n");
}

/* A section of A: whole, or a part where PART.  */
static void
section (unsigned a, bool part)
{
  unsigned first = part ? pick (arrays[a].count / 2) : 0;
  unsigned count = part ? 1 + pick (arrays[a].count - first)
    : arrays[a].count;
  if (first + count > arrays[a].count)
    count = arrays[a].count - first;
  printf ("a%u[%u:%u]", a, first, count);
}

static void
data_construct (unsigned a)
{
  static const char *const enter[] = { "to", "alloc" };
  static const char *const leave[] = { "from", "release", "delete" };
  bool own = arrays[a].memory == OWN;
  if (!own && !can_map (a))
    return;
  if (!own && !arrays[a].mapped)
    {
      printf ("#pragma omp target enter data map(%s: ", enter[pick (2)]);
      section (a, false);
      printf (")\n");
      arrays[a].mapped = true;
    }
  else if (own || chance (60))
    {
      printf ("#pragma omp target update %s(", chance (50) ? "to" : "from");
      section (a, chance (60));
      printf (")\n");
    }
  else
    {
      printf ("#pragma omp target exit data map(%s: ", leave[pick (3)]);
      section (a, false);
      printf (")\n");
      arrays[a].mapped = false;
    }
}

static void
step (unsigned depth)
{
  unsigned a = pick (array_count);
  unsigned what = pick (10);
  if (what < 3)
    {
      printf ("  k = %u;\n", pick (50));
      loop (depth, false);
    }
  else if (what < 6)
    region (depth);
  else if (what < 8)
    data_construct (a);
  else if (what == 8)
    printf ("  ummgr_mark (\"m%u\");\n", pick (100));
  else if (arrays[a].memory == HEAP && !arrays[a].mapped)
    {
      arrays[a].count = INDICES + pick (2000);
      printf ("  a%u = GROWN (a%u, %u * sizeof *a%u);\n", a, a,
	      arrays[a].count, a);
    }
}

/* What A is.  What is the devices' own stands before the function.  */
static void
choose (unsigned a)
{
  static const enum memory memories[] = { HEAP, HEAP, UNIFIED, STATIC, OWN };
  struct array *x = &arrays[a];
  *x = (struct array) { .memory = memories[pick (5)],
			.type = pick (5),
			.count = INDICES + pick (3000) };
  if (x->memory == OWN)
    printf ("#pragma omp declare target\nstatic %s p%u_a%u[%u];\n"
	    "#pragma omp end declare target\n#define a%u p%u_a%u\n",
	    types[x->type], program, a, x->count, a, program, a);
}

static void
allocate (unsigned a)
{
  const struct array *x = &arrays[a];
  printf ("  ");
  if (x->memory == OWN)
    {
      printf ("STATIC (p%u_a%u)\n", program, a);
      return;
    }
  if (x->memory == STATIC)
    {
      printf ("static %s a%u[%u]; STATIC (a%u)\n", types[x->type], a,
	      x->count, a);
      return;
    }
  printf ("%s *a%u = NEW (a%u, %s (%u * sizeof *a%u), %u * sizeof *a%u);\n",
	  types[x->type], a, a,
	  x->memory == UNIFIED ? "ummgr_malloc" : "malloc", x->count, a,
	  x->count, a);
}

static void
release (unsigned a)
{
  if (arrays[a].mapped)
    printf ("#pragma omp target exit data map(delete: a%u[:%u])\n", a,
	    arrays[a].count);
  if (arrays[a].memory == HEAP)
    printf ("  GOES (a%u) free (a%u);\n", a, a);
  else if (arrays[a].memory == UNIFIED)
    printf ("  GOES (a%u) ummgr_free (a%u);\n", a, a);
  else if (arrays[a].memory == OWN)
    printf ("#undef a%u\n", a);
}

static void
write_program (uint64_t seed)
{
  random_state = seed * 1000003;
  array_count = 3 + pick (3);
  printf ("\n/* Seed %" PRIu64 ".  */\n", seed);
  for (unsigned a = 0; a < array_count; a++)
    choose (a);
  printf ("static long\nprogram%u (void)\n{\n"
	  "  long sum = 0;\n  int k = 0;\n", program);
  printf ("  int *ix = NEW (ix, malloc (1024 * sizeof *ix), "
	  "1024 * sizeof *ix);\n"
	  "  for (int i = 0; i < 1024; i++)\n"
	  "    W (ix[i]) = (i * %u + %u) %% 1024;\n", 2 * pick (400) + 1,
	  pick (1024));
  for (unsigned a = 0; a < array_count; a++)
    allocate (a);
  for (unsigned a = 0; a < array_count; a++)
    if (arrays[a].memory != STATIC && chance (85))
      printf ("  for (int i = 0; i < %u; i++)\n    W (a%u[i]%s) = i %% 11;\n",
	      arrays[a].count, a, members[arrays[a].type]);
  for (unsigned n = 3 + pick (STEPS - 2); n; n--)
    step (1);
  for (unsigned a = 0; a < array_count; a++)
    release (a);
  printf ("  GOES (ix) free (ix);\n  return sum + k;\n}\n");
}

int
main (int argc, char **argv)
{
  uint64_t seed = argc > 1 ? strtoull (argv[1], NULL, 10) : 1;
  unsigned count = argc > 2 ? (unsigned) atoi (argv[2]) : 1;
  puts ("#include \"random-program.h\"");
  for (program = 0; program < count; program++)
    write_program (seed + program);
  puts ("\nint\nmain (void)\n{\n  volatile long sum = 0;");
  for (unsigned p = 0; p < count; p++)
    printf ("  sum += program%u ();\n", p);
  puts ("  return 0;\n}");
  return 0;
}
