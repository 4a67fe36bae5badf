/* Instances of unified memory: making and copying them, their ranges and launches,
   the check of their books.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the tables from a block's number to the block, and what is fixed when an
   instance is made.  */

#include "config.h"
#include "uvm/rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 64 };		/* Blocks to begin with.  */

static const struct uvm_observer nobody;

static size_t
stride_of (int devices, unsigned regions)
{
  return uvm_counted_offset (devices) + devices * uvm_counted_bytes (regions);
}

size_t
uvm_block_memory (int devices, unsigned pages)
{
  return stride_of (devices, 0) + pages * sizeof (uint16_t) + 2 * sizeof (void *);
}

/* --- instances --------------------------------------------------------------- */

struct uvm_config
uvm_configure (const struct ummgr_figures *device, int count)
{
  struct uvm_config c = {
    .devices = count, .block_bytes = device->block_bytes,
    .fault_granularity = device->fault_granularity
  };
  memcpy (c.device, device, count * sizeof *device);
  return c;
}

static void
configure (struct uvm *u, const struct uvm_config *c)
{
  u->devices = c->devices;
  u->block_bytes = c->block_bytes;
  u->block_shift = __builtin_ctzll (c->block_bytes);
  u->granule_pages = c->fault_granularity / UVM_PAGE;
  for (int d = 0; d < c->devices; d++)
    if (c->device[d].access_counter_threshold)
      u->region_pages = c->device[0].access_counter_granularity / UVM_PAGE;
  if (u->region_pages)
    u->regions = u->block_bytes / UVM_PAGE / u->region_pages;
  u->block_stride = stride_of (c->devices, u->regions);
  u->policy = c->paging;
  u->launch_device = UVM_NOWHERE;
  u->observer = &nobody;
  memcpy (u->peer_rate, c->peer_rate, sizeof u->peer_rate);
  memcpy (u->peer_latency, c->peer_latency, sizeof u->peer_latency);
  for (int d = 0; d < c->devices; d++)
    u->device[d].figures = c->device[d];
}

struct uvm *
uvm_create (const struct uvm_config *config)
{
  struct uvm *u = calloc (1, sizeof *u);
  if (!u)
    return NULL;
  configure (u, config);
  u->units = FEW;
  u->blocks = calloc (FEW, sizeof *u->blocks);
  u->combination = malloc (sizeof *u->combination);
  bool good = u->blocks && u->combination && uvm_links_create (u, config);
  for (int d = 0; good && d < u->devices; d++)
    good = (u->device[d].paging = u->policy->create (FEW));
  if (!good)
    {
      uvm_destroy (u);
      return NULL;
    }
  u->combination[u->combinations++]
    = (struct uvm_combination) { .preferred = UVM_NOWHERE };
  return u;
}

/* What R and its blocks are made of.  */
static void
range_free (const struct uvm *u, struct uvm_range *r)
{
  for (uint32_t i = 0; r->memory && i < r->count; i++)
    free (uvm_range_block (u, r, i)->advice);
  free (r->memory);
  free (r);
}

void
uvm_destroy (struct uvm *u)
{
  if (!u)
    return;
  for (uint32_t i = 0; u->blocks && i < u->units; i++)
    if (u->blocks[i])
      {
	struct uvm_range *r = u->blocks[i]->range;
	i += r->count - 1;
	range_free (u, r);
      }
  for (int d = 0; d < u->devices; d++)
    if (u->device[d].paging)
      u->policy->destroy (u->device[d].paging);
  free (u->blocks);
  free (u->combination);
  free (u->links);
  free (u);
}

static void *
copy_of (const void *p, size_t size)
{
  void *c = malloc (size);
  return c ? memcpy (c, p, size) : NULL;
}

/* The like of R for TO; false without memory.  */
static bool
range_copy (struct uvm *to, const struct uvm_range *r)
{
  struct uvm_range *c = copy_of (r, sizeof *r);
  if (!c)
    return false;
  c->memory = copy_of (r->memory, r->count * to->block_stride);
  bool good = c->memory;
  for (uint32_t i = 0; c->memory && i < c->count; i++)
    {
      struct uvm_block *b = uvm_range_block (to, c, i);
      b->range = c;
      b->user = NULL;
      if (b->advice)
	b->advice = good ? copy_of (b->advice, b->pages * sizeof *b->advice)
			 : NULL;
      good &= !uvm_range_block (to, r, i)->advice || b->advice;
      to->blocks[b->unit] = b;
    }
  if (!c->memory)
    free (c);
  return good;
}

struct uvm *
uvm_clone (const struct uvm *u)
{
  struct uvm *c = copy_of (u, sizeof *u);
  if (!c)
    return NULL;
  c->observer = &nobody;
  c->observer_data = NULL;
  for (int d = 0; d < c->devices; d++)
    c->device[d].paging = NULL;
  c->blocks = calloc (u->units, sizeof *c->blocks);
  size_t room = 1;
  while (room < u->combinations)
    room *= 2;
  c->combination = malloc (room * sizeof *c->combination);
  bool good = uvm_links_copy (c, u) && c->blocks && c->combination;
  if (good)
    memcpy (c->combination, u->combination,
	    u->combinations * sizeof *c->combination);
  for (int d = 0; good && d < c->devices; d++)
    good = (c->device[d].paging
	    = ummgr_paging_copy (c->policy, u->device[d].paging));
  for (uint32_t i = 0; good && i < u->units; i++)
    if (u->blocks[i] && u->blocks[i]->range->first == i)
      good = range_copy (c, u->blocks[i]->range);
  if (good)
    return c;
  uvm_destroy (c);
  return NULL;
}

void
uvm_observe (struct uvm *u, const struct uvm_observer *observer, void *data)
{
  u->observer = observer ? observer : &nobody;
  u->observer_data = data;
}

/* --- ranges ------------------------------------------------------------------ */

/* Let the table and the policy know units up to UNITS.  */
static bool
grow (struct uvm *u, uint32_t units)
{
  if (units <= u->units)
    return true;
  units += units / 4 + FEW;
  struct uvm_block **blocks = realloc (u->blocks, units * sizeof *blocks);
  if (!blocks)
    return false;
  u->blocks = blocks;
  for (int d = 0; d < u->devices; d++)
    if (!u->policy->grow (u->device[d].paging, units))
      return false;
  memset (blocks + u->units, 0, (units - u->units) * sizeof *blocks);
  u->units = units;
  return true;
}

static void
make_blocks (struct uvm *u, struct uvm_range *r, uint64_t pages, bool on_host)
{
  unsigned most = u->block_bytes / UVM_PAGE;
  for (uint32_t i = 0; i < r->count; i++)
    {
      struct uvm_block *b = uvm_range_block (u, r, i);
      b->range = r;
      b->unit = r->first + i;
      b->pages = pages > most ? most : pages;
      b->last_prefetch = UVM_NOWHERE;
      pages -= b->pages;
      if (on_host)
	b->by[UVM_CPU].resident = b->on_cpu = uvm_mask_range (0, b->pages);
      u->blocks[b->unit] = b;
    }
}

struct uvm_range *
uvm_range_add (struct uvm *u, uint32_t first, uint64_t pages, int home,
	       bool on_host)
{
  uint64_t most = u->block_bytes / UVM_PAGE, count = (pages + most - 1) / most;
  struct uvm_range *r = calloc (1, sizeof *r);
  if (!r)
    return NULL;
  r->first = first;
  r->count = count;
  r->home = home;
  r->memory = calloc (count, u->block_stride);
  if (!r->memory || !grow (u, first + r->count))
    {
      free (r->memory);
      free (r);
      return NULL;
    }
  make_blocks (u, r, pages, on_host);
  return r;
}

void
uvm_range_remove (struct uvm *u, struct uvm_range *r)
{
  for (uint32_t i = 0; i < r->count; i++)
    {
      uvm_drop (u, uvm_range_block (u, r, i));
      u->blocks[r->first + i] = NULL;
    }
  range_free (u, r);
}

/* --- hits ------------------------------------------------------------------------ */

enum { HITS = 256 };		/* Between two tellings of one unit.  */

void
uvm_hit (struct uvm *u, int device, uint32_t unit)
{
  if (unit == u->hit && ++u->hits < HITS)
    return;
  u->hit = unit;
  u->hits = 0;
  u->policy->touch (u->device[device].paging, unit);
}

/* --- launches ----------------------------------------------------------------- */

void
uvm_region (struct uvm *u, int device, const struct ummgr_paging_use *uses,
	    size_t count)
{
  if (u->policy->region)
    u->policy->region (u->device[device].paging, uses, count);
}

void
uvm_launch_begin (struct uvm *u, int device)
{
  struct uvm_device *dev = &u->device[device];
  dev->before = dev->counters;
  dev->counters.launches++;
  u->launches++;
  u->launch_device = device;
  u->told = false;
  u->hears = u->policy->touch && strcmp (u->policy->name, "lru") != 0;
  uvm_clock_begin (u, device);
}

void
uvm_launch_told (struct uvm *u)
{
  u->told = true;
}

void
uvm_launch_end (struct uvm *u, int device)
{
  u->launch_device = UVM_NOWHERE;
  uvm_clock_launch (u, device);
}

void
uvm_launch_took (struct uvm *u, int device, double seconds)
{
  u->device[device].paging_now.took = seconds;
}

struct uvm_ran
uvm_launch_ran (const struct uvm *u, int device)
{
  const struct uvm_device *d = &u->device[device];
  const struct uvm_paging *p = &d->paging_now;
  return (struct uvm_ran) { p->took > p->seconds ? p->took - p->seconds : 0,
			    d->counters.gpu_faults - d->before.gpu_faults,
			    d->counters.fault_batches - d->before.fault_batches };
}

void
uvm_launch_like (struct uvm *u, int device, const struct uvm_ran *ran)
{
  u->device[device].paging_now.like = *ran;
}

struct ummgr_counters
uvm_counters (const struct uvm *u, int device)
{
  struct ummgr_counters c = u->device[device].counters;
  c.model_seconds = u->device[device].clock;
  return c;
}

/* --- the check of the books ---------------------------------------------------- */

struct check
{
  const struct uvm *u;
  bool ok;
  void (*complain) (void *data, const char *text);
  void *data;
  uint64_t charged[UVM_DEVICES];
  uint64_t pages[UVM_DEVICES];
};

static void __attribute__ ((format (printf, 2, 3)))
disagree (struct check *c, const char *format, ...)
{
  char text[256];
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  c->complain (c->data, text);
  c->ok = false;
}

static void
check_block (struct check *c, const struct uvm_block *b)
{
  struct uvm_mask held = { { 0 } };
  struct uvm_mask inside = uvm_mask_range (0, b->pages);
  for (int p = 0; p <= c->u->devices; p++)
    {
      const struct uvm_mask *resident = &b->by[p].resident;
      struct uvm_mask twice = uvm_mask_and (&held, resident);
      UVM_MASK_RUNS (&twice, lo, hi)
	for (unsigned i = lo; i < hi; i++)
	  {
	    const struct uvm_combination *a = uvm_page_advice (c->u, b, i);
	    if (!a || !a->read_mostly)
	      disagree (c, "page %u of block %u is held twice", i, b->unit);
	  }
      uvm_mask_add (&held, resident);
      struct uvm_mask outside = uvm_mask_andnot (resident, &inside);
      if (!uvm_mask_empty (&outside))
	disagree (c, "block %u holds pages beyond its end", b->unit);
      if (p > 0 && !uvm_mask_empty (resident))
	{
	  c->charged[p - 1] += uvm_charge (c->u, b);
	  c->pages[p - 1] += uvm_mask_count (resident);
	}
    }
}

static void
check_device (struct check *c, int d)
{
  const struct uvm_device *dev = &c->u->device[d];
  const struct uvm_ledger *l = &dev->ledger;
  if (dev->managed_bytes != c->charged[d])
    disagree (c, "device %d: managed %" PRIu64 ", blocks %" PRIu64, d,
	      dev->managed_bytes, c->charged[d]);
  if (dev->taken_bytes + dev->managed_bytes > dev->figures.memory_bytes)
    disagree (c, "device %d holds more than its capacity", d);
  uint64_t resident = c->pages[d] * UVM_PAGE;
  if (l->in_bytes + l->born_bytes - l->out_bytes - l->dropped_bytes
      != resident)
    disagree (c, "device %d: in %" PRIu64 " + born %" PRIu64 " - out %" PRIu64
	      " - dropped %" PRIu64 " is not resident %" PRIu64, d,
	      l->in_bytes, l->born_bytes, l->out_bytes, l->dropped_bytes,
	      resident);
}

bool
uvm_check (const struct uvm *u,
	   void (*complain) (void *data, const char *text), void *data)
{
  struct check c = { .u = u, .ok = true, .complain = complain, .data = data };
  for (uint32_t i = 0; i < u->units; i++)
    if (u->blocks[i])
      {
	if (u->blocks[i]->unit != i)
	  disagree (&c, "block %u is not in the table", i);
	check_block (&c, u->blocks[i]);
      }
  for (int d = 0; d < u->devices; d++)
    check_device (&c, d);
  return c.ok;
}
