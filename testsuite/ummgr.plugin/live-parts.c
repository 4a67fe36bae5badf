/* Overwritten in part, or perhaps: would break if that were taken to end what was
   there, which would then be thrown away though a region or the host still wants
   it.  Only what is called all is dead.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <stdlib.h>
#include <string.h>

struct pair { int x, y; };

/* One member of two.  */
int
member (int *out)
{
  struct pair p1 = { 1, 2 };
#pragma omp target map(tofrom: p1)
  p1.y = 3;
  p1.x = 4;
#pragma omp target map(to: p1) map(from: out[0:1])
  out[0] = p1.y;
  return out[0];
}

/* One element of many.  */
int
element (int n, int *out)
{
  int p2[64] = { 0 };
#pragma omp target map(tofrom: p2)
  p2[n] = 3;
  p2[n / 2] = 4;
#pragma omp target map(to: p2) map(from: out[0:1])
  out[0] = p2[1];
  return out[0];
}

/* One variable of two.  */
int
either (int n, int *out)
{
  int p3[64] = { 0 }, other[64] = { 0 };
  int *p = n ? p3 : other;
#pragma omp target map(tofrom: p3)
  p3[n] = 3;
  memset (p, 0, sizeof p3);
#pragma omp target map(to: p3) map(from: out[0:1])
  out[0] = p3[1];
  return out[0];
}

/* All but the last.  */
int
most (int n, int *out)
{
  int p4[64] = { 0 };
#pragma omp target map(tofrom: p4)
  p4[n] = 3;
  memset (p4, 0, sizeof p4 - sizeof *p4);
#pragma omp target map(to: p4) map(from: out[0:1])
  out[0] = p4[63];
  return out[0];
}

/* Sometimes.  */
int
sometimes (int n, int *out)
{
  int p5[64] = { 0 };
#pragma omp target map(tofrom: p5)
  p5[n] = 3;
  if (n > 3)
    memset (p5, 0, sizeof p5);
#pragma omp target map(to: p5) map(from: out[0:1])
  out[0] = p5[63];
  return out[0];
}

/* By a function, given one of two; and one that does so sometimes.  */
static struct pair shared;

static void __attribute__ ((noinline))
reset (int n)
{
  if (n)
    shared = (struct pair) { 0, 0 };
}

int
called (int n, int *out)
{
#pragma omp target map(tofrom: shared)
  shared.y = 3;
  reset (n);
#pragma omp target map(to: shared) map(from: out[0:1])
  out[0] = shared.y;
  return out[0];
}

/* What a region may reach by a pointer in what it is given.  */
struct node { int *p; };
int
inside (struct node *list, int *p6, int *out)
{
#pragma omp target map(tofrom: p6[0:64])
  p6[1] = 3;
#pragma omp target map(to: list[0:1]) map(from: out[0:1])
  out[0] = list[0].p[1];
  return out[0];
}

/* What a data construct copies.  */
int
copied (int n, int *out)
{
  int p7[64] = { 0 };
#pragma omp target map(tofrom: p7)
  p7[n] = 3;
#pragma omp target data map(to: p7)
  {
#pragma omp target map(from: out[0:1])
    out[0] = p7[1];
  }
  return out[0];
}

/* One of two is freed.  */
static void __attribute__ ((noinline))
drop (int *p)
{
  free (p);
}

void
dropped (int n, int *out)
{
  int *q1 = malloc (64 * sizeof *q1), *other = malloc (64 * sizeof *other);
#pragma omp target map(tofrom: q1[0:64])
  q1[n] = 3;
  drop (n ? q1 : other);
  if (!n)
    {
#pragma omp target map(to: q1[0:64]) map(from: out[0:1])
      out[0] = q1[1];
    }
}

/* A pointer to it is in what a region is given.  */
int
linked (struct node *list, int *out)
{
  int *q2 = malloc (64 * sizeof *q2);
  list[0].p = q2;
#pragma omp target map(tofrom: q2[0:64])
  q2[1] = 3;
#pragma omp target map(to: list[0:1]) map(from: out[0:1])
  out[0] = list[0].p[1];
  int r = out[0];
  free (q2);
  return r;
}

/* Copied by libgomp, and not used.  */
void
entered (int n)
{
  int q3[64] = { 0 };
#pragma omp target map(tofrom: q3)
  q3[n] = 3;
#pragma omp target enter data map(to: q3)
#pragma omp target exit data map(release: q3)
}

int
whole (int n, int *out)
{
  int all[64] = { 0 };
#pragma omp target map(tofrom: all)
  all[n] = 3;
  memset (all, 0, sizeof all);
#pragma omp target map(to: all) map(from: out[0:1])
  out[0] = all[1];
  return out[0];
}

/* After the first regions, and after the last.  */
/* { dg-final { scan-ummgr-dump-times {live (p[1-7]|shared) .* needed$} 9 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live p[1234578] .* dead$} 6 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live q[123] .* needed$} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live p6 .* needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live all host reads no writes yes .* dead$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live all .* dead$} 2 ummgr-tables } } */
