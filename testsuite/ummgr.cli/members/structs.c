/* Sections of members in C.  members.exp says what the comments mean.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

enum { N = 4096, B = 4 };

struct S { int n; double *x, *y; };
struct L { double *a; struct S *in; };
static struct S block[B];

int
main (void)
{
  struct S s = { N, malloc (N * 8), malloc (N * 8) };
  struct S *ps = malloc (sizeof *ps);
  struct L *l = malloc (sizeof *l);
  *ps = (struct S) { N, malloc (N * 8), malloc (N * 8) };
  *l = (struct L) { malloc (N * 8), ps };

#pragma omp target teams distribute parallel for map(to: s.x[0:N]) map(tofrom: s.y[0:N])
  for (int i = 0; i < N; i++)
    s.y[i] += s.x[i];

#pragma omp target teams distribute parallel for map(to: ps[0:1]) map(to: ps->x[0:N]) map(tofrom: ps->y[0:N])
  for (int i = 0; i < ps->n / 2; i++)
    ps->y[i] += ps->x[i];

#pragma omp target teams distribute parallel for map(to: l[0:1], l->in[0:1]) map(from: l->in->x[0:N])
  for (int i = 0; i < N / 2; i++)
    l->in->x[i] = i;

  for (int b = 0; b < B; b++)
    {
      block[b] = (struct S) { N, malloc (N * 8), malloc (N * 8) };
#pragma omp target teams distribute parallel for map(to: block[b].x[0:N]) map(from: block[b].y[0:N])
      for (int i = 0; i < N; i += 2)
	block[b].y[i] = block[b].x[i + 1];
    }

/* What was mapped before: the region has the struct only.  */
#pragma omp target enter data map(to: ps[0:1])
#pragma omp target enter data map(to: ps->x[0:N], ps->y[0:N])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    ps->y[i] = ps->x[i];
  return s.y[5] > 1;
}

/* Until GCC 13 a clause for a member's section has the whole struct mapped, and copied both ways; from GCC 14 on
   only the pointer, which the device gets attached: the struct says how many such members follow.  */
/* { tables gcc12-13 {structs.c:20:9 in main} {5 arguments} {trip count 4096, exact} {by ranges of 4096 iterations} } */
/* { tables gcc14- {structs.c:20:9 in main} {7 arguments} {trip count 4096, exact} {by ranges of 4096 iterations} } */
/* { tables {s.x: to, section, double *, 32768 bytes} {allocated by malloc} {structs.c:14 in main for s.x}
     {read, exact} {locality 4096;} {density 1 } {footprint [0, 32768)} } */
/* { tables {s.y: tofrom, section, double *, 32768 bytes} {read and written, exact}
     {locality 4096 + 4096;} {density 1 } } */
/* { tables gcc12-13 {s: tofrom, record, struct S, 24 bytes} {read, exact} {footprint [8, 24)} } */
/* { tables gcc14- {s: struct, record, struct S, elements of 24} {the automatic variable s} } */
/* { tables gcc14- {s.x: alloc, pointer, double *, 8 bytes} {the automatic variable s} {read, exact}
     {locality 4096;} {footprint [0, 8)} } */
/* { tables gcc14- {s.y: alloc, pointer, double *, 8 bytes} {the automatic variable s} {read, exact}
     {locality 4096;} {footprint [0, 8)} } */
/* { tables {trip count ps->n/2, exact} } */
/* { tables {ps->y: tofrom, section, double *} {allocated by malloc}
     {locality ps->n/2 + ps->n/2;} {stride 8, ps->n/2 times} } */
/* { tables {l->in->x: from, section, double *, 32768 bytes} {written, exact} {density 0.5 } {footprint [0, 16384)} } */
/* { tables gcc12-13 {block: tofrom, array, struct S[4]} {the static variable block}
     {reads 8 bytes at 24*b + 8; 2048 times} } */
/* { tables gcc14- {block: struct_unord, record, struct S[4]} {the static variable block}
     {reads 8 bytes at 24*b + 8; 2048 times} } */
/* { tables gcc14- {block.x: alloc, pointer, double *, 8 bytes} {the static variable block} } */
/* { tables {block.x: to, section} {in main for block.x} {read, exact} {reads 8 bytes at 8; stride 16, 2048 times} } */
/* { tables {block.y: from, section} {in main for block.y} {written, exact}
     {writes 8 bytes at 0; stride 16, 2048 times} } */
/* { tables {behind the pointer ps->x, at 8 of 0 ps: read}
     {reads 8 bytes at 0; stride 8, 4096 times (shared); exact} } */
/* { tables {behind the pointer ps->y, at 16 of 0 ps: written}
     {writes 8 bytes at 0; stride 8, 4096 times} } */
