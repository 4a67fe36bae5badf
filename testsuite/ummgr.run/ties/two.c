/* Two arrays that one region uses each time, one of them 16 times as much, and in no order;
   the clauses that map them in either order.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#ifdef OFTEN_FIRST
#define MAPS map (to : often [0:n]) map (from : once [0:n])
#else
#define MAPS map (from : once [0:n]) map (to : often [0:n])
#endif

#define NEXT(AT) (((AT) * 1103515245u + 12345u) % n)

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 1 << 17, wrong = 0;
  double *often = malloc (n * sizeof *often), *once = malloc (n * sizeof *once);
  for (int i = 0; i < n; i++)
    often[i] = once[i] = i;
#pragma omp target data MAPS
  for (int step = 0; step < 20; step++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++)
	{
	  double sum = 0;
	  unsigned at = i;
	  for (int k = 0; k < 16; k++)
	    {
	      at = NEXT (at);
	      sum += often[at];
	    }
	  once[i] = sum;
	}
    }
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      unsigned at = i;
      for (int k = 0; k < 16; k++)
	sum += at = NEXT (at);
      wrong += once[i] != sum;
    }
  printf ("wrong %d\n", wrong);
  return wrong != 0;
}
