// Steps of a mesh whose fields are std::vector; MENDED: as `ummgr advise' has it.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <vector>

struct mesh
{
  int count;
  std::vector<double> energy, pressure, volume;

  explicit mesh (int n) : count (n), energy (n, 1.0), pressure (n), volume (n)
  {
    for (int i = 0; i < n; i++)
      volume[i] = 1 + i % 3;
  }

  void
  press ()
  {
    double *e = energy.data (), *p = pressure.data (), *v = volume.data ();
    int n = count;
#pragma omp target teams distribute parallel for map(to: e[0:n], v[0:n]) map(from: p[0:n])
    for (int i = 0; i < n; i++)
      p[i] = e[i] / v[i];
  }

  void
  work (double step)
  {
    double *e = energy.data (), *p = pressure.data ();
    int n = count;
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: e[0:n])
    for (int i = 0; i < n; i++)
      e[i] += step * p[i];
  }
};

int
main ()
{
  const int n = 30000;
  mesh m (n);
#ifdef MENDED
  double *e = m.energy.data (), *p = m.pressure.data (), *v = m.volume.data ();
#pragma omp target data map(to: v[0:n]) map(tofrom: e[0:n]) map(from: p[0:n])
#endif
  for (int round = 0; round < 15; round++)
    {
      m.press ();
      m.work (1.0 / (round + 1));
    }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += m.energy[i] - m.pressure[i];
  std::printf ("%.15g\n", sum);
}
