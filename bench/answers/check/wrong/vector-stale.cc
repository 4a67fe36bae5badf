// The elements are mapped to, written by the region, and read by the host.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <vector>

struct grid
{
  std::vector<double> cells;
  void
  step ()
  {
    double *p = cells.data ();
    int n = cells.size ();
#pragma omp target teams distribute parallel for map(to: p[0:n])
    for (int i = 0; i < n; i++)
      p[i] = i + 1;
  }
};

int
main ()
{
  grid g;
  g.cells.resize (1000);
  g.step ();
  std::printf ("%g\n", g.cells[3]); // fault: stale on the host
}
