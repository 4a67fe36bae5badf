/* Random programs that map the same data again and again: make SEED COUNT prints a source with COUNT functions of its
   own and a main, which prints what they compute.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each function has arrays of malloc, calloc, of a function of its own and on its stack, which it hands to kernels and
   to code of the host: seen, unseen, through other pointers, in loops and behind conditions.  Data that a region
   changes in vain, parts, regions that run on the host, constructs around others, memory that is freed, resized or
   exchanged.  All is as OpenMP 5.0 has it, so that what is printed doesn't depend on who copies.  */

#include "../../random.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { ARRAYS = 4 };

static uint64_t state;
static int depth, inside;
/* What a function has: bit by case.  The more there is, the less can be proved of it.  */
static unsigned has;
enum { KINDS = 32 };

static int
below (int n)
{
  return (int) ((random64 (&state) >> 20) % (unsigned) n);
}

/* One of N kinds, from FIRST on, of those that the function has; -1: none of them.  */
static int
kind_of (int first, int n)
{
  int k = below (n);
  return has >> (first + k) & 1 ? k : -1;
}

static void
say (const char *format, ...)
{
  va_list list;
  printf ("%*s", 2 * depth, "");
  va_start (list, format);
  vprintf (format, list);
  va_end (list);
  putchar ('\n');
}

static char
any_array (void)
{
  return (char) ('a' + below (ARRAYS));
}

static void statements (int count, int nest);

static void
region (void)
{
  char x = any_array (), y = any_array ();
  int k = below (50), lo = 1 + below (600);
  switch (kind_of (0, inside ? 8 : 12))
    {
    case 0:
    case 1:
    case 2:
      say ("s += F (k_read) (%c, n);", x);
      break;
    case 3:
    case 4:
      if (x == y)
	say ("F (k_change) (%c, n, %d);", x, k);
      else
	say ("F (k_add) (%c, %c, n);", x, y);
      break;
    case 5:
      say ("F (k_change) (%c, n, %d);", x, k);
      break;
    case 6:
      say ("#pragma omp target teams distribute parallel for map(tofrom: %c[:n])", x);
      say ("for (int i = 0; i < n; i++)");
      say ("  %c[i] = %c[i] * 3 + %d;", x, x, k);
      break;
    case 7:
      say ("s += F (k_spoil) (%c, n, %d);", x, k);
      break;
    case 8:
      say ("F (k_set) (%c, n, %d);", x, k);
      break;
    case 9:
      say ("F (k_part) (%c, %d, n - %d, %d);", x, lo, lo + below (300), k);
      break;
    case 10:
      lo *= below (2);
      say ("#pragma omp target map(tofrom: %c[%d:%d])", x, lo, 1 + below (400));
      say ("%c[%d]++;", x, lo);
      break;
    case 11:
      say ("F (k_maybe) (%c, n, %d, flag %s 2);", x, k, below (2) ? ">" : "<");
      break;
    default:
      break;
    }
}

/* Functions of the program's that get two arrays: different ones each time, or sometimes the same twice.  */
static void
host_two (void)
{
  char x = any_array (), y = any_array ();
  int k = below (50);
  if (x == y && !(has >> 29 & 1))
    return;
  if (!inside && below (3) == 0)
    say ("s += F (k_turns) (%c, %c, n, %d);", x, y, k);
  else if (has >> 30 & 1 && below (2))
    say ("s += F (h_both) (%c, %c, n, %d);", x, y, k);
  else if (has >> 31 & 1 && below (3) == 0)
    say ("F (h_mix) (%c + %d, %c, n - %d);", x, k, y, 50);
  else
    say ("F (h_mix) (%c, %c, n);", x, y);
}

static void
host (void)
{
  char x = any_array (), y = any_array ();
  int k = below (50), i = below (1200);
  if (has >> 28 & 1 && below (3) == 0)
    {
      host_two ();
      return;
    }
  switch (kind_of (12, 13))
    {
    case 0:
      say ("%c[%d] += %d;", x, i, k);
      break;
    case 1:
      say ("for (int i = %d; i < n; i++)", below (900));
      say ("  %c[i] = i + %d;", x, k);
      break;
    case 2:
      say ("F (h_change) (%c, n, %d);", x, k);
      break;
    case 3:
      say ("F (h_unseen) (%c, n, %d);", x, k);
      break;
    case 4:
      say ("s += %c[%d] + F (h_sum) (%c, n);", x, i, y);
      break;
    case 5:
      if (x != y)
	say ("memcpy (%c, %c, n * sizeof *%c);", x, y, x);
      break;
    case 6:
      say ("memset (%c + %d, %d, 4000);", x, below (100), below (3));
      break;
    case 7:
      if (!inside && x >= 'c' && y >= 'c')
	say ("{ u32 *t = %c; %c = %c; %c = t; }", x, x, y, y);
      break;
    case 8:
      if (!inside && x >= 'c')
	{
	  say ("free (%c);", x);
	  say ("%c = calloc (n, sizeof *%c);", x, x);
	}
      break;
    case 9:
      if (!inside && x == 'd')
	{
	  say ("d = realloc (d, (n + 100) * sizeof *d);");
	  say ("d[n - 1] = %d;", k);
	}
      break;
    case 10:
      say ("e = %c + %d;", x, below (2) * i);
      break;
    case 11:
      if (!inside)
	say ("e[%d] += %d;", below (50), k);
      break;
    case 12:
      say ("printf (\"%%u %%u\\n\", s, %c[%d]);", x, i);
      break;
    default:
      break;
    }
}

/* Of one array, the others may go meanwhile.  */
static void
construct (int nest)
{
  char x = any_array ();
  bool structured = below (2);
  say (structured ? "#pragma omp target data map(%s: %c[:n])" : "#pragma omp target enter data map(%s: %c[:n])",
       structured && below (4) ? "tofrom" : "to", x);
  say ("{");
  depth++;
  inside++;
  statements (1 + below (4), nest + 1);
  inside--;
  if (below (2))
    say ("#pragma omp target update %s(%c[:n])", below (2) ? "to" : "from", x);
  depth--;
  say ("}");
  if (!structured)
    say ("#pragma omp target exit data map(%s: %c[:n])", below (2) ? "from" : "delete", x);
}

static void
statement (int nest)
{
  int what = below (40);
  if (what < 22 || nest > 2)
    region ();
  else if (what < 32)
    host ();
  else if (what < 36)
    {
      say ("for (int t = 0; t < %d; t++)", 2 + below (6));
      say ("{");
      depth++;
      statements (2 + below (4), nest + 1);
      depth--;
      say ("}");
    }
  else if (what < 38)
    {
      say ("if (flag > %d)", below (5));
      say ("{");
      depth++;
      statements (1 + below (3), nest + 1);
      depth--;
      say ("}");
    }
  else if (!inside && has >> 25 & 1)
    construct (nest);
}

static void
statements (int count, int nest)
{
  while (count-- > 0)
    statement (nest);
}

int
main (int argc, char **argv)
{
  unsigned long first = argc > 1 ? strtoul (argv[1], NULL, 0) : 0;
  int count = argc > 2 ? atoi (argv[2]) : 1;
  for (int f = 0; f < count; f++)
    {
      static const char *const ways[]
	= { "malloc (n * sizeof (u32))", "calloc (n, sizeof (u32))", "F (h_make) (n)",
	    "aligned_alloc (64, (n * sizeof (u32) + 63) / 64 * 64)" };
      state = (first + f) * 0x9e3779b97f4a7c15u + 1;
      random64 (&state);
      random64 (&state);
      has = 1u << below (KINDS) | 1u << below (KINDS) | 7u | 3u << 3 | (unsigned) below (2) << 28
	    | (unsigned) !below (3) << 25;
      for (int i = below (8); i > 0; i--)
	has |= 1u << below (KINDS);
      printf ("#undef F\n#define F(NAME) NAME ## _%d\n#include \"kernels.h\"\n", f);
      printf ("\nstatic __attribute__ ((noinline)) u32\nf%d (int n)\n{\n", f);
      depth = 1;
      say ("u32 s = 0, l[2000];");
      for (int i = 0; i < ARRAYS; i++)
	if (i == 1 && has >> 26 & 1)
	  say ("u32 *b = l;");
	else if (i == 1 && has >> 27 & 1)
	  say ("u32 *b = shared = %s;", ways[below (4)]);
	else
	  say ("u32 *%c = %s;", 'a' + i, ways[below (4)]);
      say ("u32 *e = a;");
      for (int i = 0; i < ARRAYS; i++)
	say ("F (h_fill) (%c, n, %d);", 'a' + i, below (1000));
      statements (12 + below (12), 0);
      /* What regions alone have read since it was written need not be there.  */
      for (int i = 0; i < ARRAYS; i++)
	if (below (2))
	  {
	    say ("for (int i = 0; i < n; i++)");
	    say ("  s = s * 31 + %c[i];", 'a' + i);
	  }
      say ("(void) l, (void) e;");
      say ("if (b != l)");
      say ("  free (b);");
      say ("free (a), free (c), free (d);");
      say ("return s;");
      printf ("}\n");
    }
  printf ("\nint\nmain (void)\n{\n");
  for (int f = 0; f < count; f++)
    printf ("  printf (\"%d: %%u\\n\", f%d (%d));\n  fflush (stdout);\n", f, f, 1300 + 17 * f);
  printf ("  return 0;\n}\n");
  return 0;
}
