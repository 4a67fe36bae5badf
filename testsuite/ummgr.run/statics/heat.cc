// Arrays of the device's own, in namespaces: see statics.exp.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>

enum { N = 40000 };

#pragma omp declare target
namespace heat
{
double u[N];			// place of u
}

namespace
{
double cells[N];		// place of cells
}
#pragma omp end declare target

int
main ()
{
  for (int i = 0; i < N; i++)
    heat::u[i] = i;
#pragma omp target update to(heat::u)
  for (int k = 0; k < 2; k++)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      cells[i] = 2 * heat::u[i];
#pragma omp target update from(cells)
  std::printf ("%g\n", cells[7]);
  return cells[7] != 14;
}
