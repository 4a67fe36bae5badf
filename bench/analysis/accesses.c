/* What an instrumented program's launches access, byte by byte.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns the objects.  Our thread record has no line seen and no mask, so that each
   access is reported; loops and nests of loops are counted as written out.  One
   thread adds and drops objects; accesses come from any.  */

#define _GNU_SOURCE
#include "accesses.h"

#include "ummgr-trace-abi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct accesses_object accesses_objects[ACCESSES_OBJECTS];
unsigned accesses_object_count;
bool accesses_on;

static const struct ummgr_trace_program *program;

void
accesses_fail (const char *what)
{
  fprintf (stderr, "count: %s\n", what);
  _exit (112);
}

void *
accesses_next (const char *name)
{
  void *function = dlsym (RTLD_NEXT, name);
  if (!function)
    accesses_fail (name);
  return function;
}

void
accesses_add (uintptr_t base, size_t size)
{
  unsigned i = 0;
  while (i < accesses_object_count && accesses_objects[i].size)
    i++;
  if (i == ACCESSES_OBJECTS)
    accesses_fail ("too many objects");
  accesses_objects[i] = (struct accesses_object) { base, size, 0, calloc (size, 1) };
  if (!accesses_objects[i].touched)
    accesses_fail ("no memory");
  if (i == accesses_object_count)
    __atomic_store_n (&accesses_object_count, i + 1, __ATOMIC_RELEASE);
}

bool
accesses_drop (uintptr_t base)
{
  for (unsigned i = 0; i < accesses_object_count; i++)
    if (accesses_objects[i].size && accesses_objects[i].base == base)
      {
	free (accesses_objects[i].touched);
	accesses_objects[i] = (struct accesses_object) { 0 };
	return true;
      }
  return false;
}

/* The object that holds ADDRESS, or NULL.  The last one is likely.  */
static struct accesses_object *
object_at (uint64_t address)
{
  static __thread unsigned last;
  if (address - accesses_objects[last].base < accesses_objects[last].size)
    return &accesses_objects[last];
  unsigned count = __atomic_load_n (&accesses_object_count, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < count; i++)
    if (address - accesses_objects[i].base < accesses_objects[i].size)
      return &accesses_objects[last = i];
  return NULL;
}

static void
touch (struct accesses_object *object, uint64_t address, uint64_t size)
{
  uint64_t at = address - object->base;
  if (at + size > object->size)
    accesses_fail ("an access beyond its object's end");
  memset (object->touched + at, 1, size);
}

/* COUNT accesses as HOW says, STRIDE apart.  An update is a read and a write,
   but where it is atomic.  */
static void
count_accesses (uint64_t address, int64_t stride, uint64_t count, uint32_t how)
{
  uint32_t size = UMMGR_TRACE_HOW_SIZE (how);
  struct accesses_object *object = count ? object_at (address) : NULL;
  if (!__atomic_load_n (&accesses_on, __ATOMIC_RELAXED) || !object)
    return;
  uint64_t each = (UMMGR_TRACE_HOW_KIND (how) & 7) == 3 ? 2 : 1;
  __atomic_add_fetch (&object->accesses, each * count, __ATOMIC_RELAXED);
  for (uint64_t i = 0; i < (stride ? count : 1); i++)
    touch (object, address + i * (uint64_t) stride, size);
}

static struct ummgr_trace_thread *
count_enter (void)
{
  /* All zero: no line was seen, and the mask lets all through.  Nobody writes
     it.  A line number is not 0, as no object lies there.  */
  static struct ummgr_trace_thread all;
  return &all;
}

static void
count_access (struct ummgr_trace_thread *t, uint64_t address, uint32_t how)
{
  (void) t;
  count_accesses (address, 0, 1, how);
}

static void
count_range (struct ummgr_trace_thread *t, uint64_t address, uint64_t size,
	     uint32_t kind)
{
  (void) t;
  if (size < 1u << 24)
    count_accesses (address, 0, 1, UMMGR_TRACE_HOW (size, kind));
  else
    accesses_fail ("a range of 16 MiB or more");
}

static void
count_loop (struct ummgr_trace_thread *t, const struct ummgr_trace_ref *refs,
	    uint32_t n)
{
  (void) t;
  for (uint32_t i = 0; i < n; i++)
    count_accesses (refs[i].address, refs[i].stride, refs[i].count,
		    refs[i].how);
}

static void
count_nest (struct ummgr_trace_thread *t,
	    const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  (void) t;
  for (uint32_t k = 0; k < n; k++)
    for (uint64_t i = 0; i < refs[k].count[0]; i++)
      count_accesses (refs[k].address + i * (uint64_t) refs[k].stride[0],
		      refs[k].stride[1], refs[k].count[1], refs[k].how);
}

/* --- what is of no interest --------------------------------------------------- */

static void
allocated (void *ptr, uint64_t size, const struct ummgr_trace_site *site)
{
  (void) ptr, (void) size, (void) site;
}

static void
resized (void *old, void *ptr, uint64_t size,
	 const struct ummgr_trace_site *site)
{
  (void) old, (void) ptr, (void) size, (void) site;
}

static void
freed (void *ptr)
{
  (void) ptr;
}

static void
named (void *ptr, const struct ummgr_trace_site *site)
{
  (void) ptr, (void) site;
}

static void
construct (const struct ummgr_trace_site *site)
{
  (void) site;
}

static void
statics (const struct ummgr_trace_static *list, uint64_t count)
{
  (void) list, (void) count;
}

static void
places (uint32_t unit, const struct ummgr_trace_place *list, uint64_t count)
{
  (void) unit, (void) list, (void) count;
}

static const struct ummgr_trace_runtime table = {
  .abi = UMMGR_TRACE_ABI, .size = sizeof table,
  .enter = count_enter, .access = count_access, .range = count_range,
  .loop = count_loop, .allocated = allocated, .resized = resized,
  .freed = freed, .named = named, .construct = construct, .statics = statics,
  .nest = count_nest, .places = places
};

const struct ummgr_trace_runtime *
ummgr_trace_attach (const struct ummgr_trace_program *new_program)
{
  program = new_program;
  return &table;
}

void
accesses_device_start (void)
{
  static bool started;
  if (!started && program && program->device_start)
    {
      started = true;
      program->device_start (0, UMMGR_TRACE_RUNS_HOST);
    }
}
