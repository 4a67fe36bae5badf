/* Regions that map their data themselves, again and again: each brings, runs
   and takes back.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "program.h"

enum { N = 1 << 14, ROUNDS = 3 };

static int in[N], sum[N], out[N];

int
main (void)
{
  for (int r = 1; r <= ROUNDS; r++)
    {
      for (int i = 0; i < N; i++)
	in[i] = i * r;
#pragma omp target teams distribute parallel for num_teams (2) \
  thread_limit (2) map (to: in) map (tofrom: sum) map (from: out)
      for (int i = 0; i < N; i++)
	{
	  sum[i] += in[i];
	  out[i] = in[i] + 1;
	}
      for (int i = 0; i < N; i++)
	EXPECT (sum[i] == i * r * (r + 1) / 2 && out[i] == i * r + 1);
    }
  return right ();
}
