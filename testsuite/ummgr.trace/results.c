/* Structs that the host returns in registers and the offload compiler in memory,
   from functions too large or too often called to be inlined: breaks if the
   offload compiler stops at them, if a result comes out wrong, or if a result's
   place is counted as an access of somebody's memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um" } */
/* { dg-ummgr-trace {^finish main\._omp_fn\.0 launch=1 on=gpu0$} } */
/* { dg-ummgr-facts in gpu0 66 "cpu_wrote=66 c>g=66" } */
/* { dg-ummgr-facts out gpu0 64 "last_gpu=64 gpu_wrote=64 g>c=64" } */

#include <stdio.h>
#include <stdlib.h>

struct pair { int low, high; };
struct three { char c[3]; };		/* No machine's mode fits.  */
struct mixed { double d; long l; };	/* Two kinds of registers.  */

#pragma omp declare target
__attribute__ ((noinline)) static struct pair
pair_of (const int *x, long i)
{
  return (struct pair) { x[i] + 1, x[i + 1] - 1 };
}

/* One of two places.  */
__attribute__ ((noinline)) static struct three
three_of (const int *x, long i)
{
  struct three a = { { x[i], x[i + 1], x[i + 2] } };
  struct three b = { { x[i + 2], x[i + 1], x[i] } };
  if (x[i] & 1)
    return a;
  return b;
}

/* Reports nothing.  */
__attribute__ ((noinline)) static struct mixed
mixed_of (int a, int b)
{
  return (struct mixed) { a / 2.0, b };
}

/* Passes on what it is given.  */
__attribute__ ((noinline)) static struct pair
pair_through (const int *x, long i, int depth)
{
  return depth ? pair_through (x, i, depth - 1) : pair_of (x, i);
}
#pragma omp end declare target

static int
expected (const int *x, long i)
{
  int first = x[i] & 1 ? x[i] : x[i + 2], last = x[i] & 1 ? x[i + 2] : x[i];
  int sum = (x[i] + 1) * (x[i + 1] - 1) + first * 9 + x[i + 1] * 3 + last;
  return sum + x[i] + x[i + 1];
}

int
main (void)
{
  int *in = malloc (66 * sizeof *in), *out = malloc (64 * sizeof *out);
  int copy[66];
  for (int i = 0; i < 66; i++)
    in[i] = copy[i] = i % 7;
#pragma omp target teams distribute parallel for map(to: in[:66]) map(from: out[:64])
  for (long i = 0; i < 64; i++)
    {
      struct pair p = pair_through (in, i, 2);
      struct three t = three_of (in, i);
      struct mixed m = mixed_of (in[i], in[i + 1]);
      out[i] = p.low * p.high + t.c[0] * 9 + t.c[1] * 3 + t.c[2] + (int) (m.d * 2) + (int) m.l;
    }
  for (int i = 0; i < 64; i++)
    if (out[i] != expected (copy, i))
      {
	printf ("out[%d] is %d, not %d\n", i, out[i], expected (copy, i));
	return 1;
      }
  free (in);
  free (out);
  return 0;
}
