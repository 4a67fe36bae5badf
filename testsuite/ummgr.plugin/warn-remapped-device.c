/* Loops over devices, and regions that run on the host at times: would break if
   they were told to map once what each device has a copy of, or what the host
   changes while a region is its own.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

extern int omp_get_num_devices (void);

void
has (int *a, int n, int steps, int device)
{
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(tofrom: a[0:n]) device(device) /* { dg-warning ".a. is copied to the device each time" } */
      for (int i = 0; i < n; i++)
	a[i]++;
    }
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(tofrom: a[0:n]) if(1) /* { dg-warning ".a. is copied to the device each time" } */
      for (int i = 0; i < n; i++)
	a[i]++;
    }
}

int
devices (void)
{
  int a[1000] = { 0 };
  int n = omp_get_num_devices ();
  for (int d = 0; d < n; d++)
    {
#pragma omp target map(tofrom: a) device(d)
      for (int i = 0; i < 1000; i++)
	a[i]++;
    }
  return a[5];
}

int
sometimes (int always)
{
  int a[1000] = { 0 };
  for (int t = 0; t < 8; t++)
    {
#pragma omp target if(t % 2) map(tofrom: a)
      for (int i = 0; i < 1000; i++)
	a[i] = 2 * a[i] + t;
    }
  for (int t = 0; t < 8; t++)
    {
#pragma omp target if(always) map(tofrom: a)
      for (int i = 0; i < 1000; i++)
	a[i] = 2 * a[i] + t;
    }
  for (int t = 0; t < 8; t++)
    {
#pragma omp target if(0) map(tofrom: a)
      for (int i = 0; i < 1000; i++)
	a[i] = 2 * a[i] + t;
    }
  return a[5];
}

/* The other region is elsewhere, or may be.  */
int
two (int device)
{
  int a[1000] = { 0 };
  for (int t = 0; t < 8; t++)
    {
#pragma omp target map(tofrom: a)
      for (int i = 0; i < 1000; i++)
	a[i] = 2 * a[i] + t;
#pragma omp target map(tofrom: a) device(device)
      for (int i = 0; i < 1000; i++)
	a[i]++;
    }
  for (int t = 0; t < 8; t++)
    {
#pragma omp target map(tofrom: a)
      for (int i = 0; i < 1000; i++)
	a[i] = 2 * a[i] + t;
#pragma omp target map(tofrom: a) if(t > 3)
      for (int i = 0; i < 1000; i++)
	a[i]++;
    }
  return a[5];
}

/* { dg-final { scan-ummgr-output-times {once, by .target data map\(tofrom: a\[\.\.\.\]\). with the same device clause around} 1 } } */
/* { dg-final { scan-ummgr-output-times {once, by .target data map\(tofrom: a\[\.\.\.\]\). around} 1 } } */
