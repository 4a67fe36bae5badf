/* Finding libgomp's own entry points.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of them, and who is beginning data constructs.  */

#include "config.h"
#include "gomp/real.h"
#include "base/log.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ummgr_real_calls ummgr_real_calls;

/* Threads in ummgr_real_data; is libgomp about to close its devices?  Both are sequentially
   consistent: of a thread that comes and one that closes, one at least sees the other.  */
static int inside;
static bool closing;
/* This thread is there; libgomp may end the program from there.  */
static __thread int self_inside;

/* How often to look again, and the microseconds in between.  */
enum { LOOKS = 5000, BETWEEN = 200 };

/* RTLD_NEXT finds libgomp where the program or one of its libraries is
   linked with it.  Where it was opened out of the global scope, by an
   interpreter's extension for example, it is in the process all the same.  */
static void *
find (void *libgomp, const char *name)
{
  void *symbol = dlsym (RTLD_NEXT, name);
  return symbol || !libgomp ? symbol : dlsym (libgomp, name);
}

bool
ummgr_real_load (void)
{
  if (ummgr_real_calls.GOMP_target_ext)
    return true;
  void *libgomp = dlopen ("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
#define CALL(RETURN, NAME, ARGS)                                              \
  __atomic_store_n ((void **) &ummgr_real_calls.NAME, find (libgomp, #NAME),  \
		    __ATOMIC_RELEASE);
  UMMGR_REAL_CALLS (CALL)
#undef CALL
  return ummgr_real_calls.GOMP_target_ext != NULL;
}

void
ummgr_real_need (void)
{
  if (!ummgr_real_load ())
    {
      ummgr_error ("gomp: the program calls libgomp, but no libgomp is "
		   "loaded; link with -fopenmp");
      abort ();
    }
}

void
ummgr_real_use (const struct ummgr_real_calls *calls)
{
  ummgr_real_calls = *calls;
}

void
ummgr_real_data (int device, size_t mapnum, void **hostaddrs, size_t *sizes,
		 unsigned short *kinds)
{
  __atomic_fetch_add (&inside, 1, __ATOMIC_SEQ_CST);
  while (__builtin_expect (__atomic_load_n (&closing, __ATOMIC_SEQ_CST), 0))
    {
      __atomic_fetch_sub (&inside, 1, __ATOMIC_SEQ_CST);
      for (int i = 0; i < LOOKS && __atomic_load_n (&closing, __ATOMIC_RELAXED); i++)
	usleep (BETWEEN);
      __atomic_store_n (&closing, false, __ATOMIC_SEQ_CST);
      __atomic_fetch_add (&inside, 1, __ATOMIC_SEQ_CST);
    }
  self_inside++;
  ummgr_real (GOMP_target_data_ext) (device, mapnum, hostaddrs, sizes, kinds);
  self_inside--;
  __atomic_fetch_sub (&inside, 1, __ATOMIC_RELEASE);
}

void
ummgr_real_closing (void)
{
  __atomic_store_n (&closing, true, __ATOMIC_SEQ_CST);
  for (int i = 0; i < LOOKS && __atomic_load_n (&inside, __ATOMIC_SEQ_CST) > self_inside; i++)
    usleep (BETWEEN);
}

void
ummgr_real_closed (void)
{
  __atomic_store_n (&closing, false, __ATOMIC_SEQ_CST);
}
