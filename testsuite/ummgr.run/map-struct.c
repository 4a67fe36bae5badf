/* Attached pointers that are overwritten, or not undone, break the struct on
   one side: pointer members under every kind of data construct.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-without-gcc "11" "refuses members that are reached through pointers in map clauses" } */

#include "check.h"

#include <stdlib.h>

enum { N = 600 };

struct list
{
  int head[64];
  int *p;
  int n;
  int *q;
  int tail[64];
};

/* The struct is mapped already: only its pointers are attached.  */
static int
region (struct list *s)
{
  int bad = 0;
#pragma omp target map(tofrom: s->p[:N], s->q[:N]) map(tofrom: bad)
  for (int i = 0; i < s->n; i++)
    {
      bad |= s->p[i] != i;
      s->p[i] += s->q[i];
      s->tail[i % 64]++;
    }
  return bad;
}

static void
structured (struct list *s)
{
  int *p = s->p, *q = s->q;
#pragma omp target data map(tofrom: s[:1])
  CHECK (!region (s));
  CHECK (s->p == p && s->q == q);
  for (int i = 0; i < N; i++)
    CHECK_EQ (p[i], 2 * i);
  CHECK_EQ (s->tail[0], (N + 63) / 64);
}

static void
dynamic (struct list *s)
{
  int *p = s->p, *q = s->q;
  for (int i = 0; i < N; i++)
    p[i] = i;
#pragma omp target enter data map(to: s[:1])
#pragma omp target enter data map(to: s->p[:N], s->q[:N])
  CHECK (!region (s));
  CHECK_EQ (p[1], 1);
  CHECK (s->p == p && s->q == q);
#pragma omp target map(tofrom: s[:1])
  s->p[0] = 1234;
#pragma omp target exit data map(from: s->p[:N]) map(release: s->q[:N])
#pragma omp target exit data map(from: s[:1])
  CHECK (s->p == p && s->q == q);
  CHECK_EQ (p[0], 1234);
  CHECK_EQ (p[1], 2);
}

/* Members alone: libgomp maps them as one.  */
static void
members (void)
{
  static struct list t;
  t.n = N;
#pragma omp target map(tofrom: t.head) map(to: t.n)
  for (int i = 0; i < 64; i++)
    t.head[i] = t.n;
  CHECK_EQ (t.head[63], N);
#pragma omp target data map(tofrom: t.head, t.n)
  {
#pragma omp target map(tofrom: t.head)
    t.head[0] = 1;
    CHECK_EQ (t.head[0], N);
  }
  CHECK_EQ (t.head[0], 1);
}

int
main (void)
{
  struct list *s = calloc (1, sizeof *s);
  CHECK (s);
  s->n = N;
  s->p = malloc (N * sizeof *s->p);
  s->q = malloc (N * sizeof *s->q);
  CHECK (s->p && s->q);
  for (int i = 0; i < N; i++)
    s->p[i] = s->q[i] = i;
  structured (s);
  dynamic (s);
  members ();
  free (s->p);
  free (s->q);
  free (s);
  return 0;
}
