/* A `declare target' variable that is taken for ordinary data gets a second
   device copy, and the regions use the other one.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

enum { N = 1500 };

#pragma omp declare target
static int table[N];
static int scalar;

static int
twice (int i)
{
  return 2 * table[i] + scalar;
}
#pragma omp end declare target

int
main (void)
{
  int out[8] = { 0 };
  for (int i = 0; i < N; i++)
    table[i] = i;
  scalar = 1;
#pragma omp target update to(table, scalar)
#pragma omp target map(from: out)
  for (int i = 0; i < 8; i++)
    out[i] = twice (i);
  CHECK_EQ (out[7], 15);
  /* Present already: a map clause neither copies nor allocates.  */
  table[7] = 1000;
#pragma omp target map(tofrom: table) map(from: out)
  for (int i = 0; i < 8; i++)
    {
      table[i] += 1;
      out[i] = twice (i);
    }
  CHECK_EQ (out[7], 17);
  CHECK_EQ (table[7], 1000);
#pragma omp target data map(tofrom: table)
  {
  }
  CHECK_EQ (table[7], 1000);
#pragma omp target update from(table)
  CHECK_EQ (table[7], 8);
#pragma omp target map(always, to: table[:1]) map(from: out)
  out[0] = twice (0);
  CHECK_EQ (out[0], 3);
  return 0;
}
