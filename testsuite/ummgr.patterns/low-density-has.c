/* Breaks if the use of one word in sixteen of each block goes unnoticed.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-finding low-density matrix } */
/* { dg-ummgr-no-finding alternating } */

#include "pattern.h"

int
main (void)
{
  enum { ROW = 16 };
  int *matrix = ummgr_malloc (N * sizeof *matrix);
  long sum = 0;
  for (int i = 0; i < N; i++)
    matrix[i] = i % ROW;
#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum) \
  is_device_ptr (matrix)
  for (int i = 0; i < N / ROW; i++)
    sum += matrix[i * ROW + 3];
  ummgr_free (matrix);
  return expect (sum, 3L * N / ROW);
}
