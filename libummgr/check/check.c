/* The checker: its beginning and its end.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the list of instrumented programs, and which devices they have told.  */

#include "config.h"
#include "check/checker.h"

#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool ummgr_check_is_on;
struct ummgr_checker ummgr_checker = { .lock = PTHREAD_MUTEX_INITIALIZER };

enum { PROGRAMS = 64 };
static const struct ummgr_trace_program *programs[PROGRAMS];
static unsigned program_count;	/* Atomic; grows only.  */
static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static bool told[UMMGR_DEVICES_MAX];
static __thread bool quiet;
static unsigned found;
static bool finished;
static pid_t owner;

/* The program's own exit status stands where it says that something went wrong.  */
static void
at_end (int status, void *data)
{
  (void) data;
  if (status || !found || getpid () != owner)
    return;
  fflush (NULL);
  _exit (UMMGR_CHECK_STATUS);
}

void
ummgr_check_start (const struct ummgr_options *options)
{
  ummgr_checker.options = *options;
  if (!options->check || owner)
    return;
  owner = getpid ();
  on_exit (at_end, NULL);
}

const struct ummgr_trace_runtime *
ummgr_check_attach (const struct ummgr_trace_program *program)
{
  if (program->abi < UMMGR_TRACE_ABI_PLACES)
    {
      ummgr_error ("check: the program was built by an older ummgr, and doesn't say where its "
		   "accesses are: build it again (ummgr cc --trace)");
      return NULL;
    }
  if (program->abi > UMMGR_TRACE_ABI || !ummgr_check_shadow_start ())
    return NULL;
  pthread_mutex_lock (&device_lock);
  if (program_count < PROGRAMS)
    {
      programs[program_count] = program;
      __atomic_store_n (&program_count, program_count + 1, __ATOMIC_RELEASE);
      memset (told, 0, sizeof told);
    }
  pthread_mutex_unlock (&device_lock);
  __atomic_store_n (&ummgr_check_is_on, true, __ATOMIC_RELEASE);
  return ummgr_check_runtime ();
}

void
ummgr_check_devices (void)
{
  const struct ummgr_device_ops *ops = ummgr_device_ops ();
  if (!ummgr_checker.options.check)
    return;
  if (!ops->place)
    {
      ummgr_error ("check: this is a real GPU, whose accesses can't be checked: use --gpu=sim");
      __atomic_store_n (&ummgr_check_is_on, false, __ATOMIC_RELEASE);
    }
  else
    __atomic_store_n (&ummgr_checker.place, ops->place, __ATOMIC_RELEASE);
}

bool
ummgr_check_quiet (void)
{
  return quiet;
}

void
ummgr_check_device (int device)
{
  if (!ummgr_check_on () || quiet || device < 0 || device >= UMMGR_DEVICES_MAX
      || __atomic_load_n (&told[device], __ATOMIC_ACQUIRE))
    return;
  pthread_mutex_lock (&device_lock);
  quiet = true;
  for (unsigned i = 0; i < program_count && !told[device]; i++)
    if (programs[i]->device_start)
      programs[i]->device_start (device, UMMGR_TRACE_RUNS_HOST);
  quiet = false;
  __atomic_store_n (&told[device], true, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&device_lock);
}

enum ummgr_status
ummgr_check_finish (void)
{
  enum ummgr_status status = UMMGR_OK;
  if (!ummgr_checker.options.check || getpid () != owner
      || __atomic_exchange_n (&finished, true, __ATOMIC_ACQ_REL))
    return status;
  if (!program_count)
    {
      ummgr_error ("check: the program doesn't report its accesses, so nothing was checked: build "
		   "it with ummgr cc --trace");
      return status;
    }
  found = ummgr_check_findings_write (&status);
  __atomic_store_n (&ummgr_check_is_on, false, __ATOMIC_RELEASE);
  return status;
}

void
ummgr_check_after_fork (void)
{
  __atomic_store_n (&ummgr_check_is_on, false, __ATOMIC_RELEASE);
  pthread_mutex_init (&ummgr_checker.lock, NULL);
}
