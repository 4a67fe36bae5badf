/* Launches, and what kernels read: their own memory, and the host's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "calibrate/kernels.h"
#include "calibrate/trial.h"

enum { LAUNCH_TIMES = 32, CHASED = 4096 };
/* What is read, if there is room: half of it is more than the cache holds, too.  */
#define ENOUGH (UINT64_C (64) << 20)
#define CACHES 4
#define MIB (UINT64_C (1) << 20)

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
  (void) run;
  return b->ops->launch (b->device, b->sweep, b->arguments->address,
			 t->size / UMMGR_SWEEP, UMMGR_SWEEP_WARPS);
}

/* The time of reading SIZE bytes of memory of KIND, of all that is allocated.  */
static enum ummgr_status
time_sweep (struct bench *b, const char *what, enum ummgr_device_memory kind,
	    uint64_t size, struct ummgr_measurement *time)
{
  struct memory m = { .size = 0 };
  enum ummgr_status status = memory_get (b, kind, size, &m);
  const struct ummgr_sweep_arguments arguments = { m.address };
  if (!status)
    status = bench_arguments (b, &arguments, sizeof arguments);
  if (!status)
    status = trial_run (b, &(struct trial) { .what = what, .runs = FEW_RUNS,
					     .once = sweep, .size = size }, time);
  memory_free (b, &m);
  return status;
}

/* What more bytes take longer, as a rate: threads take a while to get going, and to end.  */
static enum ummgr_status
measure_read (struct bench *b, const char *what, enum ummgr_device_memory kind,
	      uint64_t size, struct ummgr_measurement *rate)
{
  struct ummgr_measurement all, part;
  enum ummgr_status status = time_sweep (b, what, kind, size, &all);
  if (!status)
    status = time_sweep (b, what, kind, size / 2, &part);
  if (status)
    return status;
  rate->value = (size - size / 2) / (all.value - part.value);
  rate->spread = all.spread;
  return UMMGR_OK;
}

/* One thread's reads of memory of KIND and SIZE bytes, each of which waits for the one before.  */
static enum ummgr_status
measure_latency (struct bench *b, enum ummgr_device_memory kind, uint64_t size,
		 struct ummgr_measurement *latency)
{
  struct memory m = { .size = 0 };
  struct ummgr_measurement many;
  enum ummgr_status status = memory_get (b, kind, size, &m);
  const struct ummgr_touch_arguments arguments = { m.address, size / CHASED, CHASED };
  if (!status)
    status = bench_arguments (b, &arguments, sizeof arguments);
  if (!status)
    status = trial_run (b, &(struct trial) { .what = "reads that wait", .runs = FEW_RUNS,
					     .once = bench_touch }, &many);
  memory_free (b, &m);
  if (!status)
    *latency = (struct ummgr_measurement)
      { (many.value - b->out->figures.launch_cost) / CHASED, many.spread };
  return status;
}

enum ummgr_status
measure_reads (struct bench *b)
{
  struct ummgr_measurement local, remote;
  uint64_t room;
  enum ummgr_status status = bench_room (b, &room);
  if (status)
    return status;
  b->progress ("reads by kernels");
  uint64_t beyond_cache = larger (ENOUGH, CACHES * (b->out->told.cache_bytes & -MIB));
  status = measure_read (b, "reads of the GPU's own memory", UMMGR_DEVICE_PLAIN,
			 smaller (room, beyond_cache), &local);
  if (!status)
    status = measure_read (b, "reads of the host's memory", UMMGR_DEVICE_PINNED,
			   smaller (room, ENOUGH), &remote);
  if (status)
    return status;
  TAKE (b, memory_rate, local.value, local.spread);
  TAKE (b, remote_rate, remote.value, remote.spread);
  status = measure_latency (b, UMMGR_DEVICE_PLAIN, smaller (room, beyond_cache), &local);
  if (!status)
    status = measure_latency (b, UMMGR_DEVICE_PINNED, smaller (room, ENOUGH), &remote);
  if (status)
    return status;
  TAKE (b, memory_latency, local.value, local.spread);
  TAKE (b, remote_latency, remote.value, remote.spread);
  return UMMGR_OK;
}
