// Variables of the device, updated both ways.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
static int table[1000], total;
#pragma omp end declare target

int
main (void)
{
  for (int i = 0; i < 1000; i++)
    table[i] = i;
#pragma omp target update to(table)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1000; i++)
    {
      table[i] *= 2;
#pragma omp atomic
      total++;
    }
#pragma omp target update from(table, total)
  printf ("%d %d\n", table[3], total);
  return 0;
}
