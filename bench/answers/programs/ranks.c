/* Two processes, a part of a rod each: the conductivity, which stays, and the temperatures go to the
   device in each step, though of the host's nothing but a sum over all ranks is asked for.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROD = 40000, STEPS = 15 };

int
main (int argc, char **argv)
{
  int rank, ranks;
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  int n = ROD / ranks;
  double *k = malloc (n * sizeof *k), *u = malloc (n * sizeof *u), total = 0;
  for (int i = 0; i < n; i++)
    {
      k[i] = 0.25 + (i + rank) % 4 / 16.0;
      u[i] = (rank * n + i) % 8;
    }
#ifdef MENDED
#pragma omp target data map(to: k[0:n]) map(tofrom: u[0:n])
#endif
  for (int step = 0; step < STEPS; step++) /* LOOP */
    {
      double heat = 0, all;
#pragma omp target teams distribute parallel for map(to: k[0:n]) map(tofrom: u[0:n]) reduction(+: heat) /* HERE */
      for (int i = 0; i < n; i++)
	{
	  u[i] += 0.125 * k[i] * (total / ROD - u[i]);
	  heat += u[i];
	}
      MPI_Allreduce (&heat, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      total = all;
    }
  double sum = 0, all;
  for (int i = 0; i < n; i++)
    sum += u[i];
  MPI_Reduce (&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf ("%.12g %.12g\n", total, all);
  MPI_Finalize ();
}
