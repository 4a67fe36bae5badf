// The same in C++, which needs its own library.  SPDX-License-Identifier: GPL-3.0-or-later
#include "sample.h"

#include <iostream>
#include <vector>

int
main ()
{
  const int n = 20000;
  std::vector<double> data (n);
  double *a = data.data ();
  int wrong = 0;
#pragma omp target teams distribute parallel for map(from: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
  scale (a, n, 2);
  shift (a, n, 1);
  for (int i = 0; i < n; i++)
    wrong += a[i] != 2 * i + 1;
  std::cout << (wrong ? "cxx: wrong" : "cxx: right") << std::endl;
  return wrong != 0;
}
