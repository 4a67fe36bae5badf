/* Which device a region runs on that names none.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
  for (int i = 0; i < 100; i++)
    sum += i;
  printf ("%s on %d of %d\n", sum == 4950 ? "right" : "wrong", omp_get_default_device (),
	  omp_get_num_devices ());
  return sum != 4950;
}
