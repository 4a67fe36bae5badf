/* Reductions of several launches, put together on the host.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Holds no state.  Initial values: OpenMP 5.0, table 2.11, and for Fortran 2.12.  */

#include "config.h"
#include "split/reduce.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum number
{
  NUMBER_UNKNOWN,
  NUMBER_SIGNED,
  NUMBER_UNSIGNED,
  NUMBER_REAL,
  NUMBER_LOGICAL
};

struct type
{
  enum number number;
  size_t size;
};

enum operation
{
  OPERATION_UNKNOWN, SUM, PRODUCT, LEAST, MOST, AND, OR, XOR, BOTH, EITHER
};

/* As GCC prints them, of C, C++ and Fortran.  */
static const struct
{
  const char *name;
  struct type type;
} types[] = {
  { "char", { CHAR_MIN ? NUMBER_SIGNED : NUMBER_UNSIGNED, 1 } },
  { "signed char", { NUMBER_SIGNED, 1 } },
  { "unsigned char", { NUMBER_UNSIGNED, 1 } },
  { "short int", { NUMBER_SIGNED, sizeof (short) } },
  { "short", { NUMBER_SIGNED, sizeof (short) } },
  { "short unsigned int", { NUMBER_UNSIGNED, sizeof (short) } },
  { "int", { NUMBER_SIGNED, sizeof (int) } },
  { "unsigned int", { NUMBER_UNSIGNED, sizeof (int) } },
  { "long int", { NUMBER_SIGNED, sizeof (long) } },
  { "long", { NUMBER_SIGNED, sizeof (long) } },
  { "long unsigned int", { NUMBER_UNSIGNED, sizeof (long) } },
  { "long long int", { NUMBER_SIGNED, sizeof (long long) } },
  { "long long unsigned int", { NUMBER_UNSIGNED, sizeof (long long) } },
  { "float", { NUMBER_REAL, sizeof (float) } },
  { "double", { NUMBER_REAL, sizeof (double) } },
  { "_Bool", { NUMBER_LOGICAL, 1 } },
  { "bool", { NUMBER_LOGICAL, 1 } }
};

static struct type
type_find (const char *name)
{
  int kind, end = 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp (types[i].name, name) == 0)
      return types[i].type;
  static const struct
  {
    const char *format;
    enum number number;
  } fortran[] = { { "integer(kind=%d)%n", NUMBER_SIGNED }, { "real(kind=%d)%n", NUMBER_REAL },
		  { "logical(kind=%d)%n", NUMBER_LOGICAL } };
  for (size_t i = 0; i < 3; i++)
    if (sscanf (name, fortran[i].format, &kind, &end) == 1 && end && !name[end])
      return (struct type) { fortran[i].number, (size_t) kind };
  return (struct type) { NUMBER_UNKNOWN, 0 };
}

static enum operation
operation_find (const char *name)
{
  static const struct
  {
    const char *name;
    enum operation operation;
  } names[] = { { "+", SUM }, { "-", SUM }, { "*", PRODUCT }, { "min", LEAST }, { "max", MOST },
		{ "&", AND }, { "|", OR }, { "^", XOR }, { "&&", BOTH }, { "||", EITHER } };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (name, names[i].name) == 0)
      return names[i].operation;
  return OPERATION_UNKNOWN;
}

bool
ummgr_reduce_known (const struct ummgr_table_reduction *r)
{
  struct type t = type_find (r->type);
  enum operation o = operation_find (r->operation);
  bool size = t.size == 1 || t.size == 2 || t.size == 4 || t.size == 8;
  return t.number && size && o && (t.number != NUMBER_REAL || t.size >= 4)
	 && (t.number != NUMBER_REAL || o < AND || o > XOR);
}

/* A number of any type in the widest of its kind.  */
union value
{
  int64_t i;
  uint64_t u;
  double d;
};

static union value
value_get (struct type t, const char *at)
{
  union value v = { .u = 0 };
  float f;
  memcpy (&v, at, t.size);
  if (t.number == NUMBER_REAL && t.size == sizeof f)
    {
      memcpy (&f, at, sizeof f);
      v.d = f;
    }
  else if (t.number == NUMBER_SIGNED)
    v.i = (int64_t) (v.u << (64 - 8 * t.size)) >> (64 - 8 * t.size);
  return v;
}

static void
value_put (struct type t, char *at, union value v)
{
  float f = (float) v.d;
  if (t.number == NUMBER_REAL && t.size == sizeof f)
    memcpy (at, &f, sizeof f);
  else
    memcpy (at, &v, t.size);
}

/* The greatest or least number of T.  */
static union value
extreme (struct type t, bool most)
{
  unsigned bits = 8 * (unsigned) t.size;
  if (t.number == NUMBER_REAL)
    return (union value) { .d = most ? INFINITY : -INFINITY };
  if (t.number == NUMBER_SIGNED)
    return (union value) { .i = most ? INT64_MAX >> (64 - bits) : INT64_MIN >> (64 - bits) };
  return (union value) { .u = most ? UINT64_MAX >> (64 - bits) : 0 };
}

static union value
neutral (struct type t, enum operation o)
{
  switch (o)
    {
    case PRODUCT:
    case BOTH:
      return t.number == NUMBER_REAL ? (union value) { .d = 1 } : (union value) { .u = 1 };
    case LEAST:
    case MOST:
      return extreme (t, o == LEAST);
    case AND:
      return (union value) { .u = UINT64_MAX };
    default:
      return (union value) { .u = 0 };
    }
}

static union value
real (enum operation o, double a, double b)
{
  switch (o)
    {
    case SUM: return (union value) { .d = a + b };
    case PRODUCT: return (union value) { .d = a * b };
    case LEAST: return (union value) { .d = b < a ? b : a };
    case MOST: return (union value) { .d = b > a ? b : a };
    case BOTH: return (union value) { .d = a != 0 && b != 0 };
    default: return (union value) { .d = a != 0 || b != 0 };
    }
}

static union value
integer (struct type t, enum operation o, union value a, union value b)
{
  bool less = t.number == NUMBER_SIGNED ? b.i < a.i : b.u < a.u;
  switch (o)
    {
    case SUM: return (union value) { .u = t.number == NUMBER_LOGICAL ? a.u || b.u : a.u + b.u };
    case PRODUCT: return (union value) { .u = a.u * b.u };
    case LEAST: return less ? b : a;
    case MOST: return less ? a : b;
    case AND: return (union value) { .u = a.u & b.u };
    case OR: return (union value) { .u = a.u | b.u };
    case XOR: return (union value) { .u = a.u ^ b.u };
    case BOTH: return (union value) { .u = a.u && b.u };
    default: return (union value) { .u = a.u || b.u };
    }
}

void
ummgr_reduce_begin (const struct ummgr_table_reduction *r, void *to, size_t size)
{
  struct type t = type_find (r->type);
  union value v = neutral (t, operation_find (r->operation));
  for (size_t at = 0; at + t.size <= size; at += t.size)
    value_put (t, (char *) to + at, v);
}

/* A sum or product of floats, worked out in double and rounded once, is what float gives.  */
void
ummgr_reduce_merge (const struct ummgr_table_reduction *r, void *to, const void *from,
		    size_t size)
{
  struct type t = type_find (r->type);
  enum operation o = operation_find (r->operation);
  for (size_t at = 0; at + t.size <= size; at += t.size)
    {
      union value a = value_get (t, (const char *) to + at);
      union value b = value_get (t, (const char *) from + at);
      value_put (t, (char *) to + at,
		 t.number == NUMBER_REAL ? real (o, a.d, b.d) : integer (t, o, a, b));
    }
}
