/* Breaks if a loop that is left by a jump is advised to be put into a data construct, which no
   jump may lead out of, or if any other isn't.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

int
returns (const int *a, int *b, int n)
{
  for (int t = 0; t < 6; t++)
    {
#pragma omp target map(to: a[0:n]) map(tofrom: b[0:n]) /* { dg-warning ".a. is copied to the device each time" } */
      for (int i = 0; i < n; i++)
	b[i] += a[i];
      if (b[0] > 100)
	return t;
    }
  return 0;
}

int
ends (const int *a, int *b, int n)
{
  int other = 0;
  for (int t = 0; t < 6; t++)
    {
#pragma omp target map(to: a[0:n]) map(tofrom: b[0:n]) device(0) /* { dg-warning ".a. is copied to the device each time" } */
      for (int i = 0; i < n; i++)
	b[i] += a[i];
      other += b[0];
    }
  return other;
}

/* { dg-final { scan-ummgr-output-times {once, by .target enter data map\(to: a\[\.\.\.\]\). before .* and .target exit data map\(release: a\[\.\.\.\]\). wherever} 1 } } */
/* { dg-final { scan-ummgr-output-times {once, by .target data map\(to: a\[\.\.\.\]\). with the same device clause} 1 } } */
