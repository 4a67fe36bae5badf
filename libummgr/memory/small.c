/* Managed memory for objects of less than a page: many share one.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the chunks: allocations of the driver's, each cut into slots of one size.
   A chunk is given back when its last slot is.  */

#include "config.h"
#include "memory/small.h"
#include "device/device.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

/* "Any address [...] returned by one of the memory allocation routines [...] is
   always aligned to at least 256 bytes" (CUDA C++ Programming Guide, Device Memory
   Accesses).  */
#define ALIGNMENT ((size_t) 256)
#define CLASSES (UMMGR_SMALL_MOST / ALIGNMENT + 1)

/* A chunk takes all of its memory on the device as soon as one page is there: it is
   at most a sixteenth of what its class has.  The least is what a fault brings,
   the most a block of the driver's.  */
#define CHUNK_LEAST ((size_t) 64 << 10)
#define CHUNK_MOST ((size_t) 2 << 20)
#define CHUNK_SHARE 16

#define NO_SLOT UINT16_MAX

struct ummgr_small_chunk
{
  LIST_ENTRY (ummgr_small_chunk) room;
  struct class *class;
  struct ummgr_device *device;
  uintptr_t base;
  size_t size, slot_size;
  uint16_t slots, used;
  uint16_t fresh;		/* From here on never used.  */
  uint16_t given_back;		/* First of a list through NEXT.  */
  uint16_t next[];
};

/* Slots of one size, of one kind, on one device.  */
static struct class
{
  LIST_HEAD (, ummgr_small_chunk) room;	/* Those with a free slot.  */
  size_t bytes;			/* Of all chunks.  */
} classes[UMMGR_DEVICES_MAX][UMMGR_SMALL_KINDS][CLASSES];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

unsigned ummgr_small_own_most = 32;
static unsigned own[UMMGR_DEVICES_MAX];

bool
ummgr_small_own (int device)
{
  pthread_mutex_lock (&lock);
  bool may = own[device] < ummgr_small_own_most;
  own[device] += may;
  pthread_mutex_unlock (&lock);
  return may;
}

void
ummgr_small_own_end (int device)
{
  pthread_mutex_lock (&lock);
  own[device]--;
  pthread_mutex_unlock (&lock);
}

static size_t
chunk_size (const struct class *class)
{
  size_t size = class->bytes / CHUNK_SHARE & -CHUNK_LEAST;
  return size < CHUNK_LEAST ? CHUNK_LEAST
    : size > CHUNK_MOST ? CHUNK_MOST : size;
}

static enum ummgr_status
chunk_new (struct class *class, struct ummgr_device *device,
	   enum ummgr_small_kind kind,
	   size_t slot_size)
{
  size_t size = chunk_size (class), slots = size / slot_size;
  struct ummgr_small_chunk *chunk
    = calloc (1, sizeof *chunk + slots * sizeof *chunk->next);
  uintptr_t device_base;
  if (!chunk)
    return UMMGR_ERR_NOMEM;
  enum ummgr_status status
    = device->ops->alloc (device, UMMGR_DEVICE_MANAGED, size, &chunk->base,
			  &device_base);
  if (status != UMMGR_OK)
    {
      free (chunk);
      return status;
    }
  /* Without the advice the pages just move by demand.  */
  if (kind == UMMGR_SMALL_HOST)
    device->ops->keep_on_host (device, chunk->base, size, true);
  chunk->class = class;
  chunk->device = device;
  chunk->size = size;
  chunk->slot_size = slot_size;
  chunk->slots = slots;
  chunk->given_back = NO_SLOT;
  class->bytes += size;
  LIST_INSERT_HEAD (&class->room, chunk, room);
  return UMMGR_OK;
}

static uintptr_t
slot_take (struct ummgr_small_chunk *chunk)
{
  uint16_t slot = chunk->given_back;
  if (slot != NO_SLOT)
    chunk->given_back = chunk->next[slot];
  else
    slot = chunk->fresh++;
  if (++chunk->used == chunk->slots)
    LIST_REMOVE (chunk, room);
  return chunk->base + slot * chunk->slot_size;
}

enum ummgr_status
ummgr_small_alloc (int device, enum ummgr_small_kind kind, size_t size,
		   uintptr_t *address_p, struct ummgr_small_chunk **chunk_p)
{
  size_t number = (size - 1) / ALIGNMENT;
  struct class *class = &classes[device][kind][number];
  enum ummgr_status status = UMMGR_OK;
  pthread_mutex_lock (&lock);
  struct ummgr_small_chunk *chunk = LIST_FIRST (&class->room);
  if (!chunk)
    {
      status = chunk_new (class, ummgr_device_of (device), kind,
			  (number + 1) * ALIGNMENT);
      chunk = LIST_FIRST (&class->room);
    }
  if (status == UMMGR_OK)
    {
      *address_p = slot_take (chunk);
      *chunk_p = chunk;
    }
  pthread_mutex_unlock (&lock);
  return status;
}

void
ummgr_small_free (struct ummgr_small_chunk *chunk, uintptr_t address)
{
  uint16_t slot = (address - chunk->base) / chunk->slot_size;
  pthread_mutex_lock (&lock);
  chunk->next[slot] = chunk->given_back;
  chunk->given_back = slot;
  if (chunk->used-- == chunk->slots)
    LIST_INSERT_HEAD (&chunk->class->room, chunk, room);
  if (!chunk->used)
    {
      LIST_REMOVE (chunk, room);
      chunk->class->bytes -= chunk->size;
      chunk->device->ops->free (chunk->device, UMMGR_DEVICE_MANAGED, chunk->base,
				chunk->base);
      free (chunk);
    }
  pthread_mutex_unlock (&lock);
}
