/* More threads than a multiprocessor has registers for: libgomp asks how many a team can have,
   and with too many finds that no team fits.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdio.h>

enum { N = 5000 };

int
main (void)
{
  static double a[N][4];
  int wrong = 0;
#pragma omp target teams distribute parallel for num_teams(7) thread_limit(64) map(from: a)
  for (int i = 0; i < N; i++)
    {
      double x = i, y = sqrt (x), z = x * y, w = z - y;
      a[i][0] = x + y + z + w;
      a[i][1] = x * y - z * w;
      a[i][2] = y / (1 + w * w);
      a[i][3] = z - x;
    }
  for (int i = 0; i < N; i++)
    {
      double x = i, y = sqrt (x), z = x * y;
      wrong += fabs (a[i][3] - (z - x)) > 1e-9 * z;
    }
  printf ("%d wrong\n", wrong);
  return wrong != 0;
}
