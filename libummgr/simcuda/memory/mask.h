/* Sets of the pages of one block: 512 bits and their loops.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_SIM_MASK_H
#define UMMGR_SIM_MASK_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_BLOCK_PAGES 512
#define SIM_MASK_WORDS (SIM_BLOCK_PAGES / 64)

struct sim_mask
{
  uint64_t w[SIM_MASK_WORDS];
};

static inline bool
sim_mask_test (const struct sim_mask *m, unsigned page)
{
  return m->w[page / 64] >> page % 64 & 1;
}

static inline void
sim_mask_set (struct sim_mask *m, unsigned page)
{
  m->w[page / 64] |= UINT64_C (1) << page % 64;
}

/* Bits [LO, HI) of word I.  */
static inline uint64_t
sim_mask_word (unsigned i, unsigned lo, unsigned hi)
{
  unsigned first = i * 64, last = first + 64;
  if (hi <= first || lo >= last)
    return 0;
  uint64_t bits = ~UINT64_C (0);
  if (lo > first)
    bits &= ~UINT64_C (0) << (lo - first);
  if (hi < last)
    bits &= ~UINT64_C (0) >> (last - hi);
  return bits;
}

static inline struct sim_mask
sim_mask_range (unsigned lo, unsigned hi)
{
  struct sim_mask m;
  for (unsigned i = 0; i < SIM_MASK_WORDS; i++)
    m.w[i] = sim_mask_word (i, lo, hi);
  return m;
}

static inline unsigned
sim_mask_count (const struct sim_mask *m)
{
  unsigned n = 0;
  for (unsigned i = 0; i < SIM_MASK_WORDS; i++)
    n += __builtin_popcountll (m->w[i]);
  return n;
}

static inline bool
sim_mask_empty (const struct sim_mask *m)
{
  uint64_t any = 0;
  for (unsigned i = 0; i < SIM_MASK_WORDS; i++)
    any |= m->w[i];
  return !any;
}

static inline struct sim_mask
sim_mask_and (const struct sim_mask *a, const struct sim_mask *b)
{
  struct sim_mask m;
  for (unsigned i = 0; i < SIM_MASK_WORDS; i++)
    m.w[i] = a->w[i] & b->w[i];
  return m;
}

static inline struct sim_mask
sim_mask_andnot (const struct sim_mask *a, const struct sim_mask *b)
{
  struct sim_mask m;
  for (unsigned i = 0; i < SIM_MASK_WORDS; i++)
    m.w[i] = a->w[i] & ~b->w[i];
  return m;
}

static inline void
sim_mask_add (struct sim_mask *to, const struct sim_mask *from)
{
  for (unsigned i = 0; i < SIM_MASK_WORDS; i++)
    to->w[i] |= from->w[i];
}

static inline void
sim_mask_remove (struct sim_mask *to, const struct sim_mask *from)
{
  for (unsigned i = 0; i < SIM_MASK_WORDS; i++)
    to->w[i] &= ~from->w[i];
}

/* The next page at or after FROM that is (or is not) in M; SIM_BLOCK_PAGES
   if there is none.  */
static inline unsigned
sim_mask_next (const struct sim_mask *m, unsigned from, bool in)
{
  for (unsigned i = from / 64; i < SIM_MASK_WORDS; i++)
    {
      uint64_t w = in ? m->w[i] : ~m->w[i];
      if (i == from / 64)
	w &= ~UINT64_C (0) << from % 64;
      if (w)
	return i * 64 + __builtin_ctzll (w);
    }
  return SIM_BLOCK_PAGES;
}

/* For each run [LO, HI) of pages in M.  */
#define SIM_MASK_RUNS(M, LO, HI)                                              \
  for (unsigned LO = sim_mask_next (M, 0, true),                              \
		HI = LO < SIM_BLOCK_PAGES ? sim_mask_next (M, LO, false) : 0; \
       LO < SIM_BLOCK_PAGES;                                                  \
       LO = HI < SIM_BLOCK_PAGES ? sim_mask_next (M, HI, true)                \
				 : SIM_BLOCK_PAGES,                           \
		HI = LO < SIM_BLOCK_PAGES ? sim_mask_next (M, LO, false) : 0)

#endif
