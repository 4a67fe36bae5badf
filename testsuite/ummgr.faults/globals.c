/* Variables that live on the device, and functions called there.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "program.h"

enum { N = 1 << 12 };

#pragma omp declare target
static int table[N];
static int factor = 3;
static int
scaled (int x)
{
  return x * factor;
}
#pragma omp end declare target

static int late[N];
#pragma omp declare target link (late)

int
main (void)
{
  int out[N];
  for (int i = 0; i < N; i++)
    {
      table[i] = i;
      late[i] = -i;
    }
  factor = 7;
#pragma omp target update to (table, factor)
#pragma omp target map (from: out) map (tofrom: late)
  for (int i = 0; i < N; i++)
    {
      out[i] = scaled (table[i]);
      table[i] += 2;
      late[i]--;
    }
  for (int i = 0; i < N; i++)
    EXPECT (out[i] == 7 * i && late[i] == -i - 1);
#pragma omp target update from (table)
  for (int i = 0; i < N; i++)
    EXPECT (table[i] == i + 2);
  return right ();
}
