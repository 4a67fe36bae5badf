/* Copied in and never read: would break if a conditional read, a read through
   an alias or a read by a function were missed, or if elements that a partial
   overwrite leaves were thought to need no copy.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

extern int elsewhere (const int *p);
static int peek (const int *p, int i) { return p[i]; }
static int address (const int *p) { return p != 0; }

void
has (int *a, int *b, int n)
{
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(from: b[0:n]) /* { dg-warning ".a. " } */
  for (int i = 0; i < n; i++)
    {
      a[i / 2] = i;
      b[i] = 2;
    }
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) /* { dg-warning ".a. is copied to" } */
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp target parallel for simd map(tofrom: a[0:100]) /* { dg-warning "never reads" } */
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp target parallel for map(to: a[0:n]) map(from: b[0:n]) /* { dg-warning "never reads" } */
  for (int i = 0; i < n; i++)
    {
      b[i] = address (a);
      a[b[i]] = 1;
    }
}

void
nearly (int *a, int *b, int n, int m)
{
#pragma omp target map(to: a[0:n]) map(from: b[0:n])
  for (int i = 0; i < n; i++)
    {
      a[i] = i;
      b[i] = i > m ? a[m] : 0;
    }
#pragma omp target map(to: a[0:n]) map(from: b[0:n])
  for (int i = 0; i < n; i++)
    {
      int *p = a + m;
      a[i] = i;
      b[i] = p[i];
    }
  int *q = a;
#pragma omp target map(to: a[0:n]) map(from: b[0:n])
  for (int i = 0; i < n; i++)
    {
      a[i] = i;
      b[i] = q[i];
    }
#pragma omp target map(to: a[0:n]) map(from: b[0:n])
  for (int i = 0; i < n; i++)
    {
      a[i] = i;
      b[i] = peek (a, i);
    }
#pragma omp target map(to: a[0:n]) map(from: b[0:n])
  for (int i = 0; i < n; i++)
    {
      a[i] = i;
      b[i] = elsewhere (b);
    }
  /* The rest has to come back as it was.  */
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < m; i++)
    a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    if (i != m)
      a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 1; i < n; i++)
    a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i / 2] = i;
#pragma omp target teams distribute parallel for map(tofrom: a[1:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp target teams distribute parallel for map(always, to: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
}

void
not (int *a, int *b, int n)
{
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(from: b[0:n])
  for (int i = 0; i < n; i++)
    b[i] = a[i];
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i]++;
}

/* { dg-final { scan-ummgr-output {.-fplugin-arg-ummgr-warn unread.$} } } */
