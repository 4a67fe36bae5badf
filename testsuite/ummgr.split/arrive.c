/* One launch, whose data has yet to come to the device, which has room for two of its three arrays: what comes, and
   what is written over the link meanwhile, are side by side.  An argument is how many numbers there are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 60007;
  int *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b), *c = malloc (n * sizeof *c);
  for (long i = 0; i < n; i++)
    {
      a[i] = i % 1009;
      b[i] = i % 77;
      c[i] = -1;
    }
  for (int round = 0; round < argc; round++)
#pragma omp target teams distribute parallel for map(to: a[0:n], b[0:n]) map(from: c[0:n])
    for (long i = 0; i < n; i++)
      c[i] = a[i] + (round + 1) * b[i];
  for (long i = 0; i < n; i++)
    if (c[i] != i % 1009 + argc * (i % 77))
      return printf ("c[%ld] is %d\n", i, c[i]), 1;
  free (a);
  free (b);
  free (c);
  return 0;
}
