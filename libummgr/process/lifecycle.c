/* Start and end of the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the process-wide state.  The constructor only reads options and opens
   the shim, so that libgomp finds it; devices and statistics begin with the
   first target construct.  The end comes once: with exit, or early (ending.h).  */

#include "config.h"
#include "base/clock.h"
#include "base/process.h"
#include "process/lifecycle.h"
#include "ummgr.h"
#include "memory/account.h"
#include "device/cuda.h"
#include "process/ending.h"
#include "gomp/real.h"
#include "gomp/shim-api.h"
#include "base/live.h"
#include "base/log.h"
#include "memory/manager.h"
#include "memory/regions.h"
#include "memory/statics.h"
#include "placement/coda.h"
#include "base/output.h"
#include "check/check.h"
#include "report/stats.h"
#include "base/symbols.h"
#include "diagnose/run.h"
#include "record/libgomp.h"
#include "record/record.h"
#include "memory/unify.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHIM "ummgr/libgomp-plugin-nvptx.so.1"

static pid_t owner;		/* The process that writes the statistics.  */
static bool forked;		/* It is the child of one that has its own.  */
/* The options as the user gave them.  */
static struct ummgr_options named;
static bool stats_started;	/* Atomic.  */

static bool
read_counters (int device, struct ummgr_counters *out)
{
  ummgr_device_counters (device, ummgr_process.shim
			 ? ummgr_process.shim->counters : NULL, out);
  return true;
}

static void finish_early (void);

/* Something is to be written: it shall be, whatever ends the process.  */
static void
watch_end (void)
{
  const struct ummgr_options *o = &ummgr_process.options;
  int thread = o->stats || o->report || o->trace || o->check
    ? ummgr_ending_watch (finish_early) : 0;
  if (thread && ummgr_device_ops ()->own_thread)
    ummgr_device_ops ()->own_thread (thread);
}

static unsigned
read_pairs (int number, uint64_t bytes[][UMMGR_FIGURES_GPUS])
{
  struct ummgr_device *d = ummgr_device_of (number);
  return d->ops->pairs ? d->ops->pairs (d, bytes) : 0;
}

static bool
read_between (int number, struct ummgr_between *out)
{
  struct ummgr_device *d = ummgr_device_of (number);
  return d->ops->between && d->ops->between (d, out);
}

static void
decide (const struct ummgr_device_use *uses, size_t count,
	const struct ummgr_device_spread *spread, struct ummgr_layout *out)
{
  uint64_t start = ummgr_nanoseconds (CLOCK_MONOTONIC);
  ummgr_coda_decide (uses, count, spread, out);
  ummgr_stats_layouts (1, ummgr_nanoseconds (CLOCK_MONOTONIC) - start);
}

/* Tell the statistics of a run on DEVICES devices; the first call counts. */
static void
start_stats (int devices)
{
  if (__atomic_exchange_n (&stats_started, true, __ATOMIC_ACQ_REL))
    return;
  const struct ummgr_options *o = &ummgr_process.options;
  if (devices > 0)
    {
      ummgr_cuda_open (o->gpu);
      if (ummgr_device_ops ()->lay_by)
	ummgr_device_ops ()->lay_by (decide);
      else if (ummgr_options_joined (o))
	ummgr_warn ("--placement=%s has no effect: these are no simulated GPUs", o->placement);
      watch_end ();
      ummgr_record_devices (devices);
      ummgr_check_devices ();
      const char *live = getenv ("UMMGR_LIVE");
      if (live && strcmp (live, "on") == 0)
	ummgr_live_start (o->policy);
    }
  struct ummgr_stats_run run
    = ummgr_stats_run_on (ummgr_device_ops (), devices);
  if (strcmp (o->gpu, "sim") == 0)
    run.gpu = o->gpu;
  run.pairs = read_pairs;
  run.between = read_between;
  ummgr_stats_start (o, &run);
  if (devices > 0)
    ummgr_stats_set_reader (read_counters);
  ummgr_stats_set_lister (ummgr_regions_list);
}

/* Constructs of the recorder's or the checker's own.  */
static bool
is_own (void)
{
  return ummgr_record_uncounted () || ummgr_check_quiet ();
}

static bool
device_closing (int ordinal)
{
  ummgr_statics_account (ordinal);
  bool closed = ummgr_manager_close (ordinal);
  return ummgr_unify_keep (ordinal) || !closed;
}

/* Open the shim out of the global scope: its symbols are also those of
   libgomp's other plugins.  libgomp finds it by its soname.  WATCH: libummgr
   itself takes part.  */
static void
open_shim (bool watch)
{
  static const struct ummgr_shim_client client = {
    .exiting = ummgr_real_closing,
    .closed = ummgr_real_closed,
    .device_closing = device_closing,
    .own = is_own,
    .loaded = ummgr_statics_loaded,
    .copied = ummgr_statics_copied,
    .refused = ummgr_stats_refused,
    .tracing = &ummgr_record_is_on,
    .copying_in = ummgr_record_libgomp_in,
    .copied_out = ummgr_record_libgomp_out,
    .freeing = ummgr_record_libgomp_freed,
    .launching = ummgr_record_libgomp_launch,
    .launched = ummgr_record_run_end,
    .checking = &ummgr_check_is_on,
    .block_allocated = ummgr_check_allocated,
    .block_freed = ummgr_check_freed,
    .block_gone = ummgr_check_gone,
    .check_in = ummgr_check_copied_in,
    .check_out = ummgr_check_copied_out,
    .check_within = ummgr_check_copied_within
  };
  Dl_info info;
  char path[4096];
  if (!dladdr ((void *) open_shim, &info) || !info.dli_fname)
    return;
  const char *slash = strrchr (info.dli_fname, '/');
  int length = slash ? (int) (slash - info.dli_fname) : 1;
  if ((size_t) snprintf (path, sizeof path, "%.*s/" SHIM, length,
			 slash ? info.dli_fname : ".") >= sizeof path)
    return;
  void *handle = dlopen (path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle)
    handle = dlopen (UMMGR_PKGLIBDIR "/libgomp-plugin-nvptx.so.1",
		     RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle)
    {
      /* Worth a warning only where a device is used: memory/manager.c.  */
      ummgr_info ("%s", dlerror ());
      return;
    }
  const struct ummgr_shim_api *api = dlsym (handle, "ummgr_shim_api");
  if (!api || api->version != UMMGR_SHIM_API_VERSION)
    {
      ummgr_warn ("%s is of another version; ummgr only watches", path);
      return;
    }
  /* Without a client it does by itself what it can: gomp/shim/alone.c.  */
  if (!watch)
    return;
  api->set_client (&client, &ummgr_process.options);
  ummgr_process.shim = api;
}

/* Are libgomp's entry points found before this library's?  So it is where a
   program is linked with libgomp and only one of its libraries with
   libummgr.  */
static bool
libgomp_is_first (void)
{
  static const char name[] = "GOMP_target_ext";
  void *libgomp = dlopen ("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  void *symbol = libgomp ? dlsym (libgomp, name) : NULL;
  return symbol && dlsym (RTLD_DEFAULT, name) == symbol;
}

/* Does anybody want ummgr to do something?  A program that is merely linked with
   it gets no word on what it can't do.  */
static bool
is_asked (void)
{
  const struct ummgr_options *o = &ummgr_process.options;
  return (getenv ("UMMGR_POLICY") && strcmp (o->policy, "explicit") != 0) || o->stats || o->report || o->trace
    || o->check || getenv ("UMMGR_GPU");
}

static void
report_order (void)
{
  static const char text[]
    = "the program finds libgomp before libummgr, so ummgr sees allocations "
      "and no objects: link the program itself with libummgr, before libgomp, "
      "or use ummgr run";
  ummgr_log (is_asked () ? UMMGR_LOG_WARN : UMMGR_LOG_INFO, "%s", text);
}

void
ummgr_lifecycle_host_region (const void *function, enum ummgr_stats_host why)
{
  char name[256];
  if (ummgr_stats_host_region (why) > 0)
    return;
  watch_end ();
  enum ummgr_log_level level = is_asked () ? UMMGR_LOG_WARN : UMMGR_LOG_INFO;
  if (why == UMMGR_STATS_NO_DEVICE)
    ummgr_log (level, "target regions run on the host: libgomp found no GPU "
	       "(`ummgr info' tells what is missing)");
  else if (ummgr_symbol_code ((uintptr_t) function, name, sizeof name))
    ummgr_log (level, "target region %s runs on the host: the program has no "
	       "code for the GPU (build it with an offload compiler, and without "
	       "-foffload=disable)", name);
}

/* Has libgomp found devices?  A driver that was initialised can't be used in
   the child of a fork.  */
static bool
device_is_used (void)
{
  const struct ummgr_shim_api *shim = ummgr_process.shim;
  return __atomic_load_n (&stats_started, __ATOMIC_ACQUIRE)
    || (shim && shim->num_devices () > 0);
}

/* In the child of a fork the parent's device is of no use: OpenMP there is
   libgomp's business alone, and the statistics are not the child's.  Where there
   is none yet, the child is a process like any other, with files of its own:
   daemons, servers and their workers are such children.  */
static void
after_fork (void)
{
  struct ummgr_options *o = &ummgr_process.options;
  ummgr_ending_after_fork ();
  ummgr_live_after_fork ();
  if (device_is_used ())
    {
      __atomic_store_n (&ummgr_process.active, false, __ATOMIC_RELAXED);
      ummgr_record_after_fork (NULL);
      ummgr_check_after_fork ();
      return;
    }
  owner = getpid ();
  forked = true;
  ummgr_output_resolve (o, &named, true);
  ummgr_record_after_fork (o);
}

static void
tell_end (void)
{
  int status, signal;
  if (ummgr_ending_how (&status, &signal))
    ummgr_stats_ended (status, signal);
}

/* All files; the STATISTICS only of a process that was not left alone.  Once: a
   thread may exit while another writes them early.  */
static void
write_files (bool statistics)
{
  static bool begun;
  const struct ummgr_options *o = &ummgr_process.options;
  if (__atomic_exchange_n (&begun, true, __ATOMIC_ACQ_REL))
    return;
  ummgr_check_finish ();
  if (ummgr_record_finish () != UMMGR_OK)
    ummgr_stats_unwritten (UMMGR_STATS_TRACE);
  if (!statistics || (!o->stats && !o->report)
      || (forked && !ummgr_stats_any ()))
    return;
  start_stats (0);
  tell_end ();
  ummgr_account_report ();
  ummgr_statics_report ();
  if (!ummgr_stats_brief ())
    ummgr_diagnose_run (ummgr_record_path ());
  if (o->report && ummgr_stats_report (o->report) != UMMGR_OK)
    ummgr_stats_unwritten (UMMGR_STATS_REPORT);
  if (o->stats)
    ummgr_stats_write (o->stats);
}

/* Of devices that libgomp does not close.  */
static void
account_statics (void)
{
  const struct ummgr_shim_api *shim = ummgr_process.shim;
  for (int i = 0; shim && i < UMMGR_DEVICES_MAX; i++)
    if (shim->context (i))
      ummgr_statics_account (i);
}

/* The program may be anywhere, and go on.  */
static void
finish_early (void)
{
  ummgr_live_end ();
  ummgr_manager_account_all ();
  account_statics ();
  write_files (ummgr_is_active ());
}

/* Runs after libgomp's own exit handler (which was installed later), and so
   when the devices are closed.  */
__attribute__ ((destructor)) static void
finish (void)
{
  if (getpid () != owner)
    return;
  ummgr_ending_exits ();
  ummgr_live_end ();
  bool active = ummgr_is_active ();
  if (active)
    {
      account_statics ();
      ummgr_manager_close_all ();
      if (getenv ("UMMGR_REMARK"))
	ummgr_account_remark ();
    }
  __atomic_store_n (&ummgr_process.active, false, __ATOMIC_RELAXED);
  write_files (active);
}

/* What is said of a process that used no device and ended by _exit, as one that
   becomes a daemon does.  */
static void
prepare_idle (void)
{
  const struct ummgr_options *o = &ummgr_process.options;
  if (!o->stats || strcmp (o->stats, "-") == 0)
    return;
  char *text = ummgr_stats_idle (o);
  if (text)
    ummgr_ending_idle (o->stats, text);
}

__attribute__ ((constructor)) static void
start (void)
{
  ummgr_log_init ();
  ummgr_process.devices_met = start_stats;
  if (ummgr_options_from_environment (&ummgr_process.options) != UMMGR_OK)
    {
      ummgr_warn ("because of the errors above the policy is 'explicit'");
      ummgr_process.options.policy = "explicit";
    }
  owner = getpid ();
  named = ummgr_process.options;
  ummgr_output_resolve (&ummgr_process.options, &named, false);
  prepare_idle ();
  ummgr_record_start (&ummgr_process.options);
  ummgr_check_start (&ummgr_process.options);
  bool watch = !libgomp_is_first ();
  if (!watch)
    report_order ();
  open_shim (watch);
  pthread_atfork (NULL, NULL, after_fork);
  at_quick_exit (finish);
  ummgr_record_when_open (watch_end);
  __atomic_store_n (&ummgr_process.active, watch, __ATOMIC_RELAXED);
}

__attribute__ ((visibility ("default"))) void
ummgr_mark (const char *name)
{
  ummgr_record_mark (name);
}

__attribute__ ((visibility ("default"))) const char *
ummgr_version (void)
{
  return VERSION;
}
