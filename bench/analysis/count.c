/* A library to preload before libummgr: counts what each launch of an
   instrumented program accesses, object by object.
   SPDX-License-Identifier: GPL-3.0-or-later

   The program finds our ummgr_trace_attach first and reports to us alone:
   nothing is filtered, merged or rounded.  Our thread record has no line seen
   and no mask, so that each access is reported; loops and nests of loops are
   counted as written out.  What the launching program does between launches is
   not looked at.

   Objects are the program's calls of ummgr_malloc, so that a launch on the
   simulated driver accesses them by their own addresses.  After each launch,
   one line on standard error for the launch and for each object accessed in
   it; libummgr's own messages about the launch stand before them:

     count: launch N
     count: object BASE ACCESSES BYTES	(of N; BYTES are different ones)

   and one when an object comes, and when it goes:

     count: new BASE SIZE
     count: gone BASE

   State: one mutex guards objects and launches; accesses count with atomics.  */

#define _GNU_SOURCE
#include "ummgr-trace-abi.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OBJECTS = 256 };

struct object
{
  uintptr_t base;
  size_t size;			/* 0: it was freed.  */
  uint64_t accesses;
  uint8_t *touched;		/* 1 for each byte.  */
};

static struct object objects[OBJECTS];
static unsigned object_count;	/* Grows only.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct ummgr_trace_program *program;
static bool launching;
static uint64_t launches;

static void
fail (const char *what)
{
  fprintf (stderr, "count: %s\n", what);
  _exit (112);
}

/* The function NAME of what comes after us.  */
static void *
find_next (const char *name)
{
  void *function = dlsym (RTLD_NEXT, name);
  if (!function)
    fail (name);
  return function;
}

/* --- objects -------------------------------------------------------------- */

void *ummgr_malloc (size_t size);
void ummgr_free (void *ptr);

void *
ummgr_malloc (size_t size)
{
  void *(*real) (size_t) = (void *(*) (size_t)) find_next ("ummgr_malloc");
  void *p = real (size);
  if (!p || !size)
    return p;
  pthread_mutex_lock (&lock);
  unsigned i = 0;
  while (i < object_count && objects[i].size)
    i++;
  if (i == OBJECTS)
    fail ("too many objects");
  objects[i] = (struct object) { (uintptr_t) p, size, 0, calloc (size, 1) };
  if (!objects[i].touched)
    fail ("no memory");
  fprintf (stderr, "count: new %#" PRIxPTR " %zu\n", (uintptr_t) p, size);
  if (i == object_count)
    __atomic_store_n (&object_count, i + 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&lock);
  return p;
}

void
ummgr_free (void *ptr)
{
  void (*real) (void *) = (void (*) (void *)) find_next ("ummgr_free");
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; ptr && i < object_count; i++)
    if (objects[i].size && objects[i].base == (uintptr_t) ptr)
      {
	fprintf (stderr, "count: gone %#" PRIxPTR "\n", objects[i].base);
	free (objects[i].touched);
	objects[i] = (struct object) { 0 };
      }
  pthread_mutex_unlock (&lock);
  real (ptr);
}

/* --- accesses ------------------------------------------------------------- */

/* The object that holds ADDRESS, or NULL.  The last one is likely.  */
static struct object *
object_at (uint64_t address)
{
  static __thread unsigned last;
  if (address - objects[last].base < objects[last].size)
    return &objects[last];
  unsigned count = __atomic_load_n (&object_count, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < count; i++)
    if (address - objects[i].base < objects[i].size)
      return &objects[last = i];
  return NULL;
}

static void
touch (struct object *object, uint64_t address, uint64_t size)
{
  uint64_t at = address - object->base;
  if (at + size > object->size)
    fail ("an access beyond its object's end");
  memset (object->touched + at, 1, size);
}

/* COUNT accesses as HOW says, STRIDE apart.  An update is a read and a write,
   but where it is atomic.  */
static void
count_accesses (uint64_t address, int64_t stride, uint64_t count, uint32_t how)
{
  uint32_t size = UMMGR_TRACE_HOW_SIZE (how);
  struct object *object = count ? object_at (address) : NULL;
  if (!__atomic_load_n (&launching, __ATOMIC_RELAXED) || !object)
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
    fail ("a range of 16 MiB or more");
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

static const struct ummgr_trace_runtime table = {
  .abi = UMMGR_TRACE_ABI, .size = sizeof table,
  .enter = count_enter, .access = count_access, .range = count_range,
  .loop = count_loop, .allocated = allocated, .resized = resized,
  .freed = freed, .named = named, .construct = construct, .statics = statics,
  .nest = count_nest
};

const struct ummgr_trace_runtime *
ummgr_trace_attach (const struct ummgr_trace_program *new_program)
{
  program = new_program;
  return &table;
}

/* --- launches --------------------------------------------------------------- */

typedef void target_function (int, void (*) (void *), size_t, void **,
			      size_t *, unsigned short *, unsigned, void **,
			      void **);
target_function GOMP_target_ext;

static void
report (void)
{
  fprintf (stderr, "count: launch %" PRIu64 "\n", ++launches);
  for (unsigned i = 0; i < object_count; i++)
    {
      struct object *o = &objects[i];
      uint64_t bytes = 0;
      if (!o->size || !o->accesses)
	continue;
      for (size_t j = 0; j < o->size; j++)
	bytes += o->touched[j];
      fprintf (stderr, "count: object %#" PRIxPTR " %" PRIu64 " %" PRIu64 "\n",
	       o->base, o->accesses, bytes);
      memset (o->touched, 0, o->size);
      o->accesses = 0;
    }
}

void
GOMP_target_ext (int device, void (*fn) (void *), size_t mapnum,
		 void **hostaddrs, size_t *sizes, unsigned short *kinds,
		 unsigned flags, void **depend, void **args)
{
  static target_function *real;
  static bool started;
  if (!real)
    real = (target_function *) find_next ("GOMP_target_ext");
  /* The program's switch is a `declare target' variable, of which the device
     has a copy of its own.  */
  if (!started && program && program->device_start)
    {
      started = true;
      program->device_start (0, 0);
    }
  __atomic_store_n (&launching, true, __ATOMIC_RELAXED);
  real (device, fn, mapnum, hostaddrs, sizes, kinds, flags, depend, args);
  __atomic_store_n (&launching, false, __ATOMIC_RELAXED);
  report ();
}
