/* Each device has the module of its own, with its variables; each launch several of its texts.
   { dg-kernel-options --gpus=3 }
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>

#pragma omp declare target
static int launches;
int everywhere = 10;
#pragma omp end declare target

int
main (void)
{
  for (int round = 0; round < 2; round++)
    for (int device = 0; device < omp_get_num_devices (); device++)
      for (int again = 0; again <= device; again++)
	{
	  int sum = 0, seen = 0, threads = 0;
#pragma omp target device (device) map (tofrom : sum, seen, threads)
	  {
	    seen = ++launches * 100 + ++everywhere;
#pragma omp parallel for num_threads (4) reduction (+ : sum)
	    for (int i = 0; i < 100; i++)
	      sum += i;
#pragma omp parallel num_threads (4) reduction (max : threads)
	    threads = omp_get_num_threads ();
	  }
	  printf ("round %d, device %d: %d, %d by %d\n", round, device, seen, sum, threads > 0);
	}
  return 0;
}
