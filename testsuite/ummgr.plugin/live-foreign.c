/* Memory that another name may stand for: would break if what is done by that other
   name were not seen, and data were thrown away that somebody needs.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <stdlib.h>

static int *stash;

void
keep (int *p)
{
  stash = p;
}

/* Read by another name, between two regions.  */
int
read_by_other (int *f1, int *other, int n)
{
#pragma omp target map(tofrom: f1[0:n])
  f1[0] = 1;
  int s = other[1];
#pragma omp target map(tofrom: f1[0:n])
  f1[0] = 2;
  free (f1);
  return s;
}

/* Used by a region by another name: whether the host's read comes first isn't sure.  */
int
region_by_other (int *f2, int *other, int n)
{
#pragma omp target map(tofrom: f2[0:n])
  f2[0] = 1;
#pragma omp target map(tofrom: other[0:n])
  other[0] += 1;
  int s = f2[1];
  free (f2);
  return s;
}

/* Reached by a region through a pointer in what it gets.  */
void
region_by_pointer (int *f3, int n)
{
  int *own = malloc (n * sizeof *own);
#pragma omp target map(tofrom: f3[0:n])
  f3[0] = 1;
#pragma omp target map(tofrom: own[0:n])
  own[0] = 1;
  free (own);
  free (f3);
}

/* Read at the program's end.  */
void
read_at_exit (int *f4, int n)
{
#pragma omp target map(tofrom: f4[0:n])
  f4[0] = 1;
  exit (0);
}

/* Read by a callee, from a pointer that it loads.  */
static int __attribute__ ((noinline))
peek (void)
{
  return stash[1];
}

int
read_by_callee (int *f5, int n)
{
#pragma omp target map(tofrom: f5[0:n])
  f5[0] = 1;
  int s = peek ();
#pragma omp target map(tofrom: f5[0:n])
  f5[0] = 2;
  free (f5);
  return s;
}

/* By something that isn't understood.  */
void
touched_by_asm (int *f6, int n)
{
#pragma omp target map(tofrom: f6[0:n])
  f6[0] = 1;
  __asm__ volatile ("" ::: "memory");
#pragma omp target map(tofrom: f6[0:n])
  f6[0] = 2;
  free (f6);
}

/* Nobody else has it.  */
int
alone (int *other, int n)
{
  int *f7 = malloc (n * sizeof *f7);
#pragma omp target map(from: f7[0:n])
  f7[0] = 1;
  int s = other[1] + peek ();
#pragma omp target map(tofrom: f7[0:n])
  f7[0] += 2;
  free (f7);
  return s;
}

/* { dg-final { scan-ummgr-dump-times {live f1 host reads maybe writes no .* needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live f2 host reads maybe writes no .* needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live f3 host reads no writes no .* needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live f4 host reads (yes|maybe) .* needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live f5 host reads maybe writes no .* needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live f6 host reads maybe writes maybe .* needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live f7 host reads no writes no .* needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live f[1-7] host reads no writes no .* dead$} 4 ummgr-tables } } */
