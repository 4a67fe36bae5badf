/* Three arrays under `map' and a loop over them, four times: what bounds it is the link, if they don't fit.
   Prints the seconds of the construct.  SPDX-License-Identifier: GPL-3.0-or-later

   usage: stream [MIB]    each array's size  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  long n = (argc > 1 ? atol (argv[1]) : 128) * (1 << 20) / sizeof (double);
  double *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b), *c = malloc (n * sizeof *c);
  if (!a || !b || !c)
    return 2;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    {
      a[i] = i;
      b[i] = 2 * i;
      c[i] = 0;
    }
  /* The first region makes the context and loads the image.  */
#pragma omp target
  {
  }
  double seconds = omp_get_wtime ();
#pragma omp target data map(to: a[:n], b[:n]) map(tofrom: c[:n])
  for (int r = 0; r < 4; r++)
#pragma omp target teams distribute parallel for
    for (long i = 0; i < n; i++)
      c[i] += a[i] + b[i];
  seconds = omp_get_wtime () - seconds;
  long wrong = 0;
#pragma omp parallel for reduction(+: wrong)
  for (long i = 0; i < n; i++)
    wrong += c[i] != 12. * i;
  printf ("stream_seconds=%.6f wrong=%ld\n", seconds, wrong);
  return wrong != 0;
}
