/* A matrix that one region goes over by rows, ROWS times, and another one by columns, COLUMNS times: where
   it is laid for the one, three quarters of what the other uses lie with other GPUs.  The one comes after the
   other, or both by turns (TURNS).  LATE: how wide it is is known when it runs.  Ends with 1 if anything is
   wrong.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { HEIGHT = 256, WIDTH = 4096 };
#ifdef LATE
#define COUNT width
#else
#define COUNT WIDTH
#endif

static void __attribute__ ((noinline))
sweep (double *a, int width)
{
  for (int k = 0; k < ROWS; k++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < HEIGHT; i++)
	for (int j = 0; j < COUNT; j++)
	  a[i * COUNT + j] += 1;
#ifndef TURNS
    }
  for (int k = 0; k < COLUMNS; k++)
    {
#endif
#pragma omp target teams distribute parallel for
      for (int j = 0; j < COUNT; j++)
	for (int i = 0; i < HEIGHT; i++)
	  a[i * COUNT + j] += 2;
    }
}

int
main (int argc, char **argv)
{
  int width = argc > 1 ? atoi (argv[1]) : WIDTH, wrong = 0;
  double *a = calloc (HEIGHT * width, sizeof *a);
  if (!a)
    return 2;
#pragma omp target data map(tofrom: a[0:HEIGHT * width])
  sweep (a, width);
  for (int i = 0; i < HEIGHT * width; i++)
    wrong += a[i] != ROWS + 2 * COLUMNS;
  if (wrong)
    printf ("%d of %d are wrong\n", wrong, HEIGHT * width);
  free (a);
  return wrong != 0;
}
