/* Scratch that regions fill themselves, in managed memory: it would be moved if the
   library, to see how often a condition on it holds, read what nobody has touched.  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin]" } */
/* { dg-ummgr-policies "lru glm rdm" } */
/* Value and table, and what libgomp copies: of the scratch nothing.  */
/* { dg-ummgr-counter all h2d_bytes < 204800 } */

#include "check.h"
#include "ummgr.h"

/* They are not there without libummgr.  */
#pragma weak ummgr_malloc
#pragma weak ummgr_free

enum { N = 1 << 14, SLOTS = 8, EMPTY = -1 };

int
main (void)
{
  if (!ummgr_malloc)
    return 0;
  int *key = ummgr_malloc (N * SLOTS * sizeof *key);
  int *value = ummgr_malloc (N * sizeof *value);
  long *table = ummgr_malloc (N * sizeof *table);
  long *sum = ummgr_malloc (N * sizeof *sum);
  CHECK (key && value && table && sum);
  for (int i = 0; i < N; i++)
    {
      value[i] = i % SLOTS;
      table[i] = i;
    }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    {
      int *slot = key + i * SLOTS;
      for (int s = 0; s < SLOTS; s++)
	slot[s] = EMPTY;
      slot[value[i]] = i;
      long all = 0;
      for (int s = 0; s < SLOTS; s++)
	if (slot[s] != EMPTY)
	  all += table[slot[s]];
      sum[i] = all;
    }
  for (int i = 0; i < N; i++)
    CHECK_EQ (sum[i], i);
  ummgr_free (key);
  ummgr_free (value);
  ummgr_free (table);
  ummgr_free (sum);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
