/* Two arrays that swap roles have one global locality each, the same in every
   launch and the same for both once both have had both roles: would break if it
   were that of the argument at hand, and policies that rank by it would swap
   them at each launch.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "glm" } */
/* { dg-ummgr-env "UMMGR_LOG=debug" } */
/* One launch each, as `from' and as `to' of 64 elements, 100 times: 3 and 1
   accesses an element, a mean of 2.  */
/* { dg-ummgr-output glm { from, object .*global locality 19200,.* from, object .*global locality 12800,.* from, object .*global locality 12800,} } */
/* { dg-ummgr-output glm { to, object .*global locality 6400,.* to, object .*global locality 12800,.* to, object .*global locality 12800,} } */

#define N 64

__attribute__ ((noipa)) static void
step (const double *from, double *to)
{
#pragma omp target teams distribute parallel for
  for (int j = 0; j < N; j++)
    to[j] = from[j] + from[(j + 1) % N] + from[(j + 2) % N];
}

double a[N], b[N];

int
main (void)
{
  for (int j = 0; j < N; j++)
    a[j] = j % 2;
#pragma omp target data map(tofrom : a, b)
  for (int i = 0; i < 50; i++)
    {
      step (a, b);
      step (b, a);
    }
  return b[0] < 0;
}
