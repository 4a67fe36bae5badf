/* A region gets the address that an array's element 0 would have, though only a
   section of it is mapped.  Where that fell into the storage of a `declare
   target' variable, the simulated driver took it for the variable.  A pointer
   to a variable's end, where nothing is, does mean the variable.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>

enum { FROM = 300, COUNT = 100, HUGE_FROM = 1 << 24 };

#pragma omp declare target
static float sums[3000];
static int counts[50];
#pragma omp end declare target

static void
section (float *a, long from)
{
  float sum = 0;
  for (int i = 0; i < COUNT; i++)
    a[from + i] = i;
#pragma omp target map(a[from:COUNT]) map(sum)
  {
    for (int i = 0; i < COUNT; i++)
      {
	sum += a[from + i];
	a[from + i] = -a[from + i];
      }
    sums[1] = sum;
    counts[1]++;
  }
  CHECK (sum == COUNT * (COUNT - 1) / 2);
  for (int i = 0; i < COUNT; i++)
    CHECK (a[from + i] == -i);
#pragma omp target update from(sums)
  CHECK (sums[1] == sum);
}

/* From the device's storage of SUMS to its end.  */
static void
pointers (void)
{
  float *begin;
  int seen = 0;
#pragma omp target data use_device_addr(sums)
  begin = sums;
  float *end = begin + 3000;
#pragma omp target is_device_ptr(begin, end) map(seen)
  {
    sums[0] = 5;
    for (float *p = begin; p != end; p++)
      seen += *p == 5;
    end[-1] = 6;
    seen += 10 * (sums[2999] == 6);
  }
  CHECK_EQ (seen, 11);
#pragma omp target update from(sums)
  CHECK (sums[0] == 5 && sums[2999] == 6);
}

int
main (void)
{
  float *a = calloc (FROM + COUNT, sizeof *a);
  float *b = calloc (HUGE_FROM + COUNT, sizeof *b);
  CHECK (a && b);
#pragma omp target map(from: a[:0])
  sums[0] = 1;
  for (long from = 0; from <= FROM; from += 50)
    section (a, from);
  section (b, HUGE_FROM);
  section (b, HUGE_FROM / 64);
  pointers ();
  CHECK_EQ (counts[1], 0);
#pragma omp target update from(counts)
  CHECK_EQ (counts[1], 1 + FROM / 50 + 2);
  free (a);
  free (b);
  return 0;
}
