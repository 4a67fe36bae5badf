/* OpenMP's locks between threads of a team.
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
  omp_lock_t l;
#pragma omp target map(tofrom : s) map(alloc : l)
  {
    omp_init_lock (&l);
#pragma omp parallel num_threads(8)
    for (int i = 0; i < 10; i++)
      {
        omp_set_lock (&l);
        s++;
        omp_unset_lock (&l);
      }
    omp_destroy_lock (&l);
  }
  printf ("%d\n", s);
}
