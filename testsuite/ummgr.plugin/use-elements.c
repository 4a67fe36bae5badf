/* Sections of members of an array's elements: would break if an element that a variable says
   were taken for another, if one were followed that the region may change, or if what a region
   does with an array in a struct, by a pointer that GCC made of its subscripts, were told of the
   struct.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-ummgr-without-gcc "11" "refuses members that are reached through pointers in map clauses" } */

struct block { long n; double *u, *v; } block[16];
struct { long n; struct block part[8]; } all;
struct gauges { int at[512]; double level[512], highest[512]; } gauges;

void
f (int b, int c, long n)
{
#pragma omp target teams distribute parallel for map(to: block[b].u[0:n]) map(from: block[b].v[0:n])
  for (long i = 0; i < n; i++)
    block[b].v[i] = block[b].u[i];			/* line 17 */
#pragma omp target teams distribute parallel for map(to: block[2 * b + c + 1].u[0:n])	\
  map(from: block[b].v[0:n])
  for (long i = 0; i < n; i++)
    block[b].v[i] = block[2 * b + c + 1].u[i];		/* line 21 */
#pragma omp target teams distribute parallel for map(to: all.part[b].u[0:n]) map(from: all.part[c].v[0:n])
  for (long i = 0; i < n; i++)
    all.part[c].v[i] = all.part[b].u[i];		/* line 24 */
  /* Not that element.  */
#pragma omp target teams distribute parallel for map(from: block[b].v[0:n])
  for (long i = 0; i < n; i++)
    block[c].v[i] = 1;					/* line 28 */
#pragma omp target map(from: block[b].v[0:n])
  for (b++; b < 16; b++)
    block[b].v[5] = 1;					/* line 31 */
  /* It is changed.  */
#pragma omp target teams distribute parallel for map(from: block[b].v[0:n])
  for (long i = 0; i < n; i++)
    {
      block[c].v = 0;
      block[b].v[i] = 1;				/* line 37 */
    }
}

void
g (void)
{
#pragma omp target teams distribute parallel for map(to: gauges.at) map(from: gauges.level)	\
  map(tofrom: gauges.highest)
  for (int i = 0; i < 512; i++)
    {
      gauges.level[i] = gauges.at[i];
      if (gauges.level[i] > gauges.highest[i])		/* line 49 */
	gauges.highest[i] = gauges.level[i];		/* line 50 */
    }
}

/* { dg-final { scan-ummgr-dump-times {use block\.u read$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use block\.v written$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use all\.part\.u read$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use all\.part\.v written$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line (17|21|24) [rw] size 8 frequency 1 exact base 0 shared \[8 x n\]} 6 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {certain line (17|21|24) w} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use block\.v (read )?written unknown} {6 14:9} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line (28|31) w} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use gauges\.at read$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use gauges\.level written$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use gauges\.highest read written$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 49 r size 8 frequency 1 exact base 0 shared \[8 x 512\]} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use gauges$} ummgr-tables } } */
