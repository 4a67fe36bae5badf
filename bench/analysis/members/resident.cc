/* A spring chain that lives on the device: C++, mapped by the constructor; member functions
   map nothing, or themselves.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>
#include <cstdlib>

class Chain
{
public:
  explicit Chain (int n);
  ~Chain ();
  void forces (double k);
  void move (double dt);
  double kinetic ();
  void fetch ();
  double x (int i) const { return position[i]; }

private:
  int n;
  double *position, *velocity, *force, *mass;
};

Chain::Chain (int n) : n (n)
{
  position = new double[n];
  velocity = new double[n] ();
  force = new double[n] ();
  mass = new double[n];
  for (int i = 0; i < n; i++)
    {
      position[i] = i + (i % 10 == 0 ? 0.5 : 0);
      mass[i] = 1 + i % 2;
    }
#pragma omp target enter data map(to: this[0:1])
#pragma omp target enter data map(to: position[0:n], velocity[0:n], force[0:n], mass[0:n])
}

Chain::~Chain ()
{
#pragma omp target exit data map(delete: position[0:n], velocity[0:n], force[0:n], mass[0:n])
#pragma omp target exit data map(delete: this[0:1])
  delete[] position;
  delete[] velocity;
  delete[] force;
  delete[] mass;
}

void
Chain::forces (double k)
{
#pragma omp target teams distribute parallel for
  for (int i = 1; i < n - 1; i++)
    force[i] = k * (position[i + 1] - 2 * position[i] + position[i - 1]);
}

void
Chain::move (double dt)
{
#pragma omp target teams distribute parallel for map(alloc: this[0:1])
  for (int i = 0; i < n; i++)
    {
      velocity[i] += dt * force[i] / mass[i];
      position[i] += dt * velocity[i];
    }
}

double
Chain::kinetic ()
{
  double sum = 0;
  double *v = velocity, *m = mass;
  int count = n;
#pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum)
  for (int i = 0; i < count; i++)
    sum += 0.5 * m[i] * v[i] * v[i];
  return sum;
}

void
Chain::fetch ()
{
#pragma omp target update from(position[0:n])
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? std::atoi (argv[1]) : 5000;
  Chain chain (n);
  for (int s = 0; s < 6; s++)
    {
      chain.forces (2);
      chain.move (0.01);
    }
  double e = chain.kinetic ();
  chain.fetch ();
  std::printf ("%.12g %.12g\n", e, chain.x (n / 2));
}
