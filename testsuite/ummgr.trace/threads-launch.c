/* Threads of the host that launch regions at the same time: would break if what one's
   region accesses were lost, or taken for another's, while the device's record of
   accesses is fetched.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um" } */
/* { dg-ummgr-facts {all\[0\]} gpu0 4000 "last_gpu=4000 gpu_wrote=4000 g>c=4000" } */
/* { dg-ummgr-facts {all\[1\]} gpu0 4000 "last_gpu=4000 gpu_wrote=4000 g>c=4000" } */
/* { dg-ummgr-facts {all\[2\]} gpu0 4000 "last_gpu=4000 gpu_wrote=4000 g>c=4000" } */

#include "check.h"

#include <pthread.h>
#include <stdlib.h>

enum { N = 4000, PARTS = 100, THREADS = 3 };

static pthread_barrier_t together;

static void *
launch (void *data)
{
  int *p = data;
  pthread_barrier_wait (&together);
  for (int part = 0; part < PARTS; part++)
#pragma omp target map(alloc: p[:N])
    for (int i = part * (N / PARTS); i < (part + 1) * (N / PARTS); i++)
      p[i] = i;
  return NULL;
}

int
main (void)
{
  int *first = malloc (N * sizeof *first);
  int *second = malloc (N * sizeof *second);
  int *third = malloc (N * sizeof *third);
  int *const all[THREADS] = { first, second, third };
  pthread_t thread[THREADS];
  CHECK (first && second && third);
  CHECK (pthread_barrier_init (&together, NULL, THREADS) == 0);
#pragma omp target data map(from: first[:N], second[:N], third[:N])
  {
    for (int i = 0; i < THREADS; i++)
      CHECK (pthread_create (&thread[i], NULL, launch, all[i]) == 0);
    for (int i = 0; i < THREADS; i++)
      CHECK (pthread_join (thread[i], NULL) == 0);
  }
  for (int i = 0; i < N; i++)
    CHECK (first[i] == i && second[i] == i && third[i] == i);
  free (first);
  free (second);
  free (third);
  return 0;
}
