/* Regions that can be run by ranges, in all forms of loops: would break if the two
   arguments came before others, if a table said anything else of the whole than it
   says without them, or if what a range uses came out wrong.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-split=on" } */

void
f (double *a, double *b, long n, int m, unsigned u, unsigned long w, int step)
{
#pragma omp target teams distribute parallel for map(to: b[0:n]) map(from: a[0:n])
  for (int i = 0; i < m; i++)
    a[i] = b[i];
#pragma omp target teams distribute parallel for map(from: a[0:n])
  for (int i = m - 1; i >= 0; i -= 3)
    a[i] = 1;
#pragma omp target teams distribute parallel for simd collapse(2) map(from: a[0:n * m])
  for (long i = 1; i <= n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = 1;
#pragma omp target parallel for map(from: a[0:n])
  for (unsigned i = 2; i < u; i += 5)
    a[i] = 1;
#pragma omp target teams loop map(from: a[0:n])
  for (unsigned long i = 0; i < w; i++)
    a[i] = 1;
#pragma omp target teams distribute parallel for map(from: a[0:n])
  for (int i = 0; i < m; i += step)
    a[i] = 1;
#pragma omp target teams distribute map(from: a[0:n])
  for (long i = 0; i != n; i++)
    {
#pragma omp parallel for
      for (int j = 0; j < m; j++)
	a[i * m + j] = 1;
    }
}

int table[16];
#pragma omp declare target (table)
double g (double);

double
sums (const double *a, long *most, int *count, int n)
{
  double sum = 0;
  long best = *most;
  int at = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) reduction(max: best) map(to: a[0:n])
  for (int i = 0; i < n; i++)
    {
      sum += a[i];
      best = best > a[i] ? best : (long) a[i];
    }
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: count[0:n], at)
  for (int i = 0; i < n; i++)
    {
      int k;
#pragma omp atomic capture
      k = at++;
      count[k] = table[k & 15] + g (a[i]);
    }
  *most = best;
  return sum;
}

/* { dg-final { scan-ummgr-dump-times {split at split-forms.c:[0-9]+:[0-9]+: by ranges$} 9 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-not {: no} ummgr-split } } */
/* { dg-final { scan-ummgr-dump-not {arg .*(split_|@)} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {use @} ummgr-tables } } */
/* The last of the clauses.  */
/* { dg-final { scan-ummgr-dump-times {ranges in arguments 3 and 4 of m flags 0 } 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {trip m exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 12 w .* exact base 0 shared \[8 x m\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {range line 12 base 8\*@lo \[8 x \(\(@hi\) min \(m\)\) - @lo\]$} 2 ummgr-tables } } */
/* Down, by threes; and not from 0.  */
/* { dg-final { scan-ummgr-dump-times {ranges in arguments 2 and 3 of .*-3.*m} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {range line 15 base 8\*m - 24\*@lo - 8 \[-24 x } 1 ummgr-tables } } */
/* Collapsed: of the outer loop.  */
/* { dg-final { scan-ummgr-dump-times {ranges in arguments 3 and 4 of n } 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 19 w .* exact base 8\*m shared \[8\*m x n\] shared \[8 x m\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {range line 19 base 8\*@lo\*m \+ 8\*m \[8\*m x .*min.*\] \[8 x m\]$} 1 ummgr-tables } } */
/* Unsigned, and the step of a variable.  */
/* { dg-final { scan-ummgr-dump-times {ranges in arguments 2 and 3 of \(\(u \+ 2\) / \(5\)\) } 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ranges in arguments 2 and 3 of w } 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ranges in arguments 3 and 4 of .*step} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 34 w .* shared \[8\*m x n\] shared \[8 x m\]$} 1 ummgr-tables } } */
/* What they do besides.  */
/* { dg-final { scan-ummgr-dump-times {reduction \+ double of argument [0-9]} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {reduction max long int of argument [0-9]} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ranges in .* flags 0xf } 1 ummgr-tables } } */
