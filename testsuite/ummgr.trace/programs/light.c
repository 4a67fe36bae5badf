/* Part of trace.exp: copies of all constructs, some in vain.  With "hand" the program gets a
   device address.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 16 };

int
main (int argc, char **argv)
{
  float *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b);
  int hand = argc > 1 && strcmp (argv[1], "hand") == 0;
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i;
  for (int k = 0; k < 3; k++)
    {
#pragma omp target teams distribute parallel for map(to: a[:N]) map(tofrom: b[:N]) /* region */
      for (int i = 0; i < N; i++)
	b[i] += a[i];
    }
#pragma omp target enter data map(to: a[:N]) /* enter */
  if (hand)
    {
#pragma omp target data use_device_ptr(a)
      hand += a != NULL;
    }
#pragma omp target exit data map(delete: a[:N])
#pragma omp target data map(from: b[:N]) /* data */
  {
#pragma omp target update to(b[:N]) /* update */
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      b[i] *= 2;
  }
  printf ("%g %d\n", b[N - 1], hand);
  return 0;
}
