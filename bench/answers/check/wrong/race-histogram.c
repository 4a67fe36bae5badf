// Two teams count in the same bin.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  int *bin = calloc (16, sizeof *bin), *key = malloc (N * sizeof *key);
  for (int i = 0; i < N; i++)
    key[i] = i * 7 % 16;
#pragma omp target teams distribute num_teams(8) map(tofrom: bin[0:16]) map(to: key[0:N])
  for (int i = 0; i < N; i++)
    bin[key[i]]++; // fault: race
  printf ("%d\n", bin[3]);
  free (bin);
  free (key);
  return 0;
}
