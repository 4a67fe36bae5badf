/* Tiles with a smaller last one, a team each, whose rows threads share: would break if the test
   whether a thread has a share were taken for a condition that half of all fail.  */
/* { dg-do compile } */

void
tiles (long m, double *z, int *k)
{
#pragma omp target teams distribute map(tofrom: z[0:m]) map(to: k[0:m])
  for (long t = 0; t < m; t += 128)
    {
      long end = t + 128 < m ? t + 128 : m;
#pragma omp parallel for
      for (long i = t; i < end; i++)
	z[i] *= 2;				/* line 14 */
      if (k[t])
#pragma omp parallel for
	for (long i = t; i < end; i++)
	  z[i] += 1;				/* line 18 */
    }
}
/* Where a tile ends is not where a chunk of 1 does.  */
void
ones (long m, double *z)
{
#pragma omp target teams distribute parallel for schedule(static, 1) map(tofrom: z[0:m])
  for (long t = 0; t < m; t += 128)
    for (long i = t; i < (t + 128 < m ? t + 128 : m); i++)
      z[i] *= 2;				/* line 28 */
}

/* { dg-final { scan-ummgr-dump-times {ref line 14 [rw] size 8 frequency 1 exact base 0 inner \[8 x m\]} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 18 [rw] size 8 frequency 0\.[0-9]+ affine base 0 inner \[8 x m\]} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line 18 [rw] .* exact} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 28 [rw] size 8 frequency 1 exact base 0 inner \[8 x m\]} 2 ummgr-tables } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
