/* Two objects that one line allocates, and that go by one name in the region: a remedy for either
   must not reach the other.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ummgr.h"

#include <stdio.h>

/* Only run with the library.  */
#pragma weak ummgr_malloc
#pragma weak ummgr_free

enum { N = 131072 };

struct pair { int *left, *right; };

static __attribute__ ((noinline)) int *
get (void)
{
  return ummgr_malloc (N * sizeof (int));
}

#define GET_BOTH(P) (P)->left = get (), (P)->right = get ()

static __attribute__ ((noinline)) void
add (int *data, int number)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    data[i] += number;
}

int
main (void)
{
  struct pair pair;
  long sum = 0;
  GET_BOTH (&pair);
  for (int i = 0; i < N; i++)
    pair.left[i] = pair.right[i] = i;
  add (pair.left, 1);
  add (pair.right, 2);
  for (int i = 0; i < N; i++)
    sum += pair.left[i] - pair.right[i];
  printf ("%ld\n", sum);
  ummgr_free (pair.left);
  ummgr_free (pair.right);
  return sum != -N;
}
