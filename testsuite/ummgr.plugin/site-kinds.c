/* A kind of allocation is not recognised, or taken for another.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <omp.h>
#include <stdlib.h>
#include <sys/mman.h>

typedef int cudaError_t;
cudaError_t cudaMallocManaged (void **, size_t, unsigned);

static double fixed[100];

#define PRAGMA(x) _Pragma (#x)
#define RUN(p, n)                                                             \
  PRAGMA (omp target map(tofrom: p[:n]))                                   \
  for (int i = 0; i < n; i++)                                                 \
    p[i] += i;

int
main (int argc, char **argv)
{
  int n = argc * 100;
  double on_stack[100], vla[n];
  void *aligned, *managed;
  double *a = malloc (n * sizeof *a);
  double *b = calloc (n, sizeof *b);
  double *c = realloc (malloc (n), n * sizeof *c);
  double *d = aligned_alloc (64, n * sizeof *d);
  if (posix_memalign (&aligned, 64, n * sizeof (double))
      || cudaMallocManaged (&managed, n * sizeof (double), 1))
    return 1;
  double *e = aligned, *f = managed;
  double *g = omp_target_alloc (n * sizeof *g, 0);
  double *h = omp_alloc (n * sizeof *h, omp_default_mem_alloc);
  double *j = mmap (NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  volatile double *none = malloc (n);
  on_stack[0] = vla[0] = 0;
  RUN (a, n) RUN (b, n) RUN (c, n) RUN (d, n) RUN (e, n) RUN (f, n)
  RUN (h, n) RUN (j, n) RUN (fixed, 100) RUN (on_stack, 100) RUN (vla, n)
#pragma omp target is_device_ptr(g)
  g[0] = 1;
  none[0] = 1;
  return 0;
}

/* { dg-final { scan-ummgr-dump "site malloc at site-kinds.c:25 in .main. for a reaches$" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site calloc at site-kinds.c:26 in .main. for b reaches$" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument c: realloc at line 27$" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument c: malloc at line 27$" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument d: aligned_alloc at line 28" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument e: posix_memalign at line 29" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument f: cudaMallocManaged at line 30" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument g: omp_target_alloc at line 33" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument h: omp_alloc at line 34" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument j: mmap at line 35" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument fixed: static at line 11" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument on_stack: automatic at line 23" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument vla: alloca at line 23" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-times "data of .*: " 13 ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site malloc at site-kinds.c:37 .*not redirected: it reaches no region" ummgr-sites } } */
