/* Memory for many data objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A look-up by address ends with a read of the object it found.  Among a
   million of them in pages of 4 KiB that read misses the TLB nearly always,
   which costs as much as a step in the table; so large numbers of objects
   live in chunks that ask for huge pages.  Chunks grow with the number of
   objects and are kept for the next ones: a program of a few objects pays for
   one small chunk.

   Owns the chunks; knows nothing of what is in an object.  */

#include "config.h"
#include "memory/object-pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_CHUNK ((size_t) 16 << 10)
#define HUGE_PAGE ((size_t) 2 << 20)

union cell
{
  struct ummgr_object object;
  union cell *next;		/* While it is free.  */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static union cell *given_back;
static union cell *chunk, *chunk_end;	/* Never used yet.  */
static size_t next_chunk = FIRST_CHUNK;

static bool
add_chunk (void)
{
  size_t size = next_chunk;
  void *p = aligned_alloc (size < HUGE_PAGE ? 4096 : HUGE_PAGE, size);
  if (!p)
    return false;
  /* Advice only: where huge pages are off nothing is lost.  */
  if (size >= HUGE_PAGE)
    madvise (p, size, MADV_HUGEPAGE);
  else
    next_chunk *= 2;
  chunk = p;
  chunk_end = chunk + size / sizeof *chunk;
  return true;
}

struct ummgr_object *
ummgr_object_pool_take (void)
{
  pthread_mutex_lock (&lock);
  union cell *cell = given_back;
  if (cell)
    given_back = cell->next;
  else if (chunk != chunk_end || add_chunk ())
    cell = chunk++;
  pthread_mutex_unlock (&lock);
  return cell ? memset (cell, 0, sizeof *cell) : NULL;
}

void
ummgr_object_pool_give (struct ummgr_object *object)
{
  union cell *cell = (union cell *) object;
  pthread_mutex_lock (&lock);
  cell->next = given_back;
  given_back = cell;
  pthread_mutex_unlock (&lock);
}
