/* Whole data constructs: would break if host code in between were taken for a
   region's, or a region, an update or a call within for nothing.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

extern void elsewhere (void);
static void run (double *a, int n)
{
#pragma omp target parallel for
  for (int i = 0; i < n; i++)
    a[i] = i;
}
static int twice (int n) { return 2 * n; }

void
has (const double *a, double *b, double *c, int n)
{
#pragma omp target data map(tofrom: a[0:n]) map(tofrom: b[0:n]) map(to: c[0:n])
  /* { dg-warning "but no region in the construct writes it" "" { target *-*-* } 17 } */
  /* { dg-warning ".c. is mapped, but no region in the construct uses it" "" { target *-*-* } 17 } */
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    n = twice (n);
    c[0] = 1;
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] *= a[i];
  }
}

void
nearly (double *a, double *b, double *c, int n)
{
#pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    run (a, n);
  }
#pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    elsewhere ();
  }
#pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i];
#pragma omp target update to(a[0:n])
  }
  /* Comes back here, what no region wrote as well.  */
#pragma omp target data map(to: a[0:n])
  {
#pragma omp target data map(always, from: a[0:n])
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      a[i / 2] = i;
  }
#pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n]) use_device_ptr(a)
  elsewhere ();
  /* C may point into A.  */
#pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      {
	b[i] = a[i];
	c[i] = 1;
      }
  }
}

void
not (const double *a, double *b, int n)
{
#pragma omp target data map(to: a[0:n]) map(from: b[0:n])
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i];
#pragma omp target map(tofrom: b[0:n])
    b[0] = 1;
  }
#pragma omp target enter data map(to: a[0:n])
#pragma omp target map(tofrom: a[0:n]) map(from: b[0:n])
  b[0] = a[0];
#pragma omp target exit data map(delete: a[0:n])
}
