// A row is mapped, and the region maps by its name the array that it is in: what is there is taken.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>

enum { N = 8 };

int
main (void)
{
  int a[N][N], wrong = 0;
  for (int i = 0; i < N; i++)
    {
#pragma omp target enter data map(alloc: a[i:1][0:N])
#pragma omp target
      for (int j = 0; j < N; j++)
	a[i][j] = i + j;
#pragma omp target exit data map(from: a[i:1][0:N])
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      wrong += a[i][j] != i + j;
  printf ("%d wrong\n", wrong);
  return wrong != 0;
}
