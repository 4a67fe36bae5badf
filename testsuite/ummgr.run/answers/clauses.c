/* What one clause mends; and loops around which no data construct can stand as it is.
   LEAVES: the loop can be left.  WITHIN: it allocates.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

static int
once (int n)
{
  double *in = malloc (n * sizeof *in), *out = malloc (n * sizeof *out), sum = 0;
  for (int i = 0; i < n; i++)
    in[i] = out[i] = i % 9;
#pragma omp target teams distribute parallel for \
  map(in[0:n], out[0:n]) /* map(to: in[0:n]) */
  for (int i = 0; i < n; i++)
    out[i] = 2 * in[i];
  for (int i = 0; i < n; i++)
    sum += in[i] + out[i];
  printf ("%g\n", sum);
  free (in);
  free (out);
  return sum > 0;
}

static int
until (int n)
{
  double *state = malloc (n * sizeof *state);
  for (int i = 0; i < n; i++)
    state[i] = i % 9;
  for (int round = 0; round < 20; round++)
    {
#pragma omp target teams distribute parallel for map(tofrom: state[0:n])
      for (int i = 0; i < n; i++)
	state[i] += 1;
      if (n < 0)
	return 0;
    }
  printf ("%g\n", state[n - 1]);
  free (state);
  return 1;
}

static int
within (int n)
{
  double *state = malloc (n * sizeof *state), sum = 0;
  for (int i = 0; i < n; i++)
    state[i] = i % 9;
  for (int round = 0; round < 20; round++)
    {
      double *scratch = malloc (n * sizeof *scratch);
      for (int i = 0; i < n; i++)
	scratch[i] = i;
#pragma omp target teams distribute parallel for map(to: scratch[0:n]) map(tofrom: state[0:n])
      for (int i = 0; i < n; i++)
	state[i] += scratch[i];
      free (scratch);
    }
  for (int i = 0; i < n; i++)
    sum += state[i];
  printf ("%g\n", sum);
  free (state);
  return 1;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 20000;
#ifdef LEAVES
  return !until (n);
#elif defined WITHIN
  return !within (n);
#else
  return !once (n);
#endif
}
