/* What a launch accesses, byte by byte.
   SPDX-License-Identifier: GPL-3.0-or-later

   Defines what ummgr-trace-abi.h declares for instrumented code, in the
   place of the program object.  Owns the objects and what is known of them; one
   mutex guards all of it.  */

#include "random-use-check.h"

#include "ummgr-trace-abi.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int __ummgr_trace_on = 1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct truth objects[TRUTH_OBJECTS];
static unsigned object_count;
static bool noting;
static uint64_t elsewhere;
static uintptr_t stack;		/* Of the thread that launches.  */
/* Of use_holders.  */
static uintptr_t holders;
static size_t holders_size;
static struct ummgr_trace_thread thread;

struct truth *
truth_add (const char *name, const void *address, size_t size, bool fleeting)
{
  if (object_count == TRUTH_OBJECTS)
    abort ();
  objects[object_count++] = (struct truth) {
    .name = name, .address = (uintptr_t) address, .size = size,
    .bytes = calloc (1, size + 1), .fleeting = fleeting
  };
  return &objects[object_count - 1];
}

struct truth *
truth_find (uintptr_t address)
{
  struct truth *behind = NULL;
  for (unsigned i = object_count; i-- > 0;)
    {
      struct truth *o = &objects[i];
      if (address >= o->address && address < o->address + o->size)
	return o;
      if (address == o->address + o->size)
	behind = o;
    }
  return behind;
}

struct truth *
truth_own (unsigned i)
{
  for (unsigned k = 0; k < object_count; k++)
    if (objects[k].own && i-- == 0)
      return &objects[k];
  return NULL;
}

void
truth_forget (bool fleeting)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < object_count; i++)
    if (fleeting && !objects[i].fleeting)
      objects[kept++] = objects[i];
    else
      free (objects[i].bytes);
  object_count = kept;
}

void
truth_begin (void)
{
  char stack_here;
  for (unsigned i = 0; i < object_count; i++)
    {
      memset (objects[i].bytes, 0, objects[i].size);
      objects[i].accesses = 0;
    }
  elsewhere = 0;
  stack = (uintptr_t) &stack_here;
  noting = true;
}

uint64_t
truth_end (void)
{
  noting = false;
  return elsewhere;
}

void
use_holders (const void *object, size_t size)
{
  holders = (uintptr_t) object;
  holders_size = size;
}

/* Is ADDRESS that of a local, of this thread or of the launch's?  */
static bool
is_local (uint64_t address)
{
  char here;
  const uint64_t most = 1 << 20;
  return address - (uintptr_t) &here + most < 2 * most || address - stack + most < 2 * most;
}

/* With the lock.  */
static void
note (uint64_t address, uint64_t size, uint32_t kind)
{
  struct truth *o = truth_find (address);
  if (!o || address + size > o->address + o->size)
    {
      elsewhere += !is_local (address) && address - holders >= holders_size;
      return;
    }
  o->accesses++;
  /* An atomic access that is neither alone is both.  */
  uint8_t bits = kind & 3 ? kind & 3 : 3;
  for (uint64_t i = 0; i < size; i++)
    o->bytes[address - o->address + i] |= bits;
}

struct ummgr_trace_thread *
__ummgr_trace_enter (void)
{
  return &thread;
}

void
__ummgr_trace_range (struct ummgr_trace_thread *t, uint64_t address,
		     uint64_t size, uint32_t kind)
{
  (void) t;
  if (!noting)
    return;
  pthread_mutex_lock (&lock);
  note (address, size, kind);
  pthread_mutex_unlock (&lock);
}

void
__ummgr_trace_access (struct ummgr_trace_thread *t, uint64_t address,
		      uint32_t how)
{
  __ummgr_trace_range (t, address, UMMGR_TRACE_HOW_SIZE (how),
		       UMMGR_TRACE_HOW_KIND (how) & 7);
}

void
__ummgr_trace_loop (struct ummgr_trace_thread *t,
		    const struct ummgr_trace_ref *refs, uint32_t n)
{
  for (uint32_t k = 0; k < n; k++)
    for (uint64_t i = 0; i < refs[k].count; i++)
      __ummgr_trace_access (t, refs[k].address + i * (uint64_t) refs[k].stride,
			    refs[k].how);
}

void
__ummgr_trace_nest (struct ummgr_trace_thread *t,
		    const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  for (uint32_t k = 0; k < n; k++)
    for (uint64_t i = 0; i < refs[k].count[0]; i++)
      for (uint64_t j = 0; j < refs[k].count[1]; j++)
	__ummgr_trace_access (t, refs[k].address
				 + i * (uint64_t) refs[k].stride[0]
				 + j * (uint64_t) refs[k].stride[1],
			      refs[k].how);
}

/* Of all conditions, in the order in which they were met.  */
static struct decided decided[TRUTH_DECIDED];
static unsigned decided_count;

void
__ummgr_trace_decided (uint64_t region, uint64_t place, uint32_t line, uint32_t held)
{
  (void) line;
  pthread_mutex_lock (&lock);
  unsigned i = 0;
  while (i < decided_count && (decided[i].region != region || decided[i].place != place))
    i++;
  if (i == TRUTH_DECIDED)
    abort ();
  if (i == decided_count)
    decided[decided_count++] = (struct decided) { .region = region, .place = place };
  decided[i].times++;
  decided[i].held += held;
  pthread_mutex_unlock (&lock);
}

const struct decided *
truth_decided (unsigned i)
{
  return i < decided_count ? &decided[i] : NULL;
}

/* Nothing else is of interest.  */
void
__ummgr_trace_allocated (void *ptr, uint64_t size,
			 const struct ummgr_trace_site *site)
{
  (void) ptr;
  (void) size;
  (void) site;
}

void
__ummgr_trace_resized (void *old, void *ptr, uint64_t size,
		       const struct ummgr_trace_site *site)
{
  (void) old;
  (void) ptr;
  (void) size;
  (void) site;
}

void
__ummgr_trace_freed (void *ptr)
{
  (void) ptr;
}

void
__ummgr_trace_named (void *ptr, const struct ummgr_trace_site *site)
{
  (void) ptr;
  (void) site;
}

void
__ummgr_trace_construct (const struct ummgr_trace_site *site)
{
  (void) site;
}

void
__ummgr_trace_statics (const struct ummgr_trace_static *list, uint64_t count)
{
  (void) list;
  (void) count;
}

void
__ummgr_trace_places (uint32_t unit, const struct ummgr_trace_place *list, uint64_t count)
{
  (void) unit;
  (void) list;
  (void) count;
}
