/* Shadow memory: one byte for each 4-byte word, what has happened to it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   After XPlacer, section III-C, which keeps the same seven facts.  The eighth
   bit is ours.

   Look-up is O(1) and needs no object: a table indexed by the address's bits
   from 22 on leads to a chunk of 1 MiB, the shadow of 4 MiB, made when an
   object or a device copy in it appears.  What lies in no chunk is ignored;
   what lies in one but in no object is recorded in vain, and reset when an
   object appears there.  Chunks are never freed before the end.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ummgr_shadow_bit
{
  UMMGR_SHADOW_LAST_GPU = 1 << 0,	/* The GPU wrote last.  */
  UMMGR_SHADOW_CPU_WROTE = 1 << 1,
  UMMGR_SHADOW_GPU_WROTE = 1 << 2,
  UMMGR_SHADOW_C_C = 1 << 3,		/* CPU read what the CPU wrote.  */
  UMMGR_SHADOW_C_G = 1 << 4,		/* GPU read what the CPU wrote.  */
  UMMGR_SHADOW_G_C = 1 << 5,		/* CPU read what the GPU wrote.  */
  UMMGR_SHADOW_G_G = 1 << 6,		/* GPU read what the GPU wrote.  */
  /* The CPU wrote it, or a copy to the device did, and since then nobody has
     read a value of the CPU's.  With LAST_GPU: it was overwritten before it
     was read.  A word of which a value of the CPU's was read in this phase is
     not unread again when the CPU's code writes it: buffers that go back and
     forth would change state with each access, and "the initial values were in
     vain" is not said of them.  */
  UMMGR_SHADOW_UNREAD = 1 << 7
};

/* What a phase's end keeps: who wrote last, and whether it was read.  */
#define UMMGR_SHADOW_LASTING (UMMGR_SHADOW_LAST_GPU | UMMGR_SHADOW_UNREAD)

/* Was there an access by the CPU, by the GPU, in this phase?  */
#define UMMGR_SHADOW_CPU                                                      \
  (UMMGR_SHADOW_CPU_WROTE | UMMGR_SHADOW_C_C | UMMGR_SHADOW_G_C)
#define UMMGR_SHADOW_GPU                                                      \
  (UMMGR_SHADOW_GPU_WROTE | UMMGR_SHADOW_C_G | UMMGR_SHADOW_G_G)
#define UMMGR_SHADOW_WROTE (UMMGR_SHADOW_CPU_WROTE | UMMGR_SHADOW_GPU_WROTE)

/* Alternating accesses (XPlacer, III-A): both sides, and at least one wrote. */
static inline bool
ummgr_shadow_alternates (uint8_t state)
{
  return (state & UMMGR_SHADOW_CPU) && (state & UMMGR_SHADOW_GPU)
	 && (state & UMMGR_SHADOW_WROTE);
}
