/* exit called by one thread while another is inside a target region.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int
main (void)
{
  int n = 1 << 16;
  double *a = calloc (n, sizeof *a);
  /* A first region, so that the device is up before the race starts.  */
#pragma omp target map(tofrom: a[:n])
  a[0] = 1;
#pragma omp parallel num_threads (2)
  {
    if (omp_get_thread_num () == 0)
      {
#pragma omp target teams distribute parallel for map(tofrom: a[:n])
	for (int i = 0; i < n; i++)
	  for (int k = 0; k < 1000000; k++)
	    a[i] = a[i] * 0.5 + k;
      }
    else
      {
	usleep (200000);
	puts ("leaving");
	fflush (stdout);
	exit (3);
      }
  }
  return 0;
}
