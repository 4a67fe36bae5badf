/* Everything is left mapped and allocated at exit.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int
main (void)
{
  int n = 1 << 16;
  int *a = malloc (n * sizeof *a), sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = i & 3;
  int *d = omp_target_alloc (n * sizeof *d, 0);
#pragma omp target enter data map(to: a[:n])
#pragma omp target map(tofrom: sum) is_device_ptr (d)
  for (int i = 0; i < n; i++)
    {
      d[i] = a[i];
      sum += d[i];
    }
  if (sum != n / 4 * 6)
    return puts ("wrong"), 1;
  puts ("right");
  return 0;
}
