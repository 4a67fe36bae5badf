/* Managed memory that regions only read: would break if it came back when the host reads it, as
   nothing there is newer; or if what the host writes each turn took a fault for each page that
   both sides have.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin]" } */
/* { dg-ummgr-policies "prefetch glm rdm auto" } */
/* `graph' is 4 MiB, and what is written 1 in all.  */
/* { dg-ummgr-counter glm d2h_bytes > 4200000 } */
/* { dg-ummgr-counter rdm d2h_bytes < 2200000 } */
/* { dg-ummgr-counter auto d2h_bytes < 2200000 } */
/* { dg-ummgr-counter rdm cpu_faults < 40 } */
/* { dg-ummgr-counter auto cpu_faults < 40 } */

#include "check.h"
#include "ummgr.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { N = 1 << 20, M = 1 << 16, TURNS = 4 };

static void
step (const int *graph, const int *input, int *sum)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < M; i++)
    {
      int s = input[i];
      for (int k = 0; k < N / M; k++)
	s += graph[i * (N / M) + k];
      sum[i] += s;
    }
}

int
main (void)
{
  void *(*get) (size_t) = (void *(*) (size_t)) dlsym (RTLD_DEFAULT, "ummgr_malloc");
  if (!get)
    return 0;
  int *graph = get (N * sizeof *graph), *input = get (M * sizeof *input);
  int *sum = get (M * sizeof *sum);
  CHECK (graph && input && sum);
  for (int i = 0; i < N; i++)
    graph[i] = 1;
  for (int i = 0; i < M; i++)
    sum[i] = 0;
  for (int turn = 0; turn < TURNS; turn++)
    {
      for (int i = 0; i < M; i++)
	input[i] = turn;
      step (graph, input, sum);
    }
  for (int i = 0; i < M; i++)
    CHECK_EQ (sum[i], TURNS * (N / M) + TURNS * (TURNS - 1) / 2);
  for (int i = 0; i < N; i++)
    CHECK_EQ (graph[i], 1);
  return 0;
}
