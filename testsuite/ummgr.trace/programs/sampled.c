/* Part of trace.exp: what sampling sees, worked out slowly.  Prints for each array how many of
   its sampled words were written and read, by the rule of include/ummgr-trace-abi.h with one block
   in 4.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6000 };

#define ALONE __attribute__ ((no_instrument_function, noinline))

static unsigned char wrote[4][N], got[4][N];
static int *arrays[4];

ALONE static int
sampled (const void *p)
{
  return ((uintptr_t) p >> 8) * UINT64_C (0x9e3779b97f4a7c15) >> 62 == 0;
}

ALONE static void
note (int array, long i, int write)
{
  (write ? wrote : got)[array][i] = 1;
}

ALONE static void
say (void)
{
  for (int k = 0; k < 4; k++)
    {
      int w = 0, r = 0;
      for (long i = 0; i < N; i++)
	if (sampled (arrays[k] + i))
	  {
	    w += wrote[k][i];
	    r += got[k][i];
	  }
      printf ("array%d wrote %d read %d\n", k, w, r);
    }
}

/* Conditions, computed places, several rows at once, and backwards: nothing that a loop could
   report before it.  */
__attribute__ ((noinline)) static void
wander (int *a, int *b, int *c, const int *where, long n)
{
  for (long i = 0; i + 40 < n; i++)
    {
      if (where[i] & 1)
	a[i] = (int) i;
      b[where[i] % n] = a[i + 40];
      if (where[i] % 3)
	c[n - 1 - i] += 1;
    }
}

ALONE static void
wander_slowly (const int *where, long n)
{
  for (long i = 0; i + 40 < n; i++)
    {
      note (3, i, 0);
      if (where[i] & 1)
	note (0, i, 1);
      note (1, where[i] % n, 1);
      note (0, i + 40, 0);
      if (where[i] % 3)
	{
	  note (2, n - 1 - i, 1);
	  note (2, n - 1 - i, 0);
	}
    }
}

/* Loops that can be: short ones, and strides of all kinds.  */
__attribute__ ((noinline)) static void
stride (int *a, int *b, long n)
{
  for (long row = 0; row + 24 <= n; row += 24)
    for (long i = 0; i < 9; i++)
      a[row + i] = b[row + 2 * i];
  for (long i = 0; i < n / 100; i++)
    b[n - 1 - 90 * i] = 1;
  for (long i = 0; i < n / 7; i++)
    a[7 * i]++;
}

ALONE static void
stride_slowly (long n)
{
  for (long row = 0; row + 24 <= n; row += 24)
    for (long i = 0; i < 9; i++)
      {
	note (0, row + i, 1);
	note (1, row + 2 * i, 0);
      }
  for (long i = 0; i < n / 100; i++)
    note (1, n - 1 - 90 * i, 1);
  for (long i = 0; i < n / 7; i++)
    {
      note (0, 7 * i, 1);
      note (0, 7 * i, 0);
    }
}

/* Short loops under conditions: each could be reported by itself, if sampling let any of it
   through.  Close elements forwards and backwards, and a few that lie apart.  */
__attribute__ ((noinline)) static void
hop (int *a, int *b, int *c, const int *where, long n)
{
  long part = n / 5;
  for (long row = 0; row + 100 <= n; row += 50)
    {
      long many = where[row] % 100;
      if (where[row] & 4)
	for (long i = 0; i < many; i++)
	  a[row + i] = b[row + many - i];
      if (where[row] & 8)
	for (long i = 0; i < 5; i++)
	  c[row / 5 + i * part] = 1;
    }
}

ALONE static void
hop_slowly (const int *where, long n)
{
  for (long row = 0; row + 100 <= n; row += 50)
    {
      note (3, row, 0);
      long many = where[row] % 100;
      if (where[row] & 4)
	for (long i = 0; i < many; i++)
	  {
	    note (0, row + i, 1);
	    note (1, row + many - i, 0);
	  }
      if (where[row] & 8)
	for (long i = 0; i < 5; i++)
	  note (2, row / 5 + i * (n / 5), 1);
    }
}

ALONE static void
fill (void)
{
  unsigned state = 1;
  for (long i = 0; i < N; i++)
    arrays[3][i] = (int) ((state = state * 1103515245u + 12345) >> 8 & 0xffff);
}

int
main (void)
{
  int *array0 = malloc (N * sizeof *array0), *array1 = malloc (N * sizeof *array1);
  int *array2 = calloc (N, sizeof *array2), *array3 = malloc (N * sizeof *array3);
  int last = 0;
  arrays[0] = array0, arrays[1] = array1, arrays[2] = array2, arrays[3] = array3;
  fill ();
  wander (array0, array1, array2, array3, N);
  wander_slowly (array3, N);
  stride (array0, array1, N);
  stride_slowly (N);
  hop (array0, array1, array2, array3, N);
  hop_slowly (array3, N);
#pragma omp target map(from: last)
  last = 1;
  say ();
  return !last;
}
