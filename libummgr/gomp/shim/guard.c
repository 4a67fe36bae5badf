/* libgomp's blocks while the checker is on: apart from each other, filled, and not soon reused.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What is accessed beyond a block is in nobody's memory then, and what is accessed after it was
   freed is not yet another's.  A block that doesn't fit so is as libgomp asked for it.

   Owns the list of blocks.  */

#include "config.h"
#include "check/check.h"
#include "gomp/shim/shim.h"
#include "gomp/shim-api.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Bytes around a block, which keep its alignment; the more behind it, the larger it is, as one
   that is too small often is by a factor.  And what is kept of freed ones.  */
enum { BEFORE = 4096, AFTER = 256 << 10, AFTER_MOST = 64 << 20, FILL = 1 << 16 };
#define KEPT_MOST ((uint64_t) 1 << 30)

struct block
{
  struct block *next;
  int ordinal;
  char *base, *address;
  size_t size, whole;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks;	/* Atomic where none is looked for without the lock.  */
static struct block *freed, **freed_end = &freed; /* The oldest first.  */
static uint64_t kept;		/* Bytes of FREED.  */

/* Let blocks go until at most MOST bytes are kept.  The lock is held.  */
static void
let_go (const struct ummgr_shim_client *client, uint64_t most)
{
  while (freed && kept > most)
    {
      struct block *block = freed;
      freed = block->next;
      if (!freed)
	freed_end = &freed;
      kept -= block->whole;
      client->block_gone (block->ordinal, (uintptr_t) block->address);
      ummgr_shim_plugin.free (block->ordinal, block->base);
      free (block);
    }
}

static void
fill (int ordinal, char *address, size_t size)
{
  static char pattern[FILL];
  memset (pattern, UMMGR_CHECK_FILL, sizeof pattern);
  for (size_t part; size; address += part, size -= part)
    {
      part = size < sizeof pattern ? size : sizeof pattern;
      if (!ummgr_shim_plugin.host2dev (ordinal, address, pattern, part))
	return;
    }
}

void *
ummgr_shim_guard_alloc (const struct ummgr_shim_client *client, int ordinal, size_t size)
{
  size_t after = size < AFTER ? AFTER : size > AFTER_MOST ? AFTER_MOST : (size + 511) / 512 * 512;
  struct block *block = malloc (sizeof *block);
  if (!block)
    return ummgr_shim_plugin.alloc (ordinal, size);
  *block = (struct block) { .ordinal = ordinal, .size = size, .whole = BEFORE + size + after };
  pthread_mutex_lock (&lock);
  block->base = ummgr_shim_plugin.alloc (ordinal, block->whole);
  if (!block->base)
    {
      let_go (client, 0);
      block->base = ummgr_shim_plugin.alloc (ordinal, block->whole);
    }
  if (!block->base)
    {
      pthread_mutex_unlock (&lock);
      free (block);
      return ummgr_shim_plugin.alloc (ordinal, size);
    }
  block->address = block->base + BEFORE;
  block->next = blocks;
  __atomic_store_n (&blocks, block, __ATOMIC_RELAXED);
  pthread_mutex_unlock (&lock);
  fill (ordinal, block->address, size);
  client->block_allocated (ordinal, (uintptr_t) block->address, size, BEFORE, after);
  return block->address;
}

bool
ummgr_shim_guard_free (const struct ummgr_shim_client *client, int ordinal, const void *address,
		       size_t *size_p)
{
  /* Most programs aren't checked: no lock for each of their blocks.  */
  if (!__atomic_load_n (&blocks, __ATOMIC_RELAXED))
    return false;
  pthread_mutex_lock (&lock);
  struct block **link = &blocks, *block;
  while ((block = *link) && (block->ordinal != ordinal || block->address != address))
    link = &block->next;
  if (block)
    {
      *link = block->next;
      block->next = NULL;
      *freed_end = block;
      freed_end = &block->next;
      kept += block->whole;
      *size_p = block->size;
      client->block_freed (ordinal, (uintptr_t) address);
      let_go (client, KEPT_MOST);
    }
  pthread_mutex_unlock (&lock);
  return block;
}
