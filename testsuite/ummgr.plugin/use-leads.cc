/* Members through this and through references: would break if a section were not what
   the region finds there, or if a reference that threads share were lost on the way.  */
/* { dg-do compile } */
/* { dg-require-effective-target gcc12 } */

struct grid
{
  double *u, *v;
  int n;
  void step ();
};

void
grid::step ()
{
#pragma omp target teams distribute parallel for map(to: u[0:n]) map(tofrom: v[0:n])
  for (int i = 0; i < n; i++)
    v[i] += u[i];			/* line 18 */
}

void
step (grid &g, int n)
{
#pragma omp target teams distribute parallel for map(to: g.u[0:n]) map(tofrom: g.v[0:n])
  for (int i = 0; i < n; i++)
    g.v[i] += g.u[i];			/* line 26 */
}

/* { dg-final { scan-ummgr-dump {use this->u read$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use this->v read written$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 18 [rw] size 8 frequency 1 exact base 0 shared \[8 x this(->n|@16)\]} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use g\.u read$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use g\.v read written$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 26 [rw] size 8 frequency 1 exact base 0 shared \[8 x n\]} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {unknown|behind} ummgr-tables } } */
