/* What `ummgr replay --policy' is made of: runs other than the memory model has
   where both must agree; objects that share a block of memory; policies that are told of what only the host or libgomp
   has; a trace it can't answer for taken for one it can; units outside an object where a trace has another page size.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "replay/evict.h"
#include "replay/policies.h"
#include "trace-test.h"

#include <fcntl.h>
#include <math.h>

enum { OBJECTS = 5, PAGE = 4096, STEPS = 6000 };

static const char path[] = "replay-policies.ummt";
static const char log_path[] = "replay-policies.log";

/* --- traces ----------------------------------------------------------------- */

static void
put_object_as (struct ummgr_trace_writer *w, uint64_t o, uint64_t base,
	       uint64_t bytes, uint32_t flags)
{
  struct ummgr_trace_record r = {
    .kind = UMMGR_TRACE_OBJECT,
    .u.object = { .object = o, .name = "x", .file = "f.c",
		  .base = base, .size = bytes, .flags = flags }
  };
  ummgr_trace_write (w, &r);
}

static void
put_object_at (struct ummgr_trace_writer *w, uint64_t o, uint64_t base,
	       uint64_t bytes)
{
  put_object_as (w, o, base, bytes, UMMGR_TRACE_OBJECT_UNIFIED);
}

static void
put_object (struct ummgr_trace_writer *w, uint64_t o, uint64_t bytes)
{
  put_object_at (w, o, 0x7f0000000000 + (o << 24), bytes);
}

static void
put_gone (struct ummgr_trace_writer *w, uint64_t o)
{
  struct ummgr_trace_record r
    = { .kind = UMMGR_TRACE_GONE, .u.object = { .object = o } };
  ummgr_trace_write (w, &r);
}

static void
put_launch (struct ummgr_trace_writer *w, uint64_t launch, bool begin)
{
  struct ummgr_trace_record r
    = { .kind = begin ? UMMGR_TRACE_BEGIN : UMMGR_TRACE_FINISH,
	.u.launch = { launch, 1, 0 } };
  ummgr_trace_write (w, &r);
}

static void
put_access (struct ummgr_trace_stream *stream, uint64_t launch, uint64_t o,
	    uint64_t page, bool write)
{
  struct ummgr_trace_access a = {
    .object = o, .launch = launch, .offset = page * PAGE, .count = 1,
    .size = 8, .access = write ? UMMGR_TRACE_WRITE : UMMGR_TRACE_READ
  };
  ummgr_trace_stream_write (stream, &a, 1);
}

static const char *recorded_under = "explicit";

static struct ummgr_trace_writer *
begin_trace (uint64_t page_size, const char *profile)
{
  struct ummgr_trace_writer *w;
  struct ummgr_trace_run run = test_run;
  run.page_size = page_size;
  run.profile = profile;
  run.policy = recorded_under;
  CHECK (ummgr_trace_writer_open (path, &run, &w) == UMMGR_OK);
  struct ummgr_trace_record region
    = { .kind = UMMGR_TRACE_REGION, .u.region = { 1, "r", "f.c", 3 } };
  ummgr_trace_write (w, &region);
  return w;
}

/* The CPU writes all; then launches use pages at random, the CPU some in
   between, and an object goes.  */
static void
make_random (uint64_t seed)
{
  struct ummgr_trace_writer *w = begin_trace (PAGE, "x");
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  for (uint64_t o = 1; o <= OBJECTS; o++)
    {
      put_object (w, o, o * 30 * PAGE);
      for (uint64_t p = 0; p < o * 30; p++)
	put_access (stream, 0, o, p, true);
    }
  uint64_t launch = 0;
  bool running = false;
  for (int i = 0; i < STEPS; i++)
    {
      if (i % 200 == 0)
	{
	  launch += !running;
	  running = !running;
	  put_launch (w, launch, running);
	}
      if (i == STEPS / 2)
	put_gone (w, 3);
      uint64_t o = 1 + random_next (&seed) % OBJECTS;
      uint64_t p = random_next (&seed) % (o * 30);
      if (o != 3 || i < STEPS / 2)
	put_access (stream, running ? launch : 0, o,
		    i % 3 ? p % 20 : p, random_next (&seed) % 3 == 0);
    }
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
}

/* A launch that uses PAGES of one object, or none.  */
static void
make_small (uint64_t page_size, uint64_t second_size, unsigned pages)
{
  struct ummgr_trace_writer *w = begin_trace (page_size, "x");
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  put_object (w, 1, 1 << 20);
  if (second_size)
    {
      struct ummgr_trace_record run
	= { .kind = UMMGR_TRACE_RUN, .u.run = test_run };
      run.u.run.page_size = second_size;
      ummgr_trace_write (w, &run);
    }
  put_launch (w, 1, true);
  for (unsigned p = 0; p < pages; p++)
    put_access (stream, 1, 1, p, true);
  put_launch (w, 1, false);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
}

/* --- runs --------------------------------------------------------------------- */

/* Blocks of one page and no prefetcher: what memory.h has.  */
static struct ummgr_figures
plain_device (uint64_t pages)
{
  return (struct ummgr_figures) {
    .memory_bytes = pages * PAGE, .memory_rate = 1e9, .h2d_rate = 1e9,
    .d2h_rate = 1e9, .remote_rate = 1e9, .launch_cost = 1e-6,
    .gpu_fault_cost = 1e-5, .cpu_fault_cost = 1e-5, .fault_batch = 1,
    .fault_granularity = PAGE, .block_bytes = PAGE
  };
}

static struct ummgr_replay_run
run_of (const char *policy, const char *evict, uint64_t pages)
{
  return (struct ummgr_replay_run) {
    .policy = policy, .evict = evict, .transfer = "hybrid",
    .device = plain_device (pages)
  };
}

static void
as_the_memory_has_it (uint64_t seed)
{
  static const char *const evict[]
    = { "lru", "random", "rrip", "clockpro", "hpe-nohits" };
  enum { COUNT = sizeof evict / sizeof *evict };
  struct ummgr_replay_run runs[2 * COUNT];
  struct ummgr_replay_case cases[2 * COUNT];
  make_random (seed);
  for (int i = 0; i < 2 * COUNT; i++)
    {
      uint64_t pages = i % 2 ? 50 : 200;
      runs[i] = run_of ("um", evict[i / 2], pages);
      cases[i] = (struct ummgr_replay_case) {
	.policy = evict[i / 2], .bytes = pages * PAGE
      };
    }
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_replay_options walks
    = { .pages = options, .hits = UMMGR_REPLAY_HITS_NONE };
  struct ummgr_page_totals a, b;
  CHECK_EQ (ummgr_replay_policies (path, &options, runs, 2 * COUNT, &a),
	    UMMGR_OK);
  CHECK_EQ (ummgr_replay_evict (path, &walks, cases, 2 * COUNT, &b), UMMGR_OK);
  CHECK_EQ (a.device_events, b.device_events);
  for (int i = 0; i < 2 * COUNT; i++)
    {
      const struct ummgr_counters *c = &runs[i].counters;
      const struct ummgr_replay_counts *n = &cases[i].counts;
      CHECK_EQ (c->gpu_faults, n->faults);
      CHECK_EQ (c->cpu_faults, n->cpu_faults);
      CHECK_EQ (c->evictions, n->evictions);
      /* All pages were the CPU's first.  */
      CHECK_EQ (c->h2d_bytes, n->pages_in * PAGE);
      CHECK_EQ (c->d2h_bytes, n->pages_out * PAGE);
      CHECK (n->evictions && n->cpu_faults);
      CHECK_EQ (c->launches, a.launches);
      CHECK_EQ (c->remote_bytes, 0);
      CHECK_EQ (c->device_peak_bytes, (i % 2 ? 50 : 200) * PAGE);
    }
}

/* Data stays on the host, and all of it is used from there.  */
static void
host_keeps_all (void)
{
  struct ummgr_replay_run run = run_of ("host", "lru", 50);
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_page_totals totals;
  make_random (1);
  CHECK_EQ (ummgr_replay_policies (path, &options, &run, 1, &totals), UMMGR_OK);
  CHECK_EQ (run.counters.gpu_faults, 0);
  CHECK_EQ (run.counters.h2d_bytes, 0);
  CHECK_EQ (run.counters.local_bytes, 0);
  CHECK (run.counters.remote_bytes > 0);
  CHECK (run.decisions >= OBJECTS);
}

enum { USED = 64 };

/* Two objects of USED pages, which the CPU writes; each launch uses one of USES,
   and the compiler has said so.  */
static void
make_uses (const uint64_t *uses, uint64_t count)
{
  struct ummgr_trace_writer *w = begin_trace (PAGE, "x");
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  for (uint64_t o = 1; o <= 2; o++)
    {
      put_object (w, o, USED * PAGE);
      for (uint64_t page = 0; page < USED; page++)
	put_access (stream, 0, o, page, true);
    }
  for (uint64_t launch = 1; launch <= count; launch++)
    {
      uint64_t o = uses[launch - 1];
      put_launch (w, launch, true);
      struct ummgr_trace_record use = {
	.kind = UMMGR_TRACE_USE,
	.u.use = { .launch = launch, .object = o,
		   .hint = { .read = true, .locality = USED * PAGE,
			     .density = 1, .density_sc19 = 1,
			     .name = o == 1 ? "first" : "second" } }
      };
      ummgr_trace_write (w, &use);
      for (uint64_t page = 0; page < USED; page++)
	put_access (stream, launch, o, page, false);
      put_launch (w, launch, false);
    }
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
}

/* What the compiler said of a launch reaches the policy: lru brings at once what
   the launch uses, and nothing else; and again what had to leave for another.  */
static void
told_of_uses (void)
{
  static const uint64_t uses[] = { 2, 1, 2 };
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_page_totals totals;
  for (uint64_t count = 1; count <= 3; count += 2)
    {
      struct ummgr_replay_run run
	= run_of ("lru", "lru", count == 1 ? 4096 : 100);
      make_uses (uses, count);
      CHECK_EQ (ummgr_replay_policies (path, &options, &run, 1, &totals),
		UMMGR_OK);
      CHECK_EQ (run.counters.gpu_faults, 0);
      CHECK_EQ (run.counters.remote_bytes, 0);
      CHECK_EQ (run.counters.h2d_bytes, count * USED * PAGE);
      CHECK_EQ (run.counters.local_bytes, count * USED * PAGE);
      CHECK_EQ (run.counters.d2h_bytes, (count - 1) * USED * PAGE);
      /* Where the two objects begin, and what comes.  */
      CHECK (count > 1 || run.decisions == 3);
    }
}

/* One launch reads managed memory, what is mapped, of which the host wrote every
   second page, and a table that libgomp maps itself; the host has an array of its
   own.  */
static void
make_beside_managed (uint32_t flags)
{
  enum { MANAGED = 1, MAPPED, TABLE, OWN };
  struct ummgr_trace_writer *w = begin_trace (PAGE, "x");
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  for (uint64_t o = MANAGED; o <= OWN; o++)
    put_object_as (w, o, 0x7f0000000000 + (o << 24), USED * PAGE,
		   o == MANAGED ? flags : UMMGR_TRACE_OBJECT_HEAP);
  for (uint64_t o = MANAGED; o <= OWN; o++)
    for (uint64_t page = 0; page < USED; page += o == MAPPED ? 2 : 1)
      put_access (stream, 0, o, page, true);
  put_launch (w, 1, true);
  for (uint64_t o = MAPPED; o <= TABLE; o++)
    {
      struct ummgr_trace_record present = {
	.kind = UMMGR_TRACE_PRESENT,
	.u.present = { .object = o, .size = USED * PAGE, .address = o << 30,
		       .flags = o == TABLE ? UMMGR_TRACE_PRESENT_SMALL : 0 }
      };
      ummgr_trace_write (w, &present);
    }
  for (uint64_t o = MANAGED; o <= TABLE; o++)
    for (uint64_t page = 0; page < USED; page++)
      put_access (stream, 1, o, page, false);
  put_launch (w, 1, false);
  put_access (stream, 0, OWN, 0, true);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
}

static bool
see_units (void *data, uint32_t units)
{
  (void) data;
  return units > 0;
}

static bool
see_events (void *data, const struct ummgr_page_event *events, size_t count)
{
  (void) data;
  return events && count;
}

/* Bits in DATA of the objects that were seen.  */
static bool
see_object (void *data, const struct ummgr_page_object *o)
{
  *(unsigned *) data |= 1u << o->object;
  CHECK_EQ (o->base, 0x7f0000000000 + (o->object << 24));
  CHECK_EQ (o->start, 0);
  return true;
}

/* And of the uses, 16 higher.  */
static bool
see_region (void *data, const struct ummgr_page_region *r)
{
  CHECK_EQ (r->use_count, 1);
  *(unsigned *) data |= 1u << (16 + r->uses[0].object);
  CHECK (strcmp (r->uses[0].hint.name,
		 r->uses[0].object == 1 ? "first" : "second") == 0);
  return true;
}

/* By what policies tell objects and arguments apart: addresses, of what is mapped,
   too, and names.  */
static void
told_apart (void)
{
  static const uint64_t uses[] = { 2, 1, 2 };
  unsigned seen = 0;
  struct ummgr_page_sink sink = {
    .data = &seen, .grow = see_units, .object = see_object, .events = see_events,
    .region = see_region
  };
  struct ummgr_page_options options = { .device = -1 };
  make_uses (uses, 3);
  CHECK_EQ (ummgr_pages_read (path, &options, &sink, NULL), UMMGR_OK);
  CHECK_EQ (seen, 0x60006);
  make_beside_managed (UMMGR_TRACE_OBJECT_HEAP);
  sink.region = NULL;
  seen = 0;
  CHECK_EQ (ummgr_pages_read (path, &options, &sink, NULL), UMMGR_OK);
  CHECK_EQ (seen, 0xe);
}

/* And it reaches the policy of page replacement when that is replayed alone: `hint'
   keeps a part of what each launch sweeps, whatever the policies without tables
   do.  */
static void
evict_told_of_uses (void)
{
  enum { LAUNCHES = 6, THERE = 48 };
  static const uint64_t uses[LAUNCHES] = { 1, 1, 1, 1, 1, 1 };
  struct ummgr_replay_case c = { .policy = "hint", .bytes = THERE * PAGE };
  struct ummgr_replay_options walks
    = { .pages = { .device = -1 }, .hits = UMMGR_REPLAY_HITS_NONE };
  struct ummgr_page_totals totals;
  make_uses (uses, LAUNCHES);
  CHECK_EQ (ummgr_replay_evict (path, &walks, &c, 1, &totals), UMMGR_OK);
  CHECK (c.counts.faults
	 <= USED + (LAUNCHES - 1) * (USED - THERE) * 2);
}

/* An object that is on the GPU, and another one that appears beside it, where one
   block of 2 MiB has room for both, before the first goes: each has a block of its
   own.  By hand: a fault for each object that the GPU uses, and all of it
   there.  */
static void
beside_another (void)
{
  enum { LAUNCHES = 6, BYTES = 16 * PAGE };
  struct ummgr_replay_run run = run_of ("um", "lru", 4096);
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_page_totals totals;
  uint64_t base = 0x7f0000000000;
  run.device.block_bytes = 512 * PAGE;
  run.device.fault_granularity = BYTES;
  struct ummgr_trace_writer *w = begin_trace (PAGE, "x");
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  put_object_at (w, 1, base, BYTES);
  for (uint64_t launch = 1; launch <= LAUNCHES; launch++)
    {
      put_launch (w, launch, true);
      for (int page = 0; page < 16; page++)
	put_access (stream, launch, launch == 1 ? 1 : 3, page, false);
      put_launch (w, launch, false);
      if (launch != 1)
	continue;
      put_object_at (w, 2, base + BYTES, 16 * BYTES);
      put_gone (w, 1);
      put_object_at (w, 3, base + (1 << 24), BYTES);
    }
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
  CHECK_EQ (ummgr_replay_policies (path, &options, &run, 1, &totals), UMMGR_OK);
  CHECK_EQ (run.counters.gpu_faults, 2);
  CHECK_EQ (run.counters.remote_bytes, 0);
  CHECK_EQ (run.counters.local_bytes, LAUNCHES * BYTES);
  CHECK_EQ (run.counters.evictions, 0);
  CHECK_EQ (run.counters.device_peak_bytes, BYTES);
}

/* Policies are told of what a device uses and libgomp leaves to them, and of nothing
   else; but if the program maps all, also of what is too small for them.  */
static void
beside_managed (void)
{
  struct ummgr_page_options options = { .device = -1 };
  for (int managed = 0; managed < 2; managed++)
    {
      struct ummgr_replay_run runs[]
	= { run_of ("um", "lru", 4096), run_of ("host", "lru", 4096) };
      struct ummgr_page_totals totals;
      make_beside_managed (managed ? UMMGR_TRACE_OBJECT_UNIFIED
			   : UMMGR_TRACE_OBJECT_HEAP);
      CHECK_EQ (ummgr_replay_policies (path, &options, runs, 2, &totals),
		UMMGR_OK);
      CHECK_EQ (runs[0].counters.gpu_faults, (managed ? 2 : 3) * USED);
      CHECK_EQ (runs[0].counters.h2d_bytes,
		((managed ? 1 : 2) * USED + USED / 2) * PAGE);
      CHECK_EQ (runs[1].decisions, managed ? 2 : 3);
      CHECK_EQ (totals.footprint, (managed ? 2 : 3) * USED);
      CHECK_EQ (totals.host_events, 3 * USED + USED / 2 + 1);
      CHECK_EQ (totals.strange, 0);
    }
}

/* Seconds of a launch, before which libgomp has copied IN bytes in COPIES copies.  */
static double
seconds_after (uint64_t in, uint64_t copies)
{
  struct ummgr_replay_run run = run_of ("um", "lru", 50);
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_page_totals totals;
  struct ummgr_trace_record taken
    = { .kind = UMMGR_TRACE_TAKEN,
	.u.taken = { .copied_in = in, .copies = copies } };
  run.device.link_latency = 1e-3;
  struct ummgr_trace_writer *w = begin_trace (PAGE, "x");
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  put_object (w, 1, PAGE);
  ummgr_trace_write (w, &taken);
  put_launch (w, 1, true);
  put_access (stream, 1, 1, 0, true);
  put_launch (w, 1, false);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
  CHECK_EQ (ummgr_replay_policies (path, &options, &run, 1, &totals), UMMGR_OK);
  CHECK_EQ (run.counters.h2d_bytes, in);
  return run.counters.model_seconds;
}

/* What libgomp copies costs time for its bytes, and each time that it does.  */
static void
copies_take_time (void)
{
  double none = seconds_after (0, 0);
  CHECK (fabs (seconds_after (4000000, 1) - none - 5e-3) < 1e-12);
  CHECK (fabs (seconds_after (4000000, 7) - none - 11e-3) < 1e-12);
}

/* Seconds of a launch in which what is mapped is copied in three times, recorded under POLICY, where
   devices counted so many COPIES.  */
static double
seconds_mapped (const char *policy, uint64_t copies)
{
  struct ummgr_replay_run run = run_of ("um", "lru", 50);
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_page_totals totals;
  struct ummgr_trace_record records[] = {
    { .kind = UMMGR_TRACE_PRESENT,
      .u.present = { .object = 1, .size = PAGE, .address = UINT64_C (1) << 30 } },
    { .kind = UMMGR_TRACE_COPY,
      .u.move = { .object = 1, .size = PAGE, .from = UMMGR_TRACE_HOST, .file = "" } },
    { .kind = UMMGR_TRACE_TAKEN, .u.taken = { .copies = copies } }
  };
  run.device.link_latency = 1e-3;
  recorded_under = policy;
  struct ummgr_trace_writer *w = begin_trace (PAGE, "x");
  recorded_under = "explicit";
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  put_object (w, 1, PAGE);
  ummgr_trace_write (w, &records[0]);
  for (int i = 0; i < 3; i++)
    ummgr_trace_write (w, &records[1]);
  ummgr_trace_write (w, &records[2]);
  put_launch (w, 1, true);
  put_access (stream, 1, 1, 0, true);
  put_launch (w, 1, false);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
  CHECK_EQ (ummgr_replay_policies (path, &options, &run, 1, &totals), UMMGR_OK);
  return run.counters.model_seconds;
}

/* Where libgomp copied the objects, devices counted that, and it isn't besides; what a policy
   copied they didn't.  */
static void
copies_of_objects (void)
{
  double none = seconds_mapped ("explicit", 3);
  CHECK (fabs (seconds_mapped ("explicit", 5) - none - 2e-3) < 1e-12);
  CHECK (fabs (seconds_mapped ("lru", 5) - none - 5e-3) < 1e-12);
  CHECK (fabs (seconds_mapped ("lru", 0) - none) < 1e-12);
}

/* Three pages in turn, and memory for two: after sixteen faults, as in a live run, two
   stay, and the third is used where it is; the next launch begins anew.  */
static void
round_and_round (void)
{
  enum { LAUNCHES = 2, TIMES = 100, RECENT = 16 };
  struct ummgr_replay_run run = run_of ("um", "lru", 2);
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_page_totals totals;
  struct ummgr_trace_writer *w = begin_trace (PAGE, "x");
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  put_object (w, 1, 3 * PAGE);
  for (uint64_t page = 0; page < 3; page++)
    put_access (stream, 0, 1, page, true);
  for (uint64_t launch = 1; launch <= LAUNCHES; launch++)
    {
      put_launch (w, launch, true);
      for (int i = 0; i < 3 * TIMES; i++)
	put_access (stream, launch, 1, i % 3, false);
      put_launch (w, launch, false);
      for (uint64_t page = 0; page < 3; page++)
	put_access (stream, 0, 1, page, true);
    }
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
  CHECK_EQ (ummgr_replay_policies (path, &options, &run, 1, &totals), UMMGR_OK);
  CHECK_EQ (run.counters.gpu_faults, LAUNCHES * RECENT);
  CHECK_EQ (run.counters.h2d_bytes, LAUNCHES * (RECENT - 1) * PAGE);
  CHECK_EQ (run.counters.evictions, LAUNCHES * (RECENT - 3));
  CHECK_EQ (run.counters.cpu_faults, LAUNCHES * 2);
}

/* --- what can't be answered ----------------------------------------------------- */

/* The run fails with one message, which has EXPECT.  */
static void
refused (const struct ummgr_replay_run *wish, const char *expect)
{
  struct ummgr_replay_run run = *wish;
  struct ummgr_page_options options = { .device = -1 };
  int fd = open (log_path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0666);
  int saved = dup (2);
  CHECK (fd >= 0 && dup2 (fd, 2) == 2);
  enum ummgr_status status
    = ummgr_replay_policies (path, &options, &run, 1, NULL);
  dup2 (saved, 2);
  close (saved);
  char text[4096];
  ssize_t n = pread (fd, text, sizeof text - 1, 0);
  CHECK (n > 0);
  text[n] = 0;
  close (fd);
  CHECK_EQ (status, UMMGR_ERR_INVALID);
  CHECK (strstr (text, expect));
  CHECK (strchr (text, '\n') == text + n - 1);
}

static void
refusals (void)
{
  struct ummgr_replay_run um = run_of ("um", "lru", 50);
  struct ummgr_replay_run wrong = run_of ("bogus", "lru", 50);
  make_small (PAGE, 0, 10);
  refused (&wrong, "--policy=bogus: there is no such policy");
  wrong = run_of ("explicit", "lru", 50);
  refused (&wrong, "--policy=explicit: libgomp's own way");
  wrong = run_of ("um", "ideal", 50);
  refused (&wrong, "--evict=ideal");
  make_small (PAGE, 0, 0);
  refused (&um, "the GPU accesses nothing");
  /* As of other machines: its units are not those of plans.  */
  make_small (65536, 0, 10);
  refused (&um, "its pages have 65536 bytes");
  make_small (512, 0, 10);
  refused (&um, "its pages have 512 bytes");
}

/* Pages change their size under objects that have some: they don't.  */
static void
second_page_size (uint64_t second)
{
  struct ummgr_replay_run run = run_of ("um", "lru", 5);
  struct ummgr_replay_case c = { .policy = "lru", .bytes = 5 * PAGE };
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_replay_options walks = { .pages = options };
  struct ummgr_page_totals totals;
  make_small (PAGE, second, 12);
  CHECK_EQ (ummgr_replay_policies (path, &options, &run, 1, &totals), UMMGR_OK);
  CHECK_EQ (run.counters.gpu_faults, 12);
  CHECK_EQ (totals.page_size, PAGE);
  CHECK_EQ (ummgr_replay_evict (path, &walks, &c, 1, &totals), UMMGR_OK);
  CHECK_EQ (c.counts.faults, 12);
}

int
main (void)
{
  for (uint64_t seed = 1; seed <= 4; seed++)
    as_the_memory_has_it (seed);
  host_keeps_all ();
  told_of_uses ();
  told_apart ();
  evict_told_of_uses ();
  beside_another ();
  beside_managed ();
  copies_take_time ();
  copies_of_objects ();
  round_and_round ();
  refusals ();
  second_page_size (512);
  second_page_size (1 << 16);
  remove (path);
  remove (log_path);
  return 0;
}
