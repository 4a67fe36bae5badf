/* Output of device code: formats, strings and their order.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
#pragma omp target teams num_teams(2)
  {
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
      printf ("team %d thread %d %s %.2f %ld\n", omp_get_team_num () >= 0,
              omp_get_thread_num () >= 0, "str", 1.5, 1L << 40);
    }
  }
  fflush (stdout);
}
