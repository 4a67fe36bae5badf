/* A table of which each launch reads another lot: over two GPUs each has copies of what was read, and of
   what lies beside it, once.  */
/* { spread-pieces add_lot 3 } */

#include "check.h"

#include <stdlib.h>

enum { N = 131072, TABLE = 65536, LOT = 64, LOTS = 16 };

static void
add_lot (const double *table, double *sum, int from)
{
#pragma omp target teams distribute parallel for map(to: table[0:TABLE]) map(tofrom: sum[0:N])
  for (int i = 0; i < N; i++)
    for (int k = from; k < from + LOT; k++)
      sum[i] += table[k];
}

int
main (void)
{
  double *table = malloc (TABLE * sizeof *table), *sum = malloc (N * sizeof *sum);
  for (int k = 0; k < TABLE; k++)
    table[k] = k % 16;
  for (int i = 0; i < N; i++)
    sum[i] = i;
#pragma omp target data map(to: table[0:TABLE]) map(tofrom: sum[0:N])
  for (int lot = 0; lot < LOTS; lot++)
    add_lot (table, sum, lot * LOT);
  for (int i = 0; i < N; i++)
    CHECK (sum[i] == i + LOTS * LOT * 7.5);
  free (table);
  free (sum);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
