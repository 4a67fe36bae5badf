/* Sets of the pages of one block: 512 bits and their loops.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdbool.h>
#include <stdint.h>

#define UVM_BLOCK_PAGES 512
#define UVM_MASK_WORDS (UVM_BLOCK_PAGES / 64)

struct uvm_mask
{
  uint64_t w[UVM_MASK_WORDS];
};

static inline bool
uvm_mask_test (const struct uvm_mask *m, unsigned page)
{
  return m->w[page / 64] >> page % 64 & 1;
}

static inline void
uvm_mask_set (struct uvm_mask *m, unsigned page)
{
  m->w[page / 64] |= UINT64_C (1) << page % 64;
}

/* Bits [LO, HI) of word I.  */
static inline uint64_t
uvm_mask_word (unsigned i, unsigned lo, unsigned hi)
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

static inline struct uvm_mask
uvm_mask_range (unsigned lo, unsigned hi)
{
  struct uvm_mask m;
  for (unsigned i = 0; i < UVM_MASK_WORDS; i++)
    m.w[i] = uvm_mask_word (i, lo, hi);
  return m;
}

static inline unsigned
uvm_mask_count (const struct uvm_mask *m)
{
  unsigned n = 0;
  for (unsigned i = 0; i < UVM_MASK_WORDS; i++)
    n += __builtin_popcountll (m->w[i]);
  return n;
}

static inline bool
uvm_mask_empty (const struct uvm_mask *m)
{
  uint64_t any = 0;
  for (unsigned i = 0; i < UVM_MASK_WORDS; i++)
    any |= m->w[i];
  return !any;
}

static inline struct uvm_mask
uvm_mask_and (const struct uvm_mask *a, const struct uvm_mask *b)
{
  struct uvm_mask m;
  for (unsigned i = 0; i < UVM_MASK_WORDS; i++)
    m.w[i] = a->w[i] & b->w[i];
  return m;
}

static inline struct uvm_mask
uvm_mask_andnot (const struct uvm_mask *a, const struct uvm_mask *b)
{
  struct uvm_mask m;
  for (unsigned i = 0; i < UVM_MASK_WORDS; i++)
    m.w[i] = a->w[i] & ~b->w[i];
  return m;
}

static inline void
uvm_mask_add (struct uvm_mask *to, const struct uvm_mask *from)
{
  for (unsigned i = 0; i < UVM_MASK_WORDS; i++)
    to->w[i] |= from->w[i];
}

static inline void
uvm_mask_remove (struct uvm_mask *to, const struct uvm_mask *from)
{
  for (unsigned i = 0; i < UVM_MASK_WORDS; i++)
    to->w[i] &= ~from->w[i];
}

/* The next page at or after FROM that is (or is not) in M; UVM_BLOCK_PAGES
   if there is none.  */
static inline unsigned
uvm_mask_next (const struct uvm_mask *m, unsigned from, bool in)
{
  for (unsigned i = from / 64; i < UVM_MASK_WORDS; i++)
    {
      uint64_t w = in ? m->w[i] : ~m->w[i];
      if (i == from / 64)
	w &= ~UINT64_C (0) << from % 64;
      if (w)
	return i * 64 + __builtin_ctzll (w);
    }
  return UVM_BLOCK_PAGES;
}

/* For each run [LO, HI) of pages in M.  */
#define UVM_MASK_RUNS(M, LO, HI)                                              \
  for (unsigned LO = uvm_mask_next (M, 0, true),                              \
		HI = LO < UVM_BLOCK_PAGES ? uvm_mask_next (M, LO, false) : 0; \
       LO < UVM_BLOCK_PAGES;                                                  \
       LO = HI < UVM_BLOCK_PAGES ? uvm_mask_next (M, HI, true)                \
				 : UVM_BLOCK_PAGES,                           \
		HI = LO < UVM_BLOCK_PAGES ? uvm_mask_next (M, LO, false) : 0)
