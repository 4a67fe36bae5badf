/* Launches, and what kernels read: their own memory, and the host's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "calibrate/kernels.h"
#include "calibrate/trial.h"

/* Of sweep: enough threads for any GPU, each of 64 bytes at a time.  */
enum { TEAMS = 512, WARPS = 8, SWEEP = TEAMS * WARPS * 32 * 64 };
enum { LAUNCH_TIMES = 32 };

static enum ummgr_status
launch_nothing (struct bench *b, const struct trial *t, int run)
{
  (void) t;
  (void) run;
  return b->ops->launch (b->device, b->empty, b->arguments->address, 1, 1);
}

enum ummgr_status
measure_launches (struct bench *b)
{
  struct ummgr_measurement launch;
  b->progress ("launches");
  /* Each waited for, as libgomp's plugin does.  */
  enum ummgr_status status
    = trial_run (b, &(struct trial) { .what = "launches", .runs = FEW_RUNS,
				      .times = LAUNCH_TIMES, .once = launch_nothing },
		 &launch);
  if (!status)
    TAKE (b, launch_cost, launch.value, launch.spread);
  return status;
}

static enum ummgr_status
sweep (struct bench *b, const struct trial *t, int run)
{
  (void) t;
  (void) run;
  return b->ops->launch (b->device, b->sweep, b->arguments->address, TEAMS, WARPS);
}

static enum ummgr_status
measure_read (struct bench *b, const char *what, const struct memory *m,
	      struct ummgr_measurement *rate)
{
  struct ummgr_measurement time;
  const struct ummgr_sweep_arguments arguments
    = { m->address, m->size / SWEEP * SWEEP };
  enum ummgr_status status = bench_arguments (b, &arguments, sizeof arguments);
  if (!status)
    status = trial_run (b, &(struct trial) { .what = what, .runs = FEW_RUNS,
					     .once = sweep }, &time);
  if (status)
    return status;
  rate->value = arguments.bytes / (time.value - b->out->figures.launch_cost);
  rate->spread = time.spread;
  return UMMGR_OK;
}

enum ummgr_status
measure_reads (struct bench *b, const struct memory *plain, const struct memory *pinned)
{
  struct ummgr_measurement local, remote;
  b->progress ("reads by kernels");
  enum ummgr_status status
    = measure_read (b, "reads of the GPU's own memory", plain, &local);
  if (!status)
    status = measure_read (b, "reads of the host's memory", pinned, &remote);
  if (status)
    return status;
  TAKE (b, memory_rate, local.value, local.spread);
  TAKE (b, remote_rate, remote.value, remote.spread);
  return UMMGR_OK;
}
