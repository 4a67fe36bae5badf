// Neighbouring bytes are different teams' own.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 4096 };

int
main (void)
{
  char *flag = calloc (N, 1);
#pragma omp target teams distribute num_teams(16) dist_schedule(static, 1) map(tofrom: flag[0:N])
  for (int i = 0; i < N; i++)
    flag[i] += 1;
  printf ("%d\n", flag[7]);
  free (flag);
  return 0;
}
