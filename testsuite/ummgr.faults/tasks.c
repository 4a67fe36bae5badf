/* Regions as tasks: two chains that depend on themselves, their data mapped by
   tasks as well.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "program.h"

enum { N = 1 << 12, STEPS = 2 };

static int a[N], b[N];

int
main (void)
{
#pragma omp parallel num_threads (2)
#pragma omp single
  {
#pragma omp target enter data map (to: a) nowait depend (out: a)
    for (int s = 0; s < STEPS; s++)
      {
#pragma omp target nowait map (tofrom: a) depend (inout: a)
	for (int i = 0; i < N; i++)
	  a[i] += i;
#pragma omp target nowait map (tofrom: b) depend (inout: b)
	for (int i = 0; i < N; i++)
	  b[i] += 2 * i;
      }
#pragma omp target exit data map (from: a) nowait depend (inout: a)
#pragma omp taskwait
  }
  for (int i = 0; i < N; i++)
    EXPECT (a[i] == STEPS * i && b[i] == 2 * STEPS * i);
  return right ();
}
