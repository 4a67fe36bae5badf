/* An update of a part that copies another part, or none: sub-ranges, both
   ways, two dimensions, and data that is not there.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

enum { N = 512 };

static int a[N], m[32][32];

int
main (void)
{
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target update to(a)
#pragma omp target update from(a)
  CHECK_EQ (a[3], 3);
#pragma omp target data map(to: a, m)
  {
#pragma omp target
    for (int i = 0; i < N; i++)
      a[i] = -i;
#pragma omp target update from(a[100:50])
    CHECK_EQ (a[99], 99);
    CHECK_EQ (a[100], -100);
    CHECK_EQ (a[149], -149);
    CHECK_EQ (a[150], 150);
    a[200] = a[201] = 1000;
#pragma omp target update to(a[200:1])
    int x = 0, y = 0;
#pragma omp target map(from: x, y)
    {
      x = a[200];
      y = a[201];
    }
    CHECK_EQ (x, 1000);
    CHECK_EQ (y, -201);
    m[3][4] = 9;
    m[4][4] = 9;
#pragma omp target update to(m[3:1])
#pragma omp target
    for (int i = 0; i < 32; i++)
      for (int j = 0; j < 32; j++)
	m[i][j]++;
#pragma omp target update from(m)
    CHECK_EQ (m[3][4], 10);
    CHECK_EQ (m[4][4], 1);
  }
  CHECK_EQ (a[0], 0);
  CHECK_EQ (a[1], 1);
  return 0;
}
