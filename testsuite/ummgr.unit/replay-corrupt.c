/* Damaged traces under `ummgr replay' and `ummgr classify': a crash, a trace cut
   short or changed that is taken for a good one, no message, or more than one.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "replay/classify.h"
#include "replay/evict.h"
#include "replay/bound.h"
#include "replay/policies.h"
#include "device/profile.h"
#include "gpu/steps.h"
#include "trace-test.h"
#include "trace/block.h"
#include "trace/bytes.h"

#include <sys/mman.h>

enum { BLOCKS = 5, PAGE = 4096, OBJECTS = 4, MOST_RAW = 1 << 16 };

/* A file in memory, opened anew through its name, and what was said.  */
static int file, said;
static char path[64];
static uint64_t state = 99;
static unsigned char *good;
static size_t size;
static struct ummgr_figures device;
static uint64_t counted;	/* By the last reader.  */

/* --- the sample --------------------------------------------------------------- */

static void
put_beginning (struct ummgr_trace_writer *w)
{
  struct ummgr_trace_record region
    = { .kind = UMMGR_TRACE_REGION, .u.region = { 1, "r", "f.c", 3 } };
  ummgr_trace_write (w, &region);
  for (uint64_t o = 1; o <= OBJECTS; o++)
    {
      struct ummgr_trace_record r = {
	.kind = UMMGR_TRACE_OBJECT,
	.u.object = { .object = o, .name = "x", .file = "f.c",
		      .base = 0x7f0000000000 + (o << 24) + 8 * o,
		      .size = o * 7 * PAGE,
		      .flags = UMMGR_TRACE_OBJECT_UNIFIED }
      };
      ummgr_trace_write (w, &r);
    }
}

enum { TEAMS = 3, WARPS = 2 };

/* A part of what a team does: each warp goes over an object, meets the other, and goes
   on.  */
static size_t
team_part (unsigned char *to, uint64_t object)
{
  unsigned char body[4 * UMMGR_GPU_ENTRY_BYTES], *begin = to;
  for (unsigned w = 0; w < WARPS; w++)
    {
      struct ummgr_gpu_coder coder = { 0 };
      struct ummgr_gpu_access a[8];
      struct ummgr_gpu_step step = { 3, 8, a };
      for (unsigned i = 0; i < 8; i++)
	a[i] = (struct ummgr_gpu_access) {
	  .address = 0x7f0000000000 + (object << 24) + 8 * object + (i * WARPS + w) * 1024,
	  .size = 8, .lanes = 1 + 31 * (i == 5), .stride = i == 5 ? 8 : 0, .kind = i % 3,
	  .more = i == 6, .issued = 2 * i
	};
      unsigned char *end = ummgr_gpu_steps_put (body, &coder, &step);
      end = ummgr_gpu_steps_put_barrier (
	end, &(struct ummgr_gpu_barrier) { object, object % 2 ? WARPS : 0, 0, true });
      for (unsigned i = 0; i < 8; i++)
	a[i].issued += 16;
      end = ummgr_gpu_steps_put (end, &coder, &step);
      to = ummgr_trace_put (to, end - body);
      to = mempcpy (to, body, end - body);
    }
  return to - begin;
}

/* LAUNCH in a GPU's order: a part in two pieces, and the same again.  */
static void
put_steps (struct ummgr_trace_writer *w, uint64_t launch)
{
  static unsigned char bytes[WARPS * 4 * UMMGR_GPU_ENTRY_BYTES];
  static uint64_t parts;
  struct ummgr_trace_record r = {
    .kind = UMMGR_TRACE_SHAPE, .u.shape = { launch, 0, TEAMS, WARPS, 0, 32, 0 }
  };
  ummgr_trace_write (w, &r);
  for (uint64_t o = 1; o <= OBJECTS; o++)
    {
      uint64_t base = 0x7f0000000000 + (o << 24);
      r = (struct ummgr_trace_record) {
	.kind = UMMGR_TRACE_AREA,
	.u.area = { launch, 0, base, base + (o * 7 + 1) * PAGE, -base, 3 }
      };
      ummgr_trace_write (w, &r);
    }
  uint32_t size = team_part (bytes, 1 + launch % OBJECTS), half = size / 2;
  for (unsigned i = 0; i < TEAMS + 1; i++)
    {
      r = (struct ummgr_trace_record) {
	.kind = UMMGR_TRACE_STEPS,
	.u.steps = { launch, 0, i ? i - 1 : 0, i > 1 ? parts : 0, i ? 0 : size - half,
		     i > 1 ? 0 : i ? size - half : half, i == 1 ? bytes + half : bytes }
      };
      ummgr_trace_write (w, &r);
      parts += i == 1;
    }
}

static void
put_launch (struct ummgr_trace_writer *w, struct ummgr_trace_stream *stream,
	    uint64_t launch)
{
  struct ummgr_trace_record r
    = { .kind = UMMGR_TRACE_BEGIN, .u.launch = { launch, 1, 0 } };
  ummgr_trace_write (w, &r);
  for (uint64_t o = 1; o <= OBJECTS; o++)
    {
      r = (struct ummgr_trace_record) {
	.kind = UMMGR_TRACE_USE,
	.u.use = { .launch = launch, .object = o,
		   .hint = { .name = "x", .read = true, .hi = o * 7 * PAGE,
			     .locality = 10, .density = 1, .reuse_static = 1,
			     .reuse_likely = 1, .stride = 4 } }
      };
      ummgr_trace_write (w, &r);
    }
  if (launch % 2)
    put_steps (w, launch);
  for (uint64_t o = 1; o <= OBJECTS; o++)
    {
      struct ummgr_trace_access a = {
	.object = o, .launch = launch, .count = o * 7, .size = 4,
	.stride = PAGE, .access = o % 2 ? UMMGR_TRACE_READ : UMMGR_TRACE_WRITE
      };
      ummgr_trace_stream_write (stream, &a, 1);
    }
  r = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_FINISH,
				    .u.launch = { launch, 1, 0 } };
  ummgr_trace_write (w, &r);
  r = (struct ummgr_trace_record) {
    .kind = UMMGR_TRACE_PREFETCH,
    .u.move = { .object = 1 + launch % OBJECTS, .size = 3 * PAGE,
		.to = launch % 2 ? 0 : UMMGR_TRACE_HOST }
  };
  ummgr_trace_write (w, &r);
}

static void
make_sample (void)
{
  struct ummgr_trace_writer *w;
  struct ummgr_trace_run run = test_run;
  run.page_size = PAGE;
  CHECK (ummgr_trace_writer_open (path, &run, &w) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  put_beginning (w);
  for (uint64_t launch = 1; launch <= BLOCKS; launch++)
    {
      put_launch (w, stream, launch);
      CHECK (ummgr_trace_flush (w) == UMMGR_OK);
    }
  struct ummgr_trace_record gone
    = { .kind = UMMGR_TRACE_GONE, .u.object = { .object = 2 } };
  ummgr_trace_write (w, &gone);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
  good = file_load (path, &size);
}

/* --- readers -------------------------------------------------------------------- */

static enum ummgr_status
evict (void)
{
  static const char *const policies[] = {
#define UMMGR_PAGING(NAME) #NAME,
#define UMMGR_PAGING_VARIANT(NAME, WORD) WORD,
#include "paging/paging.def"
    "ideal"
  };
  enum { COUNT = sizeof policies / sizeof *policies };
  struct ummgr_replay_case cases[COUNT];
  for (int i = 0; i < COUNT; i++)
    cases[i] = (struct ummgr_replay_case) { .policy = policies[i],
					    .part = i % 2 ? 0.5 : 0,
					    .bytes = 20 * PAGE };
  struct ummgr_replay_options options
    = { { .device = -1 }, UMMGR_REPLAY_HITS_WALKS };
  struct ummgr_page_totals totals;
  enum ummgr_status status
    = ummgr_replay_evict (path, &options, cases, COUNT, &totals);
  for (int i = 0; i < COUNT; i++)
    counted = counted * 31 + cases[i].counts.faults;
  return status;
}

static enum ummgr_status
policies (void)
{
  struct ummgr_replay_run runs[]
    = { { .policy = "um", .evict = "lru", .transfer = "hybrid",
	  .device = device },
	{ .policy = "rdm", .evict = "hpe", .transfer = "hybrid",
	  .device = device },
	{ .policy = "best", .evict = "lru", .device = device } };
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_page_totals totals;
  enum ummgr_status status
    = ummgr_replay_policies (path, &options, runs, ummgr_bound_available () ? 3 : 2, &totals);
  counted = runs[0].counters.gpu_faults * 31 + runs[1].decisions;
  return status;
}

static enum ummgr_status
classify (void)
{
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_classified *c = NULL;
  enum ummgr_status status = ummgr_classify (path, &options, &c);
  CHECK ((status == UMMGR_OK) == (c != NULL));
  if (c)
    {
      counted = c->facts.visits;
      ummgr_classified_free (c);
    }
  return status;
}

static enum ummgr_status (*const readers[]) (void)
  = { evict, classify, policies };
enum { READERS = 3 };

/* What reader R says of the file as it is.  One error where it fails.  */
static enum ummgr_status
outcome (int r)
{
  static char text[1 << 16];
  CHECK (ftruncate (said, 0) == 0 && lseek (said, 0, SEEK_SET) == 0);
  counted = 0;
  enum ummgr_status status = readers[r] ();
  ssize_t n = pread (said, text, sizeof text - 1, 0);
  CHECK (n >= 0);
  text[n] = 0;
  int errors = 0;
  for (char *line = text; *line; line += strcspn (line, "\n") + 1)
    errors += strncmp (line, "ummgr: error: ", 14) == 0;
  CHECK_EQ (errors, status != UMMGR_OK);
  return status;
}

/* --- damage --------------------------------------------------------------------- */

static void
set_file (const void *bytes, size_t n)
{
  CHECK (ftruncate (file, 0) == 0);
  CHECK (pwrite (file, bytes, n, 0) == (ssize_t) n);
}

static void
truncate_everywhere (void)
{
  for (size_t n = 0; n < size; n++)
    {
      set_file (good, n);
      for (int r = 0; r < READERS; r++)
	CHECK_EQ (outcome (r), UMMGR_ERR_INVALID);
    }
}

/* Some bits of zstd's frames mean nothing; then all is as without damage.  */
static void
flip_everywhere (void)
{
  uint64_t right[READERS];
  set_file (good, size);
  for (int r = 0; r < READERS; r++)
    {
      CHECK_EQ (outcome (r), UMMGR_OK);
      right[r] = counted;
      CHECK (right[r]);
    }
  for (size_t at = 0; at < size; at++)
    {
      unsigned char byte = good[at] ^ 1u << at % 8;
      CHECK (pwrite (file, &byte, 1, at) == 1);
      for (int r = 0; r < READERS; r++)
	{
	  enum ummgr_status status = outcome (r);
	  CHECK (status == UMMGR_OK ? counted == right[r]
				    : status == UMMGR_ERR_INVALID);
	}
      CHECK (pwrite (file, good + at, 1, at) == 1);
    }
}

/* Is what can be read of the file small enough to be replayed a thousand
   times?  */
static bool
is_small (void)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record r;
  uint64_t bytes = 0, accesses = 0;
  bool small = true;
  if (ummgr_trace_reader_open (path, &reader))
    return true;
  while (small && !ummgr_trace_reader_next (reader, &r)
	 && r.kind != UMMGR_TRACE_END)
    {
      if (r.kind == UMMGR_TRACE_OBJECT)
	bytes = r.u.object.size < 1 << 24 ? bytes + r.u.object.size : 1 << 30;
      if (r.kind == UMMGR_TRACE_ACCESS)
	accesses = r.u.access.count < 1 << 16 && r.u.access.size < 1 << 16
		   ? accesses + r.u.access.count * (1 + r.u.access.size / PAGE)
		   : 1 << 30;
      if (r.kind == UMMGR_TRACE_SHAPE)
	accesses += (uint64_t) r.u.shape.teams * r.u.shape.warps;
      if (r.kind == UMMGR_TRACE_RUN && r.u.run.page_size < PAGE)
	bytes = 1 << 30;
      small = bytes < 1 << 25 && accesses < 1 << 18;
    }
  ummgr_trace_reader_close (reader);
  return small;
}

static void
damage (unsigned char *bytes, size_t n)
{
  for (unsigned times = 1 + random_next (&state) % 4; times--;)
    {
      size_t at = random_next (&state) % n;
      switch (random_next (&state) % 3)
	{
	case 0:
	  bytes[at] ^= 1u << random_next (&state) % 8;
	  break;
	case 1:
	  bytes[at] = random_next (&state);
	  break;
	default:
	  memmove (bytes + at, bytes + random_next (&state) % (n - at),
		   random_next (&state) % 16 % (n - at));
	}
    }
}

/* Blocks whose checksum is right and that say what no program does: objects that
   are not there or twice, launches that never began.  */
static void
damage_raw (void)
{
  struct ummgr_trace_codec in, out;
  CHECK (ummgr_trace_codec_init (&in, false)
	 && ummgr_trace_codec_init (&out, true));
  static unsigned char raw[MOST_RAW], stored[UMMGR_TRACE_STORED_MAX];
  unsigned clean = 0, tried = 0;
  for (int round = 0; round < 1500; round++)
    {
      set_file (good, UMMGR_TRACE_HEADER_SIZE);
      size_t to = UMMGR_TRACE_HEADER_SIZE;
      unsigned number = 0;
      for (size_t at = UMMGR_TRACE_HEADER_SIZE; at < size; number++)
	{
	  uint32_t packed = ummgr_trace_get_u32 (good + at + 8);
	  uint32_t n = ummgr_trace_get_u32 (good + at + 12);
	  at += UMMGR_TRACE_BLOCK_HEADER_SIZE;
	  CHECK (n < sizeof raw
		 && !ummgr_trace_block_unpack (&in, good + at, packed, raw, n));
	  at += packed;
	  if (random_next (&state) % 3 == 0)
	    damage (raw, n);
	  size_t bytes = ummgr_trace_block_pack (&out, number, raw, n, stored);
	  CHECK (bytes && pwrite (file, stored, bytes, to) == (ssize_t) bytes);
	  to += bytes;
	}
      if (!is_small ())
	continue;
      for (int r = 0; r < READERS; r++)
	{
	  enum ummgr_status status = outcome (r);
	  CHECK (status == UMMGR_OK || status == UMMGR_ERR_INVALID);
	  clean += status == UMMGR_OK;
	}
      tried += READERS;
    }
  CHECK (tried > 1000 && clean > 20 && clean < tried);
  ummgr_trace_codec_fini (&in);
  ummgr_trace_codec_fini (&out);
}

int
main (void)
{
  log_discard ();
  file = memfd_create ("trace", 0);
  said = memfd_create ("said", 0);
  CHECK (file >= 0 && said >= 0 && dup2 (said, 2) == 2);
  snprintf (path, sizeof path, "/proc/self/fd/%d", file);
  struct ummgr_profile *profile = calloc (1, sizeof *profile);
  CHECK (profile);
  CHECK (ummgr_profile_find (UMMGR_TEST_PROFILES "/fermi-hpe.conf", profile));
  device = profile->device[0];
  device.memory_bytes = 30 * PAGE;
  make_sample ();
  truncate_everywhere ();
  flip_everywhere ();
  damage_raw ();
  free (profile);
  free (good);
  return 0;
}
