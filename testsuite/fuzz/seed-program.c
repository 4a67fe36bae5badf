/* The program from whose runs the corpora come: two regions, a map of each kind,
   an index that depends on data.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#pragma omp declare target
int scale = 3;
#pragma omp end declare target
static void
fill (int *a, const int *b, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++)
    a[i] += scale * b[b[i] % n];
}
int
main (void)
{
  int n = 2048, *a = calloc (n, sizeof *a), *b = calloc (n, sizeof *b);
  for (int t = 0; t < 2; t++)
    fill (a, b, n);
#pragma omp target map(from: a[0:n / 2])
  for (int i = 0; i < n / 2; i += 8)
    a[i] = i;
  free (a);
  free (b);
  return 0;
}
