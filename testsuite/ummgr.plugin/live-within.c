/* Which memory the host and devices may share without anybody being able to tell.  Would break if data were shared that
   the host uses while a construct maps it, or whose own value it wants back.  */
/* { dg-do compile } */

#include <stdlib.h>

extern void unseen (double *);
extern int flag;

#define PRAGMA(X) _Pragma (#X)
#define REGION(X, N) PRAGMA (omp target teams distribute parallel for) for (int i = 0; i < N; i++) X[i] += i;

static __attribute__ ((noinline)) double
sum (const double *x, int n)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

static __attribute__ ((noinline)) double *
make (int n)
{
  double *p = malloc (n * sizeof *p);
  for (int i = 0; p && i < n; i++)
    p[i] = i;
  return p;
}

static __attribute__ ((noinline)) void
step (double *to, const double *from, int n)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    to[i] = from[i] + 1;
}

/* What comes back; what is only read; what is nobody's but the regions'.  */
double
shared (int n)
{
  double *yes1 = make (n), *yes2 = make (n), *yes3 = malloc (n * sizeof *yes3);
#pragma omp target data map(tofrom: yes1[0:n]) map(to: yes2[0:n]) map(alloc: yes3[0:n])
  for (int k = 0; k < 5; k++)
    {
      step (yes3, yes2, n);
      step (yes1, yes3, n);
#pragma omp target data map(from: yes1[0:n])
      step (yes1, yes3, n);
    }
  double s = sum (yes1, n) + sum (yes2, n);
  free (yes1), free (yes2), free (yes3);
  return s;
}

/* By its own clauses, and the host between regions.  */
double
alone (int n)
{
  double *yes4 = make (n), s = 0;
  for (int k = 0; k < 5; k++)
    {
#pragma omp target teams distribute parallel for map(tofrom: yes4[0:n])
      for (int i = 0; i < n; i++)
	yes4[i] *= 2;
      s += sum (yes4, n);
    }
  free (yes4);
  return s;
}

/* The host reads, or writes, in between, by itself or in a call, or a region on it may.  */
double
touched (int n)
{
  double *no1 = make (n), *no2 = make (n), *no3 = make (n), *no4 = make (n), s = 0;
#pragma omp target data map(tofrom: no1[0:n], no2[0:n], no3[0:n], no4[0:n])
  {
    REGION (no1, n)
    s += no1[5];
    REGION (no2, n)
    no2[5] = 1;
#pragma omp target data map(to: no1[0:n])
    REGION (no3, n)
    s += sum (no3, n);
#pragma omp target teams distribute parallel for if(flag)
    for (int i = 0; i < n; i++)
      no4[i]++;
  }
  s += no1[0] + no2[0] + no3[0] + no4[0];
  free (no1), free (no2), free (no3), free (no4);
  return s;
}

/* What regions write in vain: the host reads its own later, or copies it again.  */
double
held (int n)
{
  double *no5 = make (n), *no6 = make (n), *no7 = make (n), *no12 = make (n), s;
#pragma omp target data map(to: no5[0:n])
  REGION (no5, n)
  s = no5[3];
  for (int k = 0; k < 2; k++)
#pragma omp target data map(to: no6[0:n])
    REGION (no6, n)
#pragma omp target data map(alloc: no7[0:n])
  {
#pragma omp target update to(no7[0:n])
    REGION (no7, n)
  }
#pragma omp target data map(tofrom: no12[0:n])
  {
    REGION (no12, n)
#pragma omp target update to(no12[0:n])
  }
  s += no12[0];
  free (no5), free (no6), free (no7), free (no12);
  return s;
}

/* What others may get at, what is mapped until further notice, and what another function gets.  */
static double *no10;

double *
elsewhere (int n)
{
  double *no8 = make (n), *no9 = make (n), *no11 = make (n);
  no10 = make (n);
  unseen (no8);
#pragma omp target enter data map(to: no9[0:n])
#pragma omp target data map(tofrom: no8[0:n], no10[0:n], no11[0:n])
  {
    REGION (no8, n)
    REGION (no9, n)
    REGION (no10, n)
    REGION (no11, n)
  }
#pragma omp target exit data map(from: no9[0:n])
  free (no8), free (no9);
  return no11;
}

/* { dg-final { scan-ummgr-dump-times {may be shared: (make|malloc) at live-within.c:\d+ for yes[1-4]$} 4 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {may be shared} 4 ummgr-tables } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
