/* Breaks if threads that write neighbouring words at the same time lose each
   other's facts, or a report of theirs gets lost.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit" } */
/* { dg-ummgr-facts host host 8000 "cpu_wrote=8000 c>c=7000" } */
/* { dg-ummgr-facts device gpu0 8000 "last_gpu=8000 gpu_wrote=8000 g>c=8000" } */
/* { dg-ummgr-facts bytes host 2000 "cpu_wrote=2000" } */

#include <omp.h>
#include <stdlib.h>

int
main (void)
{
  int *host = malloc (8000 * sizeof *host);
  int *device = malloc (8000 * sizeof *device);
  unsigned char *bytes = malloc (8000);
  long sum = 0;
#pragma omp parallel num_threads (8)
  {
    int me = omp_get_thread_num ();
    for (int i = me; i < 8000; i += 8)
      {
	host[i] = i;
	bytes[i] = i;
      }
  }
#pragma omp target teams distribute parallel for map(from: device[:8000]) \
  num_teams (4) thread_limit (8)
  for (int i = 0; i < 8000; i++)
    device[i] = i;
#pragma omp parallel for num_threads (8) reduction (+: sum)
  for (int i = 0; i < 8000; i++)
    if (i % 8)
      sum += host[i];
  free (host);
  free (device);
  free (bytes);
  return sum == 28000000 ? 0 : 1;
}
