/* Runs a region five times, and waits to be looked at until a line comes.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>
int
main (void)
{
  int n = 1 << 18;
  float *field = malloc (n * sizeof *field);
  for (int i = 0; i < n; i++)
    field[i] = i;
#pragma omp target data map(tofrom: field[:n])
  {
    for (int k = 0; k < 5; k++)
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++)
	field[i] += 1;
    puts ("ready");
    fflush (stdout);
    getchar ();
  }
  return field[7] != 12;
}
