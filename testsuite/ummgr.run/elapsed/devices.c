/* The same work on DEVICES, by as many THREADS: devices THREADS ROUNDS.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16 };
static int *a[4];

static void
work (int device, int rounds)
{
  int *mine = a[device];
  for (int r = 0; r < rounds; r++)
    {
#pragma omp target teams distribute parallel for device(device) map(tofrom : mine[:N])
      for (int i = 0; i < N; i++)
	mine[i] += i;
    }
}

int
main (int argc, char **argv)
{
  if (argc != 4)
    return 2;
  int devices = atoi (argv[1]), threads = atoi (argv[2]), rounds = atoi (argv[3]);
  for (int d = 0; d < devices; d++)
    a[d] = calloc (N, sizeof *a[d]);
  if (threads == 1)
    for (int d = 0; d < devices; d++)
      work (d, rounds);
  else
    {
#pragma omp parallel num_threads(devices)
      work (omp_get_thread_num (), rounds);
    }
  long sum = 0;
  for (int d = 0; d < devices; d++)
    for (int i = 0; i < N; i++)
      sum += a[d][i] != rounds * i;
  printf ("wrong %ld\n", sum);
  return sum != 0;
}
