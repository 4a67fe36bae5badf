/* Reductions of several launches, merged: against C's own operators on every type, and what a
   launch begins with changes nothing.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "split/reduce.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static uint64_t
any (void)
{
  return random64 (&state);
}

static struct ummgr_table_reduction
reduction (const char *operation, const char *type)
{
  return (struct ummgr_table_reduction) { 0, operation, type };
}

/* Merge N random numbers of TYPE, one by one, after what a launch begins with, and compare them
   with A = EXPRESSION of A and B.  */
#define TRY(TYPE, NAME, OPERATION, RANDOM, EXPRESSION)                        \
  do                                                                          \
    {                                                                         \
      struct ummgr_table_reduction r = reduction (OPERATION, NAME);           \
      CHECK (ummgr_reduce_known (&r));                                        \
      for (int n = 0; n < 200; n++)                                           \
	{                                                                     \
	  TYPE x[3], y[3], e[3], start[3];                                    \
	  for (int i = 0; i < 3; i++)                                         \
	    {                                                                 \
	      x[i] = (TYPE) (RANDOM);                                         \
	      y[i] = (TYPE) (RANDOM);                                         \
	      TYPE a = x[i], b = y[i];                                        \
	      e[i] = (TYPE) (EXPRESSION);                                     \
	    }                                                                 \
	  ummgr_reduce_begin (&r, start, sizeof start);                       \
	  ummgr_reduce_merge (&r, start, y, sizeof start);                    \
	  for (int i = 0; i < 3; i++)                                         \
	    CHECK (strpbrk (OPERATION, "&|") ? !start[i] == !y[i] : start[i] == y[i]); \
	  ummgr_reduce_merge (&r, x, y, sizeof x);                            \
	  for (int i = 0; i < 3; i++)                                         \
	    CHECK (x[i] == e[i]);                                             \
	}                                                                     \
    }                                                                         \
  while (0)

#define TRY_ALL(TYPE, NAME, RANDOM)                                           \
  TRY (TYPE, NAME, "+", RANDOM, a + b);                                       \
  TRY (TYPE, NAME, "-", RANDOM, a + b);                                       \
  TRY (TYPE, NAME, "*", RANDOM, a * b);                                       \
  TRY (TYPE, NAME, "min", RANDOM, b < a ? b : a);                             \
  TRY (TYPE, NAME, "max", RANDOM, b > a ? b : a);                             \
  TRY (TYPE, NAME, "&&", RANDOM, a && b);                                     \
  TRY (TYPE, NAME, "||", RANDOM, a || b)

#define TRY_INTEGER(TYPE, NAME)                                               \
  TRY_ALL (TYPE, NAME, any ());                                               \
  TRY (TYPE, NAME, "&", any (), a & b);                                       \
  TRY (TYPE, NAME, "|", any (), a | b);                                       \
  TRY (TYPE, NAME, "^", any (), a ^ b)

#define NUMBER ((double) (int64_t) any () / 0x1p50)

static void
refused (void)
{
  static const char *const pairs[][2] = {
    { "user", "double" }, { "+", "struct s" }, { "+", "long double" }, { "+", "complex double" },
    { "&", "double" }, { "+", "integer(kind=16)" }, { "", "int" }, { "+", "" },
    { "+", "real(kind=2)" }, { "+", "integer(kind=4) x" }, { "+", "integer(kind=-4)" }
  };
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
    {
      struct ummgr_table_reduction r = reduction (pairs[i][0], pairs[i][1]);
      CHECK (!ummgr_reduce_known (&r));
    }
}

static void
integers (void)
{
  TRY_INTEGER (signed char, "signed char");
  TRY_INTEGER (unsigned char, "unsigned char");
  TRY_INTEGER (char, "char");
  TRY_INTEGER (short, "short int");
  TRY_INTEGER (unsigned short, "short unsigned int");
  TRY_INTEGER (unsigned, "unsigned int");
  TRY_INTEGER (uint32_t, "unsigned int");
  TRY_INTEGER (unsigned long, "long unsigned int");
  TRY_INTEGER (unsigned long long, "long long unsigned int");
  TRY_ALL (int, "int", (int) (any () % 60000) - 30000);
  TRY_ALL (int32_t, "integer(kind=4)", (int) (any () % 60000) - 30000);
  TRY_ALL (long, "long int", (long) (any () % 4000000000) - 2000000000);
  TRY_ALL (int64_t, "integer(kind=8)", (long) (any () % 4000000000) - 2000000000);
}

static void
others (void)
{
  TRY_ALL (float, "float", NUMBER);
  TRY_ALL (double, "double", NUMBER);
  TRY_ALL (double, "real(kind=8)", NUMBER);
  TRY (bool, "_Bool", "||", any () & 1, a || b);
  TRY (bool, "_Bool", "&&", any () & 1, a && b);
  TRY (bool, "_Bool", "|", any () & 1, a | b);
  TRY (int32_t, "logical(kind=4)", "&&", any () & 1, a && b);
}

int
main (void)
{
  refused ();
  integers ();
  others ();
  /* The least and the greatest there are.  */
  double d = INFINITY, s;
  struct ummgr_table_reduction r = reduction ("min", "double");
  ummgr_reduce_begin (&r, &s, sizeof s);
  ummgr_reduce_merge (&r, &s, &d, sizeof s);
  CHECK (isinf (s) && s > 0);
  return 0;
}
