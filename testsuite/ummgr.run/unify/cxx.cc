// new, delete, containers and exceptions go on as before.  SPDX-License-Identifier: GPL-3.0-or-later
/* unify-objects: 4 */

#include "check.h"

#include <memory>
#include <new>
#include <vector>

/* Sizes differ, so that the statistics tell the objects apart.  */
enum { N = 10000 };

static void
add (int *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[:n])
  for (int i = 0; i < n; i++)
    a[i]++;
}

static void
check (const int *a, int n, int what)
{
  for (int i = 0; i < n; i++)
    CHECK_EQ (a[i], what);
}

static bool
throws ()
{
  volatile unsigned long huge = ~0ul >> 8;
  try
    {
      int *a = new int[huge];
      add (a, 1);
    }
  catch (const std::bad_alloc &)
    {
      return true;
    }
  return false;
}

int
main ()
{
  int *a = new int[N] ();
  add (a, N);
  check (a, N, 1);
  delete[] a;

  std::vector<int> v (N + 1, 5);
  add (v.data (), N + 1);
  check (v.data (), N + 1, 6);
  v.resize (3 * N, 6);
  check (v.data (), 3 * N, 6);
  add (v.data (), 3 * N);
  check (v.data (), 3 * N, 7);

  std::unique_ptr<int[]> u (new (std::nothrow) int[N + 2]);
  for (int i = 0; i < N; i++)
    u[i] = 1;
  add (u.get (), N);
  check (u.get (), N, 2);
  CHECK (throws ());
  return 0;
}
