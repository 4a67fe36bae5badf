/* Each access reported where it is made: would break if the loops of the copied function
   were asked for while what it has of them is not up to date.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-O2 -fplugin-arg-ummgr-trace-exact" } */

void
step (float *a, float *b, const float *power, int rows, int columns)
{
#pragma omp target teams distribute parallel for collapse(2)                  \
  map(to: a[:rows * columns], power[:1]) map(from: b[:rows * columns])
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      {
	float sum = a[i * columns + j];
	for (int k = 0; k < 4; k++)
	  sum += *power * a[i * columns + (j + k) % columns];
	b[i * columns + j] = sum;
      }
}

/* { dg-final { scan-ummgr-dump {trace step\._omp_fn\.1 .*cloned, 4 single, 0 hoisted} ummgr-trace } } */
