/* What a region computes: operations by loop nest.
   SPDX-License-Identifier: GPL-3.0-or-later

   A block's operations (ops/ops.h), for each iteration of its loops and as often as its
   conditions have it run, as for a reference.  Owns nothing.  */

#include "use/use.h"

static bool
same_dims (const use_ref *a, const use_ref *b)
{
  if (a->dims.length () != b->dims.length ())
    return false;
  for (unsigned i = 0; i < a->dims.length (); i++)
    if (!use_equal (a->dims[i].count, b->dims[i].count)
	|| a->dims[i].shared != b->dims[i].shared)
      return false;
  return true;
}

/* Add COUNTS of S's block.  */
static void
block_add (use_site *s, const ops_counts &counts)
{
  use_region *region = s->region;
  use_nest n;
  auto_vec<use_poly> switches;
  use_nest_fill (s, &n);
  /* A test above its loop stands at the loop's end then.  */
  for (unsigned i = 0; i < n.once_more.length (); i++)
    n.once_more[i] &= !region->dims[n.dims[i]]->test_above;
  use_nest_bounds (s, &n);
  for (unsigned i = 0; i < n.guards.length (); i++)
    if (!use_guard_apply (s, &n, n.guards[i], &switches))
      n.frequency *= n.guards[i].probability;
  use_work *added = new use_work ();
  for (unsigned i = 0; i < n.dims.length (); i++)
    added->shared |= region->dims[n.dims[i]]->shared;
  added->nest.frequency = n.frequency;
  use_ref_dims (s, &n, &added->nest, use_const (0), switches);
  double each = added->nest.frequency;
  use_work *work = NULL;
  for (unsigned i = 0; i < region->work.length () && !work; i++)
    if (region->work[i]->shared == added->shared
	&& same_dims (&region->work[i]->nest, &added->nest))
      work = region->work[i];
  if (work)
    delete added;
  else
    region->work.safe_push (work = added);
  work->flops += each * counts.flops;
  work->integers += each * counts.integers;
  work->loads += each * counts.loads;
  work->stores += each * counts.stores;
}

void
use_work_add (use_region *region, use_frame *frame)
{
  auto_vec<ops_counts> counts;
  ops_count (&counts);
  basic_block block;
  FOR_EACH_BB_FN (block, frame->fun)
    {
      const ops_counts &c = counts[block->index];
      use_site s = { region, frame, NULL, block };
      if (frame->places[block->index]->live
	  && c.flops + c.integers + c.loads + c.stores)
	block_add (&s, c);
    }
}

/* Is WORK of what REGION's iterations do, or has it no work-shared loop?  */
static bool
is_iterations (const use_region *region, const use_work *work)
{
  bool any = work->shared;
  for (unsigned i = 0; i < region->work.length (); i++)
    any |= region->work[i]->shared;
  return work->shared || !any;
}

void
use_work_emit (use_tables *tables, const use_region *region)
{
  for (unsigned i = 0; i < region->work.length (); i++)
    {
      const use_work *work = region->work[i];
      if (!is_iterations (region, work))
	continue;
      ummgr_ops_record r = {};
      r.region = tables->region_count;
      r.flops = work->flops;
      r.integers = work->integers;
      r.loads = work->loads;
      r.stores = work->stores;
      use_dims_emit (tables, region, &work->nest, &r.dim_first, &r.dim_count);
      ummgr_bytes_append (&tables->ops, &r, sizeof r);
    }
  tables->region_count++;
}

void
use_work_dump (FILE *file, const use_region *region)
{
  for (unsigned i = 0; i < region->work.length (); i++)
    {
      const use_work *work = region->work[i];
      if (!is_iterations (region, work))
	continue;
      fprintf (file, ";; ummgr:   ops flops %.4g integers %.4g loads %.4g stores %.4g",
	       work->flops, work->integers, work->loads, work->stores);
      for (unsigned j = 0; j < work->nest.dims.length (); j++)
	{
	  const use_ref_dim *dim = &work->nest.dims[j];
	  char *count = use_poly_text (region, dim->count);
	  fprintf (file, " %s [%s]", dim->shared ? "shared" : "inner", count);
	  free (count);
	}
      fputc ('\n', file);
    }
}
