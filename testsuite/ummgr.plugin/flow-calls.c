/* Calls on the way to regions: would break if those of other units, of local
   functions, by libgomp or by pointer were lost, or those that lead nowhere
   kept.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <stdlib.h>

extern void elsewhere (int *);

static int
compare (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

static void __attribute__ ((noinline))
deep (int *p, int n)
{
#pragma omp target map(tofrom: p[0:n])
  p[0]++;
  if (p[1] > n)
    deep (p, n - 1);
}

static int __attribute__ ((noinline))
harmless (int n)
{
  return n * 3;
}

void
step (int *p, int n, void (*f) (int *))
{
  n = harmless (n);
  qsort (p, n, sizeof *p, compare);
  f (p);
  elsewhere (p);
#pragma omp parallel
  {
#pragma omp single
    deep (p, n);
  }
}

/* A call that does not return leaves only what goes on.  */
void
leave (int *p, int n)
{
#pragma omp target map(tofrom: p[0:n])
  p[0]++;
  if (p[0] > n)
    abort ();
#pragma omp target map(tofrom: p[0:n])
  p[0]++;
}

/* { dg-final { scan-ummgr-dump-times {flow of deep: blocks 3 edges 4 events 2$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow of step: blocks 2 edges 2 events 3$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event step 1 unknown$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event step 1 call elsewhere$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event step 1 call step\._omp_fn\.\d$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event step\._omp_fn\.\d \d call deep$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event leave \d launch \d$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge leave 1 -> 2 } 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {harmless|flow of compare|call abort} ummgr-tables } } */
