/* Copies: the link's rate and latency, each way, both at once, and between devices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A copy takes a latency, and its bytes a time that is theirs: a small one and a large
   one tell the two apart.  The link's rates are those of pinned memory, as the sources of the
   profiles that are shipped have them; what the driver copies of other memory, and what the CPU
   does, is measured, too.  */

#include "config.h"
#include "calibrate/trial.h"

#include <stdlib.h>

#define LARGE (UINT64_C (64) << 20)
#define SMALL UINT64_C (4096)
enum { SMALL_TIMES = 32 };

static enum ummgr_status
copy_in (struct bench *b, const struct trial *t, int run)
{
  (void) run;
  return b->device->ops->copy_in (b->device, t->near->address, (void *) t->far->host,
				  t->size);
}

static enum ummgr_status
copy_out (struct bench *b, const struct trial *t, int run)
{
  (void) run;
  return b->device->ops->copy_out (b->device, (void *) t->far->host, t->near->address,
				   t->size);
}

static enum ummgr_status
copy_both (struct bench *b, const struct trial *t, int run)
{
  (void) run;
  uint64_t half = t->size / 2;
  return b->ops->copy_both (b->device, t->near->address, (void *) t->far->host,
			    (void *) (t->far->host + half), t->near->address + half, half);
}

/* The rate of T, and *LATENCY_P, of what it is besides.  */
static enum ummgr_status
measure_rate (struct bench *b, struct trial t, struct ummgr_measurement *rate,
	      struct ummgr_measurement *latency)
{
  struct ummgr_measurement small, large;
  t.runs = FEW_RUNS;
  t.size = t.near->size;
  enum ummgr_status status = trial_run (b, &t, &large);
  uint64_t bytes = t.size - SMALL;
  t.size = SMALL;
  t.times = SMALL_TIMES;
  if (!status)
    status = trial_run (b, &t, &small);
  if (status)
    return status;
  rate->value = bytes / (large.value - small.value);
  rate->spread = large.spread;
  latency->value = small.value - SMALL / rate->value;
  latency->spread = small.spread;
  return UMMGR_OK;
}

static enum ummgr_status
stage (struct bench *b, const struct trial *t, int run)
{
  (void) run;
  ummgr_device_stage (b->device, (void *) t->near->host, (const void *) t->far->host, t->size,
		      b->out->told.staging_rate);
  return UMMGR_OK;
}

static enum ummgr_status
measure_pageable (struct bench *b, const struct memory *plain, const struct memory *pinned)
{
  void *host = calloc (1, plain->size);
  const struct memory pageable = { .host = (uintptr_t) host, .size = plain->size };
  struct ummgr_measurement in, out, staged, latency;
  if (!host)
    return UMMGR_ERR_NOMEM;
  /* Out first: that gives HOST pages, where all it has is one of zeros.  */
  enum ummgr_status status
    = measure_rate (b, (struct trial) { .what = "copies to pageable memory",
					.once = copy_out, .near = plain,
					.far = &pageable }, &out, &latency);
  if (!status)
    status = measure_rate (b, (struct trial) { .what = "copies from pageable memory",
					       .once = copy_in, .near = plain,
					       .far = &pageable }, &in, &latency);
  if (!status)
    status = measure_rate (b, (struct trial) { .what = "copies to pinned memory",
					       .once = stage, .host = true, .near = pinned,
					       .far = &pageable }, &staged, &latency);
  free (host);
  if (status)
    return status;
  TAKE (b, pageable_h2d_rate, in.value, in.spread);
  TAKE (b, pageable_d2h_rate, out.value, out.spread);
  TAKE (b, staging_rate, staged.value, staged.spread);
  return UMMGR_OK;
}

static enum ummgr_status
measure_pinned (struct bench *b, const struct memory *plain,
		const struct memory *pinned)
{
  struct ummgr_measurement in, out, both, in_latency, out_latency, latency;
  enum ummgr_status status
    = measure_rate (b, (struct trial) { .what = "copies in", .once = copy_in,
					.near = plain, .far = pinned },
		    &in, &in_latency);
  if (!status)
    status = measure_rate (b, (struct trial) { .what = "copies out", .once = copy_out,
					       .near = plain, .far = pinned },
			   &out, &out_latency);
  if (!status)
    status = measure_rate (b, (struct trial) { .what = "copies both ways",
					       .once = copy_both, .near = plain,
					       .far = pinned }, &both, &latency);
  if (status)
    return status;
  TAKE (b, h2d_rate, in.value, in.spread);
  TAKE (b, d2h_rate, out.value, out.spread);
  TAKE (b, link_latency, (in_latency.value + out_latency.value) / 2,
	(in_latency.spread + out_latency.spread) / 2);
  TAKE (b, both_rate, both.value, both.spread);
  return UMMGR_OK;
}

enum ummgr_status
measure_copies (struct bench *b)
{
  struct memory plain = { .size = 0 }, pinned = { .size = 0 };
  uint64_t room;
  enum ummgr_status status = bench_room (b, &room);
  if (status)
    return status;
  uint64_t size = smaller (LARGE, room);
  b->progress ("copies");
  status = memory_get (b, UMMGR_DEVICE_PLAIN, size, &plain);
  if (!status)
    status = memory_get (b, UMMGR_DEVICE_PINNED, size, &pinned);
  if (!status)
    status = measure_pinned (b, &plain, &pinned);
  if (!status)
    status = measure_pageable (b, &plain, &pinned);
  memory_free (b, &pinned);
  memory_free (b, &plain);
  return status;
}

/* --- devices among each other ------------------------------------------------- */

static enum ummgr_status
copy_across (struct bench *b, const struct trial *t, int run)
{
  (void) run;
  return b->ops->copy_peer (b->device, t->near->address, t->other, t->far->address,
			    t->size);
}

/* From OTHER to B's device, with the plain memory that both spare.  */
static enum ummgr_status
measure_pair (struct bench *b, struct bench *other, struct ummgr_measurement *rate,
	      struct ummgr_measurement *latency)
{
  struct memory near = { .size = 0 }, far = { .size = 0 };
  uint64_t here, there;
  enum ummgr_status status = bench_room (b, &here);
  if (!status)
    status = bench_room (other, &there);
  uint64_t size = smaller (LARGE, smaller (here, there));
  if (!status)
    status = memory_get (b, UMMGR_DEVICE_PLAIN, size, &near);
  if (!status)
    status = memory_get (other, UMMGR_DEVICE_PLAIN, size, &far);
  if (!status)
    status = measure_rate (b, (struct trial) { .what = "copies between GPUs",
					       .once = copy_across, .near = &near,
					       .far = &far, .other = other->device },
			   rate, latency);
  memory_free (other, &far);
  memory_free (b, &near);
  return status;
}

enum ummgr_status
measure_peers (struct bench *b)
{
  struct bench all[UMMGR_CALIBRATE_DEVICES];
  enum ummgr_status status = UMMGR_OK;
  int open = 1, count = b->out->devices;
  all[0] = *b;
  for (; open < count && !status; open++)
    {
      all[open] = *b;
      all[open].device = ummgr_device_of (open);
      status = b->ops->open (all[open].device);
    }
  for (int i = 0; i < count && !status; i++)
    for (int j = i + 1; j < count && !status; j++)
      {
	if (i == 0 && j == 1)
	  b->progress ("copies between GPUs");
	status = b->ops->peer (all[i].device, all[j].device);
	if (!status)
	  status = measure_pair (&all[i], &all[j], &b->out->peer[i][j],
				 &b->out->peer_latency[i][j]);
	b->out->peer[j][i] = b->out->peer[i][j];
	b->out->peer_latency[j][i] = b->out->peer_latency[i][j];
	if (status == UMMGR_ERR_UNSUPPORTED)
	  status = UMMGR_OK;
      }
  while (--open > 0)
    b->ops->close (all[open].device);
  return status;
}
