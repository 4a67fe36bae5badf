/* Heat of a chip, step by step, between two arrays.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 400, STEPS = 6 };

int
main (void)
{
  float *heat = malloc (SIDE * SIDE * sizeof *heat), *next = malloc (SIDE * SIDE * sizeof *next);
  for (int i = 0; i < SIDE * SIDE; i++)
    heat[i] = next[i] = i % 7;
#pragma omp target data map(tofrom: heat[0:SIDE * SIDE]) map(to: next[0:SIDE * SIDE])
  for (int step = 0; step < STEPS; step += 2)
    for (int half = 0; half < 2; half++)
      {
	const float *from = half ? next : heat;
	float *to = half ? heat : next;
#pragma omp target teams distribute parallel for collapse(2)
	for (int i = 1; i < SIDE - 1; i++)
	  for (int j = 1; j < SIDE - 1; j++)
	    {
	      int at = i * SIDE + j;
	      to[at] = (from[at - SIDE] + from[at + SIDE] + from[at - 1] + from[at + 1]) / 4;
	    }
      }
  printf ("%g\n", heat[SIDE + 1]);
}
