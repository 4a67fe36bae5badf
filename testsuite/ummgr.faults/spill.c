/* More data than the device has memory: objects change places.
   { faults-env UMMGR_DEVICE_MEM=8M }
   { faults-env UMMGR_DEVICE_MEM=8M UMMGR_COPIES=plain }  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "program.h"

enum { ARRAYS = 3, N = 3 << 18, ROUNDS = 2 };

static int data[ARRAYS][N];

static void
step (int *p)
{
#pragma omp target teams distribute parallel for num_teams (2) \
  thread_limit (2) map (tofrom: p[:N])
  for (int i = 0; i < N; i++)
    p[i] += 1;
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    for (int k = 0; k < ARRAYS; k++)
      data[k][i] = i + k;
  int *a = data[0], *b = data[1], *c = data[2];
#pragma omp target data map (tofrom: a[:N], b[:N], c[:N])
  for (int r = 0; r < ROUNDS; r++)
    for (int k = 0; k < ARRAYS; k++)
      step (data[k]);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < ARRAYS; k++)
      EXPECT (data[k][i] == i + k + ROUNDS);
  return right ();
}
