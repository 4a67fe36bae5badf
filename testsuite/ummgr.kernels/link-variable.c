/* A variable that is declared with `link', in memory that a policy places: the GPU's own code goes
   by the pointer that it has there.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-kernel-options --policy=um } */

#include <stdio.h>

enum { N = 50000 };

int total;
#pragma omp declare target (total)

int table[N];
#pragma omp declare target link (table)

int
main ()
{
  for (int i = 0; i < N; i++)
    table[i] = i;
  for (int round = 0; round < 3; round++)
    {
#pragma omp target teams distribute parallel for map(tofrom: table)
      for (int i = 0; i < N; i++)
	table[i] += 3;
#pragma omp target map(to: table)
      total += table[round];
    }
#pragma omp target update from(total)
  long sum = 0;
  for (int i = 0; i < N; i++)
    sum += table[i];
  printf ("%d %ld\n", total, sum);
}
