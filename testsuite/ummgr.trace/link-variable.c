/* Data that is declared "declare target link": breaks if the offload compiler
   stops at a report beside such data, in its function, in one that is inlined
   there or in one that it is inlined into, if the program gets other results,
   or if accesses elsewhere go unseen.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um" } */
/* { dg-ummgr-trace {^finish main\._omp_fn\.0 launch=1 on=gpu0$} } */
/* { dg-ummgr-trace {^finish main\._omp_fn\.1 launch=2 on=gpu0$} } */
/* { dg-ummgr-facts out gpu0 64 "last_gpu=64 gpu_wrote=64 g>c=64 g>g=64" } */
/* { dg-ummgr-trace {^access table \+0 size=256 w launch=0 } } */
/* { dg-ummgr-trace {^access table \+0 size=256 r launch=0 } } */

#include <stdlib.h>

int table[64];
#pragma omp declare target link (table)

#pragma omp declare target
static int
next (const int *p)
{
  return *p + 1;
}

static void
update (const int *in)
{
  for (int i = 0; i < 64; i++)
    table[i] += next (&in[i]);
  table[in[3]]++;
}

/* Reports, and calls a function that must not.  */
static int
entry (int *out, const int *in, int i)
{
  out[i] = in[i];
  if (i == 63)
    update (in);
  return out[i];
}
#pragma omp end declare target

__attribute__ ((noinline)) static int
sum (const int *p)
{
  int all = 0;
  for (int i = 0; i < 64; i++)
    all += p[i];
  return all;
}

int
main (void)
{
  int *in = malloc (64 * sizeof *in), *out = malloc (64 * sizeof *out);
  for (int i = 0; i < 64; i++)
    {
      in[i] = i;
      table[i] = 1;
    }
  int before = sum (table);
#pragma omp target map(tofrom: table) map(to: in[:64]) map(from: out[:64])
  for (int i = 0; i < 64; i++)
    entry (out, in, i);
#pragma omp target map(tofrom: table)
  table[5] += 2;
  int after = sum (table), copied = sum (out);
  free (in);
  free (out);
  return before == 64 && after == 2 * 64 + 63 * 32 + 3 && table[3] == 6
	 && table[5] == 9 && copied == 63 * 32 ? 0 : 1;
}
