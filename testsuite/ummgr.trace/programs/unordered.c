/* Two regions, one of which asks what a launch in a GPU's order can't answer.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int plain[256], asking[256], sum = 0;
#pragma omp target teams distribute parallel for map(from: plain)
  for (int i = 0; i < 256; i++)
    plain[i] = i;
  for (int again = 0; again < 2; again++)
#pragma omp target parallel for num_threads (8) map(from: asking)
    for (int i = 0; i < 256; i++)
      asking[i] = i + omp_get_ancestor_thread_num (0);
  for (int i = 0; i < 256; i++)
    sum += plain[i] + asking[i];
  printf ("sum %d\n", sum);
  return 0;
}
