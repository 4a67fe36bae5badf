/* Members through this and through references: would break if a section were not what
   the region finds there, or if a reference that threads share were lost on the way; or if,
   where the object is mapped, too, the section of no length that G++ adds were taken for
   another.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-ummgr-without-gcc "11" "refuses members that are reached through pointers in map clauses" } */

struct grid
{
  double *u, *v;
  int n;
  void step ();
  void step_from (int first);
};

void
grid::step ()
{
#pragma omp target teams distribute parallel for map(to: u[0:n]) map(tofrom: v[0:n])
  for (int i = 0; i < n; i++)
    v[i] += u[i];			/* line 21 */
}

void
step (grid &g, int n)
{
#pragma omp target teams distribute parallel for map(to: g.u[0:n]) map(tofrom: g.v[0:n])
  for (int i = 0; i < n; i++)
    g.v[i] += g.u[i];			/* line 29 */
}

void
grid::step_from (int first)
{
#pragma omp target teams distribute parallel for map(to: this[0:1], this->u[1:first]) \
  map(tofrom: this->v[4:first])
  for (int i = 0; i < first; i++)
    v[i + 4] += u[i + 1];		/* line 38 */
}

/* { dg-final { scan-ummgr-dump {use this->u read$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use this->v read written$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 21 [rw] size 8 frequency 1 exact base 0 shared \[8 x this(->n|@16)\]} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use g\.u read$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use g\.v read written$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 29 [rw] size 8 frequency 1 exact base 0 shared \[8 x n\]} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 38 [rw] size 8 frequency 1 exact base 0 shared \[8 x first\]} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {unknown|behind} ummgr-tables } } */
