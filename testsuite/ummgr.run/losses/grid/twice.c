/* An output of which the region goes over each element twice.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 8000, k = 50,
      runs = argc > 2 ? atoi (argv[2]) : 2;
  float *out = malloc (sizeof (float) * n * k),
	*in = malloc (sizeof (float) * n * k);
  for (int i = 0; i < n * k; i++)
    in[i] = i % 17;
#pragma omp target data map(from: out[0:n*k]) map(to: in[0:n*k])
  for (int r = 0; r < runs; r++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++)
	{
	  float s = 0;
	  for (int j = 0; j < k; j++)
	    {
	      out[i * k + j] = in[i * k + j] * 2;
	      s += out[i * k + j];
	    }
	  for (int j = 0; j < k; j++)
	    out[i * k + j] /= s + 1;
	}
    }
  double t = 0;
  for (int i = 0; i < n * k; i++)
    t += out[i];
  printf ("%g\n", t);
}
