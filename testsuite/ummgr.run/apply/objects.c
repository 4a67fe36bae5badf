/* Objects that remedies are for, and others beside them.  table is read by both sides in turns,
   counts written by both, most of wide by neither; mapped is mapped by its clauses; fixed is a
   variable.  Prints what came of it, the same on any device.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ummgr.h"

#include <stdio.h>
#include <stdlib.h>

#pragma weak ummgr_malloc
#pragma weak ummgr_free

enum { N = 131072, STEPS = 5, STRIDE = 4096 };

static int fixed[N];

/* Without the library all is the host's.  */
#define GET (ummgr_malloc ? ummgr_malloc (N * sizeof (int)) : malloc (N * sizeof (int)))

static long
step (int *table, int *counts, int *wide, int *mapped, int number)
{
  long sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: mapped[:N], fixed)
  for (int i = 0; i < N; i++)
    {
      counts[i] += table[i] + number;
      mapped[i] += counts[i];
      fixed[i] ^= mapped[i];
    }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N / STRIDE; i++)
    wide[i * STRIDE] += number;
  for (int i = 0; i < N; i++)
    {
      sum += table[i] * (i % 7) + counts[i];
      counts[i] ^= i & 3;
    }
  for (int i = 0; i < N; i += STRIDE)
    sum += wide[i + 1]++ + wide[i];
  return sum;
}

int
main (void)
{
  int *table = GET;
  int *counts = GET;
  int *wide = GET;
  int *mapped = malloc (N * sizeof *mapped);
  long sum = 0;
  for (int i = 0; i < N; i++)
    {
      table[i] = i % 11;
      counts[i] = wide[i] = mapped[i] = 0;
    }
  for (int s = 0; s < STEPS; s++)
    sum = sum * 3 + step (table, counts, wide, mapped, s);
  for (int i = 0; i < N; i++)
    sum += mapped[i] + fixed[i];
  printf ("%ld\n", sum);
  free (mapped);
  if (ummgr_free)
    {
      ummgr_free (table);
      ummgr_free (counts);
      ummgr_free (wide);
    }
  return 0;
}
