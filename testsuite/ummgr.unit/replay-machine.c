/* The machine of `ummgr replay --policy' counts something else than one that goes
   through its pages one by one: what comes along with a fault, which block leaves,
   what advice and prefetches move, what it all takes; or an object that appears
   where another has memory on the GPU changes what that one is charged.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "replay/machine.h"

#include "paging/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, BLOCK_MOST = 512, OBJECTS = 4, OBJECT_MOST = 600,
       OBJECT_ROOM = (OBJECT_MOST / BLOCK_MOST + 1) * BLOCK_MOST,
       UNITS = OBJECTS * OBJECT_ROOM, STEPS = 3000 };

static uint64_t seed;

static uint32_t
pick (uint32_t n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t) (seed >> 33) % n;
}

/* --- the slow machine: one page at a time ------------------------------------ 

   Its units are its own: each object begins a block.  */

static struct sim_profile_device device;
static unsigned block_pages, granule;
static bool cpu[UNITS], gpu[UNITS], taken[UNITS];
static enum ummgr_replay_place place[UNITS];
static int64_t used_in[UNITS];	/* Launch.  */
static uint32_t recent[UNITS];	/* Blocks on the GPU, the oldest first.  */
static uint32_t recent_count;
static uint64_t managed;
static int64_t launch;
static struct ummgr_counters now, begun;
static uint64_t evictions;	/* Of all.  */

static uint32_t
block_first (uint32_t unit)
{
  return unit / block_pages * block_pages;
}

/* Pages of the block at FIRST, from its first that an object has to its last.  */
static void
extent (uint32_t first, uint32_t *lo, uint32_t *hi)
{
  *lo = *hi = first;
  for (uint32_t u = first + block_pages; u-- > first;)
    if (taken[u])
      {
	*lo = u;
	*hi = *hi > first ? *hi : u + 1;
      }
}

static bool
any_in (const bool *of, uint32_t first)
{
  for (uint32_t u = first; u < first + block_pages; u++)
    if (of[u])
      return true;
  return false;
}

static uint64_t
charge_of (uint32_t first)
{
  uint32_t lo, hi;
  extent (first, &lo, &hi);
  return (uint64_t) (hi - lo + granule - 1) / granule * granule * PAGE;
}

static void
forget (uint32_t first)
{
  for (uint32_t i = 0; i < recent_count; i++)
    if (recent[i] == first)
      {
	memmove (recent + i, recent + i + 1,
		 (--recent_count - i) * sizeof *recent);
	return;
      }
}

static void
gpu_loses (uint32_t unit)
{
  uint32_t first = block_first (unit);
  if (!gpu[unit])
    return;
  gpu[unit] = false;
  if (!any_in (gpu, first))
    {
      managed -= charge_of (first);
      forget (first);
    }
}

static void
page_to_cpu (uint32_t unit)
{
  now.d2h_bytes += gpu[unit] ? PAGE : 0;
  gpu_loses (unit);
  cpu[unit] = true;
}

static bool
room_for (uint32_t first)
{
  uint64_t bytes = charge_of (first);
  if (any_in (gpu, first))
    return true;
  if (bytes > device.memory_bytes)
    return false;
  while (managed + bytes > device.memory_bytes)
    {
      CHECK (recent_count && recent[0] != first);
      uint32_t victim = recent[0];
      for (uint32_t u = victim; u < victim + block_pages; u++)
	if (gpu[u])
	  page_to_cpu (u);
      now.evictions++;
    }
  managed += bytes;
  if (managed > now.device_peak_bytes)
    now.device_peak_bytes = managed;
  return true;
}

static bool
pages_to_gpu (uint32_t first, const bool *which)
{
  if (!room_for (first))
    return false;
  forget (first);
  recent[recent_count++] = first;
  for (uint32_t i = 0; i < block_pages; i++)
    if (which[i])
      {
	now.h2d_bytes += cpu[first + i] ? PAGE : 0;
	cpu[first + i] = false;
	gpu[first + i] = true;
      }
  return true;
}

/* WHICH pages of UNIT's block come with it to the side that holds SIDE; with all
   of a block that nobody holds, where UNIT was placed at PREFERRED.  */
static void
come_along (uint32_t unit, const bool *side, enum ummgr_replay_place preferred,
	    bool *which)
{
  uint32_t first = block_first (unit), lo, hi;
  extent (first, &lo, &hi);
  uint32_t pages = hi - first, page = unit - first;
  uint32_t from = page / granule * granule, to = from + granule;
  for (uint32_t n = 2 * granule; device.prefetch_threshold && n < 2 * pages;
       n *= 2)
    {
      uint32_t start = page / n * n, count = 0;
      uint32_t end = start + n < pages ? start + n : pages;
      for (uint32_t i = start; i < end; i++)
	count += side[first + i] || i / granule == page / granule;
      if (count * 100 > (end - start) * (uint32_t) device.prefetch_threshold)
	{
	  from = start;
	  to = end;
	}
    }
  if (place[unit] == preferred && !any_in (cpu, first) && !any_in (gpu, first))
    {
      from = 0;
      to = pages;
    }
  for (uint32_t i = 0; i < block_pages; i++)
    which[i] = i >= from && i < to && first + i >= lo && first + i < hi
	       && place[first + i] == place[unit];
}

static void
slow_gpu (uint32_t unit)
{
  bool which[BLOCK_MOST], host = place[unit] == UMMGR_REPLAY_HOST;
  bool first_use = used_in[unit] != launch;
  used_in[unit] = launch;
  uint64_t *bytes = &now.local_bytes;
  if (!gpu[unit])
    {
      now.gpu_faults += !host || !cpu[unit];
      come_along (unit, host ? cpu : gpu,
		  host ? UMMGR_REPLAY_HOST : UMMGR_REPLAY_DEVICE, which);
      if (host || !pages_to_gpu (block_first (unit), which))
	{
	  for (uint32_t i = 0; i < block_pages; i++)
	    cpu[block_first (unit) + i] |= which[i];
	  bytes = &now.remote_bytes;
	}
    }
  *bytes += first_use ? PAGE : 0;
}

static void
slow_cpu (uint32_t unit)
{
  bool which[BLOCK_MOST], held = gpu[unit];
  uint64_t before = now.d2h_bytes;
  if (cpu[unit])
    return;
  come_along (unit, cpu, UMMGR_REPLAY_HOST, which);
  for (uint32_t i = 0; i < block_pages; i++)
    if (which[i])
      page_to_cpu (block_first (unit) + i);
  now.cpu_faults += held;
  now.model_seconds += (held ? device.cpu_fault_cost : 0)
		       + (now.d2h_bytes - before) / device.d2h_rate;
}

static void
slow_prefetch (uint32_t lo, uint32_t hi, bool in)
{
  uint64_t h2d = now.h2d_bytes, d2h = now.d2h_bytes;
  for (uint32_t first = block_first (lo); first < hi; first += block_pages)
    {
      bool which[BLOCK_MOST], any = false;
      for (uint32_t i = 0; i < block_pages; i++)
	{
	  uint32_t u = first + i;
	  which[i] = u >= lo && u < hi && !(in ? gpu[u] : cpu[u]);
	  any |= which[i];
	  if (which[i] && !in)
	    page_to_cpu (u);
	}
      if (any && in)
	pages_to_gpu (first, which);
    }
  h2d = now.h2d_bytes - h2d;
  d2h = now.d2h_bytes - d2h;
  if (h2d || d2h)
    now.model_seconds += device.link_latency + h2d / device.h2d_rate
			 + d2h / device.d2h_rate;
}

static void
slow_end (void)
{
  double local = (now.local_bytes - begun.local_bytes) / device.memory_rate;
  double remote = (now.remote_bytes - begun.remote_bytes) / device.remote_rate;
  double batches = ceil ((double) (now.gpu_faults - begun.gpu_faults)
			 / device.fault_batch);
  now.model_seconds
    += device.launch_cost + fmax (local, remote)
       + batches * device.gpu_fault_cost
       + (now.h2d_bytes - begun.h2d_bytes) / device.h2d_rate
       + (now.d2h_bytes - begun.d2h_bytes) / device.d2h_rate;
}

/* --- both -------------------------------------------------------------------- */

static void
compare (const struct ummgr_replay_machine_state *m)
{
  struct ummgr_counters c = ummgr_machine_counters (m);
  CHECK_EQ (c.gpu_faults, now.gpu_faults);
  CHECK_EQ (c.cpu_faults, now.cpu_faults);
  CHECK_EQ (c.evictions, now.evictions);
  CHECK_EQ (c.h2d_bytes, now.h2d_bytes);
  CHECK_EQ (c.d2h_bytes, now.d2h_bytes);
  CHECK_EQ (c.local_bytes, now.local_bytes);
  CHECK_EQ (c.remote_bytes, now.remote_bytes);
  CHECK_EQ (c.launches, now.launches);
  CHECK_EQ (c.device_peak_bytes, now.device_peak_bytes);
  CHECK (fabs (c.model_seconds - now.model_seconds)
	 <= 1e-9 * now.model_seconds);
}

static void
one_event (struct ummgr_replay_machine_state *m, uint32_t unit, unsigned kind)
{
  struct ummgr_page_event e = { unit, kind };
  ummgr_machine_events (m, &e, 1);
}

/* Objects as a stream numbers them, with gaps or without.  */
struct known
{
  uint32_t first, units;	/* The stream's.  */
  uint32_t slow;		/* The first of the slow machine's.  */
};

static struct known
make_object (struct ummgr_replay_machine_state *m, int o, uint32_t *end)
{
  struct known k
    = { *end + pick (40), 1 + pick (OBJECT_MOST), o * OBJECT_ROOM };
  *end = k.first + k.units;
  struct ummgr_page_object object
    = { o + 1, "x", "", 0, k.first, k.units, 0, k.units * PAGE };
  CHECK (ummgr_machine_grow (m, *end) && ummgr_machine_object (m, &object));
  memset (taken + k.slow, 1, k.units);
  return k;
}

static void
place_range (struct ummgr_replay_machine_state *m, const struct known *k,
	     uint32_t lo, uint32_t hi)
{
  enum ummgr_replay_place where = pick (3);
  ummgr_machine_advise (m, k->first + lo, k->first + hi, where);
  for (uint32_t u = lo; u < hi; u++)
    place[k->slow + u] = where;
}

static void
step (struct ummgr_replay_machine_state *m, const struct known *k,
      bool *running)
{
  uint32_t at = pick (k->units), unit = k->first + at, slow = k->slow + at;
  uint32_t hi = at + 1 + pick (k->units - at), what = pick (100);
  static const struct ummgr_page_region region = { .name = "r", .file = "" };
  if (what < 60)
    {
      one_event (m, unit, pick (2) ? UMMGR_PAGE_READ : UMMGR_PAGE_WRITE);
      slow_gpu (slow);
    }
  else if (what < 80)
    {
      one_event (m, unit,
		 pick (2) ? UMMGR_PAGE_HOST_READ : UMMGR_PAGE_HOST_WRITE);
      slow_cpu (slow);
    }
  else if (what < 84)
    {
      one_event (m, unit, UMMGR_PAGE_FREE);
      gpu_loses (slow);
      cpu[slow] = false;
    }
  else if (what < 88)
    place_range (m, k, at, hi);
  else if (what < 92)
    {
      bool in = pick (2);
      ummgr_machine_prefetch (m, unit, k->first + hi, in);
      slow_prefetch (slow, k->slow + hi, in);
    }
  else if (*running)
    {
      one_event (m, 0, UMMGR_PAGE_REGION_END);
      slow_end ();
      *running = false;
    }
  else
    {
      ummgr_machine_region (m, &region);
      launch++;
      now.launches++;
      begun = now;
      *running = true;
    }
}

static void
play (unsigned pages, unsigned granule_pages, int threshold, uint64_t blocks)
{
  block_pages = pages;
  granule = granule_pages;
  device = (struct sim_profile_device) {
    .memory_bytes = blocks * pages * PAGE, .memory_rate = 7e11,
    .h2d_rate = 1.2e10, .d2h_rate = 1.1e10, .remote_rate = 9e9,
    .link_latency = 1e-5, .launch_cost = 5e-6, .gpu_fault_cost = 2e-5,
    .cpu_fault_cost = 3e-5, .fault_batch = 3, .prefetch_threshold = threshold,
    .fault_granularity = granule_pages * PAGE, .block_bytes = pages * PAGE
  };
  memset (cpu, 0, sizeof cpu);
  memset (gpu, 0, sizeof gpu);
  memset (taken, 0, sizeof taken);
  memset (place, 0, sizeof place);
  memset (used_in, 0xff, sizeof used_in);
  memset (&now, 0, sizeof now);
  recent_count = managed = launch = 0;
  struct ummgr_replay_machine_state *m
    = ummgr_machine_create (&device, &ummgr_paging_lru);
  CHECK (m);
  struct known object[OBJECTS];
  uint32_t end = pick (7);
  int objects = 0;
  bool running = false;
  for (int i = 0; i < STEPS; i++)
    {
      if (objects < OBJECTS && i >= objects * STEPS / (2 * OBJECTS))
	{
	  object[objects] = make_object (m, objects, &end);
	  objects++;
	}
      step (m, &object[pick (objects)], &running);
      compare (m);
    }
  CHECK (now.gpu_faults && now.cpu_faults && now.launches && now.remote_bytes
	 && now.local_bytes);
  evictions += now.evictions;
  ummgr_machine_destroy (m);
}

static struct ummgr_paging_use told[2];

static void
take_uses (struct ummgr_paging *p, const struct ummgr_paging_use *uses,
	   size_t count)
{
  (void) p;
  CHECK_EQ (count, 2);
  memcpy (told, uses, sizeof told);
}

/* A replacement policy is told of blocks, as the machine numbers them: those of
   units are not the same where objects share one's worth of address space.  */
static void
uses_of_blocks (void)
{
  struct ummgr_paging_ops ops = ummgr_paging_lru;
  ops.region = take_uses;
  device.block_bytes = 4 * PAGE;
  device.fault_granularity = PAGE;
  struct ummgr_replay_machine_state *m = ummgr_machine_create (&device, &ops);
  /* Blocks 0 to 2, of pages 1 to 10; then, as addresses have them, from 3 on,
     of pages 12 to 17.  */
  const struct ummgr_page_object a = { .first = 1, .units = 10 },
				 b = { .first = 12, .units = 6 };
  CHECK (m && ummgr_machine_grow (m, 20));
  CHECK (ummgr_machine_object (m, &a) && ummgr_machine_object (m, &b));
  const struct ummgr_page_use uses[] = {
    { .lo = 4, .hi = 9, .object_lo = 1, .object_hi = 11,
      .hint = UMMGR_HINT_UNKNOWN },
    { .lo = 16, .hi = 17, .object_lo = 12, .object_hi = 18,
      .hint = { .write = true } }
  };
  const struct ummgr_page_region r
    = { .name = "r", .file = "", .uses = uses, .use_count = 2 };
  ummgr_machine_region (m, &r);
  CHECK (told[0].lo == 0 && told[0].hi == 2);
  CHECK (told[0].object_lo == 0 && told[0].object_hi == 3);
  CHECK (told[0].density == -1 && !told[0].write);
  CHECK (told[1].lo == 4 && told[1].hi == 5);
  CHECK (told[1].object_lo == 3 && told[1].object_hi == 5 && told[1].write);
  /* A launch ends once.  */
  one_event (m, 0, UMMGR_PAGE_REGION_END);
  double ended = ummgr_machine_counters (m).model_seconds;
  CHECK (ended > 0);
  one_event (m, 0, UMMGR_PAGE_REGION_END);
  CHECK (ummgr_machine_counters (m).model_seconds == ended);
  ummgr_machine_destroy (m);
}

int
main (void)
{
  static const struct { unsigned pages, granule; int threshold, blocks; }
    shape[] = { { 1, 1, 0, 60 }, { 4, 1, 51, 40 }, { 4, 4, 51, 40 },
		{ 16, 2, 51, 9 }, { 64, 16, 51, 6 }, { 64, 16, 0, 6 },
		{ 512, 16, 51, 2 }, { 32, 4, 90, 11 } };
  for (seed = 1; seed < 40;)
    {
      uint64_t next = seed + 1;
      unsigned i = seed % (sizeof shape / sizeof *shape);
      play (shape[i].pages, shape[i].granule, shape[i].threshold,
	    shape[i].blocks);
      seed = next;
    }
  CHECK (evictions > 1000);
  uses_of_blocks ();
  return 0;
}
