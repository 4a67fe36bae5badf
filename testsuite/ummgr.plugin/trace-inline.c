/* Loops that call small functions: would break if a call that GCC inlines after the pass kept
   what the loop accesses from being reported before it; if a function that isn't to be
   instrumented, or one that allocates, came along into one that is.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-O2 -fplugin-arg-ummgr-trace -fplugin-arg-ummgr-dump" } */

#include <stdlib.h>

struct state { double u[5]; };

static inline struct state
load (const double *variables, long n, long i)
{
  struct state s;
  for (int v = 0; v < 5; v++)
    s.u[v] = variables[v * n + i];
  return s;
}

void
sums (double *out, const double *variables, long n)
{
  for (long i = 0; i < n; i++)
    {
      struct state s = load (variables, n, i);
      out[i] = s.u[0] + s.u[1] + s.u[2] + s.u[3] + s.u[4];
    }
}

static __attribute__ ((no_instrument_function)) int
quiet (const int *p)
{
  return p[0] * p[1] + p[2] * p[3] + p[4] * p[5] + p[6] * p[7];
}

int
quiet_sum (const int *p, const int *q)
{
  return quiet (p) + quiet (p + 8) + *q;
}

static int *
make (int n)
{
  int *p = malloc (n * sizeof *p);
  for (int i = 0; i < n; i++)
    p[i] = n;
  return p;
}

int *
made (int n, int **q)
{
  int *mine = make (n);
  *q = make (2 * n);
  return mine;
}

/* { dg-final { scan-ummgr-dump {trace sums .*cloned, 0 single, 2 hoisted} ummgr-trace } } */
/* { dg-final { scan-ummgr-dump {trace quiet_sum .*cloned, 1 single, 0 hoisted} ummgr-trace } } */
/* { dg-final { scan-ummgr-dump {trace made .*cloned, 1 single, 0 hoisted, 0 elided, 2 sites} ummgr-trace } } */
