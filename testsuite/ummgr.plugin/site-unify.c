/* An allocation that must not be redirected is, one that may be is not, or the
   reason is not said.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-O0 -fplugin-arg-ummgr-unify" } */

#include <omp.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PRAGMA(x) _Pragma (#x)
#define RUN(p)                                                                \
  PRAGMA (omp target map(tofrom: p[:8]))                                   \
  p[0] += 1;

static double fixed[8];
static jmp_buf jump;
static void *get (size_t n) { void *p = malloc (n); if (!p) abort (); return p; }
static void *many (size_t n, ...) { void *p = malloc (n); return p; }

#pragma omp declare target
static double *both_sides (void) { double *p = malloc (64); p[0] = 1; return p; }
#pragma omp end declare target

void
sites (omp_allocator_handle_t own)
{
  double *a = malloc (64);
  double *b = malloc (8192);
  double *c = omp_alloc (64, omp_large_cap_mem_alloc);
  double *d = omp_alloc (64, own);
  double *e = omp_target_alloc (64, 0);
  double *f = get (64);
  double *g = get (64);
  double *h = many (64);
  double *k = both_sides ();
  mprotect (b, 4096, PROT_READ);
  RUN (a) RUN (b) RUN (c) RUN (d) RUN (f) RUN (h) RUN (k) RUN (fixed)
#pragma omp target is_device_ptr(e)
  e[0] = 1;
  g[0] = 1;
}

void
jumps (void)
{
  double *m = malloc (64);
  if (setjmp (jump) == 0)
    RUN (m)
}

/* { dg-final { scan-ummgr-dump "site malloc at site-unify.c:28 .* redirected$" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site malloc at site-unify.c:29 .*not redirected: escapes to `mprotect'" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site omp_alloc at site-unify.c:30 .* redirected$" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site omp_alloc at site-unify.c:31 .*not redirected: its allocator may have traits" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site omp_target_alloc at site-unify.c:32 .*not redirected: it is not ordinary memory" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site get at site-unify.c:33 .* redirected$" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site get at site-unify.c:34 .*not redirected: it reaches no region" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site many at site-unify.c:35 .*not redirected: `many' can't be copied: variable arguments" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site both_sides at site-unify.c:36 .*not redirected: `both_sides' may run on devices" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site static at site-unify.c:16 .*not redirected: its place is static" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site malloc at site-unify.c:47 .*not redirected: its function may be left and entered" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-times "unify: copy of" 1 ummgr-unify } } */
/* { dg-final { scan-ummgr-dump "unify: copy of get" ummgr-unify } } */
