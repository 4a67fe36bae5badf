/* Calls a target region in another file, and libgomp by itself.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C"
#endif
void scale (double *a, int n, double by);

int
main (void)
{
  int n = 100000;
  double *a = (double *) malloc (n * sizeof *a);
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = i;
  scale (a, n, 2);
  for (int i = 0; i < n; i++)
    if (a[i] != 2.0 * i)
      return printf ("scale: wrong at %d\n", i), 1;
  puts ("scale: right");
  return 0;
}
