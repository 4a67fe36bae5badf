/* Single, barriers and critical within a team.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int r[8] = { 0 }, s = 0, nt = 0;
#pragma omp target map(tofrom : r, s, nt)
  {
    int sh = 0;
#pragma omp parallel num_threads(8)
    {
      int t = omp_get_thread_num ();
      r[t] = t + 1;
#pragma omp barrier
#pragma omp single
      {
        for (int i = 0; i < 8; i++)
          sh += r[i];
        nt = omp_get_num_threads ();
      }
#pragma omp critical
      s += sh;
    }
  }
  printf ("%d %d\n", s, nt);
}
