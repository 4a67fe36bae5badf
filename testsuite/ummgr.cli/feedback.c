/* How often regions run depends on arguments: the compiler can only guess.  The functions
   are called from a loop, from a recursion and by pointer; one is never called.  */
#include <stdio.h>
#include <stdlib.h>

#define N 256

static double a[N], b[N];

static void
first (void)
{
#pragma omp target teams distribute parallel for map(tofrom: a)
  for (int i = 0; i < N; i++)
    a[i] += 1;
}

static void
deep (int n)
{
#pragma omp target teams distribute parallel for map(tofrom: b)
  for (int i = 0; i < N; i++)
    if (b[i] > 1e9)
      b[i] += a[i];
    else
      b[i] += 2;
  if (n > 1)
    deep (n - 1);
}

static void
pointed (void)
{
#pragma omp target map(tofrom: b)
  b[0] += 1;
}

void
never (int n)
{
#pragma omp target map(tofrom: a)
  a[0] = 1;
  if (n)
    first ();
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 10, rare = argc > 2 ? atoi (argv[2]) : 5;
  void (*volatile by_pointer) (void) = pointed;
  if (rare < 0)
    never (steps);
  for (int s = 0; s < steps; s++)
    {
      first ();
      if (s % rare == 0)
	{
	  deep (3);
	  by_pointer ();
	  /* Every other one runs on the host.  */
#pragma omp target map(tofrom: a) if (s % (2 * rare) == 0)
	  a[1] += 1;
	}
    }
  printf ("%g %g\n", a[1], b[1]);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
