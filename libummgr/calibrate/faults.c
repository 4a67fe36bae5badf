/* Managed memory: prefetches, and faults of either side.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Everything is sent to where the faults shall fetch it from before each run.  Then one
   page of each of some blocks is touched, and touched again: what it took more the first
   time is faults, and what they brought.  A page of a block whose others are elsewhere
   brings its granule and no more (prefetching begins where more than half of something
   larger is there).  Runs touch other granules, for the driver treats pages that come and
   go often as thrashing.  */

#include "config.h"
#include "calibrate/kernels.h"
#include "calibrate/trial.h"
#include "base/log.h"

enum { BLOCKS = 128, ALONE_RUNS = 32 };
#define SMALL UINT64_C (4096)

static enum ummgr_status
send (struct bench *b, const struct memory *m, uint64_t size, bool to_host)
{
  return b->device->ops->prefetch (b->device, m->address, size, to_host);
}

/* --- prefetches --------------------------------------------------------------- */

static enum ummgr_status
send_out (struct bench *b, const struct trial *t, int run)
{
  (void) run;
  return send (b, t->far, t->size, true);
}

static enum ummgr_status
send_in (struct bench *b, const struct trial *t, int run)
{
  (void) run;
  return send (b, t->far, t->size, false);
}

/* What BYTES more of a prefetch take, as a rate.  */
static enum ummgr_status
measure_prefetch (struct bench *b, struct trial t, struct ummgr_measurement *rate)
{
  struct ummgr_measurement all, part;
  t.runs = FEW_RUNS;
  t.size = t.far->size;
  enum ummgr_status status = trial_run (b, &t, &all);
  t.size /= 4;
  if (!status)
    status = trial_run (b, &t, &part);
  if (status)
    return status;
  rate->value = (t.far->size - t.size) / (all.value - part.value);
  rate->spread = all.spread;
  return UMMGR_OK;
}

static enum ummgr_status
measure_prefetches (struct bench *b, const struct memory *managed)
{
  struct ummgr_measurement in, out;
  b->progress ("prefetches");
  enum ummgr_status status
    = measure_prefetch (b, (struct trial) { .what = "prefetches in", .before = send_out,
					    .once = send_in, .far = managed }, &in);
  if (!status)
    status = measure_prefetch (b, (struct trial) { .what = "prefetches out",
						   .before = send_in, .once = send_out,
						   .far = managed }, &out);
  if (status)
    return status;
  TAKE_BESIDE (b, prefetch_h2d_rate, in.value, in.spread);
  TAKE_BESIDE (b, prefetch_d2h_rate, out.value, out.spread);
  return UMMGR_OK;
}

/* --- faults ------------------------------------------------------------------- */

/* Where blocks are touched now.  */
static uint64_t
place (const struct bench *b)
{
  const struct ummgr_figures *f = &b->out->told;
  return b->turn * f->fault_granularity % f->block_bytes;
}

static enum ummgr_status
touch_arguments (struct bench *b, uint64_t base, uint64_t stride, uint64_t count)
{
  const struct ummgr_touch_arguments arguments = { base, stride, count };
  return bench_arguments (b, &arguments, sizeof arguments);
}

/* Let the CPU fetch the granule at ADDRESS, so that it has all pages of it in its page
   tables, where those that are sent there are not.  */
static enum ummgr_status
map_on_host (struct bench *b, uintptr_t address)
{
  double seconds;
  enum ummgr_status status = b->ops->begin (b->device);
  if (!status)
    status = b->ops->end (b->device, &seconds);
  for (uint64_t i = 0; i < b->out->figures.fault_granularity && !status; i += SMALL)
    *(volatile char *) (address + i);
  return status;
}

/* A fault in block RUN alone; or, of two pages of it as far apart as T's size says.  */
static enum ummgr_status
before_alone (struct bench *b, const struct trial *t, int run)
{
  enum ummgr_status status
    = run ? UMMGR_OK : send (b, t->far, t->far->size, !t->mapped);
  uint64_t block = t->far->address + run * b->out->told.block_bytes;
  b->turn += run == 0;
  if (t->mapped && !status)
    status = map_on_host (b, block - t->far->address + t->far->host + place (b));
  if (status)
    return status;
  return t->size ? touch_arguments (b, block, t->size, 2)
    : touch_arguments (b, block + place (b), 0, 1);
}

/* As many at once as T's size says.  */
static enum ummgr_status
before_many (struct bench *b, const struct trial *t, int run)
{
  (void) run;
  enum ummgr_status status = send (b, t->far, t->far->size, true);
  b->turn++;
  return status ? status
    : touch_arguments (b, t->far->address + place (b), b->out->told.block_bytes, t->size);
}

static enum ummgr_status
launch_many (struct bench *b, const struct trial *t, int run)
{
  (void) run;
  return b->ops->launch (b->device, b->touch, b->arguments->address, t->size, 1);
}

/* What the host touches must be where it was sent before it begins.  */
static enum ummgr_status
before_host (struct bench *b, const struct trial *t, int run)
{
  double seconds;
  (void) run;
  b->turn++;
  enum ummgr_status status = b->ops->begin (b->device);
  if (!status)
    status = send (b, t->far, t->far->size, false);
  return status ? status : b->ops->end (b->device, &seconds);
}

static enum ummgr_status
touch_on_host (struct bench *b, const struct trial *t, int run)
{
  (void) run;
  for (uint64_t i = 0; i < t->size; i++)
    *(volatile char *) (t->far->host + place (b) + i * b->out->told.block_bytes);
  return UMMGR_OK;
}

/* What a fault that takes ALONE brings: a page as far away as that, and no nearer one,
   faults too.  */
static enum ummgr_status
measure_granule (struct bench *b, struct trial t, double alone)
{
  struct ummgr_measurement both = { .value = 0 };
  t.runs = t.runs < FEW_RUNS ? t.runs : FEW_RUNS;
  for (t.size = SMALL; t.size < b->out->told.block_bytes; t.size *= 2)
    {
      enum ummgr_status status = trial_run (b, &t, &both);
      if (status)
	return status;
      if (both.value > 1.5 * alone)
	{
	  TAKE (b, fault_granularity, t.size, both.spread);
	  return UMMGR_OK;
	}
    }
  return UMMGR_OK;
}

/* What one fault more at once takes.  No more than there are multiprocessors, of which
   each may have to wait for what it asked for before it asks for more.  */
static enum ummgr_status
measure_among (struct bench *b, const struct memory *managed, uint64_t blocks,
	       struct ummgr_measurement *out)
{
  blocks = smaller (blocks, larger (b->out->told.sm_count, 4));
  struct trial t = { .what = "GPU faults at once", .far = managed, .again = true,
		     .runs = FEW_RUNS, .before = before_many, .once = launch_many,
		     .size = blocks / 4 };
  struct ummgr_measurement some, all;
  enum ummgr_status status = trial_run (b, &t, &some);
  t.size = blocks;
  if (!status)
    status = trial_run (b, &t, &all);
  if (status)
    return status;
  out->value = (all.value - some.value) / (blocks - blocks / 4);
  out->spread = all.spread;
  return UMMGR_OK;
}

/* What a batch costs whatever it serves: ALONE is one with a block, and a copy.  One more in
   it is one more block, AMONG, whose copy goes on while the driver is at the next.  */
static enum ummgr_status
measure_batches (struct bench *b, struct trial t, uint64_t blocks,
		 const struct ummgr_measurement *alone, double copy)
{
  struct ummgr_measurement among, mapped;
  enum ummgr_status status = measure_among (b, t.far, blocks, &among);
  t.mapped = true;
  if (!status)
    status = trial_run (b, &t, &mapped);
  if (status)
    return status;
  TAKE (b, gpu_block_cost, among.value, among.spread);
  TAKE (b, gpu_fault_cost, alone->value - among.value - copy, alone->spread);
  TAKE (b, host_page_cost, (mapped.value - alone->value)
			   / (b->out->figures.fault_granularity / SMALL), mapped.spread);
  return UMMGR_OK;
}

static enum ummgr_status
measure_gpu_faults (struct bench *b, const struct memory *managed, uint64_t blocks)
{
  const struct ummgr_figures *f = &b->out->figures;
  struct trial t = { .what = "GPU faults", .far = managed, .again = true,
		     .runs = blocks < ALONE_RUNS ? blocks - 1 : ALONE_RUNS,
		     .before = before_alone, .once = bench_touch };
  struct ummgr_measurement alone;
  enum ummgr_status status = trial_run (b, &t, &alone);
  if (!status)
    status = measure_granule (b, t, alone.value);
  if (status)
    return status;
  double copy = f->fault_granularity / f->h2d_rate;
  if (f->fault_batch > 1)
    return measure_batches (b, t, blocks, &alone, copy);
  TAKE (b, gpu_fault_cost, alone.value - copy, alone.spread);
  return UMMGR_OK;
}

static enum ummgr_status
measure_cpu_faults (struct bench *b, const struct memory *managed, uint64_t blocks)
{
  const struct ummgr_figures *f = &b->out->figures;
  struct ummgr_measurement time;
  enum ummgr_status status
    = trial_run (b, &(struct trial) { .what = "CPU faults", .far = managed, .again = true,
				      .runs = FEW_RUNS, .before = before_host,
				      .once = touch_on_host, .size = blocks }, &time);
  if (status)
    return status;
  TAKE (b, cpu_fault_cost, time.value / blocks - f->fault_granularity / f->d2h_rate,
	time.spread);
  return UMMGR_OK;
}

static enum ummgr_status
measure_faults (struct bench *b, const struct memory *managed)
{
  uint64_t blocks = smaller (managed->size / b->out->told.block_bytes, BLOCKS);
  b->progress ("faults");
  enum ummgr_status status = measure_gpu_faults (b, managed, blocks);
  return status ? status : measure_cpu_faults (b, managed, blocks);
}

enum ummgr_status
measure_managed (struct bench *b)
{
  struct memory managed = { .size = 0 };
  uint64_t room;
  if (!b->device->ops->pages_on_demand (b->device))
    {
      ummgr_warn ("calibrate: this GPU, or its driver, moves no managed memory on demand; "
		  "what faults cost stays an estimate");
      return UMMGR_OK;
    }
  enum ummgr_status status = bench_room (b, &room);
  if (!status)
    status = memory_get (b, UMMGR_DEVICE_MANAGED, room, &managed);
  if (!status)
    status = measure_prefetches (b, &managed);
  if (!status)
    status = measure_faults (b, &managed);
  memory_free (b, &managed);
  return status;
}
