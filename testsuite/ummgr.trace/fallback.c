/* Breaks if target regions that run on the host are taken for the device's.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit" } */
/* { dg-ummgr-env "OMP_TARGET_OFFLOAD=disabled" } */
/* { dg-ummgr-facts data host 10 "cpu_wrote=10 c>c=10" } */
/* { dg-ummgr-trace-not {on=gpu} } */
/* { dg-ummgr-trace-not {^copy} } */

#include <stdlib.h>

int
main (void)
{
  int *data = malloc (10 * sizeof *data), sum = 0;
#pragma omp target map(from: data[:10])
  for (int i = 0; i < 10; i++)
    data[i] = i;
  for (int i = 0; i < 10; i++)
    sum += data[i];
  free (data);
  return sum == 45 ? 0 : 1;
}
