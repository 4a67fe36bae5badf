/* A library to preload before libummgr: counts what each launch of an
   instrumented program accesses, object by object.
   SPDX-License-Identifier: GPL-3.0-or-later

   accesses.c counts them.  What the launching program does between launches is
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

   One mutex guards objects and launches.  */

#define _GNU_SOURCE
#include "accesses.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t launches;

/* --- objects -------------------------------------------------------------- */

void *ummgr_malloc (size_t size);
void ummgr_free (void *ptr);

void *
ummgr_malloc (size_t size)
{
  void *(*real) (size_t) = (void *(*) (size_t)) accesses_next ("ummgr_malloc");
  void *p = real (size);
  if (!p || !size)
    return p;
  pthread_mutex_lock (&lock);
  accesses_add ((uintptr_t) p, size);
  fprintf (stderr, "count: new %#" PRIxPTR " %zu\n", (uintptr_t) p, size);
  pthread_mutex_unlock (&lock);
  return p;
}

void
ummgr_free (void *ptr)
{
  void (*real) (void *) = (void (*) (void *)) accesses_next ("ummgr_free");
  pthread_mutex_lock (&lock);
  if (ptr && accesses_drop ((uintptr_t) ptr))
    fprintf (stderr, "count: gone %#" PRIxPTR "\n", (uintptr_t) ptr);
  pthread_mutex_unlock (&lock);
  real (ptr);
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
  for (unsigned i = 0; i < accesses_object_count; i++)
    {
      struct accesses_object *o = &accesses_objects[i];
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
  if (!real)
    real = (target_function *) accesses_next ("GOMP_target_ext");
  accesses_device_start ();
  __atomic_store_n (&accesses_on, true, __ATOMIC_RELAXED);
  real (device, fn, mapnum, hostaddrs, sizes, kinds, flags, depend, args);
  __atomic_store_n (&accesses_on, false, __ATOMIC_RELAXED);
  report ();
}
