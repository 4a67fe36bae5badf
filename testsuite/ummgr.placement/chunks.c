/* Teams that take chunks of 512 iterations, a page of a, by turns; three rounds of 64 teams, six
   of 10.  Chunks are a constant, an argument, or what the tables don't know; with ALONE that is
   the only region, so that no other one says how a is to lie.  Ends with 1 if
   anything is wrong.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { CHUNK = 512 };

int
main (int argc, char **argv)
{
  int teams = argc > 1 ? atoi (argv[1]) : 64, chunk = argc > 2 ? atoi (argv[2]) : 0;
  int mask = argc > 3 ? atoi (argv[3]) : 0;
  int n = CHUNK * (teams == 10 ? 60 : 192), wrong = 0;
  double *a = malloc (n * sizeof *a);
  if (!a)
    return 2;
#pragma omp target data map(from: a[0:n])
  if (mask)
    {
#pragma omp target teams distribute parallel for num_teams(teams) dist_schedule(static, chunk & mask)
      for (int i = 0; i < n; i++)
	a[i] = i;
    }
#ifndef ALONE
  else if (chunk)
    {
#pragma omp target teams distribute parallel for num_teams(teams) dist_schedule(static, chunk)
      for (int i = 0; i < n; i++)
	a[i] = i;
    }
  else
    {
#pragma omp target teams distribute parallel for num_teams(teams) dist_schedule(static, CHUNK)
      for (int i = 0; i < n; i++)
	a[i] = i;
    }
#endif
  for (int i = 0; i < n; i++)
    wrong += a[i] != i;
  if (wrong)
    printf ("%d of %d are wrong\n", wrong, n);
  free (a);
  return wrong != 0;
}
