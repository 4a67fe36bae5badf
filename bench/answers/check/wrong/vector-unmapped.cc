// A vector object is mapped, and not its elements.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <vector>

int
main ()
{
  std::vector<double> v (1000, 1.0);
  double sum = 0;
#pragma omp target map(to: v) map(tofrom: sum)
  for (int i = 0; i < 1000; i++)
    sum += v[i]; // fault: not mapped
  std::printf ("%g\n", sum);
}
