// The elements of a vector.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <vector>

int
main ()
{
  std::vector<double> v (1000, 1.0);
  double *p = v.data ();
#pragma omp target teams distribute parallel for map(tofrom: p[0:1000])
  for (int i = 0; i < 1000; i++)
    p[i] += i;
  std::printf ("%g\n", v[3]);
}
