/* A simd loop that GCC unrolls: lanes with an odd number of passes part from the others
   behind it, where the others go back to an outer loop's head.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#define N 1500

#pragma omp declare target
int a[N];
#pragma omp end declare target

__attribute__ ((noinline, noclone)) static void
up (long long begin, long long end, long long step)
{
#pragma omp target teams distribute simd dist_schedule(static, 128)
  for (long long i = begin + 23; i > end - 25; i -= step)
    a[i + 48] += 7;
}

__attribute__ ((noinline, noclone)) static void
up_in_threads (long long begin, long long end, long long step)
{
#pragma omp target parallel for simd schedule(guided, 32)
  for (long long i = begin + 23; i > end - 25; i -= step)
    a[i + 48] += 7;
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target update to(a)
  up (N - 1 - 23 - 48, -1 + 25 - 48, 1);
  up_in_threads (N - 1 - 23 - 48, -1 + 25 - 48, 1);
  up (N - 1 - 23 - 48, -1 + 25 - 48, 7);
#pragma omp target update from(a)
  unsigned sum = 0, wrong = 0;
  for (int i = 0; i < N; i++)
    {
      sum = 31 * sum + a[i];
      wrong += a[i] != i + 14 + ((N - 1 - i) % 7 == 0 ? 7 : 0);
    }
  printf ("%u %u\n", wrong, sum);
  return wrong != 0;
}
