// Regions in members and templates, with lambdas and references.  SPDX-License-Identifier: GPL-3.0-or-later
/* { spread-pieces twice 3 } { spread-pieces shift 3 } { spread-pieces all 3 } */
/* { split-pieces scale 7 } { split-pieces each 7 } { split-pieces sum 7 } */

#include "check.h"

#include <vector>

template <class T> struct vec
{
  T *p;
  long n;
  void scale (T by)
  {
    T *p = this->p;
    long n = this->n;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (long i = 0; i < n; i++)
      p[i] *= by;
  }
  // By way of `this'.
  void twice ()
  {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < 1003; i++)
      p[i] *= 2;
  }
  void shift (const vec *other)
  {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n]) map(to: other[0:1], other->p[0:other->n])
    for (int i = 0; i < 1003; i++)
      p[i] -= other->p[i];
  }
  void all ()
  {
#pragma omp target enter data map(to: this[0:1]) map(to: p[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 1003; i++)
      p[i] += 1;
#pragma omp target teams distribute parallel for map(p[0:n])
    for (int i = 0; i < 1003; i++)
      p[i] -= 1;
#pragma omp target exit data map(from: p[0:n]) map(release: this[0:1])
  }
  void add (const T *q)
  {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n]) map(to: q[0:n])
    for (long i = 0; i < n; i++)
      p[i] += q[i];
  }
};

template <class F> void
each (int n, double *x, F f)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
  for (int i = 0; i != n; ++i)
    x[i] = f (i);
}

static void
sum (const std::vector<double> &x, double &s)
{
  const double *p = x.data ();
  int n = x.size ();
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: s)
  for (int i = 0; i < n; i++)
    s += p[i];
}

int
main ()
{
  const int n = 1003;
  std::vector<double> a (n, 1), b (n, 2);
  vec<double> v { a.data (), n };
  vec<double> w { b.data (), n };
  v.all ();
  v.add (b.data ());
  v.twice ();
  v.scale (2);
  v.shift (&w);
  v.shift (&w);
  v.shift (&w);
  CHECK (v.p == a.data () && w.p == b.data ());
  double s = 1, k = 4;
  sum (a, s);
  CHECK (s == 6 * n + 1);
  each (n, a.data (), [=] (int i) { return i * k; });
  for (int i = 0; i < n; i++)
    CHECK (a[i] == i * k);
}
