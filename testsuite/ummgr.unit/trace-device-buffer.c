/* Breaks if the buffer in which a GPU's code reports its accesses loses some,
   invents some, orders them wrongly, or miscounts what didn't fit.  The
   program object's device half runs here on the host, as the device that
   libgomp falls back to.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* ThreadSanitizer doesn't see the end of libgomp's parallel regions.  */
/* { dg-require-effective-target no_tsan } */
/* { dg-additional-options "-fopenmp -foffload=disable" } */

#define UMMGR_TRACE_ON_HOST 0
/* Not the recorder's, which is in the archives.  */
#define ummgr_trace_attach attach_test
#include "record/program.c"

#include "check.h"

#define CAPACITY 4096

static struct { uint64_t address; uint32_t how; } seen[4 * CAPACITY];
static uint64_t seen_count;
static const struct ummgr_trace_program *attached;

static struct ummgr_trace_thread *
masked (void)
{
  static struct ummgr_trace_thread t = { 63 };
  return &t;
}

static const struct ummgr_trace_runtime libummgr = {
  .abi = UMMGR_TRACE_ABI, .size = sizeof libummgr, .enter = masked
};

const struct ummgr_trace_runtime *
ummgr_trace_attach (const struct ummgr_trace_program *p)
{
  attached = p;
  return &libummgr;
}

static void
take (void *data, uint64_t address, uint32_t how, uint32_t team,
      uint32_t thread)
{
  CHECK (data == seen && team == 0 && thread == 0);
  CHECK (seen_count < sizeof seen / sizeof *seen);
  seen[seen_count].address = address;
  seen[seen_count++].how = how;
}

static uint64_t
flush (int device)
{
  seen_count = 0;
  return attached->device_flush (device, take, seen);
}

static void
orders (int device)
{
  struct ummgr_trace_thread *t = __ummgr_trace_enter ();
  CHECK_EQ (t->mask, 63);
  CHECK_EQ (flush (device), 0);
  CHECK_EQ (seen_count, 0);
  __ummgr_trace_access (t, 1000, UMMGR_TRACE_HOW (4, 1));
  const struct ummgr_trace_ref refs[3] = {
    { 2000, 8, 3, UMMGR_TRACE_HOW (8, 1), 0 },
    { 3000, -4, 2, UMMGR_TRACE_HOW (4, 2), 0 },
    { 4000, 1, 0, UMMGR_TRACE_HOW (1, 2), 0 }
  };
  __ummgr_trace_loop (t, refs, 3);
  __ummgr_trace_loop (t, refs, 0);
  __ummgr_trace_range (t, 1 << 20, 2 * CHUNK + 5, 2);
  __ummgr_trace_range (t, 77, 0, 2);
  CHECK_EQ (flush (device), 0);
  static const uint64_t expected[]
    = { 1000, 2000, 3000, 2008, 2996, 2016, 1 << 20, (1 << 20) + CHUNK,
	(1 << 20) + 2 * CHUNK };
  CHECK_EQ (seen_count, sizeof expected / sizeof *expected);
  for (size_t i = 0; i < seen_count; i++)
    CHECK_EQ (seen[i].address, expected[i]);
  CHECK_EQ (seen[0].how, UMMGR_TRACE_HOW (4, 1));
  CHECK_EQ (seen[2].how, UMMGR_TRACE_HOW (4, 2));
  CHECK_EQ (seen[7].how, UMMGR_TRACE_HOW (CHUNK, 2));
  CHECK_EQ (seen[8].how, UMMGR_TRACE_HOW (5, 2));
  /* It is empty now.  */
  CHECK_EQ (flush (device), 0);
  CHECK_EQ (seen_count, 0);
}

/* An access, a loop of two references, an access; two turns, the last of the
   first only.  */
static void
nests (int device)
{
  struct ummgr_trace_thread *t = __ummgr_trace_enter ();
  const struct ummgr_trace_nest_ref refs[4] = {
    { 100, { 10, 0 }, { 2, 1 }, UMMGR_TRACE_HOW (4, 1), 0 },
    { 200, { 40, 4 }, { 2, 3 }, UMMGR_TRACE_HOW (4, 1), 1 },
    { 300, { 0, -8 }, { 2, 2 }, UMMGR_TRACE_HOW (8, 2), 1 },
    { 400, { 10, 0 }, { 1, 1 }, UMMGR_TRACE_HOW (4, 2), 0 }
  };
  __ummgr_trace_nest (t, refs, 4);
  __ummgr_trace_nest (t, refs, 0);
  CHECK_EQ (flush (device), 0);
  static const uint64_t expected[]
    = { 100, 200, 300, 204, 292, 208, 400,
	110, 240, 300, 244, 292, 248 };
  CHECK_EQ (seen_count, sizeof expected / sizeof *expected);
  for (size_t i = 0; i < seen_count; i++)
    CHECK_EQ (seen[i].address, expected[i]);
  CHECK_EQ (seen[2].how, UMMGR_TRACE_HOW (8, 2));
}

/* Fill the buffer so that the report that doesn't fit begins at each place
   before the end.  */
static void
overflows (int device)
{
  struct ummgr_trace_ref refs[20] = { { 0 } };
  const uint64_t room = CAPACITY / REPORT_WORDS;
  struct ummgr_trace_thread *t = __ummgr_trace_enter ();
  for (uint64_t n = room - 30; n <= room + 3; n++)
    {
      for (uint64_t i = 0; i < n; i++)
	__ummgr_trace_access (t, i, 4);
      uint64_t fit = n < room ? n : room, lost = n - fit;
      for (int i = 0; i < 20; i++)
	refs[i] = (struct ummgr_trace_ref) { 5000 + i, 0, 1, 4, 0 };
      __ummgr_trace_loop (t, refs, 20);
      bool loop_fits = (n * REPORT_WORDS + REPORT_WORDS + 20 * REF_WORDS
			<= CAPACITY);
      __ummgr_trace_access (t, 9999, 4);
      bool last_fits = loop_fits && n * REPORT_WORDS + 2 * REPORT_WORDS
	+ 20 * REF_WORDS <= CAPACITY;
      CHECK_EQ (flush (device), lost + !loop_fits + !last_fits);
      CHECK_EQ (seen_count, fit + 20 * loop_fits + last_fits);
      for (uint64_t i = 0; i < fit; i++)
	CHECK_EQ (seen[i].address, i);
      if (loop_fits)
	CHECK_EQ (seen[n + 19].address, 5019);
    }
}

/* Threads of a GPU report at the same time: none is lost, each whole.  */
static void
threads (int device)
{
  enum { EACH = 100 };
  static unsigned char got[8 * EACH];
#pragma omp parallel num_threads (8)
  {
    struct ummgr_trace_thread *t = __ummgr_trace_enter ();
    for (int i = 0; i < EACH; i++)
      __ummgr_trace_access (t, omp_get_thread_num () * EACH + i, 4);
  }
  uint64_t words[CAPACITY];
  memcpy (words, buffer.words, sizeof words);
  CHECK_EQ (buffer.head, 8 * EACH * REPORT_WORDS);
  for (int i = 0; i < 8 * EACH; i++)
    {
      const struct report *r = (struct report *) (words + i * REPORT_WORDS);
      CHECK (r->address < 8 * EACH && r->address / EACH == r->thread);
      CHECK (!got[r->address]++);
    }
  buffer.head = 0;
}

int
main (void)
{
  char size[32];
  snprintf (size, sizeof size, "%zu", CAPACITY * sizeof (uint64_t));
  setenv ("UMMGR_TRACE_BUFFER", size, 1);
  int device = omp_get_initial_device ();
  CHECK (attached && __ummgr_trace_on);
  CHECK (attached->device_start (device, UMMGR_TRACE_RUNS_HOST));
  CHECK (!device_words && !__ummgr_trace_enter ());
  CHECK (attached->device_start (device, UMMGR_TRACE_RUNS_SILENT));
  CHECK (!device_words && __ummgr_trace_enter ());
  CHECK (attached->device_start (device, UMMGR_TRACE_RUNS_REPORTING));
  CHECK (attached->device_start (device, UMMGR_TRACE_RUNS_REPORTING));
  CHECK_EQ (buffer.capacity, CAPACITY);
  orders (device);
  nests (device);
  overflows (device);
  threads (device);
  CHECK_EQ (flush (device + 1), 0);
  setenv ("UMMGR_TRACE_BUFFER", "2K", 1);
  CHECK_EQ (wanted_capacity (), 256);
  setenv ("UMMGR_TRACE_BUFFER", "2000G", 1);
  CHECK_EQ (wanted_capacity (), 8 << 20);
  setenv ("UMMGR_TRACE_BUFFER", "1X", 1);
  CHECK_EQ (wanted_capacity (), 8 << 20);
  return 0;
}
