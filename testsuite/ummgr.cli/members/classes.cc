// Members in C++: member functions, and what people put members into.  members.exp says what the
// comments mean.  SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdlib>
#include <vector>

enum { N = 4096 };

class Grid
{
public:
  double *u, *v;
  int n;
  Grid (int n) : u (new double[n]), v ((double *) std::malloc (n * 8L)), n (n) {}
  void step ();
  void half ();
  void locals ();
};

void
Grid::step ()
{
#pragma omp target teams distribute parallel for map(to: u[0:n]) map(tofrom: v[0:n])
  for (int i = 0; i < n; i++)
    v[i] += u[i];
}

void
Grid::half ()
{
#pragma omp target teams distribute parallel for map(to: u[0:N]) map(tofrom: v[0:N])
  for (int i = 0; i < N; i += 2)
    v[i] = u[i] + 1;
}

// The same with locals.
void
Grid::locals ()
{
  double *uu = u, *vv = v;
  int m = n;
#pragma omp target teams distribute parallel for map(to: uu[0:m]) map(tofrom: vv[0:m])
  for (int i = 0; i < m; i++)
    vv[i] += uu[i];
}

template <class F> void
forall (int n, double *x, F f)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
  for (int i = 0; i < n; i++)
    f (i, x);
}

static void
add (std::vector<double> &a, std::vector<double> &b)
{
  double *pa = a.data (), *pb = b.data ();
  int n = a.size ();
#pragma omp target teams distribute parallel for map(to: pa[0:n]) map(tofrom: pb[0:n])
  for (int i = 0; i < n; i++)
    pb[i] += pa[i];
}

struct View
{
  double *d;
  int ld;
  double &operator() (int i, int j) const { return d[i * ld + j]; }
};

static void
view (double *x, int r, int c)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: x[0:r * c])
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++)
      {
	View q = { x, c };
	q (i, j) *= 2;
      }
}

int
main ()
{
  Grid g (N);
  std::vector<double> a (N, 1.0), b (N, 2.0);
  double k = g.u[5];
  g.step ();
  g.half ();
  g.locals ();
  forall (N, g.u, [k] (int i, double *x) { x[i] += k; });
  add (a, b);
  view (g.v, 64, 64);
  return g.v[7] > 1;
}

// { tables {in void Grid::step()} {trip count this->n, exact} {by ranges of this->n iterations}
//   {this->u: attach} {this->v: attach} }
// { tables {this->u: to, section, double *, elements of 8} {allocated by new[]} {in Grid::Grid(int)} {read, exact}
//   {locality this->n; bytes per iteration 8} {reads 8 bytes at 0; stride 8, this->n times (shared); exact} }
// { tables {this->v: tofrom, section, double *, elements of 8} {allocated by malloc} {in Grid::Grid(int)}
//   {read and written, exact} {locality this->n + this->n; bytes per iteration 8 + 8} }
// { tables {this->u: to, section, double *, 32768 bytes} {read, exact} {density 0.5 } {footprint [0, 32760)} }
// { tables {this->v: tofrom, section, double *, 32768 bytes} {written, exact} {density 0.5 } {footprint [0, 32760)} }
// { tables {in void Grid::locals()} {trip count m, exact} }
// { tables {uu: to, section} {allocated by new[]} {read, exact} {locality m; bytes per iteration 8} }
// { tables {in void forall(int, double*, F) [with F = main()::<lambda(int, double*)>]} {trip count n, exact}
//   {x: tofrom, section} {locality n + n; bytes per iteration 8 + 8} }
// { tables {in void add(std::vector<double>&, std::vector<double>&)} {trip count n, exact} }
// { tables {pa: to, section} {allocated by allocate} {read, exact} {reads 8 bytes at 0; stride 8, n times} }
// { tables {in void view(double*, int, int)} {trip count r*c, exact} {by ranges of r iterations}
//   {writes 8 bytes at 0; stride 8*c, r times (shared); stride 8, c times (shared); exact} }
