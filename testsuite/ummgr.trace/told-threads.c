/* Would break: teams of another number of threads than --team-threads says; a number
   that the region asks for is overruled.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "um" } */
/* { dg-ummgr-env "UMMGR_FIDELITY=access UMMGR_TEAM_THREADS=256" } */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  int teams = 0, threads = 0, asked = 0;
#pragma omp target teams distribute parallel for map(tofrom: teams, threads)
  for (int i = 0; i < 1000; i++)
    if (i == 0)
      {
	teams = omp_get_num_teams ();
	threads = omp_get_num_threads ();
      }
#pragma omp target parallel num_threads (100) map(tofrom: asked)
  if (omp_get_thread_num () == 0)
    asked = omp_get_num_threads ();
  if (!getenv ("UMMGR_STATS"))
    return 0;
  printf ("%d teams, %d threads, %d\n", teams, threads, asked);
  return teams != 4 || threads != 256 || asked != 100;
}
