/* The recorder's objects, found by host and by device address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the objects and the table of spans.  Addresses of the host and of all
   devices are one space, as the CUDA driver makes them; so one table serves.
   Everything here with the recorder's lock held.  */

#include "config.h"
#include "record/recorder.h"

#include "base/symbols.h"

#include <Judy.h>
#include <stdlib.h>
#include <string.h>

static void *spans;		/* By their first address.  */
static uint64_t last_id;

struct ummgr_record_span *
ummgr_record_find (uint64_t address)
{
  Word_t key = address;
  PPvoid_t slot = JudyLLast (spans, &key, PJE0);
  struct ummgr_record_span *span = slot && slot != PPJERR ? *slot : NULL;
  return span && address < span->hi ? span : NULL;
}

struct ummgr_record_span *
ummgr_record_next (uint64_t address)
{
  Word_t key = address;
  PPvoid_t slot = JudyLFirst (spans, &key, PJE0);
  return slot && slot != PPJERR ? *slot : NULL;
}

static bool
insert (struct ummgr_record_span *span)
{
  PPvoid_t slot = JudyLIns (&spans, span->lo, PJE0);
  if (!slot || slot == PPJERR)
    return false;
  *slot = span;
  ummgr_record_new_epoch ();
  return true;
}

static void
take_out (const struct ummgr_record_span *span)
{
  JudyLDel (&spans, span->lo, PJE0);
  ummgr_record_new_epoch ();
}

/* Objects and copies that overlap [ADDRESS, ADDRESS + SIZE) are gone: nobody
   said so, but there is something else now.  */
static void
evict (uint64_t address, uint64_t size)
{
  struct ummgr_record_span *span;
  while ((span = ummgr_record_find (address))
	 || ((span = ummgr_record_next (address))
	     && span->lo < address + size))
    if (span == &span->object->host)
      ummgr_record_drop (span->object);
    else
      ummgr_record_drop_copy (span);
}

struct ummgr_record_object *
ummgr_record_appear (uint64_t address, uint64_t size, uint32_t flags,
		     const struct ummgr_record_site *site)
{
  if (!size || address + size < address)
    return NULL;
  evict (address, size);
  struct ummgr_record_object *object = calloc (1, sizeof *object);
  if (!object)
    return NULL;
  object->host = (struct ummgr_record_span) {
    .lo = address, .hi = address + size, .object = object,
    .device = UMMGR_TRACE_HOST
  };
  if (!insert (&object->host))
    {
      free (object);
      return NULL;
    }
  object->id = ++last_id;
  __atomic_store_n (&ummgr_record.objects, ummgr_record.objects + 1,
		    __ATOMIC_RELAXED);
  object->flags = flags;
  object->site = site;
  if (ummgr_record.shadowed)
    ummgr_shadow_prepare (address, size);
  return object;
}

struct ummgr_record_object *
ummgr_record_mapped (uint64_t address, uint64_t size)
{
  struct ummgr_record_span *span = ummgr_record_find (address);
  /* What is known by its mappings only may turn out larger; while it is on a
     device it is what it is.  */
  if (span && (address + size <= span->hi || !span->object->mapped_only
	       || span->object->copies))
    return span->object;
  char symbol[256] = "", plain[256];
  bool variable = ummgr_symbol_data (address, symbol, sizeof symbol);
  ummgr_symbol_plain (symbol, plain, sizeof plain);
  struct ummgr_record_site *own = malloc (sizeof *own);
  if (!own)
    return NULL;
  *own = (struct ummgr_record_site) {
    ummgr_record_text (plain), "", "", 0, 0
  };
  struct ummgr_record_object *object
    = ummgr_record_appear (address, size,
			   variable ? UMMGR_TRACE_OBJECT_STATIC : 0, own);
  if (object)
    {
      object->mapped_only = true;
      object->guessed = strcmp (plain, symbol) != 0;
    }
  return object;
}

struct ummgr_record_span *
ummgr_record_add_copy (struct ummgr_record_object *object, uint64_t offset,
		       uint64_t address, uint64_t size, int device)
{
  if (!size || address + size < address)
    return NULL;
  evict (address, size);
  struct ummgr_record_span *span = calloc (1, sizeof *span);
  if (!span)
    return NULL;
  *span = (struct ummgr_record_span) {
    .lo = address, .hi = address + size, .object = object, .offset = offset,
    .device = device, .next = object->copies
  };
  if (!insert (span))
    {
      free (span);
      return NULL;
    }
  object->copies = span;
  if (ummgr_record.shadowed)
    ummgr_shadow_prepare (address, size);
  return span;
}

void
ummgr_record_announce (struct ummgr_record_object *object)
{
  if (object->announced)
    return;
  object->announced = true;
  const struct ummgr_record_site *site = object->site;
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_OBJECT,
    .u.object = {
      .object = object->id, .name = site->name, .file = site->file,
      .line = site->line, .base = object->host.lo,
      .size = object->host.hi - object->host.lo, .flags = object->flags,
      .element_size = site->element_size, .layout = site->layout
    }
  };
  ummgr_record_write (&record);
}

void
ummgr_record_rename (struct ummgr_record_object *object,
		     const struct ummgr_record_site *site)
{
  bool known = object->announced;
  object->site = site;
  object->announced = false;
  /* Its first accesses, in the function that allocated it, are in the trace
     already: say it again.  */
  if (known)
    ummgr_record_announce (object);
}

/* What is left of SPAN to say; then it is no more.  */
static void
end_span (struct ummgr_record_span *span)
{
  ummgr_record_outcomes (span, span->lo >> 2,
			 ummgr_shadow_end_word (span->lo, span->hi - span->lo));
  ummgr_record_facts (span);
  ummgr_record_pages_go (span);
  if (ummgr_record.shadowed)
    ummgr_shadow_reset (span->lo, span->hi - span->lo);
  free (span->pieces);
  take_out (span);
}

void
ummgr_record_drop_copy (struct ummgr_record_span *span)
{
  struct ummgr_record_object *object = span->object;
  const struct ummgr_record_site *at = ummgr_record_context.construct;
  end_span (span);
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_ABSENT,
    .u.present = {
      .object = object->id, .offset = span->offset, .size = span->hi - span->lo,
      .device = span->device, .address = span->lo,
      .file = at ? at->file : NULL, .line = at ? at->line : 0
    }
  };
  ummgr_record_announce (object);
  ummgr_record_write (&record);
  struct ummgr_record_span **link = &object->copies;
  while (*link != span)
    link = &(*link)->next;
  *link = span->next;
  free (span);
}

void
ummgr_record_drop (struct ummgr_record_object *object)
{
  while (object->copies)
    ummgr_record_drop_copy (object->copies);
  ummgr_record_announce (object);
  end_span (&object->host);
  struct ummgr_trace_record record
    = { .kind = UMMGR_TRACE_GONE, .u.object.object = object->id };
  ummgr_record_write (&record);
  __atomic_store_n (&ummgr_record.objects, ummgr_record.objects - 1,
		    __ATOMIC_RELAXED);
  free (object);
}

/* PIECES and shadow of SPAN move with it.  */
static void
move_span (struct ummgr_record_span *span, uint64_t address)
{
  uint64_t old = span->lo, size = span->hi - old;
  ummgr_record_pages_go (span);
  uint8_t *states
    = ummgr_record.shadowed ? ummgr_shadow_save (old, size) : NULL;
  if (ummgr_record.shadowed)
    ummgr_shadow_reset (old, size);
  take_out (span);
  evict (address, size);
  span->lo = address;
  span->hi = address + size;
  for (size_t i = 0; i < span->piece_count; i++)
    {
      span->pieces[i].first += (address >> 2) - (old >> 2);
      span->pieces[i].end += (address >> 2) - (old >> 2);
    }
  if (ummgr_record.shadowed)
    ummgr_shadow_prepare (address, size);
  ummgr_shadow_restore (states, address, size);
  insert (span);
  ummgr_record_pages_come (span);
}

void
ummgr_record_moved (uint64_t old, uint64_t address, int device)
{
  if (old == address || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_span *span = ummgr_record_find (old);
  if (span && span->lo == old && span->device == device)
    {
      /* What this phase saw at the old place.  */
      ummgr_record_facts (span);
      move_span (span, address);
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}
