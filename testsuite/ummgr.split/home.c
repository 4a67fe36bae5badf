/* Loops of launches on data that doesn't fit, after which the host goes over what they wrote: with the last launch that
   goes home, each piece's part behind it, where no other piece uses it.  An argument is how many numbers there are;
   with a second one there is only the first loop.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

static void
fill (float *a, float *b, float *c, long n)
{
  for (long i = 0; i < n; i++)
    {
      a[i] = i % 1009;
      b[i] = i % 77;
      c[i] = i % 5;
    }
}

/* Each piece uses its own.  */
static int
sums (float *a, float *b, float *c, long n, int rounds)
{
  fill (a, b, c, n);
  for (int round = 0; round < rounds; round++)
#pragma omp target teams distribute parallel for map(to: a[0:n], b[0:n]) map(tofrom: c[0:n])
    for (long i = 0; i < n; i++)
      c[i] += a[i] + b[i];
  for (long i = 0; i < n; i++)
    if (c[i] != i % 5 + rounds * (i % 1009 + i % 77))
      return printf ("sums: c[%ld] is %g\n", i, c[i]), 1;
  return 0;
}

/* A piece reads what the one before it has, too: that can't go home yet.  */
static int
halos (float *a, float *b, float *c, long n, int rounds)
{
  fill (a, b, c, n);
  for (int round = 0; round < rounds; round++)
#pragma omp target teams distribute parallel for map(to: a[0:n], b[0:n]) map(tofrom: c[0:n])
    for (long i = n / 2; i < n - 1; i++)
      c[i] = a[i] + b[i - 1] + c[i - n / 2];
  for (long i = n / 2; i < n - 1; i++)
    if (c[i] != i % 1009 + (i - 1) % 77 + (i - n / 2) % 5)
      return printf ("halos: c[%ld] is %g\n", i, c[i]), 1;
  return 0;
}

/* Two launches each time; only after the last one the host comes.  */
static int
turns (float *a, float *b, float *c, long n, int rounds)
{
  fill (a, b, c, n);
  for (int round = 0; round < rounds; round++)
    {
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: c[0:n])
      for (long i = 0; i < n; i++)
	c[i] += a[i];
#pragma omp target teams distribute parallel for map(to: b[0:n]) map(tofrom: c[0:n])
      for (long i = 0; i < n; i++)
	c[i] = (c[i] + b[i]) / 2;
    }
  for (long i = 0; i < n; i++)
    {
      float is = i % 5;
      for (int round = 0; round < rounds; round++)
	is = (is + i % 1009 + i % 77) / 2;
      if (c[i] != is)
	return printf ("turns: c[%ld] is %g\n", i, c[i]), 1;
    }
  return 0;
}

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 60007;
  float *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b), *c = malloc (n * sizeof *c);
  int wrong = sums (a, b, c, n, 4);
  if (argc < 3)
    wrong |= halos (a, b, c, n, argc + 2) | turns (a, b, c, n, argc + 2) | sums (a, b, c, n, argc);
  free (a);
  free (b);
  free (c);
  return wrong;
}
