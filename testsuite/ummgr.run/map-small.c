/* Many arrays that are too small to be objects by themselves, and together more
   than the device holds, beside one that is an object: would break if libgomp
   were left with all of them, or objects took what it needs.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "um host lru otm rlm glm rdm" } */
/* { dg-ummgr-counter all device_peak_bytes <= 12582912 } */

#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 12000, ARRAYS = 300, LARGE = 2 << 20 };

int
main (int argc, char **argv)
{
  static int *a[ARRAYS];
  int *large = calloc (LARGE, sizeof *large);
  CHECK (large);
  /* Without a policy the device stays as large as it is.  */
  if (getenv ("UMMGR_POLICY") && !getenv ("UMMGR_DEVICE_MEM"))
    {
      CHECK (setenv ("UMMGR_DEVICE_MEM", "12M", 1) == 0);
      CHECK (setenv ("UMMGR_MIN_SIZE", "64K", 1) == 0);
      execv ("/proc/self/exe", argv);
      return 1;
    }
#pragma omp target enter data map(to: large[:LARGE])
  for (int k = 0; k < ARRAYS; k++)
    {
      a[k] = malloc (N * sizeof *a[k]);
      CHECK (a[k]);
      for (int i = 0; i < N; i++)
	a[k][i] = i + k;
      int *p = a[k];
#pragma omp target enter data map(to: p[:N])
    }
  for (int k = 0; k < ARRAYS; k++)
    {
      int *p = a[k];
#pragma omp target map(tofrom: p[:N], large[:LARGE])
      for (int i = 0; i < N; i++)
	{
	  p[i]++;
	  large[i] += p[i];
	}
    }
  for (int k = 0; k < ARRAYS; k++)
    {
      int *p = a[k];
#pragma omp target exit data map(from: p[:N])
    }
#pragma omp target exit data map(from: large[:LARGE])
  for (int i = 0; i < N; i++)
    {
      int sum = 0;
      for (int k = 0; k < ARRAYS; k++)
	{
	  CHECK (a[k][i] == i + k + 1);
	  sum += a[k][i];
	}
      CHECK (large[i] == sum);
    }
  for (int k = 0; k < ARRAYS; k++)
    free (a[k]);
  free (large);
  return 0;
}
