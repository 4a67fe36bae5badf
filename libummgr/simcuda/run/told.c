/* Launches of instrumented host versions, in a GPU's order and time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what the launch under way has reported.  Beyond so much memory a GPU is made to go
   through what there is, to its end, before the launch goes on: teams of two such parts are
   not in flight together.  What code accesses that reports nothing is not seen.  */

#include "config.h"
#include "simcuda/run/told.h"

#include "base/log.h"
#include "gpu/reports.h"
#include "simcuda/image/image.h"
#include "simcuda/run/crew.h"
#include "simcuda/run/kernels.h"
#include "simcuda/run/wide.h"

#include <Judy.h>

#define MEMORY (UINT64_C (512) << 20)

/* Set before the first launch.  */
static bool asked;
static uint64_t (*worked) (void);
static const struct ummgr_device_watch *told; /* Or NULL.  */

static struct
{
  struct ummgr_gpu_reports *reports; /* NULL: not yet any.  */
  struct sim_function *function;
  struct ummgr_gpu_result result;	/* Of all parts so far.  */
  unsigned teams, warps;
  bool failed;
} launch;

static pthread_mutex_t last_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ummgr_device_ran last[SIM_MAX_DEVICES];	/* Under it.  */
static uint64_t fresh;		/* By device, a bit: nobody has asked for LAST.  Likewise.  */

bool
sim_told_set (const struct ummgr_device_watch *watch, unsigned threads,
	      uint64_t (*work) (void))
{
  launch.reports = ummgr_gpu_reports_create (threads ? UMMGR_GPU_LANES : 1,
					     sim_globals_on_device);
  if (!launch.reports)
    return false;
  sim_wide_set (threads);
  told = watch;
  worked = work;
  asked = true;
  return true;
}

/* --- which ---------------------------------------------------------------------------- */

/* Does FUNCTION report?  Its PTX asks what its host version asks first.  */
static bool
reports (struct sim_function *function)
{
  struct sim_image *image = function->module->image;
  pthread_mutex_lock (&sim_driver_lock);
  sim_ptx_mark (image, function->name);
  bool marked = sim_ptx_marked (image, "__ummgr_trace_on");
  pthread_mutex_unlock (&sim_driver_lock);
  return marked;
}

static void
note (const struct sim_function *function, const char *why, const char *what)
{
  static Pvoid_t noted;		/* Judy1, of host functions.  */
  if (Judy1Set (&noted, (Word_t) function->host, PJE0) == 1)
    ummgr_warn ("simcuda: kernel %s: its threads run one after another, and not in a GPU's "
		"order: %s%s", function->name, why, what);
}

bool
sim_told_can (struct sim_function *function)
{
  char name[64];
  if (!asked || !reports (function))
    return false;
  if (sim_crew_can (function, sim_crew_knows, name, sizeof name))
    return true;
  note (function, *name ? "it may call " : "its code was not found", name);
  return false;
}

/* --- a launch --------------------------------------------------------------------------- */

void
sim_told_begin (struct sim_function *function)
{
  launch.function = function;
  launch.result = (struct ummgr_gpu_result) { 0 };
  launch.teams = launch.warps = 0;
  launch.failed = false;
}

static void
made (void *data, unsigned warp, const struct ummgr_gpu_access *access, unsigned count)
{
  struct ummgr_device_access out[UMMGR_GPU_LANES];
  unsigned lanes = 0;
  uint32_t team, thread;
  ummgr_gpu_reports_who (data, warp, &team, &thread);
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < access[i].lanes; k++)
      out[lanes++] = (struct ummgr_device_access) {
	.address = access[i].address + k * (int64_t) access[i].stride, .size = access[i].size,
	.kind = access[i].site, .team = team, .thread = thread
      };
  told->access (launch.function->module->context->device, out, lanes);
}

/* What RESULT says comes after what there was.  */
static void
add_result (const struct ummgr_gpu_result *result)
{
  struct ummgr_gpu_result *all = &launch.result;
  all->seconds += result->seconds;
  all->steps += result->steps;
  all->misses += result->misses;
  all->instructions += result->instructions;
  all->accesses += result->accesses;
  all->batches += result->batches;
  all->entries += result->entries;
  all->duplicates += result->duplicates;
  all->held += result->held;
}

/* A GPU goes through what there is.  */
static void
go_through (void)
{
  int device = launch.function->module->context->device;
  struct ummgr_gpu_options o = { .made = told ? made : NULL, .watch = told };
  struct ummgr_gpu_result result;
  if (!ummgr_gpu_reports_bytes (launch.reports))
    return;
  sim_mem_gpu (device, &o);
  ummgr_gpu_reports_source (launch.reports, &o);
  unsigned lanes = ummgr_gpu_reports_lanes (launch.reports);
  const struct ummgr_device_shape shape = {
    .teams = o.teams, .warps = o.warps, .lie = (sim_wide_threads (0) + lanes - 1) / lanes,
    .registers = sim_function_registers (launch.function)
  };
  ummgr_gpu_fit (&o, &shape);
  sim_mem_gpu_lock (true);
  if (ummgr_gpu_run (&o, &result) == UMMGR_GPU_NO_MEMORY)
    launch.failed = true;
  sim_mem_gpu_lock (false);
  ummgr_gpu_reports_clear (launch.reports);
  add_result (&result);
  launch.teams += o.teams;
  launch.warps = o.warps;
}

void
sim_told_pause (void)
{
  uint64_t work = sim_wide_here && worked ? worked () + sim_wide_spent () : 0;
  const struct ummgr_trace_nest_ref none = { .how = UMMGR_TRACE_HOW (4, 1), .inner = 1 };
  if (work)
    sim_told_report (&none, 1, work);
}

void
sim_told_team_end (void)
{
  if (!sim_wide_here)
    return;
  /* Its other threads have begun, too.  */
  bool alone = sim_teams_here.step == 1;
  sim_told_pause ();
  for (unsigned i = 1; alone && i < sim_wide_threads (0); i++)
    {
      sim_teams_here.thread = i;
      sim_wide_spend (SIM_WIDE_LAUNCH);
      sim_told_pause ();
    }
  sim_teams_here.thread = 0;
}

void
sim_told_report (const struct ummgr_trace_nest_ref *refs, uint32_t n, uint64_t work)
{
  const struct ummgr_device_place *place = &sim_teams_here;
  if (ummgr_gpu_reports_bytes (launch.reports) > MEMORY)
    {
      ummgr_warn_once ("simcuda: kernel %s reports more accesses than %u MiB hold: it is "
		       "modelled in parts, whose teams are not in flight together",
		       launch.function->name, (unsigned) (MEMORY >> 20));
      go_through ();
    }
  if (!ummgr_gpu_reports_add (launch.reports, place->team, place->thread, place->step, refs, n,
			      work + sim_wide_spent ()))
    launch.failed = true;
}

void
sim_told_end (void)
{
  int device = launch.function->module->context->device;
  go_through ();
  if (launch.failed)
    ummgr_warn_once ("simcuda: kernel %s: no memory for its accesses; what it moves and "
		     "takes is that of a part of them", launch.function->name);
  /* Of which kinds the others are, reports don't say.  */
  const struct ummgr_gpu_result *r = &launch.result;
  uint64_t work[UMMGR_WORKS] = {
    [UMMGR_WORK_MEMORY] = r->accesses, [UMMGR_WORK_INTEGER] = r->instructions - r->accesses
  };
  sim_mem_work (device, work);
  sim_told_took (device, launch.function->name, launch.teams, launch.warps, &launch.result);
}

void
sim_told_took (int device, const char *name, unsigned teams, unsigned warps,
	       const struct ummgr_gpu_result *result)
{
  struct ummgr_device_ran ran = sim_mem_gpu_took (device, result->seconds);
  pthread_mutex_lock (&last_lock);
  last[device] = ran;
  fresh |= UINT64_C (1) << device;
  pthread_mutex_unlock (&last_lock);
  ummgr_debug ("simcuda: kernel %s: %u teams of %u warps, %.9g s, %llu batches of %llu"
	       " entries, %llu duplicates; %llu instructions, %llu steps, %llu misses, %llu held",
	       name,
	       teams, warps, result->seconds,
	       (unsigned long long) result->batches, (unsigned long long) result->entries,
	       (unsigned long long) result->duplicates,
	       (unsigned long long) result->instructions, (unsigned long long) result->steps,
	       (unsigned long long) result->misses, (unsigned long long) result->held);
}

bool
sim_told_ran (struct ummgr_device *device, struct ummgr_device_ran *out)
{
  pthread_mutex_lock (&last_lock);
  *out = last[device->number];
  bool was = fresh >> device->number & 1;
  fresh &= ~(UINT64_C (1) << device->number);
  pthread_mutex_unlock (&last_lock);
  return was;
}

/* --- said of it --------------------------------------------------------------------------- */

/* How far off: bench/README.md, "In which order threads run".  */
const char *
sim_told_order (void)
{
  return sim_kernels_watched () && sim_kernels_wanted ()
	   ? "a GPU's, of its own code"
	 : asked
	   ? "a GPU's, of instrumented host versions: modelled seconds were 0.85 to 1.05 times "
	     "those of its own code (--kernels=ptx) in 15 programs"
	   : "one thread after another: modelled seconds were 0.07 to 14 times those of a GPU's "
	     "order (--fidelity=access) in 15 programs, mostly 0.5 to 1";
}
