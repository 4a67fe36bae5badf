/* Accesses of affine loops, forwards, backwards, strided, with a zero count,
   with a header's access and with a conditional one: would break if a hoisted
   loop reported other accesses than it makes.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { log-lines {^W .* 8 } 10 } */
/* { log-lines {^R .* 8 } 31 } */
/* { log-lines {^W .* 4 } 5 } */
/* { log-lines {^R .* 4 } 16 } */
/* { log-lines {^L } -O0 0 -O2 9 } */
/* { log-lines {^[RWU] .* 1 1$} 6 } */

#include <stdlib.h>

__attribute__ ((noipa)) static void
fill (double *p, int n)
{
  for (int i = 0; i < n; i++)
    p[i] = i;
}

__attribute__ ((noipa)) static double
sum (const double *p, int from, int to, int step)
{
  double t = 0;
  for (int i = from; i < to; i += step)
    t += p[i];
  for (int i = to; i > from; i--)
    t -= p[i - 1];
  return t;
}

/* The access in the exit test is made once more than the body's.  */
__attribute__ ((noipa)) static int
even (const double *p, int *flags, int n)
{
  int found = 0;
  for (int i = 0; i < n; i++)
    if (p[i] > 4)
      {
	flags[i] = 1;
	found++;
      }
  return found;
}

__attribute__ ((noipa)) static unsigned
bytes (const unsigned char *p, int n)
{
  unsigned t = 0;
  while (n--)
    t += p[n];
  return t;
}

__attribute__ ((noipa)) static int
diagonal (int *p, int n)
{
  int t = 0;
  for (int i = 0; i < n; i++)
    t += p[i * n + i];
  return t;
}

int
main (void)
{
  double *p = malloc (10 * sizeof *p);
  int *flags = calloc (16, sizeof *flags);
  fill (p, 10);
  fill (p, 0);
  fill (p, -3);
  double t = sum (p, 0, 10, 2) + sum (p, 5, 10, 5);	/* 5 + 10 + 1 + 5 */
  int found = even (p, flags, 10);			/* 10 */
  int d = diagonal (flags, 4);				/* 4 */
  unsigned b = bytes ((unsigned char *) flags, 6);	/* 6 */
  int rest = 0;
  for (int i = 0; i < 12; i++)				/* 12 */
    rest += flags[i];
  free (p);
  free (flags);
  return !(t == 20 - 45 + 5 - 35 && found == 5 && d == 1 && b == 0
	   && rest == 5);
}
