/* As init.c, but the region that begins is in another function, and the loop in a third.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 12 };

static double *field;

__attribute__ ((noinline)) static void
start (void)
{
#pragma omp target teams distribute parallel for map(from: field[0:N])
  for (int i = 0; i < N; i++)
    field[i] = 1 + i % 6;
}

__attribute__ ((noinline)) static void
smooth (void)
{
#pragma omp target teams distribute parallel for map(tofrom: field[0:N]) /* HERE */
  for (int i = 0; i < N; i++)
    field[i] *= 0.9375;
}

__attribute__ ((noinline)) static void
solve (int rounds)
{
#ifdef MENDED
#pragma omp target data map(tofrom: field[0:N])
#endif
  for (int round = 0; round < rounds; round++) /* LOOP */
    smooth ();
}

int
main (void)
{
  double sum = 0;
  field = malloc (N * sizeof *field);
  start ();
  solve (ROUNDS);
  for (int i = 0; i < N; i++)
    sum += field[i];
  printf ("%.15g\n", sum);
}
