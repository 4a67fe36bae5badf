/* Mapped again and again in a loop: would break if a host's access in between,
   through an alias or by a function, or a changing section were missed.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <stdio.h>

extern void elsewhere (void);

double
has (const double *a, double *b, int n, int steps)
{
  double c[100] = { 1 };
  for (int k = 0; k < steps; k++)
    {
#pragma omp target parallel for map(to: a[0:n]) map(tofrom: b[0:n]) /* { dg-warning ".a. is copied to" } */
      /* { dg-warning ".b. is copied to the device each time" "" { target *-*-* } 15 } */
      for (int i = 0; i < n; i++)
	b[i] += a[i];
      printf ("step %d\n", k);
    }
  for (int k = 0; k < steps; k++)
    {
#pragma omp target parallel for map(to: c) map(tofrom: b[0:n]) /* { dg-warning ".c. is copied to" } */
      for (int i = 0; i < n; i++)
	b[i] += c[i % 100];
      b[k] = 0;
    }
  return c[1];
}

double
nearly (const double *a, double *b, double *d, int n, int steps)
{
  double sum = 0;
  for (int k = 0; k < steps; k++)
    {
#pragma omp target parallel for map(to: a[0:n]) map(tofrom: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] += a[i];
      d[k] = 1;
    }
  for (int k = 0; k < steps; k++)
    {
#pragma omp target parallel for map(tofrom: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] += 1;
      sum += d[k];
    }
  for (int k = 0; k < steps; k++)
    {
#pragma omp target parallel for map(to: a[0:n]) map(tofrom: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] += a[i];
      elsewhere ();
    }
  for (int k = 0; k < steps; k++)
    {
#pragma omp target parallel for map(to: a[k:n]) map(tofrom: d[0:k + 1])
      for (int i = 0; i <= k; i++)
	d[i] += a[k];
    }
  /* Turned about.  */
  for (int k = 0; k < steps; k++)
    {
#pragma omp target parallel for map(to: d[0:n]) map(from: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] = d[i];
      double *t = d;
      d = b;
      b = t;
    }
  for (int k = 0; k < steps; k++)
    if (k == 1)
      {
#pragma omp target parallel for map(to: a[0:n]) map(tofrom: b[0:n])
	for (int i = 0; i < n; i++)
	  b[i] += a[i];
      }
  return sum;
}

void
not (const double *a, double *b, int n)
{
#pragma omp target parallel for map(to: a[0:n]) map(tofrom: b[0:n])
  for (int i = 0; i < n; i++)
    b[i] += a[i];
}

/* { dg-final { scan-ummgr-output {.-fplugin-arg-ummgr-warn remapped.$} } } */
