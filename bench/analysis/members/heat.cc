/* Heat in a plate: C++, a class whose member functions map its members.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>
#include <cstdlib>
#include <utility>

class Plate
{
public:
  Plate (int nx, int ny);
  ~Plate ();
  void step (double k);
  void border ();
  double change () const;
  double at (int i, int j) const { return u[i * ny + j]; }

private:
  int nx, ny;
  double *u, *next;
  double *conductivity;
};

Plate::Plate (int nx, int ny) : nx (nx), ny (ny)
{
  u = new double[nx * ny];
  next = new double[nx * ny];
  conductivity = new double[nx * ny];
  for (int i = 0; i < nx * ny; i++)
    {
      u[i] = next[i] = i % 11;
      conductivity[i] = 1 + i % 3;
    }
}

Plate::~Plate ()
{
  delete[] u;
  delete[] next;
  delete[] conductivity;
}

void
Plate::step (double k)
{
#pragma omp target teams distribute parallel for collapse(2) \
  map(to: u[0:nx * ny], conductivity[0:nx * ny]) map(tofrom: next[0:nx * ny])
  for (int i = 1; i < nx - 1; i++)
    for (int j = 1; j < ny - 1; j++)
      next[i * ny + j]
	= u[i * ny + j] + k * conductivity[i * ny + j]
			    * (u[(i - 1) * ny + j] + u[(i + 1) * ny + j] + u[i * ny + j - 1]
			       + u[i * ny + j + 1] - 4 * u[i * ny + j]);
  std::swap (u, next);
}

/* No heat leaves on the left and on the right.  */
void
Plate::border ()
{
#pragma omp target teams distribute parallel for map(tofrom: u[0:nx * ny])
  for (int i = 0; i < nx; i++)
    {
      u[i * ny] = u[i * ny + 1];
      u[i * ny + ny - 1] = u[i * ny + ny - 2];
    }
}

double
Plate::change () const
{
  double sum = 0;
  int n = nx * ny;
#pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum) \
  map(to: u[0:n], next[0:n])
  for (int i = 0; i < n; i++)
    sum += (u[i] - next[i]) * (u[i] - next[i]);
  return sum;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? std::atoi (argv[1]) : 80;
  Plate plate (n, n + 10);
  for (int s = 0; s < 5; s++)
    {
      plate.step (0.01);
      plate.border ();
    }
  std::printf ("%.12g %.12g\n", plate.change (), plate.at (n / 2, n / 2));
}
