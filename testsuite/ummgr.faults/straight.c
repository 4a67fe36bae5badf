/* Regions whose data comes in slices straight from here: what can't be copied must not be missing from the result.
   { faults-env UMMGR_STREAM=always }
   { faults-plugin }  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rounds.h"

int
main (void)
{
  long sum = 0;
  begin ();
  for (int r = 0; r < ROUNDS; r++)
    {
#pragma omp target teams distribute parallel for num_teams (2) thread_limit (2) map (to: here) map (from: there)
      for (int i = 0; i < N; i++)
	there[i] = here[i] + (i ? here[i - 1] : 0);
#pragma omp target teams distribute parallel for num_teams (2) thread_limit (2) reduction (+: sum) map (to: there) \
  map (tofrom: here)
      for (int i = 0; i < N; i++)
	{
	  here[i] = there[i] % 1000;
	  sum += here[i];
	}
    }
  return check (sum);
}
