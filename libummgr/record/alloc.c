/* What the program says of its allocations.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state.  Of small allocations there may be millions, and a trace of
   them all would say little: beyond a number of objects they are none until
   they are mapped.  */

#include "config.h"
#include "record/thread.h"

enum
{
  SMALL = 64,			/* Bytes.  */
  MANY = 10000			/* Objects.  */
};

/* Is an allocation of SIZE bytes worth being an object?  */
static bool
is_object (uint64_t size)
{
  return size >= SMALL
    || (size && __atomic_load_n (&ummgr_record.objects, __ATOMIC_RELAXED)
		< MANY);
}

/* An object that begins at PTR, or NULL.  Lock held.  */
static struct ummgr_record_object *
object_at (const void *ptr)
{
  struct ummgr_record_span *span = ummgr_record_find ((uintptr_t) ptr);
  return span && span == &span->object->host && span->lo == (uintptr_t) ptr
    ? span->object : NULL;
}

/* Lock held.  */
static void
allocated (void *ptr, uint64_t size, const struct ummgr_record_site *site)
{
  struct ummgr_record_object *object = object_at (ptr);
  /* Managed memory was there before this says for which variable.  */
  if (object && object->flags & UMMGR_TRACE_OBJECT_UNIFIED
      && !(object->flags & UMMGR_TRACE_OBJECT_HEAP))
    {
      object->flags |= UMMGR_TRACE_OBJECT_HEAP;
      ummgr_record_rename (object, site);
    }
  else
    ummgr_record_appear ((uintptr_t) ptr, size, UMMGR_TRACE_OBJECT_HEAP, site);
}

void
ummgr_record_allocated (void *ptr, uint64_t size,
			const struct ummgr_trace_site *site)
{
  if (!ptr || !is_object (size) || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  allocated (ptr, size, ummgr_record_site_of (site));
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_freed (void *ptr)
{
  if (!ptr || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_object *object = object_at (ptr);
  if (object && !(object->flags & UMMGR_TRACE_OBJECT_STATIC))
    ummgr_record_drop (object);
  pthread_mutex_unlock (&ummgr_record.lock);
}

/* The contents move, and so does who wrote them last.  */
void
ummgr_record_resized (void *old, void *ptr, uint64_t size,
		      const struct ummgr_trace_site *site)
{
  if (!ptr || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_object *object = old ? object_at (old) : NULL;
  uint64_t had = object ? object->host.hi - object->host.lo : 0;
  uint64_t kept = had < size ? had : size;
  if (object && old == ptr && had == size)
    {
      pthread_mutex_unlock (&ummgr_record.lock);
      return;
    }
  if (!object)
    {
      if (is_object (size))
	allocated (ptr, size, ummgr_record_site_of (site));
    }
  else
    {
      uint8_t *states = ummgr_record.shadowed && size
	? ummgr_shadow_save ((uintptr_t) old, kept) : NULL;
      ummgr_record_drop (object);
      if (size)
	allocated (ptr, size, ummgr_record_site_of (site));
      ummgr_shadow_restore (states, (uintptr_t) ptr, kept);
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_named (void *ptr, const struct ummgr_trace_site *site)
{
  if (!ptr || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_object *object = object_at (ptr);
  if (object)
    {
      const struct ummgr_record_site *better = ummgr_record_site_of (site);
      if (better != object->site)
	ummgr_record_rename (object, better);
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_construct (const struct ummgr_trace_site *site)
{
  if (!ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  ummgr_record_context.construct = ummgr_record_site_of (site);
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_statics (const struct ummgr_trace_static *list, uint64_t count)
{
  if (!ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  for (uint64_t i = 0; i < count; i++)
    {
      ummgr_record_appear ((uintptr_t) list[i].address, list[i].size, UMMGR_TRACE_OBJECT_STATIC,
			   ummgr_record_site_of (&list[i].site));
      ummgr_record_variable_there ((uintptr_t) list[i].address);
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_places (uint32_t unit, const struct ummgr_trace_place *list, uint64_t count)
{
  (void) unit, (void) list, (void) count;
}

void
ummgr_record_managed (void *ptr, size_t size)
{
  if (!ptr || !size || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_object *object
    = ummgr_record_appear ((uintptr_t) ptr, size, UMMGR_TRACE_OBJECT_UNIFIED,
			   ummgr_record_site_of (NULL));
  /* Now: policies decide when it is allocated, and so does replay.  */
  if (object)
    {
      ummgr_record_announce (object);
      ummgr_record_pages_come (&object->host);
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_managed_free (void *ptr)
{
  ummgr_record_freed (ptr);
}
