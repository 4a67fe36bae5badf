/* Launches, devices, and the program objects that serve them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the regions seen, the list of program objects, and which devices they
   have started.  The simulator runs one launch at a time on a device: accesses
   there belong to the launch begun last, also where `nowait' lets two be
   under way.  */

#include "config.h"
#include "record/recorder.h"

#include "base/lines.h"
#include "base/log.h"
#include "base/process.h"
#include "base/symbols.h"
#include "gomp/shim-api.h"

#include <Judy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PROGRAMS = 64
};

struct region
{
  uint64_t id, ended;
  const char *name;
};

static void *regions;		/* By function.  */
static uint64_t last_region;
static void *running;		/* Launch to region.  */

/* Grows only; readers take no lock.  */
static const struct ummgr_trace_program *programs[PROGRAMS];
static unsigned program_count;
static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static bool started[UMMGR_DEVICES_MAX];
/* A real GPU's buffer is one launch's until it was fetched.  Taken before DEVICE_LOCK.  */
static pthread_mutex_t run_lock[] = {
  [0 ... UMMGR_DEVICES_MAX - 1] = PTHREAD_MUTEX_INITIALIZER
};

void
ummgr_record_programs_add (const struct ummgr_trace_program *program)
{
  pthread_mutex_lock (&device_lock);
  if (program_count < PROGRAMS)
    {
      programs[program_count] = program;
      __atomic_store_n (&program_count, program_count + 1, __ATOMIC_RELEASE);
      /* Devices that run already have to be told of this one, too.  */
      memset (started, 0, sizeof started);
    }
  else
    ummgr_warn_once ("trace: more than %d instrumented libraries; those loaded "
		     "last are not traced on devices", PROGRAMS);
  pthread_mutex_unlock (&device_lock);
}

bool
ummgr_record_quiet (void)
{
  return ummgr_record_context.quiet;
}

bool
ummgr_record_uncounted (void)
{
  return ummgr_record_context.quiet && !ummgr_record.place;
}

/* The programs' own constructs are nobody's business.  */
static void
start_device (int device)
{
  pthread_mutex_lock (&device_lock);
  if (!started[device])
    {
      __atomic_store_n (&started[device], true, __ATOMIC_RELEASE);
      bool real = !ummgr_record.place, any = false;
      int runs = real ? UMMGR_TRACE_RUNS_REPORTING
	: ummgr_options_ptx (&ummgr_record.options) ? UMMGR_TRACE_RUNS_SILENT : UMMGR_TRACE_RUNS_HOST;
      ummgr_record_context.quiet = true;
      for (unsigned i = 0; i < program_count; i++)
	if (programs[i]->device_start)
	  {
	    bool knows = runs != UMMGR_TRACE_RUNS_SILENT || programs[i]->abi > 2;
	    any |= programs[i]->device_start (device, knows ? runs : UMMGR_TRACE_RUNS_HOST) != 0;
	  }
      ummgr_record_context.quiet = false;
      bool seen = !real || any || ummgr_record.watched;
      __atomic_store_n (&ummgr_record.seen[device], seen, __ATOMIC_RELAXED);
      if (!seen && program_count)
	ummgr_warn ("trace: accesses on device %d cannot be seen; what is said "
		    "of it comes from copies only", device);
    }
  pthread_mutex_unlock (&device_lock);
}

void
ummgr_record_taken (int number)
{
  static struct ummgr_trace_taken last[UMMGR_DEVICES_MAX]; /* Under the lock.  */
  struct ummgr_device *device = ummgr_device_of (number);
  const struct ummgr_shim_api *shim = ummgr_process.shim;
  if (number < 0 || number >= UMMGR_DEVICES_MAX || !device->ops->taken || !shim
      || !ummgr_record_on () || !ummgr_record_tracing ())
    return;
  struct ummgr_counters c, all;
  shim->counters (number, &c);
  ummgr_device_counters (number, shim->counters, &all);
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_TAKEN,
    .u.taken = {
      .device = number, .bytes = device->ops->taken (device),
      .libgomp = shim->allocated (number),
      .copied_in = c.h2d_bytes, .copied_out = c.d2h_bytes,
      .copies = shim->copies (number), .seconds = all.model_seconds
    }
  };
  const struct ummgr_trace_taken *now = &record.u.taken;
  struct ummgr_trace_taken *then = &last[number];
  pthread_mutex_lock (&ummgr_record.lock);
  if (now->bytes != then->bytes || now->libgomp != then->libgomp
      || now->copied_in != then->copied_in
      || now->copied_out != then->copied_out || now->seconds != then->seconds)
    {
      *then = *now;
      ummgr_record_write (&record);
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_taken_last (void)
{
  for (int i = 0; i < UMMGR_DEVICES_MAX; i++)
    if (__atomic_load_n (&started[i], __ATOMIC_ACQUIRE))
      ummgr_record_taken (i);
}

void
ummgr_record_device (int device)
{
  if (ummgr_record_on () && !ummgr_record_context.quiet && device >= 0
      && device < UMMGR_DEVICES_MAX
      && !__atomic_load_n (&started[device], __ATOMIC_ACQUIRE))
    {
      ummgr_record_taken (device);
      start_device (device);
    }
}

static void
take_access (void *data, uint64_t address, uint32_t how, uint32_t team,
	     uint32_t thread)
{
  struct ummgr_device_place place = { *(const int *) data, team, thread, 0 };
  ummgr_record_gpu_access (&place, address, how);
}

static void
flush_device (int device)
{
  unsigned count = __atomic_load_n (&program_count, __ATOMIC_ACQUIRE);
  uint64_t lost = 0;
  pthread_mutex_lock (&device_lock);
  ummgr_record_context.quiet = true;
  for (unsigned i = 0; i < count; i++)
    if (programs[i]->device_flush)
      lost += programs[i]->device_flush (device, take_access, &device);
  ummgr_record_context.quiet = false;
  pthread_mutex_unlock (&device_lock);
  if (!lost)
    return;
  ummgr_warn_once ("trace: %llu reports of accesses on device %d did not fit into "
		   "its buffer and are missing; use a larger UMMGR_TRACE_BUFFER "
		   "or --sample=64", (unsigned long long) lost, device);
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_LOST,
    .u.lost = { ummgr_record_context.launch, device, lost }
  };
  pthread_mutex_lock (&ummgr_record.lock);
  ummgr_record_write (&record);
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_run_begin (int device)
{
  if (ummgr_record.place || !ummgr_record_seen (device))
    return;
  pthread_mutex_lock (&run_lock[device]);
  ummgr_record_context.runs = true;
  if (ummgr_record_context.launch)
    __atomic_store_n (&ummgr_record.launch[device], ummgr_record_context.launch,
		      __ATOMIC_RELAXED);
}

void
ummgr_record_run_end (int device)
{
  if (!ummgr_record_context.runs)
    return;
  flush_device (device);
  ummgr_record_context.runs = false;
  pthread_mutex_unlock (&run_lock[device]);
}

/* Lock held.  */
static struct region *
find_region (const void *function, const char *name, const char *file,
	     unsigned line, const char *title)
{
  PPvoid_t slot = JudyLIns (&regions, (Word_t) function, PJE0);
  if (!slot || slot == PPJERR)
    return NULL;
  if (*slot)
    return *slot;
  struct region *region = calloc (1, sizeof *region);
  if (!region)
    return NULL;
  *slot = region;
  region->id = ++last_region;
  region->name = ummgr_record_text (name);
  char plain[512], place[4096];
  if (!title || !*title)
    ummgr_symbol_plain (region->name, plain, sizeof plain);
  if (!file && ummgr_line_of ((uintptr_t) function, place, sizeof place, &line))
    file = place;
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_REGION,
    .u.region = { region->id, region->name, file, line, title && *title ? title : plain }
  };
  ummgr_record_write (&record);
  return region;
}

uint64_t
ummgr_record_launch_begin (const void *function, const char *name, const char *title,
			   const char *file, unsigned line, int device)
{
  if (!ummgr_record_on () || ummgr_record_context.quiet || device < 0
      || device >= UMMGR_DEVICES_MAX)
    return 0;
  ummgr_record_device (device);
  if (!ummgr_record_tracing ())
    return 0;
  ummgr_record_taken (device);
  uint64_t launch = 0;
  pthread_mutex_lock (&ummgr_record.lock);
  struct region *region = find_region (function, name, file, line, title);
  PPvoid_t slot
    = region ? JudyLIns (&running, ummgr_record.launches + 1, PJE0) : NULL;
  if (slot && slot != PPJERR)
    {
      *slot = region;
      launch = ++ummgr_record.launches;
      ummgr_record.phase_launches++;
      struct ummgr_trace_record record = {
	.kind = UMMGR_TRACE_BEGIN, .u.launch = { launch, region->id, device }
      };
      ummgr_record_write (&record);
      __atomic_store_n (&ummgr_record.launch[device], launch,
			__ATOMIC_RELAXED);
      __atomic_add_fetch (&ummgr_record.under_way, 1, __ATOMIC_RELAXED);
      ummgr_record_new_epoch ();
      ummgr_record_context.launch = launch;
    }
  pthread_mutex_unlock (&ummgr_record.lock);
  return launch;
}

bool
ummgr_record_expects (void)
{
  return ummgr_record.report && ummgr_record.options.team_threads;
}

void
ummgr_record_expect (const void *function, uint64_t iterations)
{
  ummgr_device_ops ()->expect (function, iterations);
}

void
ummgr_record_use (uint64_t launch, const void *host,
		  const struct ummgr_hint *hint)
{
  if (!launch || !ummgr_record_on () || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_span *span = ummgr_record_find ((uintptr_t) host);
  if (span)
    {
      ummgr_record_announce (span->object);
      struct ummgr_trace_record record
	= { .kind = UMMGR_TRACE_USE,
	    .u.use = { launch, span->object->id, *hint } };
      ummgr_record_write (&record);
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}

/* Does the end of this call of REGION end a phase?  "region", or "NAME/N" with
   NAME the region's name or how it begins.  */
static bool
ends_phase (struct region *region)
{
  const char *phase = ummgr_record.options.phase;
  const char *slash = phase ? strrchr (phase, '/') : NULL;
  region->ended++;
  if (!slash)
    return phase && strcmp (phase, "region") == 0;
  unsigned long long every = strtoull (slash + 1, NULL, 10);
  return every && region->ended % every == 0
    && strncmp (region->name, phase, slash - phase) == 0;
}

/* Lock held.  */
static void
write_ran (uint64_t launch, int number)
{
  struct ummgr_device *device = ummgr_device_of (number);
  struct ummgr_device_ran ran;
  if (!device->ops->ran || !device->ops->ran (device, &ran))
    return;
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_RAN,
    .u.ran = { launch, number, ran.seconds, ran.faults, ran.batches }
  };
  ummgr_record_write (&record);
}

void
ummgr_record_launch_end (uint64_t launch, int device)
{
  if (!launch || !ummgr_record_tracing ())
    return;
  ummgr_record_taken (device);
  pthread_mutex_lock (&ummgr_record.lock);
  uint32_t phase = 0;
  PPvoid_t slot = JudyLGet (running, launch, PJE0);
  struct region *region = slot && slot != PPJERR ? *slot : NULL;
  if (region)
    {
      JudyLDel (&running, launch, PJE0);
      __atomic_sub_fetch (&ummgr_record.under_way, 1, __ATOMIC_RELAXED);
      ummgr_record_new_epoch ();
      write_ran (launch, device);
      ummgr_record_pages_count (launch, device);
      struct ummgr_trace_record record = {
	.kind = UMMGR_TRACE_FINISH, .u.launch = { launch, region->id, device }
      };
      ummgr_record_write (&record);
      ummgr_record_context.launch = 0;
      if (ends_phase (region))
	{
	  char cause[300];
	  snprintf (cause, sizeof cause, "region %s", region->name);
	  ummgr_record_end_phase (cause, "");
	  phase = ummgr_record_untold ();
	}
    }
  pthread_mutex_unlock (&ummgr_record.lock);
  ummgr_record_tell_phase (phase);
}

/* The device tells what a launch does.  */
static void
take_seen (int device, const struct ummgr_device_access *access, size_t count)
{
  if (!ummgr_record_tracing ())
    return;
  for (size_t i = 0; i < count; i++)
    {
      struct ummgr_device_place place
	= { device, access[i].team, access[i].thread, 0 };
      ummgr_record_gpu_access (&place, access[i].address,
			       UMMGR_TRACE_HOW (access[i].size, access[i].kind));
    }
}

/* A report is made of accesses alone.  */
static const struct ummgr_device_watch watch_all = {
  .access = take_seen, .shape = ummgr_record_shape, .area = ummgr_record_area,
  .steps = ummgr_record_steps
};
static const struct ummgr_device_watch watch_accesses = { .access = take_seen };

static const struct ummgr_device_watch *
watcher (void)
{
  const struct ummgr_options *o = &ummgr_record.options;
  return o->trace ? &watch_all : o->report ? &watch_accesses : NULL;
}

/* Access fidelity: accesses go to the simulator, if there is one and the
   program reports any.  */
static void
choose_fidelity (void)
{
  const struct ummgr_device_ops *device = ummgr_device_ops ();
  const char *fidelity = ummgr_record.options.fidelity;
  if (!fidelity || strcmp (fidelity, "access") != 0)
    return;
  const char *why
    = !device->set_access_fidelity ? "this is no simulated device"
    : !program_count && !ummgr_record.watched ? "the program does not report its "
		       "accesses (run it with --kernels=ptx, or build it with ummgr cc -ftrace)"
    : ummgr_record.mask ? "--sample leaves out accesses that it would have to "
			  "count"
    : !device->set_access_fidelity (true) ? "the simulated driver refuses"
    : NULL;
  if (why)
    ummgr_warn ("trace: --fidelity=access has no effect: %s", why);
  else
    {
      /* The device that is watched counts them itself.  */
      const struct ummgr_options *o = &ummgr_record.options;
      if (!ummgr_record.watched)
	{
	  ummgr_record.forward = device->access;
	  if (device->model
	      && device->model (watcher (), (unsigned) o->team_threads, ummgr_record_worked))
	    ummgr_record.report = device->report;
	}
      ummgr_record_new_epoch ();
    }
}

static void
write_device (int number)
{
  struct ummgr_device *d = ummgr_device_of (number);
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_DEVICE,
    .u.device = {
      .device = number, .name = d->ops->profile ? d->ops->profile () : ""
    }
  };
  struct ummgr_figures f = ummgr_device_figures (d);
  record.u.device.in_rate = ummgr_figures_whole (f.h2d_rate);
  record.u.device.out_rate = ummgr_figures_whole (f.d2h_rate);
  record.u.device.latency = ummgr_figures_whole (f.link_latency * 1e9);
  record.u.device.gpu_fault = ummgr_figures_whole (ummgr_figures_gpu_fault_ns (&f));
  record.u.device.cpu_fault = ummgr_figures_whole (f.cpu_fault_cost * 1e9);
  record.u.device.fault_size = f.fault_granularity;
  record.u.device.memory = f.memory_bytes;
  ummgr_record_write (&record);
}

/* Without it a program that is not instrumented has a trace without accesses, as on a
   GPU.  */
static void
watch_devices (void)
{
  const struct ummgr_device_ops *device = ummgr_device_ops ();
  if (!ummgr_record.watched || (device->watch && device->watch (watcher ())))
    return;
  ummgr_record.watched = false;
  ummgr_record.shadowed = ummgr_record.instrumented;
  ummgr_warn ("trace: --kernels=ptx has no effect: this is no simulated device");
}

void
ummgr_record_devices (int count)
{
  watch_devices ();
  choose_fidelity ();
  __atomic_store_n (&ummgr_record.place, ummgr_device_ops ()->place,
		    __ATOMIC_RELEASE);
  ummgr_record_resume ();
  if (!ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  for (int i = 0; i < count; i++)
    write_device (i);
  pthread_mutex_unlock (&ummgr_record.lock);
}
