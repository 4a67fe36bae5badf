/* The example of gcc-plugin/site/site.h.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

struct field
{
  long n;
  float *v;
};

void
twice (struct field *f)
{
  float *v = f->v;
#pragma omp target map(tofrom: v[0:f->n])
  for (long i = 0; i < f->n; i++)
    v[i] *= 2;
}

int
main (void)
{
  struct field f = { 8, calloc (8, sizeof (float)) };
  twice (&f);
  return f.v[7] != 0;
}
