/* Three arrays that a region overwrites, mapped at one construct; MENDED: as `ummgr advise' has it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 9000 };
#ifdef MENDED
#define BACK from
#else
#define BACK tofrom
#endif

int
main (void)
{
  double *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b), *c = malloc (N * sizeof *c), sum = 0;
#define MAPPED map (BACK : a[0:N], b[0:N], c[0:N])
#pragma omp target teams distribute parallel for MAPPED
  for (int i = 0; i < N; i++)
    {
      a[i] = i;
      b[i] = 2 * a[i];
      c[i] = 3;
    }
  for (int i = 0; i < N; i++)
    sum += a[i] + b[i] + c[i];
  printf ("%g\n", sum);
  free (a);
  free (b);
  free (c);
}
