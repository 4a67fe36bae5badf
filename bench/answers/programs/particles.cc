// Particles whose fields are std::vector, moved by two methods.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <vector>

class particles
{
  int count;
  std::vector<double> position, velocity, force;

  void
  push ()
  {
    double *x = position.data (), *f = force.data ();
    int n = count;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: f[0:n]) // HERE
    for (int i = 0; i < n; i++)
      f[i] = -0.5 * x[i];
  }

  void
  move (double dt)
  {
    double *x = position.data (), *v = velocity.data (), *f = force.data ();
    int n = count;
#pragma omp target teams distribute parallel for map(to: f[0:n]) map(tofrom: x[0:n], v[0:n]) // HERE
    for (int i = 0; i < n; i++)
      {
	v[i] += dt * f[i];
	x[i] += dt * v[i];
      }
  }

public:
  explicit particles (int n) : count (n), position (n), velocity (n), force (n)
  {
    for (int i = 0; i < n; i++)
      position[i] = i % 12;
  }

  void
  run (int steps)
  {
#ifdef MENDED
    double *x = position.data (), *v = velocity.data (), *f = force.data ();
    int n = count;
#pragma omp target data map(tofrom: x[0:n], v[0:n]) map(from: f[0:n])
#endif
    for (int s = 0; s < steps; s++) // LOOP
      {
	push ();
	move (0.1);
      }
  }

  double
  sum () const
  {
    double all = 0;
    for (int i = 0; i < count; i++)
      all += position[i] + velocity[i] + force[i];
    return all;
  }
};

int
main ()
{
  particles p (20000);
  p.run (12);
  std::printf ("%.15g\n", p.sum ());
}
