/* Where memory lies on a device of several GPUs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what allocations have of it (gpu/gpu.h, struct ummgr_gpu_laid); all with the lock
   held.  Until a launch has used an allocation, what is laid otherwise has not been there
   before: CODA decides when memory is allocated (device/layout.h, section 4.3.2).  Then
   bytes that go to another GPU take its link.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "gpu/gpu.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

static struct ummgr_layout by_default;
static bool asked;		/* --placement leaves it to somebody.  */
static ummgr_device_decide *decide;

void
sim_layout_init (const char *placement)
{
  /* Where CODA knows nothing of memory it lies by lines.  */
  uint64_t grain = strcmp (placement, "first-touch") == 0 ? 0
		   : strcmp (placement, "coarse") == 0 ? UMMGR_LAYOUT_PAGE
		   : UMMGR_LAYOUT_LINE;
  asked = strcmp (placement, "coda") == 0;
  by_default = (struct ummgr_layout) { .grain = grain, .chunk = grain };
}

/* The device that R may lie on; managed memory is no one's, and such a device is the only
   one.  */
static struct uvm_device *
device_of (const struct sim_range *r)
{
  return &sim_machine.uvm->device[r->alloc.device < 0 ? 0 : r->alloc.device];
}

static unsigned
gpus_of (const struct sim_range *r)
{
  return ummgr_figures_gpus (&device_of (r)->figures);
}

void
sim_layout_allocated (struct sim_range *r)
{
  uint64_t from = r->alloc.base & -SIM_PAGE, end = r->alloc.base + r->alloc.size;
  r->laid = NULL;
  if (r->alloc.kind == SIM_MEM_HOST || gpus_of (r) < 2)
    return;
  struct ummgr_gpu_laid *l = calloc (1, sizeof *l);
  unsigned char *first = by_default.grain ? NULL : calloc (1, (end - from) / SIM_PAGE + 1);
  if (!l || (!by_default.grain && !first))
    {
      /* The first GPU has it.  */
      static struct ummgr_gpu_laid nowhere
	= { .end = UINT64_MAX, .layout = { .grain = UINT64_C (1) << 63, .chunk = UINT64_MAX } };
      ummgr_warn_once ("simcuda: no memory to say where memory lies; it all lies on one GPU");
      free (l);
      free (first);
      r->laid = &nowhere;
      return;
    }
  *l = (struct ummgr_gpu_laid) { end, by_default, first, from };
  r->laid = l;
  r->laid_count = 1;
}

void
sim_layout_freed (struct sim_range *r)
{
  if (!r->laid_count)
    return;
  free (r->laid->first);
  free (r->laid);
  r->laid = NULL;
  r->laid_count = 0;
}

/* --- laying ------------------------------------------------------------------ */

/* Bytes of [LO, HI) that A and B have on different GPUs.  */
static uint64_t
moved (uint64_t lo, uint64_t hi, const struct ummgr_layout *a, const struct ummgr_layout *b,
       unsigned gpus)
{
  uint64_t bytes = 0, line = UMMGR_LAYOUT_LINE;
  for (uint64_t at = lo & -line; at < hi; at += line)
    if (ummgr_layout_home (a, at, gpus) != ummgr_layout_home (b, at, gpus))
      bytes += line;
  return bytes;
}

/* OUT gets what R has, but [LO, HI) as LAYOUT says; how many parts that makes.  */
static unsigned
cut (const struct sim_range *r, uint64_t lo, uint64_t hi, const struct ummgr_layout *layout,
     struct ummgr_gpu_laid *out)
{
  unsigned n = 0;
  uint64_t begin = r->alloc.base;
  for (unsigned i = 0; i < r->laid_count; begin = r->laid[i++].end)
    {
      const struct ummgr_gpu_laid *l = &r->laid[i];
      if (begin < lo)
	out[n++] = (struct ummgr_gpu_laid) { l->end < lo ? l->end : lo, l->layout, NULL, 0 };
      if (begin < hi && l->end >= hi)
	out[n++] = (struct ummgr_gpu_laid) { hi, *layout, NULL, 0 };
      if (l->end > hi)
	out[n++] = (struct ummgr_gpu_laid) { l->end, l->layout, NULL, 0 };
    }
  return n;
}

/* The time that it takes to lay what R has in [LO, HI) as LAYOUT says.  */
static double
seconds_of (const struct sim_range *r, uint64_t lo, uint64_t hi,
	    const struct ummgr_layout *layout)
{
  uint64_t bytes = 0, begin = r->alloc.base;
  unsigned gpus = gpus_of (r);
  for (unsigned i = 0; i < r->laid_count; begin = r->laid[i++].end)
    {
      uint64_t from = begin > lo ? begin : lo, to = r->laid[i].end < hi ? r->laid[i].end : hi;
      if (from < to)
	bytes += moved (from, to, &r->laid[i].layout, layout, gpus);
    }
  return bytes / gpus / device_of (r)->figures.gpus_rate;
}

static bool
lay (struct sim_range *r, uint64_t lo, uint64_t hi, const struct ummgr_layout *layout)
{
  for (unsigned i = 0; i < r->laid_count; i++)
    if (r->laid[i].end >= hi && (i ? r->laid[i - 1].end : r->alloc.base) <= lo
	&& ummgr_layout_same (&r->laid[i].layout, layout))
      return true;
  struct ummgr_gpu_laid *l = malloc ((r->laid_count + 2) * sizeof *l);
  if (!l)
    return false;
  if (r->used_launch)
    device_of (r)->clock += seconds_of (r, lo, hi, layout);
  r->laid_count = cut (r, lo, hi, layout, l);
  free (r->laid);
  r->laid = l;
  sim_access_laid ();
  return true;
}

/* --- who decides ---------------------------------------------------------------- */

bool
sim_layout_decide (ummgr_device_decide *by)
{
  if (!sim_machine.up || !asked)
    return false;
  if (by)
    decide = by;
  return true;
}

bool
sim_layout_asked (void)
{
  return decide;
}

void
sim_layout_spread (int device, const struct ummgr_device_spread *spread)
{
  const struct ummgr_device_use *uses;
  struct ummgr_layout out[SIM_USES];
  size_t count = sim_uses_now (device, &uses);
  if (!decide || !count)
    return;
  decide (uses, count, spread, out);
  for (size_t i = 0; i < count; i++)
    {
      struct sim_range *r = sim_range_find (uses[i].address);
      if (!r || !r->laid_count || !out[i].grain || !out[i].chunk || !uses[i].size)
	continue;
      uint64_t end = r->alloc.base + r->alloc.size, size = end - uses[i].address;
      size = uses[i].size < size ? uses[i].size : size;
      if (!lay (r, uses[i].address, uses[i].address + size, &out[i]))
	ummgr_warn_once ("simcuda: no memory to lay memory otherwise; it stays where it is");
    }
}
