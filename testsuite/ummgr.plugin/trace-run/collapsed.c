/* Collapsed loops, which have two exits, and one with a break that can be
   counted: would break if what precedes and follows an exit were counted
   wrongly.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-options "-fopenmp" } */
/* { log-lines {^W .* 4 } 146 } */
/* { log-lines {^R .* 8 } 52 } */
/* { log-lines {^W .* 8 } 47 } */

#include <stdlib.h>

__attribute__ ((noipa)) static void
grid (int *p, int n, int m)
{
#pragma omp parallel for collapse(2) num_threads(3)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      p[i * m + j] = i - j;
}

/* The read precedes both tests, the write stands between them.  */
__attribute__ ((noipa)) static long
shorter (long *p, long n, long m)
{
  long t = 0;
  for (long i = 0;; i++)
    {
      t += p[i];
      if (i >= n)
	break;
      p[i + 20] = t;
      if (i >= m)
	break;
    }
  return t;
}

int
main (void)
{
  int *p = malloc (200 * sizeof *p);
  long *q = calloc (40, sizeof *q);
  grid (p, 7, 19);	/* 133 */
  grid (p, 13, 1);	/* 13 */
  grid (p, 0, 5);
  shorter (q, 9, 15);	/* 10 reads, 9 writes.  */
  shorter (q, 15, 9);	/* 10, 10 */
  shorter (q, 12, 12);	/* 13, 12 */
  shorter (q, 17, 13);	/* 14, 14 */
  shorter (q, 0, 5);	/* 1, 0 */
  shorter (q, -3, 2);	/* 1, 0 */
  long t = shorter (q, 2, 3);	/* 3, 2 */
  int right = p[0] == 0 && p[12] == 12 && t == 0;
  free (p);
  free (q);
  return !right;
}
