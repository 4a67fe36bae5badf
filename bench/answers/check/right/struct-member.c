// A struct and where its pointer leads.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

struct field
{
  int n;
  double *data;
};

int
main (void)
{
  struct field f = { 1000, calloc (1000, sizeof (double)) };
#pragma omp target enter data map(to: f) map(to: f.data[0:f.n])
#pragma omp target
  for (int i = 0; i < f.n; i++)
    f.data[i] = i;
#pragma omp target exit data map(from: f.data[0:f.n]) map(release: f)
  printf ("%g\n", f.data[3]);
  free (f.data);
  return 0;
}
