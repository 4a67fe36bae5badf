/* Does at random what SEED says: host and device read and write parts of five arrays of managed
   memory.  No two threads write one word, so that what it prints is the same on any device.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ummgr.h"

#include "random.h"

#include <stdio.h>
#include <stdlib.h>

#pragma weak ummgr_malloc

enum { LEAST = 1000, MOST = 300000, STEPS = 24 };

static uint64_t state;

static int
below (int n)
{
  return random64 (&state) / 65536 % n;
}

/* Words FIRST, FIRST + STRIDE ... below END.  */
struct part
{
  int first, stride, end;
};

static struct part
part_of (int size)
{
  struct part p = { below (size), 1 + below (below (2) ? 3 : 2000), size };
  if (below (2))
    p.first = 0;
  return p;
}

static int
count (const struct part *p)
{
  return (p->end - p->first + p->stride - 1) / p->stride;
}

static long
on_host (int *to, const int *from, struct part p, int modulo, int writes, int k)
{
  long sum = 0;
  for (int i = 0; i < count (&p); i++)
    {
      int at = p.first + i * p.stride;
      sum += to[at] ^ from[at % modulo];
      if (writes)
	to[at] += from[at % modulo] + k;
    }
  return sum;
}

static long
on_device (int *to, const int *from, struct part p, int modulo, int writes, int k)
{
  long sum = 0;
  int n = count (&p), first = p.first, stride = p.stride;
#pragma omp target teams distribute parallel for map(tofrom: sum) reduction (+ : sum)
  for (int i = 0; i < n; i++)
    {
      int at = first + i * stride;
      sum += to[at] ^ from[at % modulo];
      if (writes)
	to[at] += from[at % modulo] + k;
    }
  return sum;
}

#define GET(SIZE) (ummgr_malloc ? ummgr_malloc ((SIZE) * sizeof (int)) : malloc ((SIZE) * sizeof (int)))

int
main (int argc, char **argv)
{
  enum { ARRAYS = 5 };
  int size[ARRAYS];
  long sum = 0;
  state = 977 * (argc > 1 ? strtoull (argv[1], NULL, 10) : 0) + 1;
  for (int i = 0; i < ARRAYS; i++)
    size[i] = LEAST + below (MOST - LEAST);
  int *a = GET (size[0]);
  int *b = GET (size[1]);
  int *c = GET (size[2]);
  int *d = GET (size[3]);
  int *e = GET (size[4]);
  int *array[ARRAYS] = { a, b, c, d, e };
  for (int i = 0; i < ARRAYS; i++)
    for (int k = 0; k < size[i]; k++)
      array[i][k] = below (2) + k % 5;
  for (int s = 0; s < STEPS; s++)
    {
      int to = below (ARRAYS), from = below (ARRAYS);
      struct part p = part_of (size[to]);
      int writes = to != from && below (2);
      long part = below (2)
	? on_host (array[to], array[from], p, size[from], writes, s)
	: on_device (array[to], array[from], p, size[from], writes, s);
      sum = sum * 31 + part;
    }
  for (int i = 0; i < ARRAYS; i++)
    sum = sum * 31 + on_host (array[i], array[i], (struct part) { 0, 1, size[i] }, size[i], 0, 0);
  printf ("%ld\n", sum);
  return 0;
}
