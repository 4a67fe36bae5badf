/* How often bytes go over the link in one launch, where the device's cache doesn't keep them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "hints/passes.h"

#include "hints/cover.h"
#include "ummgr-table.h"

#include <math.h>

enum { BOXES_MAX = 64, ARGS_MAX = 64 };

/* What one iteration of the work-shared loops goes to by REF, with what comes along over the link in accesses of GRAIN
   bytes.  */
static bool
iteration_box (const struct ummgr_table_ref *ref, const struct ummgr_code_inputs *inputs,
	       const struct ummgr_hint_extent *extent, struct ummgr_box *box)
{
  const uint32_t known = UMMGR_REF_AFFINE | UMMGR_REF_EXACT;
  *box = (struct ummgr_box) { .run = ref->element_size + extent->remote.grain - 1, .weight = 1 };
  if ((ref->flags & known) != known || !ummgr_code_evaluate (ref->base, inputs, &box->base))
    return false;
  box->base += (int64_t) extent->offset;
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      const struct ummgr_table_dim *dim = &ref->dims[i];
      int64_t stride = 0, count;
      if (dim->shared)
	continue;
      if ((dim->stride && !ummgr_code_evaluate (dim->stride, inputs, &stride))
	  || !ummgr_code_evaluate (dim->extent, inputs, &count)
	  || !ummgr_box_add (box, stride, count > 0 ? count : 1))
	return false;
    }
  ummgr_box_end (box);
  return true;
}

/* In how many places REF is in a step, of what one iteration goes to: only loops by which its place goes on
   tell threads apart.  An example: i and j below 64, shared together: what goes on with j is in at most 64.  How
   far threads are apart says nothing, since they don't keep pace.  */
static double
places (const struct ummgr_table_ref *ref, const struct ummgr_code_inputs *inputs, int64_t threads)
{
  double sum = 1;
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      const struct ummgr_table_dim *dim = &ref->dims[i];
      int64_t stride = 0, count;
      if (!dim->shared)
	continue;
      if ((dim->stride && !ummgr_code_evaluate (dim->stride, inputs, &stride))
	  || !ummgr_code_evaluate (dim->extent, inputs, &count))
	return (double) threads;
      sum *= stride && count > 1 ? (double) count : 1;
    }
  return fmin (sum, (double) threads);
}

/* Is REF to the same place all the time while an iteration runs?  Then that is in the cache as the next
   begins, which may use the rest of what came with it.  */
static bool
stays (const struct ummgr_table_ref *ref, const struct ummgr_code_inputs *inputs)
{
  bool loops = false;
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      int64_t stride = 0;
      if (ref->dims[i].shared)
	continue;
      if (ref->dims[i].stride && (!ummgr_code_evaluate (ref->dims[i].stride, inputs, &stride) || stride))
	return false;
      loops = true;
    }
  return loops;
}

/* What is said of all that comes from afar counts TIMES as much.  */
static void
wait_for_few (const struct ummgr_table_region *region, const struct ummgr_hint_extent *extents, double times,
	      struct ummgr_hint *out)
{
  for (unsigned i = 0; i < region->arg_count; i++)
    if (extents[i].remote.threads && out[i].remote > 0)
      {
	out[i].remote *= times;
	out[i].remote_most *= times;
      }
}

/* The part of OUT's bytes from afar that are sent; of what is both, nobody knows more.  */
static double
sent_of (const struct ummgr_hint *out)
{
  return !out->write ? 0 : out->read ? 0.5 : 1;
}

/* What comes from afar, and what goes there, counts the part that it has of the time that both take: the mean of what
   it takes by itself, and what the other doesn't take already (Shapley's value).  */
static void
go_both_ways (const struct ummgr_table_region *region, const struct ummgr_hint_extent *extents,
	      struct ummgr_hint *out)
{
  double read = 0, sent = 0, ways = 0;
  for (unsigned i = 0; i < region->arg_count; i++)
    if (extents[i].remote.ways > 0 && out[i].remote > 0)
      {
	ways = extents[i].remote.ways;
	read += (1 - sent_of (&out[i])) * out[i].remote;
	sent += sent_of (&out[i]) * out[i].remote;
      }
  if (!(read > 0) || !(sent > 0))
    return;
  double both = ummgr_figures_crossing (read, sent, 1, 1, ways);
  double part[2] = { (both + read - sent) / (2 * read), (both + sent - read) / (2 * sent) };
  for (unsigned i = 0; i < region->arg_count; i++)
    if (extents[i].remote.ways > 0 && out[i].remote > 0)
      {
	double its = (1 - sent_of (&out[i])) * part[0] + sent_of (&out[i]) * part[1];
	out[i].remote *= its;
	out[i].remote_most *= its;
      }
}

/* Bytes that a step of THREADS brings of ARG; -1: not known.  *AGAIN_P: in each step.  */
static double
step_bytes (const struct ummgr_table_arg *arg, const struct ummgr_code_inputs *inputs,
	    const struct ummgr_hint_extent *extent, int64_t threads, bool *again_p)
{
  struct ummgr_box boxes[BOXES_MAX];
  double most = 1;
  bool exact;
  *again_p = true;
  if (arg->use.ref_count > BOXES_MAX)
    return -1;
  for (unsigned i = 0; i < arg->use.ref_count; i++)
    {
      const struct ummgr_table_ref *ref = &arg->use.refs[i];
      if (!iteration_box (ref, inputs, extent, &boxes[i]))
	return -1;
      most = fmax (most, places (ref, inputs, threads));
      *again_p &= !stays (ref, inputs);
    }
  return most * ummgr_boxes_cover (boxes, arg->use.ref_count, extent->size, 0, &exact);
}

void
ummgr_passes_fill (const struct ummgr_table_region *region, const struct ummgr_code_inputs *inputs,
		   const struct ummgr_hint_extent *extents, struct ummgr_hint *out)
{
  double step[ARGS_MAX], all = 0, cache = 0, times = 0;
  bool again[ARGS_MAX];
  int64_t trip, threads = 0, share = 1;
  if (region->arg_count > ARGS_MAX || !ummgr_code_evaluate (region->trip, inputs, &trip) || trip < 1)
    {
      go_both_ways (region, extents, out);
      return;
    }
  for (unsigned i = 0; i < region->arg_count; i++)
    {
      step[i] = -1;
      if (!extents[i].remote.threads || !(out[i].remote > 0))
	continue;
      threads = extents[i].remote.threads < trip ? extents[i].remote.threads : trip;
      share = (trip + threads - 1) / threads;
      cache = (double) extents[i].remote.cache;
      times = extents[i].remote.waited / ((double) threads * extents[i].remote.grain);
      step[i] = fmin (step_bytes (&region->args[i], inputs, &extents[i], threads, &again[i]), out[i].remote);
      /* Of what data says where, a step has its share.  */
      all += step[i] < 0 ? out[i].remote / (double) share : step[i];
    }
  for (unsigned i = 0; i < region->arg_count && all > cache; i++)
    if (step[i] > 0 && again[i])
      {
	out[i].remote = fmax (out[i].remote, (double) share * step[i]);
	out[i].remote_most = fmax (out[i].remote_most, out[i].remote);
      }
  if (times > 1)
    wait_for_few (region, extents, times, out);
  else
    go_both_ways (region, extents, out);
}
