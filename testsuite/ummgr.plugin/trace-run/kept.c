/* Variables of the stack whose address goes no further than to functions of
   this file that only use it, and others that somebody else gets to see: would
   break if those were reported, or these not.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-options "-fopenmp -foffload=disable -fno-inline" } */
/* { log-lines {^[RWU] .* 8 1$} -O0 39 -O2 2 } */
/* { log-lines {^[RWU] .* 4 1$} -O0 14 -O2 9 } */
/* { log-lines {^[RWU] .* 2 1$} -O0 6 -O2 4 } */

#include <stdlib.h>

short *seen;

/* Only ever with what the callers keep.  */
static unsigned long
next (unsigned long *state)
{
  *state = *state * 5 + 1;
  return *state >> 3;
}

static unsigned long
twice (unsigned long *state)
{
  return next (state) + next (state);
}

/* With somebody else's, too.  */
static void
count (int *n)
{
  ++*n;
}

__attribute__ ((noinline)) static void
show (short *p)
{
  seen = p;
}

int
main (void)
{
  unsigned long state = 1, sum = 0;
  for (int i = 0; i < 6; i++)
    sum += twice (&state);
  int own = 0, *heap = calloc (1, sizeof *heap);
  count (&own);
  count (heap);
  int mapped = 3;
#pragma omp target map(tofrom: mapped)
  mapped++;
  mapped += own;
  short shown = 1;
  show (&shown);
  shown += mapped;
  *seen += 1;
  int bad = sum == 0 || *heap != 1 || mapped != 5 || shown != 7;
  free (heap);
  return bad;
}
