/* Heat in a multi-block grid: C, an array of structs of pointers, one launch a block.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 4 };

struct block
{
  int nx, ny;
  double *u, *next;
};

struct grid
{
  int count;
  struct block *blocks;
};

static struct block block[BLOCKS];

static void
sweep (double k)
{
  for (int b = 0; b < BLOCKS; b++)
    {
      int nx = block[b].nx, ny = block[b].ny, size = nx * ny;
#pragma omp target teams distribute parallel for collapse(2) map(to: block[b].u[0:size]) \
  map(tofrom: block[b].next[0:size])
      for (int i = 1; i < nx - 1; i++)
	for (int j = 1; j < ny - 1; j++)
	  block[b].next[i * ny + j]
	    = block[b].u[i * ny + j]
	      + k * (block[b].u[(i - 1) * ny + j] + block[b].u[(i + 1) * ny + j]
		     + block[b].u[i * ny + j - 1] + block[b].u[i * ny + j + 1]
		     - 4 * block[b].u[i * ny + j]);
    }
}

static void
swap (void)
{
  for (int b = 0; b < BLOCKS; b++)
    {
      double *u = block[b].u;
      block[b].u = block[b].next;
      block[b].next = u;
    }
}

/* The last row of each block is the first of the next.  */
static void
edges (struct grid *g)
{
  for (int b = 0; b + 1 < g->count; b++)
    {
      struct block *left = &g->blocks[b], *right = &g->blocks[b + 1];
      int ny = left->ny, last = (left->nx - 1) * ny;
#pragma omp target teams distribute parallel for map(to: left[0:1], right[0:1], left->u[last:ny]) \
  map(from: right->u[0:ny])
      for (int j = 0; j < ny; j++)
	right->u[j] = left->u[last + j];
    }
}

static double
total (struct grid *g)
{
  double sum = 0;
  for (int b = 0; b < g->count; b++)
    {
      struct block *one = &g->blocks[b];
      int size = one->nx * one->ny;
#pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum) \
  map(to: one[0:1], one->u[0:size])
      for (int i = 0; i < size; i++)
	sum += one->u[i];
    }
  return sum;
}

int
main (int argc, char **argv)
{
  int ny = argc > 1 ? atoi (argv[1]) : 64;
  struct grid g = { BLOCKS, block };
  for (int b = 0; b < BLOCKS; b++)
    {
      int nx = 20 + 10 * b;
      block[b] = (struct block) { nx, ny, malloc (nx * ny * sizeof (double)),
				  malloc (nx * ny * sizeof (double)) };
      for (int i = 0; i < nx * ny; i++)
	block[b].u[i] = block[b].next[i] = i % 7;
    }
  for (int step = 0; step < 4; step++)
    {
      sweep (0.1);
      swap ();
      edges (&g);
    }
  printf ("%.12g %.12g\n", total (&g), block[1].u[ny + 3]);
  return 0;
}
