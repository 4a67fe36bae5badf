/* A rank with a region.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include "sample.h"

#include <mpi.h>
#include <stdio.h>

int
main (int argc, char **argv)
{
  static double a[20000];
  int wrong = 0;
  MPI_Init (&argc, &argv);
  for (int i = 0; i < 20000; i++)
    a[i] = i;
  scale (a, 20000, 2);
  for (int i = 0; i < 20000; i++)
    wrong += a[i] != 2 * i;
  puts (wrong ? "mpi: wrong" : "mpi: right");
  MPI_Finalize ();
  return wrong != 0;
}
