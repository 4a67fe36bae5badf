/* Shadow memory: one byte for each 4-byte word.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the top table and the chunks.  A chunk is address space without
   memory: pages of it that nothing marks cost nothing.  Knows no objects.  */

#include "config.h"
#include "record/shadow-map.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint8_t ummgr_shadow_next[UMMGR_SHADOW_OPS][256];
uint8_t ummgr_shadow_kinds[2][8][256];
uint8_t **ummgr_shadow_top;

/* A byte in each of eight states.  */
#define EACH(BYTE) ((BYTE) * 0x0101010101010101ull)

/* Eight states at once after OP.  */
static inline __attribute__ ((always_inline)) uint64_t
step (uint64_t s, enum ummgr_shadow_op op)
{
  uint64_t gpu = s & EACH (UMMGR_SHADOW_LAST_GPU), cpu = gpu ^ EACH (1);
  switch (op)
    {
    case UMMGR_SHADOW_CPU_READ:
      return (s | gpu << 5 | cpu << 3) & ~(cpu << 7);
    case UMMGR_SHADOW_GPU_READ:
      return (s | gpu << 6 | cpu << 4) & ~(cpu << 7);
    case UMMGR_SHADOW_COPY_OUT:
      return s | gpu << 5 | cpu << 3;
    case UMMGR_SHADOW_COPIED:
      return s & ~(cpu << 7);
    case UMMGR_SHADOW_COPY_IN:
      return (s & ~EACH (UMMGR_SHADOW_LAST_GPU))
	     | EACH (UMMGR_SHADOW_CPU_WROTE | UMMGR_SHADOW_UNREAD);
    case UMMGR_SHADOW_CPU_WRITE:
      return (s & ~EACH (UMMGR_SHADOW_LAST_GPU))
	     | EACH (UMMGR_SHADOW_CPU_WROTE)
	     | (~(s >> 3 | s >> 4) & EACH (1)) << 7;
    case UMMGR_SHADOW_GPU_WRITE:
      return s | EACH (UMMGR_SHADOW_GPU_WROTE | UMMGR_SHADOW_LAST_GPU);
    case UMMGR_SHADOW_CPU_UPDATE:
      return step (step (s, UMMGR_SHADOW_CPU_READ), UMMGR_SHADOW_CPU_WRITE);
    case UMMGR_SHADOW_GPU_UPDATE:
      return step (step (s, UMMGR_SHADOW_GPU_READ), UMMGR_SHADOW_GPU_WRITE);
    default:
      return s;
    }
}

bool
ummgr_shadow_start (void)
{
  if (ummgr_shadow_top)
    return true;
  for (int op = 0; op < UMMGR_SHADOW_OPS; op++)
    for (int state = 0; state < 256; state++)
      ummgr_shadow_next[op][state]
	= (uint8_t) step (EACH ((uint64_t) state), (enum ummgr_shadow_op) op);
  for (unsigned i = 0; i < 16; i++)
    memcpy (ummgr_shadow_kinds[i / 8][i % 8],
	    ummgr_shadow_next[ummgr_shadow_op (i / 8, i % 8)], 256);
  void *top = mmap (NULL, UMMGR_SHADOW_TOP_SIZE * sizeof *ummgr_shadow_top,
		    PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (top == MAP_FAILED)
    {
      ummgr_error ("trace: no address space for shadow memory: %s; raise the "
		   "limit (ulimit -v) to see accesses", strerror (errno));
      return false;
    }
  ummgr_shadow_top = top;
  return true;
}

/* The chunk of ADDRESS; made if need be.  */
static bool
make_chunk (uint64_t address)
{
  uint8_t **slot = &ummgr_shadow_top[address >> UMMGR_SHADOW_CHUNK_SHIFT];
  if (__atomic_load_n (slot, __ATOMIC_RELAXED))
    return true;
  void *chunk = mmap (NULL, UMMGR_SHADOW_CHUNK_WORDS, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (chunk == MAP_FAILED)
    {
      ummgr_warn_once ("trace: no memory for shadow memory: %s; some accesses "
		       "are not recorded; --sample does not help, fewer "
		       "objects do", strerror (errno));
      return false;
    }
  uint8_t *none = NULL;
  if (!__atomic_compare_exchange_n (slot, &none, chunk, false,
				    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    munmap (chunk, UMMGR_SHADOW_CHUNK_WORDS);
  return true;
}

bool
ummgr_shadow_prepare (uint64_t address, uint64_t size)
{
  const uint64_t chunk = (uint64_t) 1 << UMMGR_SHADOW_CHUNK_SHIFT;
  uint64_t end = address + size;
  if (!size || end < address || end >> UMMGR_SHADOW_ADDRESS_BITS)
    return false;
  for (uint64_t at = address & -chunk; at < end; at += chunk)
    if (!make_chunk (at))
      return false;
  ummgr_shadow_reset (address, size);
  return true;
}

bool
ummgr_shadow_piece (uint64_t word, uint64_t end, uint64_t mask,
		    struct ummgr_shadow_piece *piece)
{
  const uint64_t in_chunk = UMMGR_SHADOW_CHUNK_WORDS - 1;
  const uint64_t in_block = (1u << (UMMGR_TRACE_SAMPLE_SHIFT - 2)) - 1;
  while (word < end)
    {
      uint8_t *chunk = ummgr_shadow_chunk (word << 2);
      uint64_t stop = (word | in_chunk) + 1;
      if (stop > end)
	stop = end;
      if (mask && chunk)
	{
	  while (word < stop && !ummgr_trace_sampled (word << 2, mask))
	    word = (word | in_block) + 1;
	  if (word >= stop)
	    continue;
	  if (stop > (word | in_block) + 1)
	    stop = (word | in_block) + 1;
	}
      if (chunk)
	{
	  piece->states = chunk + (word & in_chunk);
	  piece->word = word;
	  piece->count = stop - word;
	  return true;
	}
      word = stop;
    }
  return false;
}

/* All zero, giving whole pages back where there are many.  */
static void
clear (uint8_t *states, size_t count)
{
  const uintptr_t page = 4096;
  uintptr_t lo = ((uintptr_t) states + page - 1) & -page;
  uintptr_t hi = ((uintptr_t) states + count) & -page;
  if (hi > lo && hi - lo >= 16 * page
      && madvise ((void *) lo, hi - lo, MADV_DONTNEED) == 0)
    {
      memset (states, 0, lo - (uintptr_t) states);
      memset ((void *) hi, 0, (uintptr_t) states + count - hi);
    }
  else
    memset (states, 0, count);
}

void
ummgr_shadow_reset (uint64_t address, uint64_t size)
{
  struct ummgr_shadow_piece piece;
  uint64_t end = ummgr_shadow_end_word (address, size);
  for (uint64_t word = address >> 2;
       ummgr_shadow_piece (word, end, 0, &piece);
       word = piece.word + piece.count)
    clear (piece.states, piece.count);
}

uint8_t *
ummgr_shadow_save (uint64_t address, uint64_t size)
{
  struct ummgr_shadow_piece piece;
  uint64_t first = address >> 2, end = ummgr_shadow_end_word (address, size);
  uint8_t *states = calloc (1, end - first + 1);
  if (states)
    for (uint64_t word = first; ummgr_shadow_piece (word, end, 0, &piece);
	 word = piece.word + piece.count)
      memcpy (states + (piece.word - first), piece.states, piece.count);
  return states;
}

void
ummgr_shadow_restore (uint8_t *states, uint64_t address, uint64_t size)
{
  struct ummgr_shadow_piece piece;
  uint64_t first = address >> 2, end = ummgr_shadow_end_word (address, size);
  if (states)
    for (uint64_t word = first; ummgr_shadow_piece (word, end, 0, &piece);
	 word = piece.word + piece.count)
      for (size_t i = 0; i < piece.count; i++)
	piece.states[i] = states[piece.word - first + i]
			  & UMMGR_SHADOW_LASTING;
  free (states);
}

/* Does OP leave all of COUNT states, at least one, as they are?  So it is after
   the first time, and short ranges are the most.  Reads up to eight states from
   P on, which must be in the chunk.  */
static inline __attribute__ ((always_inline)) bool
leaves_all (const uint8_t *p, size_t count, enum ummgr_shadow_op op)
{
  uint64_t s;
  for (; count > 8; count -= 8, p += 8)
    {
      s = ummgr_shadow_eight (p);
      if (step (s, op) != s)
	return false;
    }
  s = ummgr_shadow_eight (p);
  return ((step (s, op) ^ s) << 8 * (8 - count)) == 0;
}

/* OP for COUNT states: eight at a time, and a store only where one changes. */
static inline __attribute__ ((always_inline)) void
mark_states (uint8_t *p, size_t count, enum ummgr_shadow_op op)
{
  const uint8_t *next = ummgr_shadow_next[op];
  /* Where eight more would lie in the next page they may not be there.  */
  if (count && count <= 64 && (uintptr_t) p % 4096 + count + 8 <= 4096
      && leaves_all (p, count, op))
    return;
  for (; count && ((uintptr_t) p & 7); count--)
    ummgr_shadow_mark (p++, next);
  for (; count >= 8; count -= 8, p += 8)
    {
      uint64_t *eight = (uint64_t *) p;
      uint64_t old = __atomic_load_n (eight, __ATOMIC_RELAXED);
      while (step (old, op) != old
	     && !__atomic_compare_exchange_n (eight, &old, step (old, op),
					      true, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED))
	;
    }
  for (; count; count--)
    ummgr_shadow_mark (p++, next);
}

static void
mark_piece (uint8_t *p, size_t count, enum ummgr_shadow_op op)
{
  switch (op)
    {
#define CASE(OP)                                                              \
    case OP:                                                                  \
      mark_states (p, count, OP);                                             \
      break
    CASE (UMMGR_SHADOW_CPU_READ);
    CASE (UMMGR_SHADOW_CPU_WRITE);
    CASE (UMMGR_SHADOW_CPU_UPDATE);
    CASE (UMMGR_SHADOW_GPU_READ);
    CASE (UMMGR_SHADOW_GPU_WRITE);
    CASE (UMMGR_SHADOW_GPU_UPDATE);
    CASE (UMMGR_SHADOW_COPY_OUT);
    CASE (UMMGR_SHADOW_COPIED);
    CASE (UMMGR_SHADOW_COPY_IN);
#undef CASE
    default:
      break;
    }
}

void
ummgr_shadow_range (uint64_t address, uint64_t size, enum ummgr_shadow_op op,
		    uint64_t mask)
{
  struct ummgr_shadow_piece piece;
  uint64_t end = ummgr_shadow_end_word (address, size);
  for (uint64_t word = address >> 2;
       ummgr_shadow_piece (word, end, mask, &piece);
       word = piece.word + piece.count)
    mark_piece (piece.states, piece.count, op);
}

/* Elements of one word, or two if WIDE, one by one.  */
static void
mark_aligned (uint64_t address, int64_t stride, uint64_t count, bool wide,
	      const uint8_t *next)
{
  const uint64_t in_chunk = UMMGR_SHADOW_CHUNK_WORDS - 1;
  for (; count; count--, address += stride)
    {
      uint8_t *chunk = ummgr_shadow_chunk (address);
      uint64_t at = address >> 2 & in_chunk;
      if (wide && at == in_chunk)
	ummgr_shadow_element (address, 8, next);
      else if (chunk)
	{
	  ummgr_shadow_mark (chunk + at, next);
	  if (wide)
	    ummgr_shadow_mark (chunk + at + 1, next);
	}
    }
}

/* Of elements that lie close, those of a block that is left out are passed over together: as
   many as begin there, each STEP behind the one before, or before it.  */
static void
mark_sampled (uint64_t address, int64_t stride, uint64_t count, uint32_t size,
	      const uint8_t *next, uint64_t mask)
{
  const uint64_t block = 1 << UMMGR_TRACE_SAMPLE_SHIFT;
  uint64_t step = stride < 0 ? -(uint64_t) stride : (uint64_t) stride, n;
  bool close = step && step < block / 2;
  /* To divide less than BLOCK by STEP.  */
  uint64_t part = close ? (1 << 16) / step + 1 : 0;
  for (; count; count -= n, address += n * (uint64_t) stride)
    {
      uint64_t in = address & (block - 1);
      n = 1;
      if (ummgr_trace_sampled (address, mask))
	ummgr_shadow_element (address, size, next);
      else if (close)
	n = ((stride < 0 ? in : block - 1 - in) * part >> 16) + 1;
      n = n < count ? n : count;
    }
}

/* Elements one by one; each is sampled by where it begins, as a single access
   is.  */
static void
mark_elements (uint64_t address, int64_t stride, uint64_t count, uint32_t size,
	       enum ummgr_shadow_op op, uint64_t mask)
{
  const uint8_t *next = ummgr_shadow_next[op];
  if (!mask && size <= 8 && ((address | (uint64_t) stride | size) & 3) == 0)
    mark_aligned (address, stride, count, size == 8, next);
  else
    mark_sampled (address, stride, count, size, next, mask);
}

void
ummgr_shadow_strided (uint64_t address, int64_t stride, uint64_t count,
		      uint32_t size, enum ummgr_shadow_op op, uint64_t mask)
{
  uint64_t step = stride < 0 ? -(uint64_t) stride : (uint64_t) stride;
  if (!count || !size)
    return;
  /* From the second time on nothing changes.  */
  if (!stride)
    count = count > 2 ? 2 : count;
  /* Elements that leave no word out.  What updates words twice where they
     share one is done one by one: the second finds its own side's value.  */
  bool update = (op & 3) == 3;
  bool share = ((address | step | size) & 3) != 0;
  if (count > 1 && step <= size && step
      && (!update || (step == size && !share)))
    {
      uint64_t lo = stride < 0 ? address - step * (count - 1) : address;
      ummgr_shadow_range (lo, step * (count - 1) + size, op, mask);
    }
  else
    mark_elements (address, stride, count, size, op, mask);
}

/* Take over who wrote last, for up to eight states at once.  */
static void
bring_states (uint8_t *to, const uint8_t *from, size_t count)
{
  while (count)
    {
      size_t n = ((uintptr_t) to & 7) || count < 8 ? 1 : 8;
      uint64_t gpu = 0;
      if (from)
	memcpy (&gpu, from, n);
      else
	gpu = EACH ((uint64_t) UMMGR_SHADOW_LAST_GPU);
      gpu &= EACH ((uint64_t) UMMGR_SHADOW_LAST_GPU);
      if (n == 8)
	{
	  uint64_t *eight = (uint64_t *) to;
	  uint64_t old = __atomic_load_n (eight, __ATOMIC_RELAXED);
	  while (((old | gpu) & ~(gpu << 7)) != old
		 && !__atomic_compare_exchange_n (eight, &old,
						  (old | gpu) & ~(gpu << 7),
						  true, __ATOMIC_RELAXED,
						  __ATOMIC_RELAXED))
	    ;
	}
      else if (gpu & 1)
	{
	  __atomic_fetch_or (to, UMMGR_SHADOW_LAST_GPU, __ATOMIC_RELAXED);
	  __atomic_fetch_and (to, (uint8_t) ~UMMGR_SHADOW_UNREAD,
			      __ATOMIC_RELAXED);
	}
      to += n;
      from += from ? n : 0;
      count -= n;
    }
}

void
ummgr_shadow_bring (uint64_t from, uint64_t to, uint64_t size, uint64_t mask)
{
  struct ummgr_shadow_piece piece;
  const uint64_t in_chunk = UMMGR_SHADOW_CHUNK_WORDS - 1;
  const uint64_t in_block = (1u << (UMMGR_TRACE_SAMPLE_SHIFT - 2)) - 1;
  uint64_t first = to >> 2, end = ummgr_shadow_end_word (to, size);
  for (uint64_t word = first; ummgr_shadow_piece (word, end, mask, &piece);
       word = piece.word + piece.count)
    for (size_t n; piece.count;
	 piece.count -= n, piece.word += n, piece.states += n)
      {
	/* Up to the end of what is alike on the device.  */
	uint64_t there = (from >> 2) + (piece.word - first);
	uint64_t edge = (there | (mask ? in_block : in_chunk)) + 1 - there;
	n = piece.count < edge ? piece.count : edge;
	uint8_t *chunk = ummgr_shadow_chunk (there << 2);
	bool known = chunk && ummgr_trace_sampled (there << 2, mask);
	bring_states (piece.states, known ? chunk + (there & in_chunk) : NULL,
		      n);
      }
}

void
ummgr_shadow_count (uint64_t word, uint64_t end, uint64_t mask,
		    struct ummgr_shadow_count *count)
{
  struct ummgr_shadow_piece piece;
  memset (count, 0, sizeof *count);
  for (; ummgr_shadow_piece (word, end, mask, &piece);
       word = piece.word + piece.count)
    {
      count->words += piece.count;
      for (size_t i = 0; i < piece.count; i++)
	{
	  uint8_t s = piece.states[i];
	  bool unread = s & UMMGR_SHADOW_UNREAD;
	  bool gpu = s & UMMGR_SHADOW_LAST_GPU;
	  count->cpu_last += !gpu;
	  count->unused += unread & !gpu;
	  count->overwritten += unread & gpu;
	}
    }
}
