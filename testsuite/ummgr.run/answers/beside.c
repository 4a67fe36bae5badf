/* In one loop two regions that share nothing: around it goes one directive.  Of table the first uses
   two thirds, and what it brings in vain goes with the rest of it.  With HALF the host changes the part of
   b that its region leaves alone, and would lose that if b stayed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

/* Of less than 32 KiB libgomp gathers copies to the device, in one that it makes anyway.  */
#ifdef SMALL
enum { N = 3000, ROUNDS = 10 };
#else
enum { N = 30000, ROUNDS = 10 };
#endif
#ifdef HALF
enum { PARTS = 2 };
#else
enum { PARTS = 1 };
#endif

int
main (void)
{
  double *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b), *table = malloc (N * sizeof *table);
  for (int i = 0; i < N; i++)
    {
      a[i] = i % 8;
      b[i] = i % 16;
      table[i] = i % 4;
    }
#ifdef MENDED
#pragma omp target data map(to: table[0:N]) map(tofrom: a[0:N], b[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++)
    {
#pragma omp target teams distribute parallel for map(to: table[0:N]) map(tofrom: a[0:N])
      for (int i = 0; i < N; i++)
	a[i] = 0.5 * a[i] + table[i % (N / 3 * 2)];
#pragma omp target teams distribute parallel for map(tofrom: b[0:N])
      for (int i = 0; i < N / PARTS; i++)
	b[i] = 0.25 * b[i] + round;
#ifdef HALF
      for (int i = N / PARTS; i < N; i++)
	b[i] += round;
#endif
    }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += a[i] + 3 * b[i];
  printf ("%.12g\n", sum);
}
