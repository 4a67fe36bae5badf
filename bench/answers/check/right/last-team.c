// The last team adds up what the others left, told by an atomic operation.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

enum { N = 1000, TEAMS = 8 };

#pragma omp declare target
static int __attribute__ ((noinline))
count (int *done)
{
  int before;
#pragma omp atomic capture seq_cst
  before = (*done)++;
  return before;
}
#pragma omp end declare target

int
main (void)
{
  int part[TEAMS] = { 0 }, done = 0, sum = 0;
#pragma omp target teams num_teams(TEAMS) map(tofrom: part, done, sum)
  {
    int team = omp_get_team_num (), teams = omp_get_num_teams ();
    for (int i = team; i < N; i += teams)
      part[team] += i;
    if (count (&done) == teams - 1)
      for (int i = 0; i < teams; i++)
	sum += part[i];
  }
  printf ("%d\n", sum);
  return 0;
}
