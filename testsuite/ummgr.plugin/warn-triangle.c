/* Non-rectangular nests, whose bounds are vectors of operands: would break if
   the walk of loops took such a bound for an expression with a type, or missed
   what its operands use.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
has (int *a, int *b, int n, int m)
{
#pragma omp target parallel for collapse(2) map(to: b[0:n]) map(tofrom: a[0:n]) /* { dg-warning ".b. is mapped, but the region never uses it" } */
  for (int i = 0; i < n; i++)
    for (int j = 2 * i + m; j < 3 * i + n; j++)
      a[i] += j;
}

void
not (int *a, int *b, int n)
{
#pragma omp target parallel for collapse(2) map(to: b[0:n]) map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      a[i] += b[j];
#pragma omp target map(to: b[0:n]) map(tofrom: a[0:n])
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = i * 2; j < b[0]; j++)
      a[i] += j;
}
