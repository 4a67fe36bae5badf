/* What the compiler can't know of regions: how often conditions on data hold, and how long
   loops are whose bounds are data.  The program counts it, too, and says for each array how
   often it was accessed in a launch.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

#define N 1000

static int key[N], start[N + 1], next[N];
static double a[N], b[N], c[4 * N], d[N];

static void
branch (int rare)
{
#pragma omp target teams distribute parallel for map(to: key) map(tofrom: a, b)
  for (int i = 0; i < N; i++)
    if (key[i] % rare == 0)
      a[i] += 1;
    else if (key[i] % 2)
      b[i] = 3;
}

static void
rows (void)
{
#pragma omp target teams distribute parallel for map(to: start, c) map(from: b)
  for (int i = 0; i < N; i++)
    {
      double sum = 0;
      for (int k = start[i]; k < start[i + 1]; k++)
	sum += c[k];
      b[i] = sum;
    }
}

static void
chase (void)
{
#pragma omp target teams distribute parallel for map(to: next) map(tofrom: d)
  for (int i = 0; i < N; i++)
    {
      int at = i;
      while (at >= 0)
	{
	  d[i] += 1;
	  at = next[at];
	}
    }
}

static void
some (int *range)
{
#pragma omp target teams distribute parallel for map(to: range[0:2]) map(tofrom: a)
  for (int i = range[0]; i < range[1]; i++)
    a[i] = i;
}

static double
half (double x)
{
  if (x > 1)
    return x / 2;
  return d[0];
}
#pragma omp declare target to (half, d)

static void
calls (void)
{
#pragma omp target map(tofrom: a)
  for (int i = 0; i < N; i++)
    a[i] = half (a[i]);
}

static void
search (void)
{
#pragma omp target teams distribute parallel for map(to: c) map(from: b)
  for (int i = 0; i < N; i++)
    {
      int k = 0;
      while (k < 4 && c[4 * i + k] != 3)
	k++;
      b[i] = k;
    }
}

int
main (int argc, char **argv)
{
  int times = argc > 1 ? atoi (argv[1]) : 3, rare = argc > 2 ? atoi (argv[2]) : 10;
  int range[2] = { 100, 100 + times * 50 };
  long then = 0, other = 0, inner = 0, steps = 0, looks = 0;
  for (int i = 0; i < 4 * N; i++)
    c[i] = i % 7;
  for (int i = 0; i < N; i++)
    {
      key[i] = i * 7 % N;
      start[i + 1] = start[i] + i % 4;
      next[i] = i % 5 ? i - 1 : -1;
      if (key[i] % rare == 0)
	then++;
      else if (key[i] % 2)
	other++;
      inner += i % 4;
      steps += i % 5 + 1;
      int k = 0;
      while (k < 4 && looks++ >= 0 && c[4 * i + k] != 3)
	k++;
    }
  for (int t = 0; t < times; t++)
    {
      branch (rare);
      rows ();
      chase ();
      some (range);
      calls ();
      search ();
    }
  printf ("then %ld other %ld inner %ld steps %ld range %d looks %ld\n", then, other, inner,
	  steps, range[1] - range[0], looks);
  return 0;
}
