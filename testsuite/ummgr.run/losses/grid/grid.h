/* What the programs of the grid share.  Each takes its size and its rounds as
   arguments, and prints what it has worked out.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline unsigned
grid_random (void)
{
  static unsigned long long x = 88172645463325252ull;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x >> 20;
}

static inline double *
grid_vector (long n)
{
  double *p = malloc (sizeof *p * n);
  for (long i = 0; i < n; i++)
    p[i] = (i * 7 + 3) % 11;
  return p;
}

static inline double
grid_sum (const double *p, long n)
{
  double s = 0;
  for (long i = 0; i < n; i++)
    s += p[i];
  return s;
}
