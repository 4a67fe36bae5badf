/* Data constructs of all kinds; more data than the device has if it has 8 MiB; and data that
   stays there to the end.  timeline.exp knows lines by their marks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 19 };		/* 4 MiB of doubles.  */
static double a[N], b[N], c[N];

int
main (void)
{
  double *kept = malloc (N / 8 * sizeof *kept), sum = 0;
  for (int i = 0; i < N; i++)
    a[i] = i;
  for (int i = 0; i < N / 8; i++)
    kept[i] = 1;
#pragma omp target enter data map(to: kept[0:N / 8]) /* enter */
#pragma omp target data map(to: a) map(tofrom: b) map(alloc: c) /* outer */
  {
    for (int k = 0; k < 3; k++)
      {
#pragma omp target teams distribute parallel for
	for (int i = 0; i < N; i++)
	  b[i] += a[i], c[i] = b[i] + k;
#pragma omp target update from(c[0:N / 2]) /* update */
	sum += c[k];
      }
#pragma omp target data map(tofrom: sum) /* inner */
    {
#pragma omp target map(tofrom: sum)
      for (int i = 0; i < N / 8; i++)
	sum += kept[i];
    }
#pragma omp target enter data map(alloc: a[0:N]) /* again */
#pragma omp target exit data map(release: a[0:N]) /* exit */
  }
  printf ("%g %g\n", sum, b[3]);
}
