/* Which writes are proved to happen: would break if a write under a condition
   that is only nearly always true counted as one of all elements; then the old
   ones would be thrown away.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#define N 100

/* All of them.  */
void
good (int *p, int n, int m)
{
#pragma omp target map(from: p[0:n])
  for (int i = 0; i < n; i++)
    p[i] = 1;				/* line 14 */
#pragma omp target teams distribute parallel for map(from: p[0:n])
  for (int i = 0; i < n; i++)
    p[i] = 2;				/* line 17 */
#pragma omp target teams distribute parallel for collapse(2) map(from: p[0:n*m])
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      p[i * m + k] = 3;			/* line 21 */
}





/* Not all of them.  */
void
bad (int *p, int n, int m, int *q)
{
#pragma omp target map(tofrom: p[0:n])
  for (int i = 0; i < n; i++)
    if (i != m)
      p[i] = 1;				/* line 34 */
#pragma omp target map(tofrom: p[0:n])
  for (int i = 0; i < n; i++)
    if (__builtin_expect_with_probability (i != m, 1, 1.0))
      p[i] = 2;				/* line 38 */
#pragma omp target map(tofrom: p[0:n]) map(to: q[0:n])
  for (int i = 0; i < n; i++)
    {
      if (q[i])
	break;
      p[i] = 3;				/* line 44 */
    }
#pragma omp target map(tofrom: p[0:n]) map(to: q[0:n])
  {
    int i;
    for (i = 0; i < n; i++)
      if (q[i])
	goto out;
    for (i = 0; i < n; i++)
      p[i] = 4;				/* line 53 */
  out:;
  }
#pragma omp target map(tofrom: p[0:n])
  if (m)
    for (int i = 0; i < n; i++)
      p[i] = 5;				/* line 59 */
#pragma omp target map(tofrom: p[0:n])
  if (m > 3)
    for (int i = 0; i < n; i++)
      p[i] = 6;				/* line 63 */
#pragma omp target map(tofrom: p[0:n])
  switch (m)
    {
    case 1:
      for (int i = 0; i < n; i++)
	p[i] = 7;			/* line 69 */
      break;
    case 2:
      p[0] = 8;				/* line 72 */
    }
}

static void
some (int *p, int i, int m)
{
  if (i != m)
    p[i] = 9;				/* line 80 */
}

void
called (int *p, int n, int m)
{
#pragma omp target map(tofrom: p[0:n])
  for (int i = 0; i < n; i++)
    some (p, i, m);
}

/* { dg-final { scan-ummgr-dump-times {certain line 1[47] w$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line 21 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {certain line [3-8]\d w$} ummgr-tables } } */
