// An explosion in a row of gas, with std::vector members: fifteen regions, each of which maps what it uses.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <vector>

// Elements, nodes.
enum { M = 20000, N = M + 1, CYCLES = 8 };

typedef std::vector<double> field;

class blast
{
public:
  blast ();
  void forces ();
  void motion (double dt);
  void strain (double dt);
  void viscosity ();
  void energy (double dt);
  void pressure ();
  double slowest () const;

  // Of nodes: position, velocity, acceleration, force, mass.
  field x, xd, xdd, fx, mass;
  // Of elements: energy, pressure, viscosity, relative volume and its change, length, speed of
  // sound, work, stress.
  field e, p, q, v, delv, arealg, ss, work, sig;
};

blast::blast () : x (N), xd (N), xdd (N), fx (N), mass (N, 1.0), e (M), p (M),
  q (M), v (M, 1.0), delv (M), arealg (M), ss (M), work (M), sig (M)
{
  for (int i = 0; i < N; i++)
    x[i] = i;
  for (int k = 0; k < M; k++)
    e[k] = k < 4 ? 8.0 : 0.25 + k % 3 / 16.0;
}

// From the stress in the elements at a node's sides, the force on it.
void
blast::forces ()
{
  double *f = fx.data (), *s = sig.data (), *pressure = p.data (), *viscous = q.data ();
#pragma omp target teams distribute parallel for map(to: pressure[0:M], viscous[0:M]) map(from: s[0:M]) // HERE
  for (int k = 0; k < M; k++)
    s[k] = -pressure[k] - viscous[k];
#pragma omp target teams distribute parallel for map(from: f[0:N]) // HERE
  for (int i = 0; i < N; i++)
    f[i] = 0;
#pragma omp target teams distribute parallel for map(to: s[0:M]) map(tofrom: f[0:N]) // HERE
  for (int i = 1; i < N - 1; i++)
    f[i] += s[i] - s[i - 1];
}

void
blast::motion (double dt)
{
  double *at = x.data (), *velocity = xd.data (), *a = xdd.data (), *f = fx.data (), *m = mass.data ();
#pragma omp target teams distribute parallel for map(to: f[0:N], m[0:N]) map(from: a[0:N]) // HERE
  for (int i = 0; i < N; i++)
    a[i] = f[i] / m[i];
#pragma omp target teams distribute parallel for map(to: a[0:N]) map(tofrom: velocity[0:N]) // HERE
  for (int i = 0; i < N; i++)
    velocity[i] += dt * a[i];
#pragma omp target teams distribute parallel for map(to: velocity[0:N]) map(tofrom: at[0:N]) // HERE
  for (int i = 0; i < N; i++)
    at[i] += dt * velocity[i];
}

void
blast::strain (double dt)
{
  double *at = x.data (), *velocity = xd.data (), *length = arealg.data (), *change = delv.data (), *volume = v.data ();
#pragma omp target teams distribute parallel for map(to: at[0:N]) map(from: length[0:M]) // HERE
  for (int k = 0; k < M; k++)
    length[k] = at[k + 1] - at[k];
#pragma omp target teams distribute parallel for map(to: velocity[0:N]) map(from: change[0:M]) // HERE
  for (int k = 0; k < M; k++)
    change[k] = velocity[k + 1] - velocity[k];
#pragma omp target teams distribute parallel for map(to: change[0:M]) map(tofrom: volume[0:M]) // HERE
  for (int k = 0; k < M; k++)
    volume[k] += dt * change[k];
}

void
blast::viscosity ()
{
  double *viscous = q.data (), *change = delv.data (), *sound = ss.data ();
#pragma omp target teams distribute parallel for map(to: change[0:M], sound[0:M]) map(from: viscous[0:M]) // HERE
  for (int k = 0; k < M; k++)
    viscous[k] = change[k] < 0 ? change[k] * (2 * change[k] - 0.5 * sound[k]) : 0;
}

void
blast::energy (double dt)
{
  double *internal = e.data (), *pressure = p.data (), *vis = q.data (), *change = delv.data (), *w = work.data ();
#pragma omp target teams distribute parallel for map(to: pressure[0:M], vis[0:M], change[0:M]) map(from: w[0:M]) // HERE
  for (int k = 0; k < M; k++)
    w[k] = (pressure[k] + vis[k]) * change[k];
#pragma omp target teams distribute parallel for map(to: w[0:M]) map(tofrom: internal[0:M]) // HERE
  for (int k = 0; k < M; k++)
    internal[k] -= dt * w[k];
}

void
blast::pressure ()
{
  double *internal = e.data (), *volume = v.data (), *pressure = p.data (), *sound = ss.data ();
#pragma omp target teams distribute parallel for map(to: internal[0:M], volume[0:M]) map(from: pressure[0:M]) // HERE
  for (int k = 0; k < M; k++)
    pressure[k] = 2.0 / 3 * internal[k] / volume[k];
#pragma omp target teams distribute parallel for map(to: pressure[0:M], volume[0:M]) map(from: sound[0:M]) // HERE
  for (int k = 0; k < M; k++)
    sound[k] = 1 + pressure[k] * volume[k] / 8;
}

double
blast::slowest () const
{
  const double *length = arealg.data (), *sound = ss.data ();
  double fastest = 0;
#pragma omp target teams distribute parallel for map(to: length[0:M], sound[0:M]) reduction(max: fastest) // HERE
  for (int k = 0; k < M; k++)
    fastest = sound[k] / length[k] > fastest ? sound[k] / length[k] : fastest;
  return 1 / fastest;
}

int
main ()
{
  blast b;
  double dt = 1e-3, time = 0;
#ifdef MENDED
  double *x = b.x.data (), *xd = b.xd.data (), *xdd = b.xdd.data (), *fx = b.fx.data (), *mass = b.mass.data (),
    *e = b.e.data (), *p = b.p.data (), *q = b.q.data (), *v = b.v.data (), *delv = b.delv.data (),
    *arealg = b.arealg.data (), *ss = b.ss.data (), *work = b.work.data (), *sig = b.sig.data ();
#pragma omp target data map(to: mass[0:N]) map(from: fx[0:N], xdd[0:N]) \
  map(from: sig[0:M], arealg[0:M], work[0:M]) \
  map(tofrom: delv[0:M], p[0:M], q[0:M], ss[0:M], e[0:M], v[0:M], x[0:N], xd[0:N])
#endif
  for (int cycle = 0; cycle < CYCLES; cycle++) // LOOP
    {
      b.pressure ();
      b.viscosity ();
      b.forces ();
      b.motion (dt);
      b.strain (dt);
      b.energy (dt);
      time += dt;
      dt = 1e-2 * b.slowest ();
    }
  double energy = 0;
  for (int k = 0; k < M; k++)
    energy += b.e[k];
  std::printf ("%.12g %.12g %.12g %.12g\n", time, energy, b.x[2], b.v[3]);
}
