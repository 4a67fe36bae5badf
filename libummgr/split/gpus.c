/* Whether and how a launch goes over several GPUs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what is remembered of the program's launches, under the manager's lock: those of one
   device, the program's default, go over several.  */

#include "config.h"
#include "split/gpus.h"
#include "split/arguments.h"

#include "base/log.h"
#include "device/device.h"
#include "flow/flow.h"
#include "hints/footprint.h"
#include "hints/hints.h"
#include "memory/unified.h"
#include "split/reduce.h"
#include "split/wants.h"
#include "tables/tables.h"
#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  WARP = 32,
  AGAIN = 2			/* More launches than these are worth data that lies right.  */
};

/* --- what is remembered ----------------------------------------------------------- */

static struct ummgr_past past;
static double most_away;	/* Bytes that a launch had on other GPUs than the first.  */

/* What DEVICE does, asked for once: that asks the driver.  */
static const struct ummgr_figures *
figures_of (int device)
{
  static struct ummgr_figures all[UMMGR_DEVICES_MAX];
  static bool known[UMMGR_DEVICES_MAX];
  struct ummgr_figures *f = &all[device];
  if (!known[device])
    {
      known[device] = true;
      *f = ummgr_device_figures (ummgr_device_of (device));
      f->remote_rate = f->remote_rate > 0 ? f->remote_rate : 1e10;
    }
  return f;
}

/* Does REGION, by what stands in its table, run on one GPU alone?  */
static bool
never_splits (const struct ummgr_table_region *region)
{
  const uint32_t one = UMMGR_SPLIT_ATOMIC | UMMGR_SPLIT_ATOMIC_VALUE | UMMGR_SPLIT_STATICS
		       | UMMGR_SPLIT_CALLS;
  return region->split.lo < 0 || region->split.flags & one;
}

void
ummgr_gpus_begin (void)
{
  size_t count;
  ummgr_tables_scan ();
  const struct ummgr_table_unit **units = ummgr_tables_units (&count);
  double often[2] = { 0, 0 };
  for (size_t u = 0; u < count; u++)
    for (unsigned i = 0; i < units[u]->region_count; i++)
      {
	const struct ummgr_table_region *region = &units[u]->regions[i];
	double *most = &often[never_splits (region)];
	*most = fmax (*most, ummgr_flow_frequency (region));
      }
  free (units);
  past.whole = often[true] >= often[false] / 2 && often[true] > 1;
  ummgr_parts_whole (past.whole);
}

static const struct ummgr_table_reduction *
reduction_of (const struct ummgr_table_region *known, size_t arg)
{
  for (unsigned i = 0; i < known->split.reduction_count; i++)
    if (known->split.reductions[i].arg == (int) arg)
      return &known->split.reductions[i];
  return NULL;
}

/* Why a region that can go anywhere can't go to several at once; else the reductions are
   planned.  */
static const char *
ranges_plan (const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
	     struct ummgr_gpus_launch *out)
{
  const struct ummgr_table_split *split = &known->split;
  if (split->flags & (UMMGR_SPLIT_ATOMIC | UMMGR_SPLIT_ATOMIC_VALUE))
    return "its atomic operations are one GPU's";
  for (unsigned i = 0; i < split->reduction_count; i++)
    if (split->reductions[i].arg < 0 || !ummgr_reduce_known (&split->reductions[i]))
      return "a reduction that can't be put together on the host";
  for (size_t i = 0; i < clauses->count; i++)
    if (out->argument[i].object)
      out->argument[i].reduction = reduction_of (known, i);
  return NULL;
}

/* Most regions wait for memory: what a GPU reads in a second says how much it is to do.  */
static double
speed_of (int device)
{
  double rate = figures_of (device)->memory_rate;
  return rate > 0 ? rate : 1;
}

/* Cut the iterations by speed: whoever gets none is left out.  */
static void
ranges_cut (const struct ummgr_gpus *gpus, uint64_t trip, struct ummgr_gpus_launch *out)
{
  double all = 0, before = 0;
  uint64_t lo = 0;
  for (unsigned g = 0; g < gpus->count; g++)
    all += speed_of (gpus->device[g]);
  out->gpus.count = 0;
  for (unsigned g = 0; g < gpus->count; g++)
    {
      before += speed_of (gpus->device[g]);
      uint64_t hi = g + 1 == gpus->count ? trip : (uint64_t) ((double) trip * before / all + 0.5);
      if (hi > trip)
	hi = trip;
      if (hi <= lo)
	continue;
      unsigned n = out->gpus.count++;
      out->gpus.device[n] = gpus->device[g];
      out->gpus.room[n] = gpus->room[g];
      out->lo[n] = lo;
      out->hi[n] = hi;
      lo = hi;
    }
}

static void
whole_on (const struct ummgr_gpus *gpus, unsigned g, struct ummgr_gpus_launch *out)
{
  for (size_t i = 0; i < out->arguments; i++)
    out->argument[i].reduction = NULL;
  out->whole = true;
  out->gpus.count = 1;
  out->gpus.device[0] = gpus->device[g];
  out->gpus.room[0] = gpus->room[g];
  out->lo[0] = 0;
  out->hi[0] = out->trip;
}

/* All of it on the GPU that has most of its data; without any, on the first.  */
static void
whole_choose (const struct ummgr_gpus *gpus, struct ummgr_gpus_launch *out)
{
  uint64_t most = 0;
  unsigned best = 0;
  for (unsigned g = 0; g < gpus->count; g++)
    {
      uint64_t held = 0;
      for (size_t i = 0; i < out->arguments; i++)
	if (out->argument[i].object)
	  held += ummgr_parts_held (out->argument[i].object, gpus->device[g]);
      if (held > most)
	{
	  most = held;
	  best = g;
	}
    }
  whole_on (gpus, best, out);
}

/* The seconds in which GPUs get what they need from others, or use it there: each by its own
   link.  */
static double
payment (const struct ummgr_gpus_launch *launch)
{
  uint64_t bytes[UMMGR_PARTS_GPUS] = { 0 };
  double most = 0;
  for (size_t n = 0; n < launch->wants; n++)
    ummgr_parts_missing (launch->want[n].object, &launch->want[n].parts, &launch->gpus, bytes);
  for (unsigned g = 0; g < launch->gpus.count; g++)
    most = fmax (most, (double) bytes[g] / figures_of (launch->gpus.device[g])->remote_rate);
  return most;
}

/* How long a region's iterations take on one GPU, if no access hits a cache, and data is
   there: waiting for others' memory, which a launch's time also has, is not its work.  */
static double
estimate (const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
	  const struct ummgr_figures *f)
{
  struct ummgr_code_memo memo = { .code = { NULL } };
  const struct ummgr_code_inputs inputs = { .hostaddrs = clauses->hostaddrs,
					    .sizes = clauses->sizes, .memo = &memo };
  double bytes = 0, operations = 0;
  double issue = (double) f->sm_count * f->issue_rate * f->clock_mhz * 1e6 * WARP;
  for (unsigned i = 0; i < known->arg_count + known->member_count; i++)
    {
      const struct ummgr_table_use use = ummgr_hints_use (known, i);
      if (use.flags & UMMGR_USE_UNKNOWN || !(use.flags & UMMGR_USE_ANALYSED))
	return INFINITY;
      for (unsigned k = 0; k < use.ref_count; k++)
	bytes += use.refs[k].frequency * use.refs[k].element_size
		 * ummgr_dims_passes (use.refs[k].dims, use.refs[k].dim_count, &inputs, false);
    }
  for (unsigned i = 0; i < known->ops_count; i++)
    operations += (known->ops[i].flops + known->ops[i].integers + known->ops[i].loads
		   + known->ops[i].stores)
		  * ummgr_dims_passes (known->ops[i].dims, known->ops[i].dim_count, &inputs, false);
  if (!(f->memory_rate > 0) || !(issue > 0) || !known->ops_count)
    return INFINITY;
  return fmax (bytes / f->memory_rate, operations / issue);
}

/* The seconds that it takes to have LAUNCH's data on the first of GPUS alone: what the others have
   goes there, and the host's goes over one link instead of all.  */
static double
together (const struct ummgr_gpus *gpus, const struct ummgr_gpus_launch *launch)
{
  const struct ummgr_figures *f = figures_of (gpus->device[0]);
  uint64_t held[UMMGR_PARTS_GPUS] = { 0 }, sent[UMMGR_PARTS_GPUS] = { 0 };
  double moved = 0, all = 0, most = 0;
  for (size_t n = 0; n < launch->wants; n++)
    ummgr_parts_together (launch->want[n].object, &launch->want[n].parts,
			  launch->whole ? gpus : &launch->gpus, held, sent);
  for (unsigned g = 0; g < gpus->count; g++)
    {
      moved += g ? (double) held[g] : 0;
      all += (double) sent[g];
      most = fmax (most, (double) sent[g]);
    }
  return moved / f->remote_rate + (f->h2d_rate > 0 ? (all - most) / f->h2d_rate : 0);
}

/* How often a region is launched in a run.  Where a guess is behind that, it is worth no more than
   one loop: guesses for one in the other multiply.  */
static double
expected_of (const struct ummgr_table_region *known)
{
  enum { GUESSED_MOST = 10 };
  double launches = ummgr_flow_frequency (known);
  bool sure = ummgr_flow_flags (known) & (UMMGR_FLOW_EXACT | UMMGR_FLOW_COUNTED);
  return isnan (launches) ? 1 : sure ? launches : fmin (launches, GUESSED_MOST);
}

/* The same, asked for once.  */
static double
expected_of_region (const struct ummgr_table_region *known, struct ummgr_past_region *region)
{
  if (region->launches < 1)
    region->expected = expected_of (known);
  return region->expected;
}

/* Is it foreseen that all had better run on the first of GPUS?  LAUNCH gains at most GAIN seconds
   on several, and pays PAY.  */
static bool
foresees (const struct ummgr_table_region *known, const struct ummgr_gpus *gpus,
	  const struct ummgr_gpus_launch *launch, struct ummgr_past_region *region,
	  double gain, double pay)
{
  if (!region || !isfinite (gain))
    return past.whole;
  /* Data lies as it does from the second launch on.  */
  double moves = !past.whole && region->launches < 2 ? together (gpus, launch) : 0;
  return ummgr_past_foresees (&past, region, pay - gain, expected_of_region (known, region), moves);
}

/* What a launch on one of GPUS would pay if all data lay in equal parts on all of them.  */
static double
payment_one (const struct ummgr_gpus *gpus, const struct ummgr_gpus_launch *launch)
{
  double bytes = 0;
  for (size_t n = 0; n < launch->wants; n++)
    {
      const struct ummgr_gpus_want *want = &launch->want[n];
      if (want->parts.way != UMMGR_PARTS_UNUSED)
	bytes += fmin (want->parts.gpu[0].bytes, (double) want->object->view.size);
    }
  return bytes * (1 - 1. / gpus->count) / figures_of (gpus->device[0])->remote_rate;
}

/* Does it pay to have LAUNCH, which may, go over several GPUs?  ALREADY: it can't, and runs whole
   wherever.  Else all shall run on the first of GPUS.  */
static bool
pays (const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
      const struct ummgr_gpus *gpus, bool already, struct ummgr_gpus_launch *launch)
{
  double share = 0, gain = 0, pay = payment (launch), away = 0;
  for (size_t n = 0; n < launch->wants; n++)
    away += (double) launch->want[n].object->view.size;
  most_away = fmax (most_away, away - away / launch->gpus.count);
  struct ummgr_past_region *region = ummgr_past_of (known, launch->gpus.device[0]);
  launch->known = known;
  /* Data that nobody has used before a later one is mapped for each anew.  */
  launch->again = region && region->launches < 1 && expected_of_region (known, region) > AGAIN;
  launch->work = region ? &region->work : NULL;
  launch->most = already ? 0 : estimate (known, clauses, figures_of (launch->gpus.device[0]));
  for (unsigned g = 0; g < launch->gpus.count; g++)
    share = fmax (share, (double) (launch->hi[g] - launch->lo[g]));
  if (!already && launch->work)
    gain = launch->work->seconds * ((double) launch->trip - share);
  /* Of what was not tried yet nothing is known.  */
  bool known_well = already || gain > 0;
  double most = known_well ? gain : launch->most * (1 - share / (double) launch->trip);
  launch->gain = isfinite (most) && !already ? most : 0;
  bool was = past.whole;
  bool ahead = foresees (known, gpus, launch, region, most,
			 already && was ? payment_one (gpus, launch) : pay);
  bool whole = !known_well || ahead > was ? ahead : ummgr_past_whole (&past, gain, pay);
  ummgr_debug ("split: %s:%u over %u GPUs%s: gains %.3g us, at most %.3g, pays %.3g; %.3g ahead, %.3g together",
	       known->file, known->line, launch->gpus.count, whole ? " no longer" : "", 1e6 * gain,
	       1e6 * most, 1e6 * pay, 1e6 * past.ahead, 1e6 * past.together);
  ummgr_parts_whole (past.whole);
  return !whole;
}

static const char beside[] = "it may run beside others (nowait)";

void
ummgr_gpus_plan (struct ummgr_manager *manager, const struct ummgr_table_region *known,
		 const struct ummgr_clauses *clauses, const struct ummgr_gpus *gpus,
		 const struct ummgr_pieces *pieces, const struct ummgr_gpus_wish *wish,
		 const char **why_p, struct ummgr_gpus_launch *out)
{
  memset (out, 0, sizeof *out);
  out->gpus.joined = gpus->joined;
  if (!known || known->arg_count != clauses->count)
    return;
  const char *why = ummgr_gpus_arguments (manager, known, clauses, out);
  /* What is attached for the launch must stay so until it has run.  */
  for (size_t i = 0; !why && wish->apart && i < out->arguments; i++)
    why = out->argument[i].attached ? beside : NULL;
  if (why)
    {
      *why_p = *why_p ? *why_p : why;
      ummgr_gpus_free (out);
      /* Its device gets what it needs of that by demand, and others then get it back.  */
      if (!wish->by_demand)
	ummgr_past_whole (&past, 0, most_away / figures_of (gpus->device[0])->remote_rate);
      return;
    }
  out->trip = pieces->count > 1 ? pieces->trip : 0;
  if (!*why_p && wish->apart)
    *why_p = beside;
  if (!*why_p && pieces->count > 1)
    *why_p = ranges_plan (known, clauses, out);
  bool whole = *why_p || pieces->count < 2;
  if (whole)
    whole_choose (gpus, out);
  else
    {
      out->lo_argument = pieces->lo;
      ranges_cut (gpus, pieces->trip, out);
    }
  if (wish->by_demand)
    return;
  ummgr_wants_fill (known, clauses, out);
  if (pays (known, clauses, gpus, whole, out))
    return;
  if (!whole)
    *why_p = "regions took longer over several GPUs";
  whole_on (gpus, 0, out);
  out->gather = true;
  ummgr_wants_fill (known, clauses, out);
}

void
ummgr_gpus_lay (struct ummgr_gpus_launch *launch)
{
  struct ummgr_gpus gpus = launch->gpus;
  for (size_t n = 0; n < launch->wants; n++)
    ummgr_parts_lay (launch->want[n].object, &launch->want[n].parts, &gpus, launch->gather, launch->again);
  launch->sent = launch->gpus.room[0] != gpus.room[0];
}

void
ummgr_gpus_learn (const struct ummgr_gpus_launch *launch)
{
  if (!launch->work)
    return;
  /* A launch of no iterations takes that: its arguments go there first.  */
  const struct ummgr_figures *f = figures_of (launch->gpus.device[0]);
  ummgr_past_took (launch->work, (double) (launch->hi[0] - launch->lo[0]), launch->seconds,
		   f->launch_cost + f->link_latency, launch->sent,
		   launch->trip ? launch->most / (double) launch->trip : INFINITY);
  double share = 0;
  for (unsigned g = 0; g < launch->gpus.count; g++)
    share = fmax (share, (double) (launch->hi[g] - launch->lo[g]));
  if (launch->gpus.count > 1)
    ummgr_past_gains (&past, ummgr_past_of (launch->known, launch->gpus.device[0]), launch->gain,
		      launch->work->seconds * ((double) launch->trip - share));
}

void
ummgr_gpus_free (struct ummgr_gpus_launch *launch)
{
  free (launch->argument);
  launch->argument = NULL;
  launch->gpus.count = 0;
}
