/* A wave whose arrays swap after each step.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 100000, STEPS = 100 };

static void
wave (double *now, double *next, double *speed)
{
  for (int step = 0; step < STEPS; step++)
    {
      double *swap;
      /* Everything goes both ways, each time.  */
#pragma omp target teams distribute parallel for map(tofrom: now[0:N], next[0:N], speed[0:N])
      for (int i = 1; i < N - 1; i++)
	next[i] = 2 * now[i] - next[i] + speed[i] * (now[i - 1] - 2 * now[i] + now[i + 1]);
      swap = now;
      now = next;
      next = swap;
    }
}

int
main (void)
{
  double *now = calloc (N, sizeof *now), *next = calloc (N, sizeof *next), *speed = malloc (N * sizeof *speed), sum = 0;
  for (int i = 0; i < N; i++)
    speed[i] = i < N / 2 ? 0.25 : 0.5;
  now[N / 3] = next[N / 3] = 1;
  wave (now, next, speed);
  for (int i = 0; i < N; i++)
    sum += now[i] * now[i];
  printf ("%.6f\n", sum);
}
