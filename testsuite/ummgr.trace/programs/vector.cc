/* Part of cc.exp: data that a library's header allocates, for a member that its user never named.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>
#include <vector>

struct domain
{
  std::vector<double> energy, viscosity;
};

static void
add (double *e, const double *q, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: e[0:n], q[0:n])
  for (int i = 0; i < n; i++)
    e[i] += q[i];
}

int
main ()
{
  domain d;
  int n = 100000;
  d.energy.resize (n);
  d.viscosity.resize (n);
  for (int t = 0; t < 5; t++)
    add (&d.energy[0], &d.viscosity[0], n);
  std::printf ("energy %g\n", d.energy[7]);
}
