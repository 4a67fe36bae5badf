/* What the program allocated or registered: which context it belongs to, and
   by which call it may be given back.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the holdings, keyed by base address, and the sorted list of host
   ranges.  The memory itself is the memory half's.  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "base/grow.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static void *holdings;		/* tsearch tree of struct sim_holding.  */

/* Registered and pinned ranges in the order of addresses.  They are few next
   to device allocations, and never overlap.  */
struct host_range
{
  uintptr_t base, end;
};
static struct host_range *host_ranges;
static size_t host_count, host_room;

static int
compare (const void *a, const void *b)
{
  uintptr_t x = *(const uintptr_t *) a, y = *(const uintptr_t *) b;
  return x < y ? -1 : x > y;
}

/* Index of the first host range that ends above ADDRESS.  */
static size_t
host_lower_bound (uintptr_t address)
{
  size_t lo = 0, hi = host_count;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (host_ranges[mid].end <= address)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

static bool
host_add (uintptr_t base, size_t size)
{
  if (!UMMGR_GROW (host_ranges, host_room, host_count + 1))
    return false;
  size_t i = host_lower_bound (base);
  memmove (host_ranges + i + 1, host_ranges + i,
	   (host_count - i) * sizeof *host_ranges);
  host_ranges[i] = (struct host_range) { base, base + size };
  host_count++;
  return true;
}

static void
host_remove (uintptr_t base)
{
  size_t i = host_lower_bound (base);
  if (i == host_count || host_ranges[i].base != base)
    return;
  host_count--;
  memmove (host_ranges + i, host_ranges + i + 1,
	   (host_count - i) * sizeof *host_ranges);
}

static bool
is_host (const struct sim_alloc *alloc)
{
  return alloc->kind == SIM_MEM_HOST || alloc->kind == SIM_MEM_REGISTERED;
}

CUresult
sim_holding_add (struct sim_alloc *alloc, struct sim_context *context,
		 unsigned flags)
{
  struct sim_holding *h = malloc (sizeof *h);
  if (!h)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *h = (struct sim_holding) { alloc->base, alloc, context, flags };
  pthread_mutex_lock (&sim_driver_lock);
  bool ok = !is_host (alloc) || host_add (alloc->base, alloc->size);
  if (ok && !tsearch (h, &holdings, compare))
    {
      host_remove (alloc->base);
      ok = false;
    }
  pthread_mutex_unlock (&sim_driver_lock);
  if (!ok)
    free (h);
  return ok ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

bool
sim_holding_get (uintptr_t base, struct sim_holding *out)
{
  pthread_mutex_lock (&sim_driver_lock);
  struct sim_holding **found = tfind (&base, &holdings, compare);
  if (found)
    *out = **found;
  pthread_mutex_unlock (&sim_driver_lock);
  return found;
}

static void
forget (struct sim_holding *h)
{
  if (is_host (h->alloc))
    host_remove (h->base);
  tdelete (h, &holdings, compare);
  free (h);
}

bool
sim_holding_take (uintptr_t base, unsigned kinds, struct sim_holding *out)
{
  pthread_mutex_lock (&sim_driver_lock);
  struct sim_holding **found = tfind (&base, &holdings, compare);
  bool ok = found && (SIM_KIND ((*found)->alloc->kind) & kinds);
  if (ok)
    {
      *out = **found;
      forget (*found);
    }
  pthread_mutex_unlock (&sim_driver_lock);
  return ok;
}

bool
sim_holding_overlaps_host (uintptr_t address, size_t size)
{
  pthread_mutex_lock (&sim_driver_lock);
  size_t i = host_lower_bound (address);
  bool overlaps = i < host_count && host_ranges[i].base < address + size;
  pthread_mutex_unlock (&sim_driver_lock);
  return overlaps;
}

/* For twalk_r, which visits in order and must not change the tree.  */
struct collection
{
  struct sim_context *context;
  struct sim_holding **list;
  size_t count, room;
};

static void
collect (const void *node, VISIT order, void *data)
{
  struct collection *c = data;
  struct sim_holding *h = *(struct sim_holding **) node;
  if ((order != postorder && order != leaf) || h->context != c->context)
    return;
  if (UMMGR_GROW (c->list, c->room, c->count + 1))
    c->list[c->count++] = h;
}

/* The context goes, and all that was allocated in it.  KEEP_MEMORY: a region
   still runs on it, because the program exits.  */
void
sim_holding_free_all (struct sim_context *context, bool keep_memory)
{
  struct collection c = { context, NULL, 0, 0 };
  pthread_mutex_lock (&sim_driver_lock);
  twalk_r (holdings, collect, &c);
  for (size_t i = 0; i < c.count; i++)
    {
      struct sim_alloc *alloc = c.list[i]->alloc;
      forget (c.list[i]);
      c.list[i] = (struct sim_holding *) alloc;
    }
  pthread_mutex_unlock (&sim_driver_lock);
  if (!keep_memory)
    for (size_t i = 0; i < c.count; i++)
      sim_mem_free ((struct sim_alloc *) c.list[i]);
  free (c.list);
}

struct sim_alloc *
sim_driver_range (uintptr_t address, size_t size, unsigned kinds)
{
  struct sim_alloc *alloc = sim_mem_find (address);
  if (!alloc || !(SIM_KIND (alloc->kind) & kinds)
      || size > alloc->size || address - alloc->base > alloc->size - size)
    return NULL;
  return alloc;
}
