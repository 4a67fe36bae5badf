/* Make a trace that is large in every way: `big FILE [BYTES [OBJECTS]]'.
   SPDX-License-Identifier: GPL-3.0-or-later

   10,000 objects of 1 MiB, 20 phases with facts and pictures of each object,
   copies with outcomes, and as many accesses of pages, half in order and half
   anywhere, as it takes until the file has 1 GB.  For report.sh, which measures
   `ummgr report`.  Prints `big bytes=B records=N accesses=N objects=N'.  */

#include "config.h"
#include "trace/write.h"

#include "common.h"

#include <inttypes.h>
#include <sys/stat.h>

enum { PHASES = 20, SIZE = 1 << 20, RUNS = 64, BURST = 4096 };

static uint64_t state = 88172645463325252u;
static uint64_t records = 1, accesses; /* With the run's record.  */

static void
put (struct ummgr_trace_writer *w, const struct ummgr_trace_record *r)
{
  ummgr_trace_write (w, r);
  records++;
}

static uint64_t
next (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state >> 11;
}

static void
put_objects (struct ummgr_trace_writer *w, uint64_t objects)
{
  for (uint64_t id = 1; id <= objects; id++)
    {
      char name[32];
      snprintf (name, sizeof name, "array_%llu", (unsigned long long) id);
      struct ummgr_trace_record r = { .kind = UMMGR_TRACE_OBJECT };
      r.u.object = (struct ummgr_trace_object) {
	.object = id, .name = name, .file = "big.c", .line = id,
	.base = id << 24, .size = SIZE, .element_size = 4,
	.flags = id % 2 ? UMMGR_TRACE_OBJECT_UNIFIED : 0
      };
      put (w, &r);
    }
}

static void
put_facts (struct ummgr_trace_writer *w, uint64_t objects, uint32_t phase)
{
  struct ummgr_trace_state states[3];
  struct ummgr_trace_cells runs[RUNS];
  for (uint64_t id = 1; id <= objects; id++)
    {
      struct ummgr_trace_record r = { .kind = UMMGR_TRACE_FACTS };
      for (int i = 0; i < 3; i++)
	states[i] = (struct ummgr_trace_state) { next (), SIZE / 12 };
      for (int i = 0; i < RUNS; i++)
	runs[i] = (struct ummgr_trace_cells) { 16, next (), { 1, 2, 3 } };
      r.u.facts = (struct ummgr_trace_facts) {
	.object = id, .device = id % 2 ? UMMGR_TRACE_HOST : 0, .phase = phase,
	.words = SIZE / 4, .states = states, .state_count = 3,
	.blocks = { [3] = SIZE / 4096 }, .cells = UMMGR_TRACE_CELLS_MAX,
	.cell_words = SIZE / 4 / UMMGR_TRACE_CELLS_MAX, .runs = runs,
	.run_count = RUNS
      };
      put (w, &r);
    }
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_PHASE };
  r.u.phase = (struct ummgr_trace_phase) { phase, "step", "mark", 1 };
  put (w, &r);
}

static void
put_copies (struct ummgr_trace_writer *w, uint64_t objects)
{
  static uint64_t copy;
  for (uint64_t id = 2; id <= objects; id += 2)
    {
      struct ummgr_trace_record r = { .kind = UMMGR_TRACE_COPY };
      r.u.move = (struct ummgr_trace_move) {
	.object = id, .size = SIZE, .from = UMMGR_TRACE_HOST, .copy = ++copy,
	.hash = id, .file = "big.c", .line = 7
      };
      put (w, &r);
      r = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_OUTCOME };
      r.u.outcome = (struct ummgr_trace_outcome) { copy, SIZE / 4, SIZE / 8,
						   0 };
      put (w, &r);
    }
}

static void
put_accesses (struct ummgr_trace_stream *s, uint64_t objects, uint64_t launch)
{
  static struct ummgr_trace_access a[BURST];
  uint64_t id = 1 + next () % objects;
  for (int i = 0; i < BURST; i++)
    {
      bool regular = i < BURST / 2;
      if (i % 256 == 0 || !regular)
	id = 1 + next () % (regular ? objects : 64);
      a[i] = (struct ummgr_trace_access) {
	.object = id, .size = 4096, .count = 1, .launch = launch,
	.offset = (regular ? (uint64_t) i % 256 : next () % 256) * 4096,
	.access = UMMGR_TRACE_READ
      };
    }
  ummgr_trace_stream_write (s, a, BURST);
  records += BURST;
  accesses += BURST;
}

/* Phases until PATH has BYTES.  */
static void
put_phases (struct ummgr_trace_writer *w, const char *path, uint64_t bytes,
	    uint64_t objects)
{
  struct ummgr_trace_stream *s = ummgr_trace_stream_open (w);
  struct stat st;
  uint64_t launch = 0;
  for (uint32_t phase = 1; phase <= PHASES; phase++)
    {
      put_copies (w, objects);
      do
	{
	  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_BEGIN };
	  r.u.launch = (struct ummgr_trace_launch) { ++launch, 1, 0 };
	  put (w, &r);
	  for (int i = 0; i < 64; i++)
	    put_accesses (s, objects, launch % 4 ? launch : 0);
	}
      while (stat (path, &st) == 0
	     && (uint64_t) st.st_size < bytes / PHASES * phase);
      put_facts (w, objects, phase);
    }
}

int
main (int argc, char **argv)
{
  bench_program = "big";
  if (argc < 2 || argc > 4)
    bench_fatal ("usage: big FILE [BYTES [OBJECTS]]");
  uint64_t bytes = argc > 2 ? strtoull (argv[2], NULL, 10) : 1000000000;
  uint64_t objects = argc > 3 ? strtoull (argv[3], NULL, 10) : 10000;
  const struct ummgr_trace_run run
      = { .program = "big", .page_size = 4096, .granularity = 4096,
	  .devices = 1, .block = 4096, .instrumented = 1 };
  struct ummgr_trace_writer *w;
  struct stat st;
  if (!bytes || !objects)
    bench_fatal ("a trace has some bytes and objects, not none");
  if (ummgr_trace_writer_open (argv[1], &run, &w))
    return 1;
  put_objects (w, objects);
  put_phases (w, argv[1], bytes, objects);
  if (ummgr_trace_writer_close (w))
    return 1;
  if (stat (argv[1], &st))
    bench_fatal ("%s: %s", argv[1], strerror (errno));
  printf ("big bytes=%" PRIu64 " records=%" PRIu64 " accesses=%" PRIu64
	  " objects=%" PRIu64 "\n", (uint64_t) st.st_size, records, accesses,
	  objects);
  return 0;
}
