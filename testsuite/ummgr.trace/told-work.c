/* Would break: instructions between a host version's accesses that are not told, or told
   twice: of a loop that is reported before it runs, of one that is not and of whose turns
   nothing is known before, and libgomp's own.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-additional-options "-O2" } */
/* { dg-ummgr-policies "explicit" } */
/* { dg-ummgr-env "UMMGR_FIDELITY=access" } */
/* 8,000 times two loads and a store; 80 times a load and a store; some of the team's.  */
/* { dg-ummgr-counter explicit memory >= 24160 } */
/* { dg-ummgr-counter explicit memory < 24400 } */
/* 8,000 times a fused multiplication and addition, two pointers, a comparison and a branch;
   80 times 100 times a product, an addition, the index, a comparison and a branch.  Of
   libgomp twice 131 and 298 for each of eight warps.  And up to 100 for each thread's share
   and the 20 of iterations around the second loop.  */
/* { dg-ummgr-counter explicit integer >= 80000+2*8*429 } */
/* { dg-ummgr-counter explicit integer < 80000+2*8*429+16*100+80*20 } */

#include <stdio.h>
#include <stdlib.h>

#define THREADS 8
#define N 8000
#define FEW 80
#define TURNS 100

static void
add (double *restrict x, double *restrict y, double a)
{
#pragma omp target parallel for num_threads (THREADS) map(to: x[:N]) map(y[:N])
  for (int i = 0; i < N; i++)
    y[i] += a * x[i];
}

static void
turn (unsigned *turns)
{
#pragma omp target parallel for num_threads (THREADS) map(turns[:FEW])
  for (int i = 0; i < FEW; i++)
    {
      unsigned n = turns[i], s = i;
      for (unsigned k = 0; k < n; k++)
	s = s * 3 + 1;
      turns[i] = s;
    }
}

int
main (void)
{
  double *x = malloc (N * sizeof *x), *y = malloc (N * sizeof *y);
  unsigned *turns = malloc (FEW * sizeof *turns);
  for (int i = 0; i < N; i++)
    x[i] = i, y[i] = 1;
  for (int i = 0; i < FEW; i++)
    turns[i] = TURNS;
  add (x, y, 2);
  turn (turns);
  unsigned s = 7;
  for (int k = 0; k < TURNS; k++)
    s = s * 3 + 1;
  printf ("%g %d\n", y[N - 1], turns[7] == s);
  return y[N - 1] != 2 * (N - 1) + 1 || turns[7] != s;
}
