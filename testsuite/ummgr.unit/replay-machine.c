/* The machine of `ummgr replay --policy' counts something else than the slow model of
   unified memory does for the same events: what comes along with a fault, which block
   leaves, what advice and prefetches move, what it all takes; or an object that
   appears where another has memory on the GPU changes what that one is charged.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "replay/machine.h"
#include "uvm-model.h"

#include "paging/params.h"

#include <math.h>

enum { OBJECTS = 4, OBJECT_MOST = 600, STEPS = 3000 };

static uint64_t seed;

static uint32_t
pick (uint32_t n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t) (seed >> 33) % n;
}

/* --- one object -------------------------------------------------------------- */

/* As a stream numbers them, with gaps or without.  */
struct known
{
  struct object model;
  uint32_t first;		/* The stream's.  */
  long used_in[OBJECT_MOST];	/* Launch.  */
};

static struct ummgr_figures device;
static struct known object[OBJECTS];
static uint64_t evictions;
static uint64_t notifications;	/* Of all.  */

static void
differs (const char *what, double got, double wanted)
{
  fprintf (stderr, "%s: %.15g, model %.15g\n", what, got, wanted);
  abort ();
}

static void
one_event (struct ummgr_replay_machine_state *m, uint32_t unit, unsigned kind)
{
  struct ummgr_page_event e = { unit, kind };
  ummgr_machine_events (m, &e, 1);
}

static void
make_object (struct ummgr_replay_machine_state *m, int o, uint32_t *end)
{
  struct known *k = &object[o];
  uint32_t units = 1 + pick (OBJECT_MOST);
  *k = (struct known) { .first = *end + pick (40) };
  model_object (&k->model, units, 0);
  *end = k->first + units;
  struct ummgr_page_object it
    = { o + 1, "x", "", 0, k->first, units, 0, units * PAGE };
  CHECK (ummgr_machine_grow (m, *end) && ummgr_machine_object (m, &it));
}

/* Each page that a launch uses counts once, where it is first used.  */
static void
gpu_use (struct ummgr_replay_machine_state *m, struct known *k, int at)
{
  bool write = pick (2);
  one_event (m, k->first + at, write ? UMMGR_PAGE_WRITE : UMMGR_PAGE_READ);
  model_gpu (&k->model, at, 0, write);
  bool local = k->model.page[at].holders & 2;
  if (k->used_in[at] != launch)
    want[0].sent_bytes += write && !local ? PAGE : 0;
  if (k->used_in[at] != launch)
    *(local ? &want[0].local_bytes
      : &want[0].remote_bytes) += PAGE;
  k->used_in[at] = launch;
}

static void
place_range (struct ummgr_replay_machine_state *m, struct known *k, int lo,
	     int hi)
{
  struct ummgr_device *d = ummgr_machine_device (m);
  bool host = pick (2);
  /* A part of a page takes all of it.  */
  CHECK_EQ (d->ops->keep_on_host (d, (uintptr_t) (k->first + lo) * PAGE + pick (2),
				  (size_t) (hi - lo) * PAGE - 1 - pick (9), host),
	    UMMGR_OK);
  model_advise (&k->model, lo, hi, host ? 3 : 4, -1);
  model_advise (&k->model, lo, hi, host ? 5 : 6, 0);
}

static void
begin_or_end (struct ummgr_replay_machine_state *m)
{
  static const struct ummgr_page_region region = { .name = "r", .file = "" };
  if (launched < 0)
    {
      ummgr_machine_region (m, &region);
      model_launch_begin (0);
      return;
    }
  one_event (m, 0, UMMGR_PAGE_REGION_END);
  model_launch_end (0);
}

static void
step (struct ummgr_replay_machine_state *m, struct known *k)
{
  int at = pick (k->model.pages), hi = at + 1 + pick (k->model.pages - at);
  uint32_t unit = k->first + at, what = pick (100);
  if (what < 60 && launched == 0)
    gpu_use (m, k, at);
  else if (what < 80)
    {
      bool write = pick (2);
      one_event (m, unit, write ? UMMGR_PAGE_HOST_WRITE : UMMGR_PAGE_HOST_READ);
      model_cpu (&k->model, at, write);
    }
  else if (what < 84)
    {
      one_event (m, unit, UMMGR_PAGE_FREE);
      model_discard (&k->model, at, at + 1);
    }
  else if (what < 88)
    place_range (m, k, at, hi);
  else if (what < 92)
    {
      bool in = pick (2);
      struct ummgr_device *d = ummgr_machine_device (m);
      CHECK_EQ (d->ops->prefetch (d, (uintptr_t) unit * PAGE,
				  (size_t) (hi - at) * PAGE, !in), UMMGR_OK);
      model_prefetch (&k->model, at, hi, in ? 0 : -1);
    }
  else
    begin_or_end (m);
}

/* --- machines ------------------------------------------------------------------ */

static void
play (unsigned pages, unsigned granule_pages, int prefetch, uint64_t blocks, int counted)
{
  devices = 1;
  block_pages = pages;
  granule = granule_pages;
  threshold = prefetch;
  capacity[0] = blocks * pages * PAGE;
  count_remote = 0;
  region_pages = pages;
  counts_to[0] = counted;
  costs[0] = (struct costs) { 1.2e10, 1.1e10, 0, 7e11, 9e9,
			      1e-5, 5e-6, 2e-5, 7e-6, 5e-7, 3e-5, 3 };
  device = (struct ummgr_figures) {
    .memory_bytes = capacity[0], .memory_rate = 7e11,
    .h2d_rate = 1.2e10, .d2h_rate = 1.1e10, .remote_rate = 9e9,
    .link_latency = 1e-5, .launch_cost = 5e-6, .gpu_fault_cost = 2e-5, .gpu_block_cost = 7e-6, .host_page_cost = 5e-7,
    .cpu_fault_cost = 3e-5, .fault_batch = 3, .prefetch_threshold = threshold,
    .fault_granularity = granule_pages * PAGE, .block_bytes = pages * PAGE,
    .access_counter_granularity = pages * PAGE, .access_counter_threshold = counted
  };
  model_begin ();
  struct ummgr_replay_machine_state *m
    = ummgr_machine_create (&device, &ummgr_paging_lru);
  CHECK (m);
  uint32_t end = pick (7);
  int objects = 0;
  for (int i = 0; i < STEPS; i++)
    {
      if (objects < OBJECTS && i >= objects * STEPS / (2 * OBJECTS))
	make_object (m, objects++, &end);
      step (m, &object[pick (objects)]);
      struct ummgr_counters c = ummgr_machine_counters (m);
      model_compare (0, &c, differs);
    }
  CHECK (want[0].gpu_faults && want[0].cpu_faults && want[0].launches
	 && want[0].remote_bytes && want[0].local_bytes);
  evictions += want[0].evictions;
  notifications += want[0].notifications;
  for (int o = 0; o < objects; o++)
    model_free (&object[o].model);
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

/* --- a launch that is known to have gone so elsewhere --------------------------------- */

/* Eight faults on pages that nobody has, four to a batch of 10 us where nothing is known.
   RAN, unless NULL, is told.  */
static void
takes (const struct ummgr_trace_ran *ran, uint64_t batches, double seconds)
{
  const struct ummgr_figures figures = {
    .memory_bytes = 64 * PAGE, .memory_rate = 4096e9, .remote_rate = 1e9, .h2d_rate = 1e9,
    .d2h_rate = 1e9, .gpu_fault_cost = 10e-6, .fault_batch = 4, .fault_granularity = PAGE,
    .block_bytes = PAGE
  };
  static const struct ummgr_page_region region = { .name = "r", .file = "" };
  const struct ummgr_page_object it = { 1, "x", "", 0, 0, 8, 0, 8 * PAGE };
  struct ummgr_replay_machine_state *m = ummgr_machine_create (&figures, &ummgr_paging_lru);
  CHECK (m && ummgr_machine_grow (m, 8) && ummgr_machine_object (m, &it));
  if (ran)
    ummgr_machine_ran (m, ran);	/* Of no launch: forgotten.  */
  ummgr_machine_region (m, &region);
  for (uint32_t unit = 0; unit < 8; unit++)
    one_event (m, unit, UMMGR_PAGE_READ);
  if (ran)
    ummgr_machine_ran (m, ran);
  one_event (m, 0, UMMGR_PAGE_REGION_END);
  struct ummgr_counters c = ummgr_machine_counters (m);
  CHECK_EQ (c.gpu_faults, 8);
  CHECK_EQ (c.fault_batches, batches);
  /* The GPU reads 8 pages at 1 ns each.  */
  if (!(c.model_seconds > seconds - 1e-9 && c.model_seconds < seconds + 9e-9))
    differs ("seconds", c.model_seconds, seconds);
  /* The next launch is another.  */
  ummgr_machine_region (m, &region);
  one_event (m, 0, UMMGR_PAGE_REGION_END);
  CHECK_EQ (ummgr_machine_counters (m).fault_batches, batches);
  ummgr_machine_destroy (m);
}

static void
ran_elsewhere (void)
{
  takes (NULL, 2, 20e-6);
  takes (&(struct ummgr_trace_ran) { 1, 0, 5e-6, 10, 5 }, 4, 45e-6);
  takes (&(struct ummgr_trace_ran) { 1, 0, 5e-6, 0, 0 }, 2, 25e-6);
  takes (&(struct ummgr_trace_ran) { 1, 0, 0, 80, 10 }, 1, 10e-6);
  /* Damage.  */
  takes (&(struct ummgr_trace_ran) { 1, 0, NAN, 1, UINT64_MAX }, 8, 80e-6);
  takes (&(struct ummgr_trace_ran) { 1, 0, -1, 1, 1 }, 8, 80e-6);
  takes (&(struct ummgr_trace_ran) { 1, 0, 1e30, 0, 7 }, 2, 20e-6);
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
	    shape[i].blocks, seed % 3 ? 0 : 100 * seed);
      seed = next;
    }
  CHECK (evictions > 1000 && notifications > 1000);
  uses_of_blocks ();
  ran_elsewhere ();
  return 0;
}
