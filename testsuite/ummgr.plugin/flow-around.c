/* The outermost loop around launches and calls: would break if an inner one, or the last line of
   one that tests at its end, were taken, or a loop that has ended.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
nested (int *a, int n)
{
  for (int i = 0; i < n; i++) /* Line 8.  */
    for (int j = 0; j < i; j++)
      {
#pragma omp target map(tofrom: a[0:n])
	a[j] += i;
      }
}

void
behind (int *a, int n)
{
  int sum = 0;
  while (a[sum] < n)
    sum++;
#pragma omp target map(tofrom: a[0:n])
  a[0] = sum;
}

void
until (int *a, int n)
{
  do
    {
      nested (a, n); /* Line 31.  */
    }
  while (a[0] < n);
}

void
forever (int *a, int n)
{
  for (;;)
    {
#pragma omp target map(tofrom: a[0:n]) /* Line 41.  */
      a[0]++;
      if (a[0] > n)
	break;
    }
}

/* { dg-final { scan-ummgr-dump-times {flow around of nested: the loop at line 8$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow around of behind} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow around of until: the loop at line 31$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow around of forever: the loop at line 41$} 1 ummgr-tables } } */
