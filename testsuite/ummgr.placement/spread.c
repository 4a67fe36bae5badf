/* Several GPUs behind one address space: an array that iterations have for themselves, one that
   all read, columns, and edges that an index array finds; in mapped memory, or, with an
   argument, in managed.  Ends with 1 if anything is wrong.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

void *ummgr_malloc (size_t) __attribute__ ((weak));

enum { N = 40000, M = 16, EDGES = 4 * N };

static void *
get (size_t size, int managed)
{
  void *p = managed && ummgr_malloc ? ummgr_malloc (size) : malloc (size);
  if (!p)
    exit (2);
  return p;
}

int
main (int argc, char **argv)
{
  int managed = argc > 1;
  double *a = get (N * sizeof *a, managed), *b = get (N * sizeof *b, managed);
  double *m = get (N * M * sizeof *m, managed);
  int *row = get ((N + 1) * sizeof *row, managed), *col = get (EDGES * sizeof *col, managed);
  int wrong = 0;
  (void) argv;
  for (int i = 0; i < N; i++)
    {
      b[i] = i;
      row[i] = 4 * i;
      for (int j = 0; j < M; j++)
	m[j * N + i] = j;
      for (int e = 0; e < 4; e++)
	col[4 * i + e] = (i + e) % 100;
    }
  row[N] = EDGES;
#pragma omp target data if(!managed) map(from: a[0:N]) map(to: b[0:N], m[0:N * M], row[0:N + 1], col[0:EDGES])
  for (int k = 0; k < 2; k++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	{
	  double sum = b[i];
	  for (int j = 0; j < M; j++)
	    sum += m[j * N + i];
	  a[i] = sum;
	}
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	for (int e = row[i]; e < row[i + 1]; e++)
	  a[i] += b[col[e]];
    }
  for (int i = 0; i < N; i++)
    {
      double want = i + M * (M - 1) / 2;
      for (int e = 0; e < 4; e++)
	want += (i + e) % 100;
      wrong += a[i] != want;
    }
  if (wrong)
    printf ("%d of %d are wrong\n", wrong, N);
  return wrong != 0;
}
