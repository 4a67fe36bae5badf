/* Replaying a trace counts something else than a slow model that goes through
   the same accesses page by page; a policy has fewer faults than MIN; a damaged
   trace is taken for a good one.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "replay/evict.h"
#include "slow-tlb.h"
#include "trace-test.h"

#include <math.h>

enum { OBJECTS = 7, STEPS = 4000, PAGES = 400, PAGE = 4096 };

static const char path[] = "replay-evict.ummt";

/* --- the trace, and what it means ------------------------------------------ */

/* One page access as the slow model sees it: pages are numbered by object.  */
struct event
{
  uint32_t page;
  char kind;			/* r, w, R, W (by the host), i, o, f.  */
  uint32_t team;
};

/* The TLBs' shape in the random traces: one set each, as units are not the pages
   here.  */
enum { SMS = 3, OWN = 4, SHARED = 16 };

static struct event *event;
static size_t events, room;
static uint32_t first_page[OBJECTS];
static uint64_t base[OBJECTS], size[OBJECTS];

static void
add (uint32_t page, char kind, uint32_t team)
{
  if (events == room)
    {
      room = room ? 2 * room : 1024;
      event = realloc (event, room * sizeof *event);
      CHECK (event);
    }
  event[events++] = (struct event) { page, kind, team };
}

static void
add_range (int o, uint64_t offset, uint64_t bytes, char kind, uint32_t team)
{
  if (offset >= size[o] || !bytes)
    return;
  if (bytes > size[o] - offset)
    bytes = size[o] - offset;
  uint64_t from = (base[o] + offset) / PAGE;
  for (uint64_t p = from; p <= (base[o] + offset + bytes - 1) / PAGE; p++)
    add (first_page[o] + (p - base[o] / PAGE), kind, team);
}

static void
put_access (struct ummgr_trace_stream *stream, uint64_t *s, uint64_t launch)
{
  int o = random_next (s) % (OBJECTS + 1);
  bool write = random_next (s) % 3 == 0;
  struct ummgr_trace_access a = {
    .object = o + 1, .launch = launch, .count = 1,
    .size = 1 + random_next (s) % 9000, .team = random_next (s) % 7,
    .access = write ? UMMGR_TRACE_WRITE : UMMGR_TRACE_READ
  };
  /* Object OBJECTS is none; and some begin beyond the end.  */
  a.offset = random_next (s) % (o < OBJECTS ? size[o] + 5000 : PAGE);
  if (random_next (s) % 4 == 0)
    {
      a.count = 2 + random_next (s) % 20;
      a.stride = 1 + random_next (s) % 6000;
      /* Several in one page.  */
      if (random_next (s) % 2)
	{
	  a.size = 1 + random_next (s) % 16;
	  a.stride = (int) (random_next (s) % 900) - 100;
	  /* A run ends where it leaves the object.  */
	  if (a.stride < 0 && o < OBJECTS)
	    a.offset %= size[o];
	}
    }
  ummgr_trace_stream_write (stream, &a, 1);
  for (uint64_t i = 0; o < OBJECTS && i < a.count; i++)
    add_range (o, a.offset + i * a.stride, a.size,
	       launch ? write ? 'w' : 'r' : write ? 'W' : 'R', a.team);
}

static void
put_object (struct ummgr_trace_writer *writer, uint64_t *s, int o)
{
  base[o] = 0x7f0000000000 + ((uint64_t) o << 32) + random_next (s) % 100000;
  size[o] = 1 + random_next (s) % (PAGES / OBJECTS * 2 * PAGE);
  first_page[o] = o * 2 * PAGES;
  bool unified = random_next (s) % 2;
  struct ummgr_trace_record r = {
    .kind = UMMGR_TRACE_OBJECT,
    .u.object = { .object = o + 1, .base = base[o], .size = size[o],
		  .flags = unified ? UMMGR_TRACE_OBJECT_UNIFIED : 0 }
  };
  ummgr_trace_write (writer, &r);
  /* What is mapped is where its storage is.  */
  if (!unified)
    base[o] = 0;
}

static void
put_launch (struct ummgr_trace_writer *writer, uint64_t launch,
	    enum ummgr_trace_kind kind)
{
  struct ummgr_trace_record r
    = { .kind = kind, .u.launch = { launch, 1, 0 } };
  ummgr_trace_write (writer, &r);
  if (kind != UMMGR_TRACE_BEGIN)
    return;
  for (int o = 0; o < OBJECTS; o++)
    {
      struct ummgr_trace_record use = {
	.kind = UMMGR_TRACE_USE,
	.u.use = { .launch = launch, .object = o + 1,
		   .hint = { .read = true, .lo = o * 100,
			     .hi = o % 2 ? 0 : size[o], .locality = 1000 * o,
			     .density = 0.5, .reuse_static = 1 + o % 3,
			     .reuse_likely = o % 3 ? -1 : INFINITY,
			     .stride = 4, .name = "x" } }
      };
      ummgr_trace_write (writer, &use);
    }
}

static void
put_prefetch (struct ummgr_trace_writer *writer, uint64_t *s)
{
  int o = random_next (s) % OBJECTS;
  bool in = random_next (s) % 2;
  struct ummgr_trace_record r = {
    .kind = UMMGR_TRACE_PREFETCH,
    .u.move = { .object = o + 1, .offset = random_next (s) % size[o],
		.size = random_next (s) % 50000,
		.to = in ? 0 : UMMGR_TRACE_HOST }
  };
  ummgr_trace_write (writer, &r);
  add_range (o, r.u.move.offset, r.u.move.size, in ? 'i' : 'o', 0);
}

static void
make_trace (uint64_t seed)
{
  struct ummgr_trace_writer *writer;
  struct ummgr_trace_run run = test_run;
  run.page_size = PAGE;
  events = 0;
  CHECK (ummgr_trace_writer_open (path, &run, &writer) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  CHECK (stream);
  for (int o = 0; o < OBJECTS; o++)
    put_object (writer, &seed, o);
  struct ummgr_trace_record region
    = { .kind = UMMGR_TRACE_REGION, .u.region = { 1, "r", "f.c", 3 } };
  ummgr_trace_write (writer, &region);
  uint64_t launch = 0;
  bool running = false;
  for (int i = 0; i < STEPS; i++)
    {
      unsigned what = random_next (&seed) % 100;
      if (what < 4)
	{
	  running = !running;
	  launch += running;
	  put_launch (writer, launch,
		      running ? UMMGR_TRACE_BEGIN : UMMGR_TRACE_FINISH);
	}
      else if (what < 8)
	put_prefetch (writer, &seed);
      else
	put_access (stream, &seed, running && what < 90 ? launch : 0);
    }
  struct ummgr_trace_record gone
    = { .kind = UMMGR_TRACE_GONE, .u.object = { .object = 2 } };
  ummgr_trace_write (writer, &gone);
  add_range (1, 0, size[1], 'f', 0);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
}

/* --- the slow model: LRU by a list that is searched ------------------------- */

static uint32_t list[4 * PAGES * OBJECTS];
static uint32_t listed;

static int
where (uint32_t page)
{
  for (uint32_t i = 0; i < listed; i++)
    if (list[i] == page)
      return i;
  return -1;
}

static void
take_out (int at)
{
  memmove (list + at, list + at + 1, (listed - at - 1) * sizeof *list);
  listed--;
}

static bool
is_use (const struct event *e)
{
  return e->kind == 'r' || e->kind == 'w';
}

/* How many uses TLBs of SHAPE serve, where no page has to leave.  */
static uint64_t
slow_served (const struct ummgr_tlbs_shape *shape)
{
  static struct slow_tlbs tlb;
  uint64_t served = 0;
  slow_tlbs_clear (&tlb, shape);
  for (const struct event *e = event; e < event + events; e++)
    if (is_use (e))
      served += slow_tlbs_hit (&tlb, e->team % SMS, e->page);
    else if (e->kind != 'i')
      slow_tlbs_forget (&tlb, e->page);
  return served;
}

static void
slow_leave (struct slow_tlbs *tlb, int at)
{
  slow_tlbs_forget (tlb, list[at]);
  take_out (at);
}

static void
slow_come (struct slow_tlbs *tlb, uint32_t capacity, uint32_t page,
	   struct ummgr_replay_counts *c)
{
  if (listed == capacity)
    {
      slow_leave (tlb, 0);
      c->evictions++;
      c->pages_out++;
    }
  list[listed++] = page;
  c->pages_in++;
}

static struct ummgr_replay_counts
slow_lru (uint32_t capacity, bool hits, const struct ummgr_tlbs_shape *shape)
{
  static struct slow_tlbs tlb;
  struct ummgr_replay_counts c = { 0 };
  listed = 0;
  slow_tlbs_clear (&tlb, shape);
  for (const struct event *e = event; e < event + events; e++)
    {
      int at = where (e->page);
      if (at < 0 && (is_use (e) || e->kind == 'i'))
	{
	  c.faults += is_use (e);
	  slow_come (&tlb, capacity, e->page, &c);
	}
      else if (at >= 0 && !is_use (e) && e->kind != 'i')
	{
	  slow_leave (&tlb, at);
	  c.pages_out += e->kind != 'f';
	  c.cpu_faults += e->kind == 'R' || e->kind == 'W';
	}
      /* Without a walk to the page table nobody sees it.  */
      if (is_use (e) && !slow_tlbs_hit (&tlb, e->team % SMS, e->page)
	  && at >= 0 && hits)
	{
	  take_out (at);
	  list[listed++] = e->page;
	}
    }
  return c;
}

static uint32_t
slow_footprint (void)
{
  static bool seen[4 * PAGES * OBJECTS];
  uint32_t n = 0;
  memset (seen, 0, sizeof seen);
  for (size_t i = 0; i < events; i++)
    if (is_use (&event[i]))
      {
	n += !seen[event[i].page];
	seen[event[i].page] = true;
      }
  return n;
}

static void
check_counts (const struct ummgr_replay_case *c, bool hits,
	      const struct ummgr_tlbs_shape *tlb)
{
  struct ummgr_replay_counts want = slow_lru (c->capacity, hits, tlb);
  CHECK_EQ (c->counts.faults, want.faults);
  CHECK_EQ (c->counts.evictions, want.evictions);
  CHECK_EQ (c->counts.cpu_faults, want.cpu_faults);
  CHECK_EQ (c->counts.pages_in, want.pages_in);
  CHECK_EQ (c->counts.pages_out, want.pages_out);
}

static const char *const policies[] = {
#define UMMGR_PAGING(NAME) #NAME,
#define UMMGR_PAGING_VARIANT(NAME, WORD) WORD,
#include "paging/paging.def"
  "ideal"
};
enum { POLICIES = sizeof policies / sizeof *policies };

static void
all_policies (uint64_t seed, enum ummgr_replay_hits hits,
	      struct ummgr_tlbs_shape tlb)
{
  make_trace (seed);
  struct ummgr_replay_case cases[2 * POLICIES];
  for (int i = 0; i < 2 * POLICIES; i++)
    cases[i] = (struct ummgr_replay_case) {
      .policy = policies[i / 2], .part = i % 2 ? 0.75 : 0, .bytes = 99 * PAGE
    };
  struct ummgr_replay_options options = { { .device = -1, .tlb = tlb }, hits };
  struct ummgr_page_totals totals;
  CHECK (ummgr_replay_evict (path, &options, cases, 2 * POLICIES, &totals)
	 == UMMGR_OK);
  uint64_t uses = 0;
  for (size_t i = 0; i < events; i++)
    uses += is_use (&event[i]);
  CHECK_EQ (totals.filtered, slow_served (&tlb));
  CHECK_EQ (totals.device_events, uses - totals.filtered);
  CHECK_EQ (totals.footprint, slow_footprint ());
  CHECK (totals.strange > 0);
  CHECK_EQ (cases[0].capacity, 99);
  CHECK_EQ (cases[1].capacity, (uint32_t) (totals.footprint * 0.75));
  for (int i = 0; i < 2; i++)
    check_counts (&cases[i], hits == UMMGR_REPLAY_HITS_WALKS, &tlb);
  for (int i = 0; i < 2 * POLICIES; i++)
    {
      const struct ummgr_replay_case *best = &cases[2 * POLICIES - 2 + i % 2];
      CHECK (cases[i].counts.faults >= best->counts.faults);
      CHECK_EQ (cases[i].counts.touches, totals.device_events);
      CHECK (best->counts.faults > 0);
    }
}

/* The file's last byte, and some in between, each broken.  */
static void
damaged (void)
{
  struct ummgr_replay_case c = { .policy = "lru", .bytes = 50 * PAGE };
  struct ummgr_replay_options options = { { .device = -1 }, 0 };
  struct ummgr_page_totals totals;
  CHECK (ummgr_replay_evict ("no-such-file.ummt", &options, &c, 1, &totals)
	 != UMMGR_OK);
  FILE *f = fopen (path, "r+b");
  CHECK (f && !fseek (f, 0, SEEK_END));
  long length = ftell (f);
  for (int i = 0; i < 40; i++)
    {
      long at = 16 + (length - 17) * (long) i / 39;
      CHECK (!fseek (f, at, SEEK_SET));
      int byte = fgetc (f);
      CHECK (!fseek (f, at, SEEK_SET) && fputc (byte ^ 0x41, f) != EOF
	     && !fflush (f));
      CHECK (ummgr_replay_evict (path, &options, &c, 1, &totals)
	     == UMMGR_ERR_INVALID);
      CHECK (!fseek (f, at, SEEK_SET) && fputc (byte, f) != EOF
	     && !fflush (f));
    }
  CHECK (ummgr_replay_evict (path, &options, &c, 1, &totals) == UMMGR_OK);
  fclose (f);
}

/* A launch reads two pages in turn, USES times; before the last page 0 is
   prefetched, if PREFETCH.  */
static void
write_in_turn (int uses, bool prefetch)
{
  struct ummgr_trace_writer *writer;
  struct ummgr_trace_run run = test_run;
  run.page_size = PAGE;
  CHECK (ummgr_trace_writer_open (path, &run, &writer) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  CHECK (stream);
  struct ummgr_trace_record object
    = { .kind = UMMGR_TRACE_OBJECT,
	.u.object = { .object = 1, .base = 64 * PAGE, .size = 2 * PAGE } };
  struct ummgr_trace_record fetch
    = { .kind = UMMGR_TRACE_PREFETCH, .u.move = { .object = 1, .size = PAGE } };
  ummgr_trace_write (writer, &object);
  put_launch (writer, 1, UMMGR_TRACE_BEGIN);
  for (int i = 0; i < uses; i++)
    {
      struct ummgr_trace_access a
	= { .object = 1, .launch = 1, .count = 1, .size = 8,
	    .offset = i % 2 * PAGE, .access = UMMGR_TRACE_READ };
      if (prefetch && i == uses - 1)
	ummgr_trace_write (writer, &fetch);
      ummgr_trace_stream_write (stream, &a, 1);
    }
  put_launch (writer, 1, UMMGR_TRACE_FINISH);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
}

/* Page 0, page 1, page 0 again after a prefetch, in room for one: the prefetch
   spares the second fault whether MIN would have kept the page or not.  */
static void
prefetched (void)
{
  write_in_turn (3, true);
  struct ummgr_replay_case cases[]
    = { { .policy = "lru", .bytes = PAGE }, { .policy = "ideal", .bytes = PAGE } };
  struct ummgr_replay_options options = { { .device = -1 }, 0 };
  struct ummgr_page_totals totals;
  CHECK (ummgr_replay_evict (path, &options, cases, 2, &totals) == UMMGR_OK);
  CHECK_EQ (totals.footprint, 2);
  CHECK_EQ (cases[0].counts.touches, 3);
  CHECK_EQ (cases[0].counts.faults, 2);
  CHECK_EQ (cases[1].counts.faults, 2);
}

/* Two pages in turn, in room for one: whoever leaves is in no TLB any more, so
   that each use is a fault.  */
static void
shot_down (void)
{
  write_in_turn (6, false);
  struct ummgr_replay_case cases[2 * POLICIES];
  for (int i = 0; i < POLICIES; i++)
    cases[i] = (struct ummgr_replay_case) { .policy = policies[i],
					    .bytes = PAGE };
  struct ummgr_replay_options options
    = { { .device = -1, .tlb = { { 16, 16 }, { 4, 4 }, 1 } },
	UMMGR_REPLAY_HITS_WALKS };
  struct ummgr_page_totals totals;
  CHECK (ummgr_replay_evict (path, &options, cases, POLICIES, &totals)
	 == UMMGR_OK);
  for (int i = 0; i < POLICIES; i++)
    {
      CHECK_EQ (cases[i].counts.faults, 6);
      CHECK_EQ (cases[i].counts.evictions, 5);
    }
}

/* What leaves was written there, or not.  */
static void
written_out (void)
{
  static const struct ummgr_page_event events[] = {
    { 0, UMMGR_PAGE_READ }, { 1, UMMGR_PAGE_WRITE }, { 2, UMMGR_PAGE_READ },
    { 2, UMMGR_PAGE_SERVED_WRITE }, { 3, UMMGR_PAGE_READ }, { 1, UMMGR_PAGE_READ },
    { 1, UMMGR_PAGE_HOST_READ }, { 3, UMMGR_PAGE_WRITE }, { 3, UMMGR_PAGE_FREE }
  };
  struct ummgr_replay_memory *m
    = ummgr_replay_memory_create (ummgr_paging_find ("lru"), NULL, 1,
				  UMMGR_REPLAY_HITS_NONE, NULL);
  CHECK (m && ummgr_replay_memory_grow (m, 4));
  ummgr_replay_memory_events (m, events, sizeof events / sizeof *events);
  struct ummgr_replay_counts c = ummgr_replay_memory_counts (m);
  CHECK_EQ (c.faults, 6);
  CHECK_EQ (c.evictions, 4);
  CHECK_EQ (c.pages_in, 6);
  CHECK_EQ (c.pages_out, 5);
  CHECK_EQ (c.written_out, 2);
  CHECK_EQ (c.cpu_faults, 1);
  CHECK_EQ (ummgr_replay_memory_used (m), 0);
  ummgr_replay_memory_destroy (m);
}

/* An object that goes beyond the end of all addresses, or has nothing, is none: what
   is said to be in it is nowhere.  */
static void
impossible_objects (void)
{
  struct ummgr_replay_case c = { .policy = "lru", .bytes = 4 * PAGE };
  struct ummgr_replay_options options = { .pages = { .device = -1 } };
  struct ummgr_page_totals totals;
  struct ummgr_trace_writer *w;
  CHECK (ummgr_trace_writer_open (path, &test_run, &w) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  const struct { uint64_t base, size; } objects[]
    = { { -PAGE, 2 * PAGE }, { 1 << 20, 0 }, { 2 << 20, PAGE } };
  struct ummgr_trace_record r;
  for (int o = 0; o < 3; o++)
    {
      r = (struct ummgr_trace_record) {
	.kind = UMMGR_TRACE_OBJECT,
	.u.object = { .object = o + 1, .name = "x", .file = "f.c",
		      .base = objects[o].base, .size = objects[o].size }
      };
      ummgr_trace_write (w, &r);
    }
  r = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_BEGIN,
				    .u.launch = { 1, 1, 0 } };
  ummgr_trace_write (w, &r);
  for (int o = 0; o < 3; o++)
    {
      struct ummgr_trace_access a
	= { .object = o + 1, .launch = 1, .count = 1, .size = 8,
	    .access = UMMGR_TRACE_READ };
      ummgr_trace_stream_write (stream, &a, 1);
    }
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
  CHECK_EQ (ummgr_replay_evict (path, &options, &c, 1, &totals), UMMGR_OK);
  CHECK_EQ (totals.footprint, 1);
  CHECK_EQ (totals.strange, 2);
  CHECK_EQ (c.counts.faults, 1);
}

/* Modelled seconds, by hand: faults are served two at a time.  */
static void
seconds (void)
{
  const struct ummgr_replay_machine m = {
    .memory_rate = 4096, .in_rate = 2048, .out_rate = 1024,
    .launch_cost = 0.5, .gpu_fault_cost = 10, .cpu_fault_cost = 100,
    .fault_batch = 2
  };
  const struct ummgr_replay_counts c = {
    .touches = 7, .faults = 5, .cpu_faults = 3, .pages_in = 6, .pages_out = 1
  };
  const struct ummgr_page_totals t = { .launches = 4, .page_size = PAGE };
  CHECK (fabs (ummgr_replay_seconds (&m, &c, &t)
	       - (4 * 0.5 + 7 + 3 * 10 + 3 * 100 + 6 * 2 + 4)) < 1e-9);
}

int
main (void)
{
  written_out ();
  impossible_objects ();
  seconds ();
  prefetched ();
  shot_down ();
  for (uint64_t seed = 1; seed <= 12; seed++)
    {
      uint32_t shared = seed / 2 % 2 ? SHARED : 0;
      uint32_t own = seed / 4 % 2 ? OWN : 0;
      struct ummgr_tlbs_shape tlb = { { shared, shared }, { own, own }, SMS };
      all_policies (seed, seed % 2 ? UMMGR_REPLAY_HITS_WALKS
			  : UMMGR_REPLAY_HITS_NONE, tlb);
    }
  damaged ();
  free (event);
  remove (path);
  return 0;
}
