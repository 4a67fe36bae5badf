/* Regions over three GPUs, data that stays in parts on them, and a reduction: what one GPU
   can't do any more must not be missing from the result.
   { faults-env UMMGR_GPUS=3 UMMGR_SPREAD=on }
   { faults-plugin }  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rounds.h"

int
main (void)
{
  long sum = 0;
  begin ();
#pragma omp target data map (tofrom: here) map (alloc: there)
  for (int r = 0; r < ROUNDS; r++)
    {
#pragma omp target teams distribute parallel for num_teams (2) thread_limit (2)
      for (int i = 0; i < N; i++)
	there[i] = here[i] + (i ? here[i - 1] : 0);
#pragma omp target teams distribute parallel for num_teams (2) thread_limit (2) \
  reduction (+: sum)
      for (int i = 0; i < N; i++)
	{
	  here[i] = there[i] % 1000;
	  sum += here[i];
	}
    }
  return check (sum);
}
