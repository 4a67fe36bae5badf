// Functions whose arrays have the same place on the stack.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

static int __attribute__ ((noinline))
first (void)
{
  int a[100];
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp target map(to: a)
  for (int i = 0; i < 100; i++)
    a[i]++;
  return 1;
}

static int __attribute__ ((noinline))
second (int n)
{
  int b[100], s = 0;
  for (int i = 0; i < 100; i++)
    b[i] = n;
#pragma omp target map(tofrom: b)
  for (int i = 0; i < 100; i++)
    b[i]++;
  for (int i = 0; i < 100; i++)
    s += b[i];
  return s;
}

int
main (void)
{
  printf ("%d\n", first () + second (3) + first () + second (4));
  return 0;
}
