/* Variables that each device has of its own: would break if what regions do with their arrays
   were not told, or if a number, a constant or a host's variable were taken for one.  */
/* { dg-do compile } */

enum { N = 4096 };

#pragma omp declare target
double table[N], out[N];
static const int known[4] = { 1, 2, 3, 4 };
int count;
double
get (int i)
{
  return table[i];
}
#pragma omp end declare target
double host[N];

void
f (double *z, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: z[0:n])
  for (int i = 0; i < n; i++)
    z[i] += get (i) + known[i & 3] + count;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n / 2; i++)
    out[2 * i] = table[i + 1];			/* line 27 */
#pragma omp target teams distribute parallel for map(tofrom: host)
  for (int i = 0; i < N; i++)
    host[i] = i;
}

/* { dg-final { scan-ummgr-dump-times {static table read$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static out written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 14 r size 8 frequency 1 exact base 0 shared \[8 x n\]} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 27 r size 8 frequency 1 exact base 8 shared \[8 x \(\(n\) / \(2\)\)\]} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 27 w size 8 frequency 1 exact base 0 shared \[16 x \(\(n\) / \(2\)\)\]} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {static (known|count|host)} ummgr-tables } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
