// A program with its own operator delete gets no managed memory from new, but
// from malloc.  SPDX-License-Identifier: GPL-3.0-or-later
/* unify-objects: 1 */

#include "check.h"

#include <cstdlib>
#include <new>

enum { N = 10000, HEAD = 64 };

static int live;

void *
operator new[] (std::size_t size)
{
  char *p = (char *) std::malloc (size + HEAD);
  CHECK (p);
  live++;
  return p + HEAD;
}

void
operator delete[] (void *p) noexcept
{
  live--;
  std::free ((char *) p - HEAD);
}

void
operator delete[] (void *p, std::size_t) noexcept
{
  operator delete[] (p);
}

static void
add (int *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[:n])
  for (int i = 0; i < n; i++)
    a[i]++;
}

int
main ()
{
  int *a = new int[N] ();
  add (a, N);
  CHECK_EQ (a[N - 1], 1);
  delete[] a;
  CHECK_EQ (live, 0);
  return 0;
}
