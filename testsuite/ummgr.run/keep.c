/* The example of memory/kept.h: what is mapped again and again is copied four times, and then what the host has
   written of it.  What a region writes is copied each time, and so is memory that was given back and taken again.  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin]" } */
/* { dg-require-effective-target written_pages } */
/* { dg-ummgr-policies "auto explicit" } */
/* { dg-ummgr-env "UMMGR_PROFILE=rtx3090-pcie3" } */
/* v: 4 * 1 MiB + 46 * 4 KiB; w: 10 * 256 KiB; and what libgomp has for launches.  */
/* { dg-ummgr-counter auto h2d_bytes >= 7004160 } */
/* { dg-ummgr-counter auto h2d_bytes < 7010000 } */
/* { dg-ummgr-counter explicit h2d_bytes >= 55050240 } */

#include "check.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { N = 1 << 18, M = 1 << 16 };

static void
again_and_again (void)
{
  int *v = aligned_alloc (4096, N * sizeof *v);
  CHECK (v);
  for (int i = 0; i < N; i++)
    v[i] = i;
  for (int turn = 0; turn < 50; turn++)
    {
      int seventh = 0, last = 0;
#pragma omp target map(to: v[:N]) map(from: seventh, last)
      {
	seventh = v[7];
	last = v[N - 1];
      }
      CHECK_EQ (seventh, turn ? turn - 1 : 7);
      CHECK_EQ (last, N - 1);
      v[7] = turn;
    }
  free (v);
}

/* Other pages at the same address.  */
static void
new_memory (void)
{
  for (int turn = 0; turn < 10; turn++)
    {
      static int *w;
      int first = 0;
      w = mmap (w, M * sizeof *w, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (w ? MAP_FIXED : 0), -1, 0);
      CHECK (w != MAP_FAILED);
      for (int i = 0; i < M; i++)
	w[i] = turn;
#pragma omp target map(to: w[:M]) map(from: first)
      first = w[0] + w[M - 1];
      CHECK_EQ (first, 2 * turn);
    }
}

int
main (void)
{
  again_and_again ();
  new_memory ();
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
