/* Parallel and data constructs are no target regions: would break if a table
   were emitted for them.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

int
f (int *p, int n)
{
#pragma omp target enter data map(to: p[0:n])
#pragma omp target data map(tofrom: p[0:n])
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    p[i]++;
#pragma omp target update from(p[0:n])
#pragma omp target exit data map(delete: p[0:n])
  return p[0];
}

/* { dg-final { scan-ummgr-dump-not {ummgr} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {table} ummgr-tables } } */
