/* Breaks if exit while a region is running, and reporting, hangs or leaves a
   trace without its end.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um" } */
/* { dg-ummgr-trace {^facts a \+0 on=host phase=1 words=2048 .*cpu_wrote=2048} } */
/* { dg-ummgr-trace {^end$} } */

#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

int
main (void)
{
  double *a = malloc (1024 * sizeof *a);
  for (int i = 0; i < 1024; i++)
    a[i] = 0;
  /* The device is up before the race starts.  */
#pragma omp target map(tofrom: a[:1024])
  a[0] = 1;
#pragma omp parallel num_threads (2)
  {
    if (omp_get_thread_num () == 0)
      {
#pragma omp target teams distribute parallel for map(tofrom: a[:1024])
	for (int i = 0; i < 1024; i++)
	  for (int k = 0; k < 10000000; k++)
	    a[i] = a[i] * 0.5 + k;
      }
    else
      {
	usleep (50000);
	exit (0);
      }
  }
  return 1;
}
