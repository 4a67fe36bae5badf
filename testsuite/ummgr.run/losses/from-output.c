/* What is mapped `from' holds nothing when the GPU writes to it first.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

enum { N = 8000, K = 50 };

int
main (void)
{
  float *out = malloc (sizeof *out * N * K), *in = malloc (sizeof *in * N * K);
  int bad = 0;
  for (int i = 0; i < N * K; i++)
    in[i] = i % 17;
#pragma omp target data map(from: out[0:N * K]) map(to: in[0:N * K])
  for (int r = 0; r < 2; r++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	{
	  float s = 0;
	  for (int j = 0; j < K; j++)
	    {
	      out[i * K + j] = in[i * K + j] * 2;
	      s += out[i * K + j];
	    }
	  for (int j = 0; j < K; j++)
	    out[i * K + j] += s;
	}
    }
  for (int i = 0; i < N; i++)
    {
      float s = 0;
      for (int j = 0; j < K; j++)
	s += in[i * K + j] * 2;
      for (int j = 0; j < K; j++)
	bad += out[i * K + j] != in[i * K + j] * 2 + s;
    }
  return bad != 0;
}
