/* Sections of members: would break if what is found behind a pointer in a struct were
   not the section that the same launch maps, if a bias were lost, or if a pointer that
   the region assigns to, or that two sections may be behind, were trusted.  What is
   attached may have been attached before to something else, so nothing there is
   certain.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-ummgr-without-gcc "11" "refuses members that are reached through pointers in map clauses" } */

struct in { long n; double *x, *y; double w[8]; struct in *next; };

void
f (struct in *p, struct in s, long n, long lo)
{
  /* A variable.  */
#pragma omp target teams distribute parallel for map(to: s.x[0:n]) map(tofrom: s.y[0:n])
  for (long i = 0; i < n; i++)
    s.y[i] += s.x[i];				/* line 17 */
  /* What a pointer points to; the trip count in it.  */
#pragma omp target teams distribute parallel for map(to: p[0:1]) map(from: p->y[0:n])
  for (long i = 0; i < p->n; i++)
    p->y[i] = i;				/* line 21 */
  /* Biases, constant or not.  */
#pragma omp target teams distribute parallel for map(to: s.x[3:n]) map(from: s.y[lo:n])
  for (long i = 0; i < n; i++)
    s.y[lo + i] = s.x[3 + i];			/* line 25 */
  /* Pointers behind pointers.  */
#pragma omp target teams distribute parallel for map(to: p[0:1], p->next[0:1]) map(from: p->next->y[0:n])
  for (long i = 0; i < n; i++)
    p->next->y[i] = i;				/* line 29 */
  /* Another member is written, whichever element of it.  */
#pragma omp target teams distribute parallel for map(tofrom: s) map(from: s.y[0:n])
  for (long i = 0; i < n; i++)
    s.y[i] = s.w[i % 8] = i;			/* line 33 */
  /* The pointer is.  */
#pragma omp target teams distribute parallel for map(tofrom: s) map(from: s.y[0:n])
  for (long i = 0; i < n; i++)
    {
      s.y = s.x;
      s.y[i] = i;				/* line 39 */
    }
  /* Two sections.  */
#pragma omp target teams distribute parallel for map(from: s.y[0:n]) map(from: s.y[n:n])
  for (long i = 0; i < n; i++)
    s.y[i] = i;					/* line 44 */
}

/* { dg-final { scan-ummgr-dump-times {use s\.x read$} {2 14:4} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use s\.y read written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 17 [rw] size 8 frequency 1 exact base 0 shared \[8 x n\]} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 21 w size 8 frequency 1 exact base 0 shared \[8 x p(->n)?\]} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 25 r size 8 frequency 1 exact base 0 shared \[8 x n\]} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 25 w size 8 frequency 1 exact base (-1\*bias\(s\.y\) \+ 8\*lo|8\*lo - bias\(s\.y\)) shared \[8 x n\]} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use p->next->y written$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 29 w size 8 frequency 1 exact base 0 shared \[8 x n\]} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 33 w size 8 frequency 1 exact base 0 shared \[8 x n\]} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use s\.y read written unknown} {2 14:3} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {certain line (17|21|25|29|33) w} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use s\.y written unknown} 4 ummgr-tables } } */
