/* A library to preload before libummgr: logs each report of an instrumented
   program, then hands it on.
   SPDX-License-Identifier: GPL-3.0-or-later

   The program finds our ummgr_trace_attach first, and gets a table of ours.
   Loops and ranges are written out one access after the other, in the order in
   which the loop makes them.  Nothing is left out, merged or remembered: that
   is what makes it slow, and a check on the recorder, which does all of that.

   ACCESS_LOG=FILE: where the log goes.  Every report has a sequence number, and
   libummgr's clock answers with the next one, in nanoseconds: so the times in
   the trace say between which two reports its records were made.

   One lock orders all reports, and is held until libummgr has had them; with
   ACCESS_LOG_PARALLEL=1 only until they are written, so that libummgr gets
   those of several threads at once.

   Owns the log and the sequence.  Knows nothing of what libummgr makes of the
   reports but its public interface, and the simulated driver's.  */

#define _GNU_SOURCE
#include "access-log.h"

#include "device/sim-api.h"
#include "ummgr-trace-abi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct ummgr_trace_runtime *next;
static FILE *file;
static bool parallel;
static pid_t owner;
static uint64_t sequence;	/* The last one given out.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct ummgr_device_place *(*place) (void);

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
fail (const char *what)
{
  perror (what);
  _exit (112);
}

static void
start (void)
{
  const char *name = getenv ("ACCESS_LOG");
  const char *text = getenv ("ACCESS_LOG_PARALLEL");
  parallel = text && strcmp (text, "1") == 0;
  owner = getpid ();
  if (name && !(file = fopen (name, "we")))
    fail (name);
}

/* The recorder's clock: 1 s, until something is reported.  All others get the
   system's.  Asked before our constructors have run.  */
int
clock_gettime (clockid_t clock, struct timespec *t)
{
  Dl_info info;
  pthread_once (&once, start);
  if (clock != CLOCK_MONOTONIC || !file
      || !dladdr (__builtin_return_address (0), &info) || !info.dli_fname
      || !strstr (info.dli_fname, "/libummgr.so"))
    return (int) syscall (SYS_clock_gettime, clock, t);
  uint64_t now = next ? __atomic_add_fetch (&sequence, 1, __ATOMIC_RELAXED) : 0;
  t->tv_sec = 1 + (time_t) (now / 1000000000);
  t->tv_nsec = (long) (now % 1000000000);
  return 0;
}

static void
find_place (void)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_NOLOAD | RTLD_LAZY);
  const struct ummgr_sim_api *(*api) (void)
    = driver ? (const struct ummgr_sim_api *(*) (void))
	       dlsym (driver, "ummgr_sim_api") : NULL;
  if (api)
    place = api ()->ops.place;
}

static void
put (struct access_log_event event)
{
  event.sequence = __atomic_add_fetch (&sequence, 1, __ATOMIC_RELAXED);
  if (file && owner == getpid ()
      && fwrite (&event, sizeof event, 1, file) != 1)
    fail ("access log");
}

static void
put_access (uint64_t address, uint64_t size, uint32_t kind)
{
  put ((struct access_log_event) {
    .kind = ACCESS_LOG_ACCESS, .address = address, .size = size,
    .access = (uint8_t) kind,
    .device = (int8_t) (place ? place ()->device : -1)
  });
}

static void
begin (void)
{
  pthread_mutex_lock (&lock);
}

/* What was begun is in the log.  */
static void
logged (void)
{
  if (parallel)
    pthread_mutex_unlock (&lock);
}

static void
end (void)
{
  if (!parallel)
    pthread_mutex_unlock (&lock);
}

static struct ummgr_trace_thread *
log_enter (void)
{
  begin ();
  if (!place)
    find_place ();
  logged ();
  struct ummgr_trace_thread *t = next->enter ();
  end ();
  return t;
}

static void
log_access (struct ummgr_trace_thread *t, uint64_t address, uint32_t how)
{
  begin ();
  put_access (address, UMMGR_TRACE_HOW_SIZE (how), UMMGR_TRACE_HOW_KIND (how) & 7);
  logged ();
  next->access (t, address, how);
  end ();
}

static void
log_range (struct ummgr_trace_thread *t, uint64_t address, uint64_t size,
	   uint32_t kind)
{
  begin ();
  put_access (address, size, kind);
  logged ();
  next->range (t, address, size, kind);
  end ();
}

static void
log_loop (struct ummgr_trace_thread *t, const struct ummgr_trace_ref *refs,
	  uint32_t n)
{
  uint64_t most = 0;
  begin ();
  for (uint32_t k = 0; k < n; k++)
    if (refs[k].count > most)
      most = refs[k].count;
  for (uint64_t i = 0; i < most; i++)
    for (uint32_t k = 0; k < n; k++)
      if (i < refs[k].count)
	put_access (refs[k].address + i * (uint64_t) refs[k].stride,
		    UMMGR_TRACE_HOW_SIZE (refs[k].how),
		    UMMGR_TRACE_HOW_KIND (refs[k].how));
  logged ();
  next->loop (t, refs, n);
  end ();
}

static void
log_allocated (void *ptr, uint64_t size, const struct ummgr_trace_site *site)
{
  begin ();
  if (ptr)
    put ((struct access_log_event) { .kind = ACCESS_LOG_ALLOCATED,
				     .address = (uintptr_t) ptr,
				     .size = size });
  logged ();
  next->allocated (ptr, size, site);
  end ();
}

static void
log_resized (void *old, void *ptr, uint64_t size,
	     const struct ummgr_trace_site *site)
{
  begin ();
  if (ptr)
    put ((struct access_log_event) { .kind = ACCESS_LOG_RESIZED,
				     .address = (uintptr_t) ptr, .size = size,
				     .old = (uintptr_t) old });
  logged ();
  next->resized (old, ptr, size, site);
  end ();
}

static void
log_freed (void *ptr)
{
  begin ();
  if (ptr)
    put ((struct access_log_event) { .kind = ACCESS_LOG_FREED,
				     .address = (uintptr_t) ptr });
  logged ();
  next->freed (ptr);
  end ();
}

static void
log_named (void *ptr, const struct ummgr_trace_site *site)
{
  begin ();
  logged ();
  next->named (ptr, site);
  end ();
}

static void
log_construct (const struct ummgr_trace_site *site)
{
  begin ();
  logged ();
  next->construct (site);
  end ();
}

static void
log_statics (const struct ummgr_trace_static *list, uint64_t count)
{
  begin ();
  for (uint64_t i = 0; i < count; i++)
    put ((struct access_log_event) { .kind = ACCESS_LOG_STATIC,
				     .address = (uintptr_t) list[i].address,
				     .size = list[i].size });
  logged ();
  next->statics (list, count);
  end ();
}

static void
log_places (uint32_t unit, const struct ummgr_trace_place *list, uint64_t count)
{
  begin ();
  logged ();
  next->places (unit, list, count);
  end ();
}

static const struct ummgr_trace_runtime table = {
  .abi = UMMGR_TRACE_ABI, .size = sizeof table,
  .enter = log_enter, .access = log_access, .range = log_range,
  .loop = log_loop, .allocated = log_allocated, .resized = log_resized,
  .freed = log_freed, .named = log_named, .construct = log_construct,
  .statics = log_statics, .places = log_places
};

const struct ummgr_trace_runtime *
ummgr_trace_attach (const struct ummgr_trace_program *program)
{
  __typeof (&ummgr_trace_attach) real
    = (__typeof (&ummgr_trace_attach)) dlsym (RTLD_NEXT, "ummgr_trace_attach");
  const struct ummgr_trace_runtime *found = real ? real (program) : NULL;
  pthread_once (&once, start);
  if (!found || !file)
    return found;
  next = found;
  return &table;
}

__attribute__ ((destructor)) static void
finish (void)
{
  begin ();
  if (file && owner == getpid () && fflush (file) != 0)
    fail ("access log");
  if (file)
    setvbuf (file, NULL, _IONBF, 0);
  pthread_mutex_unlock (&lock);
}
