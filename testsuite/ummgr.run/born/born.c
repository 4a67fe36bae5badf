/* Memory that the host has never touched when regions write to it, a part more each time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 21, PARTS = 4 };

int
main (void)
{
  int *a = malloc (N * sizeof *a);
  long wrong = 0;
#pragma omp target data map (from: a[:N])
  for (int p = 0; p < PARTS; p++)
    {
      int end = N / PARTS * (p + 1);
#pragma omp target teams distribute parallel for
      for (int i = end - N / PARTS; i < end; i++)
	a[i] = 3 * i + 1;
    }
  for (int i = 0; i < N; i++)
    wrong += a[i] != 3 * i + 1;
  printf ("wrong %ld\n", wrong);
  free (a);
  return 0;
}
