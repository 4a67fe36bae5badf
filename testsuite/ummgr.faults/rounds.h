/* What spread.c's and straight.c's regions compute, on the host.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "program.h"

enum { N = 1 << 15, ROUNDS = 2 };

static int here[N], there[N];

static void
begin (void)
{
  for (int i = 0; i < N; i++)
    here[i] = i;
}

/* HERE and SUM are what all rounds give.  */
static int
check (long sum)
{
  long expected = 0;
  for (int i = 0; i < N; i++)
    there[i] = i;
  for (int r = 0; r < ROUNDS; r++)
    {
      for (int i = N - 1; i >= 0; i--)
	there[i] = (there[i] + (i ? there[i - 1] : 0)) % 1000;
      for (int i = 0; i < N; i++)
	expected += there[i];
    }
  for (int i = 0; i < N; i++)
    EXPECT (here[i] == there[i]);
  EXPECT (sum == expected);
  return right ();
}
