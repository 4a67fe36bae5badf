/* Memory allocated by device code.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  long s = 0;
#pragma omp target map(tofrom : s)
  {
    int *p = malloc (100 * sizeof (int));
    for (int i = 0; i < 100; i++)
      p[i] = i;
    for (int i = 0; i < 100; i++)
      s += p[i];
    free (p);
    char b[64];
    memset (b, 3, 64);
    char c[64];
    memcpy (c, b, 64);
    s += c[63] + strlen ("abc");
  }
  printf ("%ld\n", s);
}
