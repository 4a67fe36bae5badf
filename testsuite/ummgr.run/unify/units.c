/* The unit that allocates has no region, and the one that has frees; what
   reaches none is left alone, though it leaves its unit, too.  Of a struct that is
   handed over, all that it points to goes with it.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* unify-objects: 4 */
/* unify-units: units-unit.c */

#include "check.h"

#include <stdlib.h>

enum { N = 10000 };

struct pair
{
  int *first, *second;
};

extern int *shared;
void unit_run (int *a, int n);
void unit_fill (struct pair *p, int n);
int unit_sum (const int *a, int n);
void unit_free (void *p);

int
main (void)
{
  int *a = malloc (N * sizeof *a);
  int *host = malloc (N * sizeof *host);
  struct pair p = { malloc (N * sizeof (int)), malloc (N * sizeof (int)) };
  shared = malloc (N * sizeof *shared);
  CHECK (a && host && p.first && p.second && shared);
  for (int i = 0; i < N; i++)
    a[i] = host[i] = p.second[i] = shared[i] = i;
  unit_run (a, N);
  unit_fill (&p, N);
  CHECK_EQ (unit_sum (host, N), N * (N - 1) / 2);
  for (int i = 0; i < N; i++)
    {
      CHECK_EQ (a[i], i + 1);
      CHECK_EQ (shared[i], i + 2);
      CHECK_EQ (p.first[i], 7);
    }
  unit_free (a);
  unit_free (host);
  unit_free (p.first);
  unit_free (p.second);
  unit_free (shared);
  return 0;
}
