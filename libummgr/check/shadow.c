/* Shadow memory of the checker.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table and its chunks.  */

#include "config.h"
#include "check/shadow.h"

#include "base/log.h"

#include <string.h>
#include <sys/mman.h>

#define ENTRIES (UINT64_C (1) << (UMMGR_CHECK_ADDRESS_BITS - UMMGR_CHECK_CHUNK_SHIFT))

struct ummgr_check_chunk **ummgr_check_chunks;

/* Indices between which all chunks are; under the checker's lock.  */
static uint64_t first = ENTRIES, last;

static void *
reserve (size_t size)
{
  void *p = mmap (NULL, size, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p != MAP_FAILED)
    return p;
  ummgr_warn_once ("check: no memory for what is known of each byte; nothing is found any more");
  return NULL;
}

bool
ummgr_check_shadow_start (void)
{
  if (!ummgr_check_chunks)
    ummgr_check_chunks = reserve (ENTRIES * sizeof *ummgr_check_chunks);
  return ummgr_check_chunks;
}

bool
ummgr_check_chunks_make (uint64_t address, uint64_t size)
{
  uint64_t index = address >> UMMGR_CHECK_CHUNK_SHIFT;
  uint64_t end = (address + size - 1) >> UMMGR_CHECK_CHUNK_SHIFT;
  if (!size || end >= ENTRIES || end < index)
    return false;
  first = index < first ? index : first;
  last = end > last ? end : last;
  for (; index <= end; index++)
    if (!ummgr_check_chunks[index])
      {
	struct ummgr_check_chunk *chunk = reserve (sizeof *chunk);
	if (!chunk)
	  return false;
	__atomic_store_n (&ummgr_check_chunks[index], chunk, __ATOMIC_RELEASE);
      }
  return true;
}

void
ummgr_check_words_clear (void)
{
  for (uint64_t i = first; i <= last && i < ENTRIES; i++)
    if (ummgr_check_chunks[i])
      madvise (ummgr_check_chunks[i]->word, sizeof ummgr_check_chunks[i]->word, MADV_DONTNEED);
}

/* The bytes from ADDRESS on that are in its chunk, at most SIZE.  */
static uint64_t
part_of (uint64_t address, uint64_t size)
{
  uint64_t left = UMMGR_CHECK_CHUNK - (address & (UMMGR_CHECK_CHUNK - 1));
  return left < size ? left : size;
}

void
ummgr_check_states_set (uint64_t address, uint64_t size, uint8_t state)
{
  for (uint64_t part; size; address += part, size -= part)
    {
      struct ummgr_check_chunk *chunk = ummgr_check_chunk (address);
      part = part_of (address, size);
      if (chunk)
	memset (&chunk->state[address & (UMMGR_CHECK_CHUNK - 1)], state, part);
    }
}

static bool
bytes_any (const uint8_t *p, uint64_t n, uint8_t bits)
{
  const uint64_t all = bits * UINT64_C (0x0101010101010101);
  uint64_t found = 0, word;
  for (; n >= 32; n -= 32, p += 32)
    {
      uint64_t four[4];
      memcpy (four, p, sizeof four);
      if ((four[0] | four[1] | four[2] | four[3]) & all)
	return true;
    }
  for (; n >= sizeof word; n -= sizeof word, p += sizeof word)
    {
      memcpy (&word, p, sizeof word);
      found |= word & all;
    }
  /* One element's, as a rule.  */
  if (n >= sizeof (uint32_t))
    {
      uint32_t half;
      memcpy (&half, p, sizeof half);
      found |= half & (uint32_t) all;
      n -= sizeof half;
      p += sizeof half;
    }
  for (; n; n--, p++)
    found |= *p & bits;
  return found;
}

bool
ummgr_check_states_any (uint64_t address, uint64_t size, uint8_t bits)
{
  for (uint64_t part; size; address += part, size -= part)
    {
      const struct ummgr_check_chunk *chunk = ummgr_check_chunk (address);
      part = part_of (address, size);
      if (chunk && bytes_any (&chunk->state[address & (UMMGR_CHECK_CHUNK - 1)], part, bits))
	return true;
    }
  return false;
}
