/* Managed memory that the host goes over after each region: would break if it
   had to come page by page, or if what the next region uses were sent home.  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin]" } */
/* { dg-ummgr-policies "prefetch otm rlm glm rdm" } */
/* { dg-ummgr-counter prefetch cpu_faults > 0 } */
/* { dg-ummgr-counter otm cpu_faults == 0 } */
/* { dg-ummgr-counter rlm cpu_faults == 0 } */
/* { dg-ummgr-counter glm cpu_faults == 0 } */
/* { dg-ummgr-counter rdm cpu_faults == 0 } */
/* One copy each way for each turn of the first loop, one of each for the
   second.  */
/* { dg-ummgr-counter rdm d2h_bytes <= 12000000 } */
/* { dg-ummgr-counter rdm h2d_bytes <= 12000000 } */

#include "check.h"
#include "ummgr.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { N = 1 << 18, TURNS = 4 };

static void
step (int *p)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    p[i] += 3;
}

static void
check_all (const int *p, int value)
{
  for (int i = 0; i < N; i++)
    CHECK_EQ (p[i], i + value);
}

int
main (void)
{
  void *(*get) (size_t) = (void *(*) (size_t)) dlsym (RTLD_DEFAULT,
						      "ummgr_malloc");
  void (*put) (void *) = (void (*) (void *)) dlsym (RTLD_DEFAULT, "ummgr_free");
  if (!get || !put)
    return 0;
  int *p = get (N * sizeof *p), *q = get (N * sizeof *q);
  CHECK (p && q);
  for (int i = 0; i < N; i++)
    p[i] = q[i] = i;
  for (int k = 1; k <= TURNS; k++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	p[i] += 3;
      check_all (p, 3 * k);
    }
  /* Two regions, and then the host.  */
  step (q);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    q[i] += 4;
  check_all (q, 7);
  put (p);
  put (q);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
