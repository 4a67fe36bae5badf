/* Indices and pointers loaded from memory: would break if they were taken for
   affine, or if what a pointer may lead to were left out.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

struct node { struct node *next; int value; };

void
f (float *a, const int *index, const long *row, struct node *list, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: index[0:n])
  for (int i = 0; i < n; i++)
    a[index[i]] += 1;
#pragma omp target teams distribute parallel for map(from: a[0:n]) map(to: row[0:n + 1])
  for (int i = 0; i < n; i++)
    for (long e = row[i]; e < row[i + 1]; e++)
      a[e] = 0;
#pragma omp target map(tofrom: a[0:n], list[0:1])
  list->next->value = 1;
}

/* { dg-final { scan-ummgr-dump-times {data-dependent .* why a\[\.\.\.\]: index loaded from memory \(index\[\.\.\.\]\)} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {data-dependent .* why a\[\.\.\.\]: index loaded from memory \(row\[\.\.\.\]\)} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use index read$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use a written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use a written unknown why list->\.\.\.: pointer loaded from memory} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line (12|16) \S+ size 4 .*why a.*(exact|affine) } ummgr-tables } } */
