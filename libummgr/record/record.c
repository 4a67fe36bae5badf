/* The recorder: its beginning, its file, its end.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the recorder's state and the writer.  The file is opened at the first
   event: a process that has none leaves no file, and only then is it known
   whether the program is instrumented (its constructors run after ours).  The
   writer is never freed: at exit, threads may still be reporting.  */

#include "config.h"
#include "record/recorder.h"

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/log.h"
#include "base/output.h"
#include "base/world.h"
#include "check/check.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool ummgr_record_is_on;
struct ummgr_record ummgr_record = { .lock = PTHREAD_MUTEX_INITIALIZER };
__thread struct ummgr_record_context ummgr_record_context
  __attribute__ ((tls_model ("initial-exec")));

enum state
{
  STATE_IDLE,			/* No event yet.  */
  STATE_OPEN,
  STATE_NONE			/* There is no trace, or no longer.  */
};

static enum state state;	/* Atomic.  */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static enum ummgr_status opening; /* How that went.  */
static bool begun;
static bool waiting;		/* A child that may begin a trace.  */
static void (*opened) (void);
static uint64_t started;	/* Nanoseconds.  */
static char path[4096];
static struct ummgr_descriptor unnamed = UMMGR_DESCRIPTOR_NONE;

void
ummgr_record_write (struct ummgr_trace_record *record)
{
  record->time = ummgr_nanoseconds (CLOCK_MONOTONIC) - started;
  ummgr_trace_write (ummgr_record.writer, record);
}

static void
switch_on (bool on)
{
  __atomic_store_n (&ummgr_record_is_on, on, __ATOMIC_RELAXED);
  ummgr_record_new_epoch ();
}

void
ummgr_record_start (const struct ummgr_options *options)
{
  if (begun)
    return;
  begun = true;
  ummgr_record.options = *options;
  bool sector = options->grain && strcmp (options->grain, "sector") == 0;
  ummgr_record.grain = sector ? 32 : 4096;
  ummgr_record.grain_shift = sector ? 5 : 12;
  ummgr_record.filter = options->filter;
  ummgr_record.phase = 1;
  if (!ummgr_record.options.block)
    ummgr_record.options.block = 4096;
  /* The hash is uniform in its high bits.  */
  for (uint64_t n = options->sample; n > 1; n /= 2)
    ummgr_record.mask = ummgr_record.mask >> 1 | (uint64_t) 1 << 63;
  started = ummgr_nanoseconds (CLOCK_MONOTONIC);
  ummgr_record.light = ummgr_options_light (options);
  /* The simulated driver tells what the GPU's own code accesses.  */
  ummgr_record.watched = ummgr_options_accesses (options)
			 && ummgr_options_ptx (options) && ummgr_shadow_start ();
  ummgr_record.shadowed = ummgr_record.watched;
  if (options->trace)
    snprintf (path, sizeof path, "%s", options->trace);
  if (options->trace || ummgr_record.watched
      || (options->report && ummgr_record.light))
    switch_on (true);
}

/* A file without a name beside the report.  */
static bool
make_unnamed (void)
{
  char name[4096];
  snprintf (name, sizeof name, "%s", ummgr_record.options.report);
  char directory[4096];
  snprintf (directory, sizeof directory, "%s", dirname (name));
  int fd = open (directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0
      && (size_t) snprintf (name, sizeof name, "%s/.ummgr-trace-XXXXXX",
			    directory) < sizeof name
      && (fd = mkostemp (name, O_CLOEXEC)) >= 0)
    unlink (name);
  if (fd < 0)
    {
      ummgr_error ("trace: no file for the trace in %s: %s; the report says "
		   "nothing of accesses (name a file with --trace)", directory,
		   strerror (errno));
      return false;
    }
  unnamed = ummgr_descriptor_own (fd);
  snprintf (path, sizeof path, "/proc/self/fd/%d", unnamed.number);
  return true;
}

/* The command line, its words apart.  */
static void
read_command (char *buf, size_t size)
{
  int fd = open ("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? 0 : read (fd, buf, size - 1);
  if (fd >= 0)
    close (fd);
  n = n > 0 ? n : 0;
  while (n > 0 && !buf[n - 1])
    n--;
  for (ssize_t i = 0; i < n; i++)
    if (!buf[i])
      buf[i] = ' ';
  buf[n] = 0;
}

/* Open lock held.  */
static bool
open_trace (void)
{
  const struct ummgr_options *o = &ummgr_record.options;
  char command[4096];
  if (!o->trace && (!o->report || !(ummgr_record.shadowed || ummgr_record.light)
		    || !make_unnamed ()))
    return false;
  read_command (command, sizeof command);
  const struct ummgr_device_ops *device = ummgr_device_ops ();
  bool sim = o->gpu && strcmp (o->gpu, "sim") == 0;
  struct ummgr_trace_run run = {
    .program = command,
    .profile = device->profile ? device->profile ()
	       : sim ? o->profile : "",
    .policy = o->policy, .writer = PACKAGE_STRING,
    .page_size = (uint64_t) sysconf (_SC_PAGESIZE),
    /* Accesses are of whole pages or sectors, each once for every launch and
       phase while a thread remembers it: see record/thread.h.  */
    .granularity = ummgr_record.grain, .sample = (uint32_t) o->sample,
    .block = o->block, .instrumented = ummgr_record.instrumented
		    | ummgr_record.watched << 1,
    .scope = UMMGR_TRACE_HANDS | (ummgr_record.light ? UMMGR_TRACE_LIGHT : 0)
  };
  char host[HOST_NAME_MAX + 1] = "";
  struct ummgr_world world;
  gethostname (host, sizeof host - 1);
  run.host = host;
  if (ummgr_world_find (&world))
    {
      run.rank = world.number + 1;
      run.ranks = world.count;
      run.job = world.job;
    }
  opening = ummgr_trace_writer_open (path, &run, &ummgr_record.writer);
  return opening == UMMGR_OK;
}

void
ummgr_record_when_open (void (*f) (void))
{
  opened = f;
}

bool
ummgr_record_tracing (void)
{
  if (!ummgr_record_on () || ummgr_record_context.quiet)
    return false;
  enum state s = __atomic_load_n (&state, __ATOMIC_ACQUIRE);
  if (__builtin_expect (s == STATE_IDLE, 0))
    {
      pthread_mutex_lock (&open_lock);
      if (state == STATE_IDLE)
	{
	  s = open_trace () ? STATE_OPEN : STATE_NONE;
	  __atomic_store_n (&state, s, __ATOMIC_RELEASE);
	  if (s == STATE_NONE && !ummgr_record.shadowed)
	    switch_on (false);
	  if (s == STATE_OPEN && opened)
	    opened ();
	}
      s = state;
      pthread_mutex_unlock (&open_lock);
    }
  return s == STATE_OPEN;
}

__attribute__ ((visibility ("default"))) const struct ummgr_trace_runtime *
ummgr_trace_attach (const struct ummgr_trace_program *program)
{
  const struct ummgr_options *o = &ummgr_record.options;
  /* A library's constructors may run before ours, if it doesn't depend on
     libummgr.  */
  if (!begun)
    {
      struct ummgr_options early;
      ummgr_log_init ();
      ummgr_options_from_environment (&early);
      ummgr_output_resolve (&early, &early, false);
      ummgr_record_start (&early);
      ummgr_check_start (&early);
    }
  if (o->check)
    return ummgr_check_attach (program);
  bool access = o->fidelity && strcmp (o->fidelity, "access") == 0;
  if ((!o->trace && !o->report && !access) || ummgr_record.light)
    return NULL;
  if (program->abi < UMMGR_TRACE_ABI_OLDEST || program->abi > UMMGR_TRACE_ABI
      || program->size < sizeof *program)
    {
      ummgr_warn_once ("trace: the program was instrumented for version %u of "
		       "tracing, this library has %u; its accesses are not "
		       "seen: build it again with this ummgr",
		       (unsigned) program->abi, UMMGR_TRACE_ABI);
      return NULL;
    }
  if (__atomic_load_n (&state, __ATOMIC_ACQUIRE) != STATE_IDLE
      && !ummgr_record.instrumented)
    {
      ummgr_warn_once ("trace: an instrumented library was loaded after the "
		       "trace had begun without one; its accesses are not "
		       "seen: instrument the program, too");
      return NULL;
    }
  if (!ummgr_shadow_start ())
    return NULL;
  ummgr_record_programs_add (program);
  ummgr_record.instrumented = ummgr_record.shadowed = true;
  switch_on (true);
  return ummgr_record_runtime_for (program->abi);
}

/* The outcomes of the copies that are still on a device.  Lock held.  */
static void
end_copies (void)
{
  for (struct ummgr_record_span *span = ummgr_record_next (0); span;
       span = ummgr_record_next (span->lo + 1))
    if (span->piece_count)
      ummgr_record_outcomes (span, span->lo >> 2,
			     ummgr_shadow_end_word (span->lo,
						    span->hi - span->lo));
}

enum ummgr_status
ummgr_record_finish (void)
{
  if (!ummgr_record_on ())
    return opening;
  ummgr_record_taken_last ();
  pthread_mutex_lock (&ummgr_record.lock);
  if (__atomic_load_n (&state, __ATOMIC_ACQUIRE) == STATE_OPEN)
    {
      end_copies ();
      ummgr_record_pages_count (0, -1);
      ummgr_record_end_phase ("end", NULL);
    }
  switch_on (false);
  pthread_mutex_unlock (&ummgr_record.lock);
  if (state != STATE_OPEN)
    return opening;
  uint64_t accesses = ummgr_record_accesses ();
  enum ummgr_status status = ummgr_trace_writer_finish (ummgr_record.writer);
  ummgr_info ("trace: %llu accesses were reported",
	      (unsigned long long) accesses);
  return status;
}

const char *
ummgr_record_path (void)
{
  /* Where the program has closed the file that has no name, the writer has
     said so.  */
  bool lost = unnamed.number >= 0 && ummgr_descriptor_use (&unnamed) < 0;
  return ummgr_record.writer && !lost ? path : NULL;
}

/* What the child inherits of objects and of the shadow stays true; the new file
   has to be told of the objects again.  */
static void
forget_file (void)
{
  ummgr_record.writer = NULL;
  __atomic_store_n (&state, STATE_IDLE, __ATOMIC_RELEASE);
  for (struct ummgr_record_span *span = ummgr_record_next (0); span;
       span = ummgr_record_next (span->lo + 1))
    span->object->announced = false;
}

void
ummgr_record_after_fork (const struct ummgr_options *own)
{
  waiting = own && (waiting || ummgr_record_on ());
  pthread_mutex_init (&ummgr_record.lock, NULL);
  pthread_mutex_init (&open_lock, NULL);
  ummgr_record_threads_after_fork ();
  switch_on (false);
  if (!waiting)
    return;
  forget_file ();
  ummgr_record.options = *own;
  snprintf (path, sizeof path, "%s", own->trace ? own->trace : "");
}

void
ummgr_record_resume (void)
{
  if (!waiting)
    return;
  waiting = false;
  switch_on (true);
  if (ummgr_record_tracing ())
    ummgr_record_thread_resume ();
}
