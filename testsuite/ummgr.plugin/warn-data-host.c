/* The host within data constructs: would break if a copy back were called vain
   that undoes what the host wrote meanwhile, or a mapping that another thread,
   or a region of another unit, relies on.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

extern int printf (const char *, ...);
static void set (double *x) { x[0] = 5; }
static double look (const double *x) { return x[0]; }
static double all[100];

double
has (double *b, int n)
{
  double a[100] = { 0 }, s = 0;
#pragma omp target data map(tofrom: a) map(from: b[0:n]) /* { dg-warning "no region in the construct writes it" } */
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    s += look (a) + a[1];
    n = 3;
  }
  return s;
}

void
wrote (double *a, double *b, int n)
{
#pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    a[0] = 5;
  }
#pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    __builtin_memset (a, 0, 8);
  }
#pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    set (a + 1);
  }
  /* A may be what the caller has of it.  */
#pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    all[5] = 5;
  }
#pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
  {
#pragma omp target parallel for
    for (int i = 0; i < n; i++)
      b[i] = i;
    a[0] = 5;
  }
}

double
threads (int n)
{
  double a[100] = { 0 };
#pragma omp parallel num_threads(2)
  {
    if (n)
      {
#pragma omp target data map(tofrom: a)
	{
#pragma omp barrier
#pragma omp barrier
	}
      }
    else
      {
#pragma omp barrier
#pragma omp target map(alloc: a)
	a[3] = 1;
#pragma omp barrier
      }
  }
  return a[3];
}

/* Called in a parallel region elsewhere.  */
void
orphan (double *a, int n)
{
#pragma omp target data map(tofrom: a[0:n])
  {
#pragma omp barrier
#pragma omp barrier
  }
}
