/* Copies of mapped data that nobody needs: would break if what a region
   overwrites were copied in, or what nobody reads copied back.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin]" } */
/* { dg-ummgr-policies "lru otm rlm glm rdm" } */
/* { dg-ummgr-env "UMMGR_COPIES=plain" } */
/* { dg-ummgr-counter lru h2d_bytes >= 4000000 } */
/* { dg-ummgr-counter lru d2h_bytes >= 4000000 } */
/* { dg-ummgr-counter otm h2d_bytes < 100000 } */
/* { dg-ummgr-counter rlm h2d_bytes < 100000 } */
/* { dg-ummgr-counter glm h2d_bytes < 100000 } */
/* { dg-ummgr-counter rdm h2d_bytes < 100000 } */
/* { dg-ummgr-counter otm d2h_bytes < 100000 } */
/* { dg-ummgr-counter rdm d2h_bytes < 100000 } */

#include "check.h"

#include <stdlib.h>

enum { N = 100000, TURNS = 10 };

int
main (void)
{
  for (int k = 0; k < TURNS; k++)
    {
      float *p = malloc (N * sizeof *p), last = 0;
      CHECK (p);
      p[0] = 1;
#pragma omp target teams distribute parallel for map(tofrom: p[0:N], last)
      for (int i = 0; i < N; i++)
	{
	  p[i] = i + k;
	  if (i == N - 1)
	    last = i + k;
	}
      CHECK_EQ ((int) last, N - 1 + k);
      free (p);
    }
  return 0;
}
