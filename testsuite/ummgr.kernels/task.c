/* Tasks on the device.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int s = 0;
#pragma omp target map(tofrom : s)
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    for (int i = 0; i < 20; i++)
      {
#pragma omp task firstprivate(i)
        {
#pragma omp atomic
          s += i;
        }
      }
#pragma omp taskwait
    s *= 2;
  }
  printf ("%d\n", s);
}
