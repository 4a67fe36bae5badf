/* Traces grow: regular code above a byte for 8 accesses, random pages above
   what they tell; or memory that grows with the trace.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "trace-test.h"

#include <sys/resource.h>

static const char path[] = "trace-size.ummt";
static struct ummgr_trace_stream *stream;
static uint64_t accesses;

static void
touch (uint64_t object, uint64_t offset, uint32_t size, uint8_t access,
       uint32_t team, uint32_t thread)
{
  const struct ummgr_trace_access a
      = { .object = object, .offset = offset, .count = 1, .size = size,
	  .launch = 1, .team = team, .thread = thread, .access = access };
  ummgr_trace_stream_write (stream, &a, 1);
  accesses++;
}

/* a[i] = b[i] + c[i], as a loop of one thread.  */
static void
triad (void)
{
  for (uint64_t i = 0; i < 1000000; i++)
    {
      touch (2, 8 * i, 8, UMMGR_TRACE_READ, 0, 0);
      touch (3, 8 * i, 8, UMMGR_TRACE_READ, 0, 0);
      touch (1, 8 * i, 8, UMMGR_TRACE_WRITE, 0, 0);
    }
}

static void
stencil (void)
{
  enum { N = 700 };
  for (uint64_t i = 1; i < N - 1; i++)
    for (uint64_t j = 1; j < N - 1; j++)
      {
	uint64_t at = 4 * (i * N + j);
	touch (1, at - 4 * N, 4, UMMGR_TRACE_READ, i, 0);
	touch (1, at - 4, 4, UMMGR_TRACE_READ, i, 0);
	touch (1, at, 4, UMMGR_TRACE_READ, i, 0);
	touch (1, at + 4, 4, UMMGR_TRACE_READ, i, 0);
	touch (1, at + 4 * N, 4, UMMGR_TRACE_READ, i, 0);
	touch (2, at, 4, UMMGR_TRACE_WRITE, i, 0);
      }
}

/* y[t] += a[t][j] * x[j], the threads in lockstep as a GPU runs them.  */
static void
interleaved (void)
{
  enum { TEAMS = 8, THREADS = 32, N = 2000 };
  for (uint64_t j = 0; j < N; j++)
    for (uint32_t t = 0; t < TEAMS * THREADS; t++)
      {
	touch (1, 8 * (uint64_t) (t * N + j), 8, UMMGR_TRACE_READ, t / THREADS,
	       t % THREADS);
	touch (2, 8 * j, 8, UMMGR_TRACE_READ, t / THREADS, t % THREADS);
	touch (3, 8 * (uint64_t) t, 8, UMMGR_TRACE_READ | UMMGR_TRACE_WRITE,
	       t / THREADS, t % THREADS);
      }
}

/* Fields of structs, and 50 arrays at once.  */
static void
fields (void)
{
  for (uint64_t i = 0; i < 40000; i++)
    {
      for (int field = 0; field < 5; field++)
	touch (1, 28 * i + 4 + 4 * field, 8, UMMGR_TRACE_READ, 0, 0);
      for (uint64_t o = 2; o < 52; o++)
	touch (o, 8 * i, 8, UMMGR_TRACE_WRITE, 0, 0);
    }
}

static void
random_pages (void)
{
  uint64_t state = 1;
  for (int i = 0; i < 1000000; i++)
    touch (1, random_next (&state) % 32768 * 4096, 4096, UMMGR_TRACE_READ, 0,
	   0);
}

/* Rows as one record each.  */
static void
rows (void)
{
  for (uint64_t i = 0; i < 100000; i++)
    {
      const struct ummgr_trace_access a
	  = { .object = 1, .offset = 4000 * i, .stride = 4, .count = 500,
	      .size = 4, .launch = 1, .team = i / 8, .thread = i % 8,
	      .access = UMMGR_TRACE_WRITE };
      ummgr_trace_stream_write (stream, &a, 1);
      accesses += a.count;
    }
}

static double
bytes_per_access (const char *name, void (*program) (void))
{
  struct ummgr_trace_writer *writer;
  CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
  stream = ummgr_trace_stream_open (writer);
  accesses = 0;
  program ();
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
  double bytes = (double) file_size (path) / accesses;
  printf ("%s: %.5f bytes per access\n", name, bytes);
  return bytes;
}

static long
peak_kib (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int
main (void)
{
  enum ummgr_status status;
  CHECK (bytes_per_access ("triad", triad) <= 0.125);
  CHECK_EQ (read_all (path, &status), accesses + 1);
  long peak = peak_kib ();
  CHECK (bytes_per_access ("stencil", stencil) <= 0.125);
  CHECK (bytes_per_access ("interleaved", interleaved) <= 0.125);
  CHECK (bytes_per_access ("fields", fields) <= 0.125);
  CHECK (bytes_per_access ("rows", rows) <= 0.001);
  /* A page of 32768 is 15 bits.  */
  CHECK (bytes_per_access ("random pages", random_pages) <= 3);
  CHECK_EQ (read_all (path, &status), accesses + 1);
  CHECK_EQ (status, UMMGR_OK);
  /* Ten times as much was written and read since.  */
#ifndef __SANITIZE_ADDRESS__
  CHECK (peak_kib () < peak + 4096);
#else
  (void) peak;
#endif
  unlink (path);
  return 0;
}
