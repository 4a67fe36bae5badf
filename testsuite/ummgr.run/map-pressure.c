/* More data than the device holds must run, and be right, where a policy
   manages it.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "um prefetch host lru otm rlm glm rdm auto" } */
/* { dg-ummgr-counter all device_peak_bytes <= 12582912 } */

#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 1 << 20, ARRAYS = 6 };

int
main (int argc, char **argv)
{
  int *a[ARRAYS];
  /* Without a policy the device stays as large as it is.  */
  if (getenv ("UMMGR_POLICY") && !getenv ("UMMGR_DEVICE_MEM"))
    {
      CHECK (setenv ("UMMGR_DEVICE_MEM", "12M", 1) == 0);
      execv ("/proc/self/exe", argv);
      return 1;
    }
  for (int k = 0; k < ARRAYS; k++)
    {
      a[k] = malloc (N * sizeof *a[k]);
      CHECK (a[k]);
      for (int i = 0; i < N; i++)
	a[k][i] = i + k;
      int *p = a[k];
#pragma omp target enter data map(to: p[:N])
    }
  for (int round = 0; round < 3; round++)
    for (int k = 0; k + 1 < ARRAYS; k++)
      {
	int *p = a[k], *q = a[k + 1];
#pragma omp target map(tofrom: p[:N], q[:N])
	for (int i = 0; i < N; i++)
	  p[i] += q[i] & 1;
      }
  for (int k = 0; k < ARRAYS; k++)
    {
      int *p = a[k];
#pragma omp target exit data map(from: p[:N])
    }
  static int expected[ARRAYS][N];
  for (int k = 0; k < ARRAYS; k++)
    for (int i = 0; i < N; i++)
      expected[k][i] = i + k;
  for (int round = 0; round < 3; round++)
    for (int k = 0; k + 1 < ARRAYS; k++)
      for (int i = 0; i < N; i++)
	expected[k][i] += expected[k + 1][i] & 1;
  for (int k = 0; k < ARRAYS; k++)
    CHECK (!memcmp (a[k], expected[k], N * sizeof *a[k]));
  for (int k = 0; k < ARRAYS; k++)
    free (a[k]);
  return 0;
}
