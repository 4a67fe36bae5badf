/* Reductions of several variables, types and operators in one region.
   Their struct is updated as 16 bytes, with libatomic.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 5000;
  long p = 0;
  int mx = -1, mn = 1 << 30;
  unsigned x = 0, o = 0, an = ~0u;
  float f = 0;
  _Bool l = 0;
#pragma omp target teams distribute parallel for map(tofrom : p, mx, mn, x, o, an, f, l)      \
    reduction(+ : p, f) reduction(max : mx) reduction(min : mn) reduction(^ : x)                   \
    reduction(| : o) reduction(& : an)
  for (int i = 0; i < n; i++)
    {
      p += i;
      int v = (i * 7919) % 10007;
      if (v > mx)
        mx = v;
      if (v < mn)
        mn = v;
      x ^= v;
      o |= v & 0xff0;
      an &= ~(v & 1);
      f += 1;
    }
  printf ("%ld %d %d %u %u %u %g %d\n", p, mx, mn, x, o, an, f, l);
}
