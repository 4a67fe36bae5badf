/* Breaks if advice is proposed for what each side has for itself, or hands over once.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding unadvised } */
/* { dg-ummgr-no-remedy * input } */
/* { dg-ummgr-no-remedy * result } */

#include "pattern.h"

int
main (void)
{
  int *input = ummgr_malloc (N * sizeof *input);
  int *result = ummgr_malloc (N * sizeof *result);
  long sum = 0;
  for (int i = 0; i < N; i++)
    input[i] = i % 7;
  for (int step = 0; step < 4; step++)
#pragma omp target teams distribute parallel for is_device_ptr (input, result)
    for (int i = 0; i < N; i++)
      result[i] = (step ? result[i] : 0) + input[i] - i % 7 + 1;
  for (int i = 0; i < N; i++)
    sum += result[i];
  ummgr_free (input);
  ummgr_free (result);
  return expect (sum, 4L * N);
}
