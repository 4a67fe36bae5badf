/* Finding libgomp's own entry points.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of them and nothing else.  */

#include "config.h"
#include "gomp/real.h"
#include "base/log.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct ummgr_real_calls ummgr_real_calls;

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
