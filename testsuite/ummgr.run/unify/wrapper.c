/* Of what one function allocates, only what reaches a region is managed memory;
   threads that allocate and free at the same time don't disturb each other.  */
/* unify-objects: 9 */

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 10000, ROUNDS = 8 };

__attribute__ ((noinline)) static void *
get (size_t size)
{
  void *p = malloc (size);
  if (!p)
    {
      fputs ("no memory\n", stderr);
      exit (1);
    }
  return p;
}

struct state
{
  int *host, *device;
};

static void
add (struct state *s, int n)
{
  int *a = s->device;
#pragma omp target teams distribute parallel for map(tofrom: a[:n])
  for (int i = 0; i < n; i++)
    a[i]++;
}

int
main (void)
{
  struct state s = { get (N * sizeof (int)), get (N * sizeof (int)) };
  for (int i = 0; i < N; i++)
    s.host[i] = s.device[i] = i;
  add (&s, N);
  for (int i = 0; i < N; i++)
    CHECK_EQ (s.device[i], s.host[i] + 1);
  int bad = 0;
#pragma omp parallel for num_threads(4) reduction(+: bad)
  for (int k = 0; k < ROUNDS; k++)
    {
      struct state t = { malloc (100), get ((N + k) * sizeof (int)) };
      memset (t.device, 0, (N + k) * sizeof (int));
#pragma omp critical
      add (&t, N + k);
      for (int i = 0; i < N + k; i++)
	bad += t.device[i] != 1;
      free (t.host);
      free (t.device);
    }
  CHECK_EQ (bad, 0);
  free (s.host);
  free (s.device);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
