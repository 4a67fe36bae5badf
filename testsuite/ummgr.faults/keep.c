/* Data that is mapped again and again, and stays on the device in between under policy auto: a copy that fails must not
   be taken for one that is there the next time.
   SPDX-License-Identifier: GPL-3.0-or-later
   { faults-plugin }  */

#include "program.h"

enum { N = 30000, TURNS = 6 };

static int *fixed;

int
main (void)
{
  int *own = malloc (N * sizeof *own);
  fixed = malloc (N * sizeof *fixed);
  for (int i = 0; i < N; i++)
    own[i] = 1, fixed[i] = i;
  for (int t = 0; t < TURNS; t++)
    {
      long sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: own[:N]) map(to: fixed[:N])
      for (int i = 0; i < N; i++)
	own[i] += fixed[i] & 1;
#pragma omp target teams distribute parallel for map(to: own[:N]) map(tofrom: sum) reduction(+: sum)
      for (int i = 0; i < N; i++)
	sum += own[i];
      EXPECT (sum == N + (t + 1) * (N / 2L));
      if (t == TURNS / 2)
	fixed[N - 1] += 2;
    }
  for (int i = 0; i < N; i++)
    EXPECT (own[i] == 1 + TURNS * (i & 1));
  free (own);
  free (fixed);
  return right ();
}
