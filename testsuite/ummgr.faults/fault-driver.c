/* A libcuda.so.1 in front of another: it passes every call on, but for one.
   SPDX-License-Identifier: GPL-3.0-or-later

   Found in the place of the driver, it counts and fails the calls of all who
   use one: libgomp's plugin and libummgr.  A call that fails isn't made.

     FAULT_DRIVER   the driver behind it, an absolute path
     FAULT_CALL     the name of a call, or "all"; none: nothing fails
     FAULT_FIRST    the number of the first call, from 1, that fails
     FAULT_LAST     the number of the last one
     FAULT_CODE     the CUresult that it returns
     FAULT_COUNTS   a file for "NAME CALLS", a line each, written at exit  */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any call has.  What was not passed is the caller's frame, which
   may be read; integers and pointers are all that entry points take.  */
#define PARAMETERS                                                            \
  long a, long b, long c, long d, long e, long f, long g, long h, long i,     \
  long j, long k
#define ARGUMENTS a, b, c, d, e, f, g, h, i, j, k

typedef int call (PARAMETERS);

enum entry
{
#define CUDA_ENTRY(NAME, TYPES) ENTRY_##NAME,
#include "device/cuda-entry.def"
#undef CUDA_ENTRY
  ENTRIES
};

static const char *const names[ENTRIES] = {
#define CUDA_ENTRY(NAME, TYPES) #NAME,
#include "device/cuda-entry.def"
#undef CUDA_ENTRY
};

static void *driver;
static call *calls[ENTRIES];
static unsigned long counts[ENTRIES], sum;	/* Atomic.  */
static const char *failing;
static unsigned long first, last;
static int code;

static unsigned long
number (const char *variable)
{
  const char *value = getenv (variable);
  return value ? strtoul (value, NULL, 10) : 0;
}

__attribute__ ((constructor)) static void
start (void)
{
  const char *path = getenv ("FAULT_DRIVER");
  driver = path ? dlopen (path, RTLD_LAZY | RTLD_LOCAL) : NULL;
  if (!driver)
    {
      fprintf (stderr, "fault-driver: %s\n", path ? dlerror ()
	       : "FAULT_DRIVER names no driver");
      abort ();
    }
  for (int i = 0; i < ENTRIES; i++)
    *(void **) &calls[i] = dlsym (driver, names[i]);
  failing = getenv ("FAULT_CALL");
  first = number ("FAULT_FIRST");
  last = number ("FAULT_LAST");
  code = number ("FAULT_CODE");
}

__attribute__ ((destructor)) static void
finish (void)
{
  const char *path = getenv ("FAULT_COUNTS");
  FILE *f = path ? fopen (path, "w") : NULL;
  if (!f)
    return;
  for (int i = 0; i < ENTRIES; i++)
    if (counts[i])
      fprintf (f, "%s %lu\n", names[i], counts[i]);
  fprintf (f, "all %lu\n", sum);
  fclose (f);
}

/* Count a call of ENTRY.  Is it one to fail?  */
static int
fails (enum entry entry)
{
  unsigned long own = __atomic_add_fetch (&counts[entry], 1, __ATOMIC_RELAXED);
  unsigned long any = __atomic_add_fetch (&sum, 1, __ATOMIC_RELAXED);
  if (!failing)
    return 0;
  unsigned long n = strcmp (failing, "all") == 0 ? any
    : strcmp (failing, names[entry]) == 0 ? own : 0;
  return n >= first && n <= last && n > 0;
}

#define CUDA_ENTRY(NAME, TYPES)                                               \
  int NAME (PARAMETERS);                                                      \
  int NAME (PARAMETERS)                                                       \
  {                                                                           \
    return fails (ENTRY_##NAME) ? code : calls[ENTRY_##NAME] (ARGUMENTS);     \
  }
#include "device/cuda-entry.def"

/* So that libummgr sees the simulated driver behind.  */
const void *ummgr_sim_api (void);

const void *
ummgr_sim_api (void)
{
  const void *(*api) (void);
  *(void **) &api = dlsym (driver, "ummgr_sim_api");
  return api ? api () : NULL;
}
