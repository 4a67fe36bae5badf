// A static array is reached by a pointer that nothing maps.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

static double table[1000];

int
main (void)
{
  double sum = 0, *p = table;
#pragma omp target map(tofrom: sum) is_device_ptr(p)
  for (int i = 0; i < 1000; i++)
    sum += p[i]; // fault: not mapped
  printf ("%g\n", sum);
  return 0;
}
