// What C++ maps differs from C: references, members through `this', templates
// and exceptions that leave a data region.  SPDX-License-Identifier: GPL-3.0-or-later
// { dg-do run }
// { dg-ummgr-without-gcc "14 15 16" "maps sections of members wrongly in target data, with libgomp alone, too" }

#include "check.h"

#include <vector>

enum { N = 2000 };

struct field
{
  std::vector<double> store;
  double *data;
  int n;

  explicit field (int count) : store (count), data (store.data ()), n (count)
  {
    for (int i = 0; i < n; i++)
      data[i] = i;
  }

  void
  scale (double by)
  {
    double *d = data;
    int count = n;
#pragma omp target teams distribute parallel for map(tofrom: d[:count])
    for (int i = 0; i < count; i++)
      d[i] *= by;
  }
};

template <typename T>
static T
sum (const T *a, int n)
{
  T s = 0;
#pragma omp target map(to: a[:n]) map(tofrom: s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

static void
by_reference (int (&a)[N])
{
#pragma omp target map(tofrom: a)
  for (int i = 0; i < N; i++)
    a[i]++;
}

static void
leave (int (&a)[N])
{
  try
    {
#pragma omp target data map(tofrom: a)
      {
	by_reference (a);
	CHECK_EQ (a[0], 1);
      }
      throw 1;
    }
  catch (int)
    {
    }
  CHECK_EQ (a[0], 2);
}

int
main ()
{
  field f (N);
#pragma omp target data map(tofrom: f.data[:N])
  {
    f.scale (2);
    f.scale (3);
    CHECK (f.data[1] == 1);
  }
  CHECK (f.data[1] == 6 && f.data[N - 1] == 6.0 * (N - 1));
  CHECK (sum (f.data, N) == 6.0 * N * (N - 1) / 2);
  static int a[N];
  by_reference (a);
  CHECK_EQ (a[N - 1], 1);
  leave (a);
  return 0;
}
