// What runs at exit, after libgomp has closed the device, still reads and frees
// the memory.  SPDX-License-Identifier: GPL-3.0-or-later
/* unify-objects: 2 */

#include "check.h"

#include <stdlib.h>

enum { N = 10000 };

static int *array;

struct late
{
  int *own = nullptr;
  ~late ()
  {
    for (int i = 0; i < N; i++)
      CHECK_EQ (own[i], 3 * i);
    delete[] own;
  }
};

static late object;

static void
at_end ()
{
  for (int i = 0; i < N; i++)
    CHECK_EQ (array[i], 2 * i);
  array = (int *) realloc (array, 2 * N * sizeof (int));
  CHECK (array && array[N - 1] == 2 * (N - 1));
  free (array);
}

int
main ()
{
  atexit (at_end);
  array = (int *) malloc (N * sizeof (int));
  object.own = new int[N];
  int *a = array, *b = object.own;
#pragma omp target teams distribute parallel for map(from: a[:N], b[:N])
  for (int i = 0; i < N; i++)
    {
      a[i] = 2 * i;
      b[i] = 3 * i;
    }
  return 0;
}
