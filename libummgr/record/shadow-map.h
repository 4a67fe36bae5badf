/* Shadow memory: look-up and marking, for the recorder's files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Words are numbered by address / 4.  A range that begins or ends within a
   word marks the whole word.

   Any thread, without a lock: every change of a state is a compare-exchange,
   so threads on neighbouring words, and several kinds on one word, lose
   nothing.  A mask other than 0 (ummgr-trace-abi.h) leaves out the blocks of 256
   bytes that sampling leaves out, here and in every count.  */

#pragma once

#include "record/shadow.h"
#include "ummgr-trace-abi.h"

#include <string.h>

/* No detour through the global offset table on the way of every access.  */
#pragma GCC visibility push(hidden)

#define UMMGR_SHADOW_ADDRESS_BITS 47
#define UMMGR_SHADOW_CHUNK_SHIFT 22	/* Of addresses.  */
#define UMMGR_SHADOW_CHUNK_WORDS ((size_t) 1 << 20)
#define UMMGR_SHADOW_TOP_SIZE                                                 \
  ((size_t) 1 << (UMMGR_SHADOW_ADDRESS_BITS - UMMGR_SHADOW_CHUNK_SHIFT))

/* What happens to a word: side * 4 + read 1, write 2, both in this order 3;
   or it is copied out of the device, which is a read by the CPU but leaves
   UNREAD: the device has not read it; or copied from the host, which is no
   access by the CPU's code, but somebody's to whom it was not in vain.  */
enum ummgr_shadow_op
{
  UMMGR_SHADOW_CPU_READ = 1,
  UMMGR_SHADOW_CPU_WRITE = 2,
  UMMGR_SHADOW_CPU_UPDATE = 3,
  UMMGR_SHADOW_GPU_READ = 5,
  UMMGR_SHADOW_GPU_WRITE = 6,
  UMMGR_SHADOW_GPU_UPDATE = 7,
  UMMGR_SHADOW_COPY_OUT = 8,
  UMMGR_SHADOW_COPIED = 9,
  /* What a copy to the device does to its words there.  */
  UMMGR_SHADOW_COPY_IN = 10,
  UMMGR_SHADOW_OPS
};

/* The op of an access of KIND (enum ummgr_trace_access_kind): an atomic one
   that doesn't say more reads and writes.  */
static inline enum ummgr_shadow_op
ummgr_shadow_op (bool gpu, unsigned kind)
{
  unsigned simple = (kind & 3) ? (kind & 3) : (kind & 4) ? 3 : 0;
  return (enum ummgr_shadow_op) (simple ? simple + 4 * gpu : 0);
}

/* The next state of a word by op and state; the same by side and kind; the top
   table.  */
extern uint8_t ummgr_shadow_next[UMMGR_SHADOW_OPS][256];
extern uint8_t ummgr_shadow_kinds[2][8][256];
extern uint8_t **ummgr_shadow_top;

/* Make the tables.  False, after a message, without address space.  */
bool ummgr_shadow_start (void);

static inline uint64_t
ummgr_shadow_end_word (uint64_t address, uint64_t size)
{
  return size ? (address + size + 3) >> 2 : address >> 2;
}

/* The chunk of ADDRESS, or NULL.  */
static inline uint8_t *
ummgr_shadow_chunk (uint64_t address)
{
  return address >> UMMGR_SHADOW_ADDRESS_BITS
	   ? NULL
	   : __atomic_load_n (
	     &ummgr_shadow_top[address >> UMMGR_SHADOW_CHUNK_SHIFT],
	     __ATOMIC_RELAXED);
}

/* Eight states from P on, any of which others may be marking: their values before or
   after will do.  */
static inline uint64_t
ummgr_shadow_eight (const uint8_t *p)
{
  uint64_t s = 0;
#ifdef __SANITIZE_THREAD__
  for (int i = 0; i < 8; i++)
    s |= (uint64_t) __atomic_load_n (p + i, __ATOMIC_RELAXED) << 8 * i;
#else
  memcpy (&s, p, 8);		/* There is no atomic load where P is odd.  */
#endif
  return s;
}

static inline void
ummgr_shadow_mark (uint8_t *state, const uint8_t *next)
{
  uint8_t old = __atomic_load_n (state, __ATOMIC_RELAXED);
  while (next[old] != old
	 && !__atomic_compare_exchange_n (state, &old, next[old], true,
					  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* The words of an element of SIZE bytes.  */
static inline void
ummgr_shadow_element (uint64_t address, uint32_t size, const uint8_t *next)
{
  uint64_t word = address >> 2, last = (address + size - 1) >> 2;
  for (; word <= last; word++)
    {
      uint8_t *chunk = ummgr_shadow_chunk (word << 2);
      if (chunk)
	ummgr_shadow_mark (chunk + (word & (UMMGR_SHADOW_CHUNK_WORDS - 1)),
			   next);
    }
}

/* Words that are in a chunk and sampled, one after another.  */
struct ummgr_shadow_piece
{
  uint8_t *states;
  uint64_t word;
  size_t count;
};

/* The first such of [WORD, END), at most one chunk; false if there is none. */
bool ummgr_shadow_piece (uint64_t word, uint64_t end, uint64_t mask,
			 struct ummgr_shadow_piece *piece);

/* Have shadow for [ADDRESS, ADDRESS + SIZE), all 0.  False, after a message,
   without memory.  */
bool ummgr_shadow_prepare (uint64_t address, uint64_t size);

/* Set the states of a range to 0.  */
void ummgr_shadow_reset (uint64_t address, uint64_t size);

/* The states of SIZE bytes, to be put at another address: NULL without memory.
   Restoring frees them; NULL is ignored.  */
uint8_t *ummgr_shadow_save (uint64_t address, uint64_t size);
void ummgr_shadow_restore (uint8_t *states, uint64_t address, uint64_t size);

/* OP happens to SIZE bytes, once.  */
void ummgr_shadow_range (uint64_t address, uint64_t size,
			 enum ummgr_shadow_op op, uint64_t mask);

/* OP happens to COUNT elements of SIZE bytes, one after another.  */
void ummgr_shadow_strided (uint64_t address, int64_t stride, uint64_t count,
			   uint32_t size, enum ummgr_shadow_op op,
			   uint64_t mask);

/* SIZE bytes at FROM, on a device, are copied to TO, on the host: there, too,
   the GPU wrote last what it wrote last here.  Nobody has written TO itself.
   Where sampling has left out the word at FROM, it is taken for the GPU's.  */
void ummgr_shadow_bring (uint64_t from, uint64_t to, uint64_t size,
			 uint64_t mask);

/* How many words of a range were not written by the GPU last, and how many of
   those nobody has read; how many are overwritten unread.  */
struct ummgr_shadow_count
{
  uint64_t words, cpu_last, unused, overwritten;
};
void ummgr_shadow_count (uint64_t word, uint64_t end, uint64_t mask,
			 struct ummgr_shadow_count *count);

#pragma GCC visibility pop
