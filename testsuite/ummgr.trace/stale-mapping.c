/* Memory that was mapped as one array and is mapped as two smaller ones later, of which
   a region is given pointers: would break if the one that is too small to be told were
   taken for the array of before, and its copy for what covers the other's.  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit" } */
/* { dg-ummgr-env "UMMGR_MIN_SIZE=64K" } */
/* { dg-ummgr-trace {^facts all \+0 on=gpu0 phase=1 words=256 .*cpu_wrote=256 gpu_wrote=0 .*c>g=256 } } */
/* { dg-ummgr-trace {^facts all \+400 on=gpu0 phase=1 words=32 .*cpu_wrote=32 gpu_wrote=0 .*c>g=32 } } */
/* { dg-ummgr-trace-not {unread=[1-9]} } */

#include "check.h"

#include <sys/mman.h>

enum { BEFORE = 256, AFTER = 32, SMALL = 5 };

static int
sum (const int *p, const int *q, int n, int m)
{
  int sum = 0;
#pragma omp target map(tofrom: sum)
  {
    for (int i = 0; i < n; i++)
      sum += p[i];
    for (int i = 0; i < m; i++)
      sum += q[i];
  }
  return sum;
}

int
main (void)
{
  int *all = mmap (NULL, BEFORE * sizeof *all, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK (all != MAP_FAILED);
  int *p = all + 100, *q = all + 4;
  for (int i = 0; i < BEFORE; i++)
    all[i] = 1;
  int before = 0, after = 0;
#pragma omp target data map(to: all[:BEFORE])
  before = sum (all, all, BEFORE, 0);
#pragma omp target data map(to: q[:SMALL], p[:AFTER])
  after = sum (q, p, SMALL, AFTER);
  CHECK (before == BEFORE && after == AFTER + SMALL);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
