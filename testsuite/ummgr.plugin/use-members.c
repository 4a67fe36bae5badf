/* Pointers in structs: would break if what lies behind one were not told, or if a region
   that follows others, or changes them, were taken for one that doesn't.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-split=on" } */

struct in { double *x, *y; struct in *next; };

void
f (struct in *dom, struct in by, long n, double **rows)
{
#pragma omp target teams distribute parallel for is_device_ptr(dom)
  for (long i = 0; i < n; i++)
    dom->x[i] = dom->y[i + 1];
#pragma omp target teams distribute parallel for firstprivate(by)
  for (long i = 0; i < n; i++)
    by.y[i] = 2;
#pragma omp target teams distribute parallel for map(to: dom[0:1]) map(tofrom: dom->x[0:n])
  for (long i = 0; i < n; i++)
    dom->x[i] += 2;
#pragma omp target teams distribute parallel for is_device_ptr(dom)
  for (long i = 0; i < n; i++)
    dom->next->x[i] = 1;
#pragma omp target teams distribute parallel for is_device_ptr(rows)
  for (long i = 0; i < n; i++)
    rows[i][0] = 1;
#pragma omp target teams distribute parallel for is_device_ptr(dom)
  for (long i = 0; i < n; i++)
    {
      if (i == n / 2)
	dom->x = 0;
      dom->x[i] = 1;
    }
}

/* { dg-ummgr-without-gcc "11" "refuses members that are reached through pointers in map clauses" } */
/* { dg-final { scan-ummgr-dump-times {behind dom@0 written$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {behind dom@8 read$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {behind by@8 written$} 1 ummgr-tables } } */
/* What is mapped beside its struct is the argument itself.  */
/* { dg-final { scan-ummgr-dump-times {use dom->x read written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {behind dom@16 } 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {behind rows} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {of n flags 0 } 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {of n flags 0x10 } 3 ummgr-tables } } */
