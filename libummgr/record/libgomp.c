/* What libgomp maps and copies itself, as its plugin sees it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The plugin is told device addresses, host addresses and sizes, but not what
   they are of: libgomp puts the mappings of a construct into one block, and
   gathers what is small (up to 32 KiB) in a buffer of its own before it copies
   (gomp_coalesce_buf, GCC 11 to 14).  What helps: each launch begins with a
   table of the device addresses of all its clauses, which is copied to the
   device like data and named in the launch.  So the device copies of a region's
   clauses are known when it is launched; and copies straight from host memory
   that a clause or an object is known at, when they are made.

   Good enough, and no more: what `target data' maps in small pieces counts as
   copied in at the first launch that uses it, and where host code has changed
   it since, its hash is of the later bytes.  Scalars of less than 64 bytes that
   are in no known object stay unknown.

   Owns each thread's list of gathered copies.  */

#include "config.h"
#include "record/libgomp.h"
#include "base/grow.h"
#include "record/recorder.h"

#include "gomp/abi.h"

#include <Judy.h>
#include <stdlib.h>
#include <string.h>

enum
{
  SMALLEST = 64,		/* Bytes of what becomes an object so.  */
  CHUNKS = 1024
};

/* A gathered copy: device addresses.  */
struct chunk
{
  uint64_t lo, hi;
};

/* Guarded by the recorder's lock; the oldest are forgotten.  */
static struct chunk chunks[CHUNKS];
static unsigned next_chunk;
static void *mapped;		/* By host address: size.  */

struct table
{
  uint64_t at;			/* Device address.  */
  uint64_t *values;
  size_t count, room;
};

static __thread const struct ummgr_clauses *current;
/* Words that this thread's construct has copied from unknown places: the table
   of a launch is among them.  */
static __thread struct table *words;
static __thread size_t word_lists, word_room;

/* Does clause I map data?  */
static bool
is_data (const struct ummgr_clauses *c, size_t i)
{
  bool implicit;
  return ummgr_kind_is_data (ummgr_clause_kind (c, i, &implicit));
}

static void
forget_words (void)
{
  for (size_t i = 0; i < word_lists; i++)
    free (words[i].values);
  free (words);
  words = NULL;
  word_lists = word_room = 0;
}

void
ummgr_record_clauses_begin (const struct ummgr_clauses *clauses)
{
  if (!ummgr_record_tracing ())
    return;
  current = clauses;
  pthread_mutex_lock (&ummgr_record.lock);
  for (size_t i = 0; i < clauses->count; i++)
    if (clauses->hostaddrs[i] && clauses->sizes[i] >= SMALLEST
	&& is_data (clauses, i))
      {
	PPvoid_t slot
	  = JudyLIns (&mapped, (Word_t) clauses->hostaddrs[i], PJE0);
	if (slot && slot != PPJERR)
	  *slot = (void *) clauses->sizes[i];
      }
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_clauses_end (void)
{
  current = NULL;
  if (word_lists)
    forget_words ();
}

/* Does a clause of this construct name [HOST, HOST + SIZE)?  */
static bool
is_named (uint64_t host, uint64_t size)
{
  const struct ummgr_clauses *c = current;
  for (size_t i = 0; c && i < c->count; i++)
    {
      uint64_t from = (uintptr_t) c->hostaddrs[i];
      if (from && host - from < c->sizes[i]
	  && size <= c->sizes[i] - (host - from)
	  && is_data (c, i))
	return c->sizes[i] >= SMALLEST;
    }
  return false;
}

/* Is HOST in an object that is more than a mapping once seen?  The stack that
   held one holds libgomp's variables next.  */
static bool
is_known (uint64_t host)
{
  struct ummgr_record_span *span = ummgr_record_find (host);
  return span && span->device == UMMGR_TRACE_HOST
    && (!span->object->mapped_only
	|| span->object->flags & UMMGR_TRACE_OBJECT_STATIC);
}

/* SIZE bytes of unknown origin went to ADDRESS.  */
static void
keep (uint64_t address, const void *bytes, uint64_t size)
{
  pthread_mutex_lock (&ummgr_record.lock);
  chunks[next_chunk++ % CHUNKS] = (struct chunk) { address, address + size };
  pthread_mutex_unlock (&ummgr_record.lock);
  size_t count = size / sizeof (uint64_t);
  if (!current || !count || address % sizeof (uint64_t))
    return;
  if (count > current->count)
    count = current->count;
  if (!UMMGR_GROW (words, word_room, word_lists + 1))
    return;
  uint64_t *values = malloc (count * sizeof *values);
  if (!values)
    return;
  memcpy (values, bytes, count * sizeof *values);
  words[word_lists++] = (struct table) { address, values, count, count };
}

void
ummgr_record_libgomp_in (int device, uint64_t address, const void *host,
			 size_t size)
{
  if (!size || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  bool there = ummgr_record_find (address) != NULL;
  bool here = is_known ((uintptr_t) host);
  pthread_mutex_unlock (&ummgr_record.lock);
  if (there || here || is_named ((uintptr_t) host, size))
    ummgr_record_copy_in (host, address, size, device);
  else
    keep (address, host, size);
}

void
ummgr_record_libgomp_out (int device, uint64_t address, const void *host,
			  size_t size)
{
  if (!size || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  bool known = ummgr_record_find (address) != NULL
    || is_known ((uintptr_t) host);
  pthread_mutex_unlock (&ummgr_record.lock);
  if (known || is_named ((uintptr_t) host, size))
    ummgr_record_copy_out (host, address, size, device);
}

/* What is mapped in [ADDRESS, ADDRESS + SIZE) of DEVICE no longer is: its host memory may
   be another array's next.  Lock held.  */
static void
forget_mapped (int device, uint64_t address, uint64_t size)
{
  struct ummgr_record_span *span = ummgr_record_find (address);
  if (!span)
    span = ummgr_record_next (address);
  for (; span && span->lo < address + size; span = ummgr_record_next (span->hi))
    if (span->device == device)
      JudyLDel (&mapped, span->object->host.lo + span->offset, PJE0);
}

void
ummgr_record_libgomp_freed (int device, uint64_t address, size_t size)
{
  if (!size || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  for (unsigned i = 0; i < CHUNKS; i++)
    if (chunks[i].lo < address + size && address < chunks[i].hi)
      chunks[i] = (struct chunk) { 0, 0 };
  forget_mapped (device, address, size);
  pthread_mutex_unlock (&ummgr_record.lock);
  ummgr_record_absent (address, size, device);
}

/* The word that this construct has copied to ADDRESS.  */
static bool
copied_word (uint64_t address, uint64_t *value)
{
  /* The last one counts.  */
  for (size_t i = word_lists; i-- > 0;)
    if (address - words[i].at < words[i].count * sizeof (uint64_t))
      {
	*value = words[i].values[(address - words[i].at) / sizeof (uint64_t)];
	return true;
      }
  return false;
}

/* The copy in of which [ADDRESS, ADDRESS + SIZE) was a part, or NULL.  Lock held.  */
static const struct chunk *
find_chunk (uint64_t address, uint64_t size)
{
  for (unsigned i = 0; i < CHUNKS; i++)
    if (chunks[i].lo <= address && address + size <= chunks[i].hi)
      return &chunks[i];
  return NULL;
}

/* The clause for HOST, of SIZE bytes or (0) of what a construct before it has
   mapped there, is at ADDRESS.  */
static void
learn (uint64_t host, uint64_t size, uint64_t address, int device, bool alloc)
{
  bool wanted = false, copied = false, gathered = false;
  pthread_mutex_lock (&ummgr_record.lock);
  if (address && address != host && !ummgr_record_find (address))
    {
      if (!size)
	{
	  Word_t base = host;
	  PPvoid_t slot = JudyLLast (mapped, &base, PJE0);
	  if (slot && slot != PPJERR && host - base < (uintptr_t) *slot)
	    {
	      size = (uintptr_t) *slot;
	      address -= host - base;
	      host = base;
	    }
	}
      wanted = size >= SMALLEST || (size && is_known (host));
      const struct chunk *chunk = wanted && !alloc ? find_chunk (address, size) : NULL;
      copied = chunk;
      gathered = chunk && chunk->hi - chunk->lo > size;
    }
  pthread_mutex_unlock (&ummgr_record.lock);
  if (wanted)
    ummgr_record_present ((const void *) host, address, size, device, true);
  if (copied)
    (gathered ? ummgr_record_copy_gathered : ummgr_record_copy_in) ((const void *) host, address, size, device);
}

void
ummgr_record_libgomp_launch (int device, uint64_t table)
{
  const struct ummgr_clauses *c = current;
  ummgr_record_taken (device);
  ummgr_record_run_begin (device);
  /* A task that libgomp put off, which nothing has announced.  */
  if (!c)
    ummgr_record_handed (device);
  if (!c || !ummgr_record_tracing ())
    return;
  for (size_t i = 0; i < c->count; i++)
    {
      bool implicit, data = is_data (c, i);
      int kind = ummgr_clause_kind (c, i, &implicit);
      uint64_t address, host = (uintptr_t) c->hostaddrs[i];
      bool pointer = kind == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION;
      if (host && (pointer || (data && c->sizes[i]))
	  && copied_word (table + i * sizeof (uint64_t), &address))
	learn (host, pointer ? 0 : c->sizes[i], address, device,
	       data && !(kind & UMMGR_MAP_TO));
    }
}
