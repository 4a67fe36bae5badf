/* Conditions on the index of a loop whose chunks are of one iteration, which derives from a thread's
   number: would break if one were taken for the test whether the thread has a share, and what
   depends on it called exact, or counted.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
f (int *a, int *b, int *c, int n)
{
#pragma omp target teams distribute parallel for schedule(static, 1) map(tofrom: a[0:n], b[0:n], c[0:n])
  for (unsigned i = 0; i < (unsigned) n; i += 5)
    {
      if (i % 3 == 2)
	a[i] = 1;			/* line 13 */
      if ((i ^ 5) > 9)
	b[i] = 1;			/* line 15 */
      c[i] = 1;				/* line 16 */
    }
}

/* { dg-final { scan-ummgr-dump {ref line 13 w size 4 frequency 0\.\d+ affine base} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 15 w size 4 frequency 0\.\d+ affine base} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 16 w size 4 frequency 1 exact base} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {counted} ummgr-tables } } */
