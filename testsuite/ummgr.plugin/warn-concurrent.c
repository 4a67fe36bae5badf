/* Regions that may be there at the same time: would break if one were told to
   map less than another relies on.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
threads (int *a, int *b, int n)
{
#pragma omp parallel
  {
    /* Who maps it first copies it in for all.  */
#pragma omp target map(to: a[0:n])
    for (int i = 0; i < n / 2; i++)
      a[i] = i;
    /* Who has it last copies it back for all.  */
#pragma omp target map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
      if (a[i] < 0)
	__builtin_trap ();
    /* Nobody else can want this.  */
#pragma omp target parallel for map(tofrom: a[0:100]) /* { dg-warning ".a. is copied to" } */
    for (int i = 0; i < 100; i++)
      a[i] = i;
#pragma omp target map(to: a[0:n]) map(tofrom: b[0:n]) /* { dg-warning "never uses" } */
    for (int i = 0; i < n; i++)
      b[i]++;
  }
#pragma omp single
  {
#pragma omp target map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
      if (a[i] < 0)
	__builtin_trap ();
  }
}

int
here (int n)
{
  int c[100] = { 0 }, d[100] = { 0 }, s = 0;
  /* Only the function itself can map them, and waits.  */
#pragma omp target map(tofrom: c) map(tofrom: s) /* { dg-warning ".c. is copied back" } */
  for (int i = 0; i < n; i++)
    s += c[i];
#pragma omp target map(tofrom: d) map(tofrom: s)
  for (int i = 0; i < n; i++)
    s += d[i];
#pragma omp target map(tofrom: d) nowait
  for (int i = 0; i < n; i++)
    d[i]++;
#pragma omp taskwait
  return s;
}

void
elsewhere (int *a, int n)
{
#pragma omp target map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    if (a[i] < 0)
      __builtin_trap ();
#pragma omp target map(to: a[0:n])
  for (int i = 0; i < n; i++)
    a[i / 2] = i;
}
