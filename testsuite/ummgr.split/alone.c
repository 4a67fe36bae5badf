/* Rounds in which one region could go over several GPUs and the next, as often, can't: what both use would
   go to and fro, so that all runs on one from the beginning.  */
/* { spread-pieces places 1 } { spread-whole count {its atomic operations are one GPU's} } */

#include "check.h"

#include <stdlib.h>

enum { N = 131072, BINS = 256 };

static void
places (const int *value, int *place)
{
#pragma omp target teams distribute parallel for map(to: value[0:N]) map(alloc: place[0:N])
  for (int i = 0; i < N; i++)
    place[i] = value[i] % BINS;
}

static void
count (const int *place, int *bins)
{
#pragma omp target teams distribute parallel for map(alloc: place[0:N]) map(tofrom: bins[0:BINS])
  for (int i = 0; i < N; i++)
    {
#pragma omp atomic
      bins[place[i]]++;
    }
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 2;
  int *value = malloc (N * sizeof *value), *place = malloc (N * sizeof *place), bins[BINS] = { 0 };
  for (int i = 0; i < N; i++)
    value[i] = 3 * i;
#pragma omp target data map(to: value[0:N]) map(alloc: place[0:N]) map(tofrom: bins)
  for (int k = 0; k < rounds; k++)
    {
      places (value, place);
      count (place, bins);
    }
  for (int b = 0; b < BINS; b++)
    CHECK (bins[b] == rounds * N / BINS);
  free (value);
  free (place);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
