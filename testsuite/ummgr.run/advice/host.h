/* What the host does beside a construct, for what advice.exp says is around it.  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000
#ifndef CLAUSES
#define CLAUSES
#endif

__attribute__ ((noipa)) void
see (const int *x, int *sum)
{
  *sum = *sum * 3 + x[1] + x[2];
}

__attribute__ ((noipa)) void
change (int *x)
{
  x[1] += 100;
}

static void
change_here (int *x)
{
  x[2] += 10;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
