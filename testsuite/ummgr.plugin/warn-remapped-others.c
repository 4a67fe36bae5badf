/* What one map around the loop would change though the host keeps away: would
   break if a region's writes that are thrown away each time were kept, if
   results of another region got lost, or if a region that nobody waits for, or
   that waits for others, were taken for one in step with the loop.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
has (int *a, int *b, int n, int steps)
{
  int c[100] = { 1 };
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(to: a[0:n]) map(tofrom: b[0:n]) /* { dg-warning ".a. is copied to the device each time" } */
      /* { dg-warning ".b. is copied to the device each time" "" { target *-*-* } 13 } */
      for (int i = 0; i < n; i++)
	b[i] += a[i];
#pragma omp target map(to: a[0:n]) map(tofrom: b[0:n]) /* { dg-warning ".a. is copied to the device each time" } */
      /* { dg-warning ".b. is copied to the device each time" "" { target *-*-* } 17 } */
      for (int i = 0; i < n; i++)
	b[i] -= 2 * a[i];
#pragma omp target map(tofrom: c) /* { dg-warning ".c. is copied to the device each time" } */
      c[t % 100]++;
    }
}

/* Begins with the host's values each time.  */
void
scratch (int *a, int *b, int n, int steps)
{
  int c[100] = { 1 };
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(to: a[0:n]) map(from: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] = a[i]++;
    }
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(to: c) map(from: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] = c[i];
#pragma omp target map(to: c) map(from: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] = ++c[i];
    }
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(to: c) map(from: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] = c[i];
#pragma omp target map(alloc: c) map(from: b[0:n])
      for (int i = 0; i < n; i++)
	{
	  c[i % 100] = i;
	  b[i] = c[i % 100];
	}
    }
}

/* A map to the device around the loop would never bring it back.  */
void
results (int *a, int *b, int n, int steps)
{
  int c[100] = { 1 };
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(to: c) map(from: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] = c[i];
      if (t == 3)
	{
#pragma omp target map(tofrom: c)
	  c[t]++;
	}
    }
  /* Perhaps of the same memory.  */
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(to: a[0:n])
      for (int i = 0; i < n; i++)
	if (a[i] < 0)
	  __builtin_trap ();
#pragma omp target map(from: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] = i;
    }
  /* Of parts of it.  */
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(tofrom: c[0:60])
      c[t % 60]++;
#pragma omp target map(tofrom: c[40:60])
      c[t % 60 + 40]++;
    }
}

/* Copies what the host has, which would be old.  */
void
host (int n, int steps)
{
  int c[100] = { 1 }, s = 0;
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(tofrom: c)
      for (int i = 0; i < 100; i++)
	c[i]++;
#pragma omp target firstprivate(c) map(tofrom: s) /* { dg-warning ".s. is copied" } */
      for (int i = 0; i < 100; i++)
	s += c[i];
    }
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(tofrom: c)
      for (int i = 0; i < 100; i++)
	c[i]++;
#pragma omp target map(always, tofrom: c)
      for (int i = 0; i < 100; i++)
	c[i]++;
    }
}

void
step (int *a, int n, int steps)
{
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(tofrom: a[0:n]) nowait
      for (int i = 0; i < n; i++)
	a[i]++;
    }
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(tofrom: a[0:n]) depend(in: a[t])
      for (int i = 0; i < n; i++)
	a[i]++;
    }
#pragma omp parallel
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(tofrom: a[0:n])
      for (int i = 0; i < n; i++)
	a[i]++;
    }
}

/* Another thread comes in between.  */
void
meets (int *a, int *flag, volatile int *go, int n, int steps)
{
  for (int t = 0; t < steps; t++)
    {
      while (__atomic_load_n (flag, __ATOMIC_ACQUIRE) != t)
	;
#pragma omp target map(tofrom: a[0:n])
      for (int i = 0; i < n; i++)
	a[i]++;
    }
  for (int t = 0; t < steps; t++)
    {
      while (*go != t)
	;
#pragma omp target map(to: a[0:n])
      for (int i = 0; i < n; i++)
	if (a[i] < 0)
	  __builtin_trap ();
    }
}

/* No map around the loop could name it.  */
void
inside (int *b, int n, int steps)
{
  for (int t = 0; t < steps; t++)
    {
      int c[100];
#pragma omp target map(tofrom: c) map(from: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] = c[i] = i;
    }
}
