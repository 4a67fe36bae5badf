/* What regions' functions are called in short: would break if instances of a template, or lambdas,
   became one, or if types and parameters were said.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

namespace space {
template <class F> void
each (int n, double *x, F f)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
  for (int i = 0; i < n; i++)
    x[i] = f (x[i]);
}

template <class First, class Second> struct Pair
{
  void step (double *x);
};

template <class First, class Second> void
Pair<First, Second>::step (double *x)
{
#pragma omp target map(tofrom: x[0:8])
  x[0] = sizeof (First) + sizeof (Second);
}
}

template struct space::Pair<int, space::Pair<char, long> >;

void
run (double *x)
{
  space::each (8, x, [] (double y) { return y + 1; });
  space::each (8, x, [] (double y) { return y + 2; });
#pragma omp target map(tofrom: x[0:8])
  x[1] = 2;
}

/* { dg-final { scan-ummgr-dump-times {title "space::each<lambda at title.cc:32>"} 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {title "space::each<lambda at title.cc:33>"} 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {title "space::Pair<int, space::Pair<char, long int>>::step"} 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {title "run"} 1 ummgr-regions } } */
