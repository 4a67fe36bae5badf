/* How iterations are shared out: would break if a clause were taken from another loop, an
   unknown chunk for none, a bound of num_teams for the other, or if regions without clauses
   had any.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-O2" } */

void
known (double *a, int n, int t)
{
#pragma omp target teams distribute parallel for num_teams(8) thread_limit(t) \
	dist_schedule(static, 64) schedule(dynamic, 4) map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += 1;
}

void
argument (double *a, int n, int c)
{
#pragma omp target teams distribute dist_schedule(static, c) map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += 1;
}

void
unknown (double *a, int n, int c)
{
#pragma omp target teams distribute parallel for dist_schedule(static, c & 31) \
	schedule(static, c + 1) map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += 1;
}

void
nested (double *a, int n)
{
#pragma omp target teams distribute dist_schedule(static) map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    {
#pragma omp parallel for schedule(guided)
      for (int j = 0; j < 10; j++)
	a[10 * i + j] += 1;
#pragma omp parallel for schedule(static, 2)
      for (int j = 0; j < 10; j++)
	a[10 * i + j] += 1;
    }
}

void
none (double *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += 1;
}

/* { dg-final { scan-ummgr-dump {share num_teams 8 thread_limit (t|#[0-9]) dist_schedule static by 64 schedule dynamic by 4$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {share dist_schedule static by c$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {share dist_schedule static by \? schedule static by c \+ 1$} ummgr-tables } } */
/* What a chunk is does not matter to which places are accessed.  */
/* { dg-final { scan-ummgr-dump-times {exact base 0 shared \[8 x n\]$} 8 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {share dist_schedule static schedule mixed by \?$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ummgr:   share} 4 ummgr-tables } } */
