// Members in C++: member functions, and what people put members into.  members.exp says what the
// comments mean.

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
// { tables {classes\.cc:23:9 in void Grid::step\(\)\n[^\n]*\n +trip count this->n, exact\n +by ranges of this->n iterations\n} }
// { tables {this->u: to, section, double \*, elements of 8, [^\n]*\n +data: allocated by new\[\] at [^\n]*classes\.cc:14 in Grid::Grid\(int\)\n(?: +data: [^\n]*\n)* +read, exact\n +locality this->n; bytes per iteration 8\n +line 25: reads 8 bytes at 0; stride 8, this->n times \(shared\); exact\n} }
// { tables {this->v: tofrom, section, double \*, elements of 8, [^\n]*\n +data: allocated by malloc at [^\n]*classes\.cc:14 in Grid::Grid\(int\)\n(?: +data: [^\n]*\n)* +read and written, exact\n +locality this->n \+ this->n; bytes per iteration 8 \+ 8\n} }

void
Grid::half ()
{
#pragma omp target teams distribute parallel for map(to: u[0:N]) map(tofrom: v[0:N])
  for (int i = 0; i < N; i += 2)
    v[i] = u[i] + 1;
}
// { tables {this->u: to, section, double \*, 32768 bytes, elements of 8, [^\n]*\n(?: +data: [^\n]*\n)* +read, exact\n +locality 2048; bytes per iteration 8\n +density 0\.5 [^\n]*\n +footprint \[0, 32760\)\n} }
// { tables {this->v: tofrom, section, double \*, 32768 bytes, elements of 8, [^\n]*\n(?: +data: [^\n]*\n)* +written, exact\n} }

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
// { tables {uu: to, section, double \*, elements of 8, [^\n]*\n(?: +data: [^\n]*\n)* +read, exact\n +locality m; bytes per iteration 8\n} }

template <class F> void
forall (int n, double *x, F f)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
  for (int i = 0; i < n; i++)
    f (i, x);
}
// { tables {in void forall\(int, double\*, F\) \[with F = main\(\)::<lambda\(int, double\*\)>\]\n[^\n]*\n +trip count n, exact\n} }
// { tables {x: tofrom, section, [^\n]*\n(?: +data: [^\n]*\n)* +read and written, exact\n +locality n \+ n; bytes per iteration 8 \+ 8\n} }

static void
add (std::vector<double> &a, std::vector<double> &b)
{
  double *pa = a.data (), *pb = b.data ();
  int n = a.size ();
#pragma omp target teams distribute parallel for map(to: pa[0:n]) map(tofrom: pb[0:n])
  for (int i = 0; i < n; i++)
    pb[i] += pa[i];
}
// { tables {pa: to, section, double \*, elements of 8, [^\n]*\n(?: +data: [^\n]*\n)* +read, exact\n +locality n; bytes per iteration 8\n +line 70: reads 8 bytes at 0; stride 8, n times \(shared\); exact\n} }

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
// { tables {trip count r\*c, exact\n} }
// { tables {writes 8 bytes at 0; stride 8\*c, r times \(shared\); stride 8, c times \(shared\); exact\n} }

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
