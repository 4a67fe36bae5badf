/* Part of named.exp: a class with vectors, a template with long arguments, lambdas.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

enum { N = 20000 };

namespace mesh
{
struct Ideal { static double of (double x) { return x + 1; } };
struct Stiff { static double of (double x) { return x * 2; } };
template <class First, class Second, class Third> struct Pair
{
  static double of (double x) { return Second::of (First::of (x)) + sizeof (Third); }
};
typedef std::vector<std::vector<double> > Rows;

class Domain
{
  std::vector<double> m_energy, m_volume;
  std::unique_ptr<double[]> m_work;
public:
  Domain () : m_volume (N, 2.0), m_work (new double[N])
  {
    m_energy.resize (N, 1.0);
    for (int i = 0; i < N; i++)
      m_work[i] = i;
  }
  double *energy () { return m_energy.data (); }
  void force ();
  template <class Law> void update ();
};

void
Domain::force ()
{
  double *e = &m_energy[0], *v = &m_volume[0];
#pragma omp target teams distribute parallel for map(tofrom: e[0:N]) map(to: v[0:N])
  for (int i = 0; i < N; i++)
    e[i] += v[i];
}

template <class Law> void
Domain::update ()
{
  double *w = m_work.get ();
#pragma omp target teams distribute parallel for map(tofrom: w[0:N])
  for (int i = 0; i < N; i++)
    w[i] = Law::of (w[i]);
}

template <class Body> void
forall (double *x, Body body)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
  for (int i = 0; i < N; i++)
    x[i] = body (x[i]);
}
}

int
main ()
{
  mesh::Domain d;
  double *h = (double *) malloc (N * sizeof *h);
  for (int i = 0; i < N; i++)
    h[i] = i;
  for (int t = 0; t < 3; t++)
    {
      d.force ();
      d.update<mesh::Pair<mesh::Ideal, mesh::Stiff, mesh::Rows> > ();
      d.update<mesh::Pair<mesh::Stiff, mesh::Ideal, mesh::Rows> > ();
      mesh::forall (h, [] (double x) { return x + 1; });
      mesh::forall (d.energy (), [] (double x) { return x + 2; });
    }
  printf ("%g %g\n", d.energy ()[3], h[3]);
  free (h);
}
