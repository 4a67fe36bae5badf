/* Accesses of several threads lost, doubled or out of order, or on the wrong
   side of a record that the program orders with them; an end that the threads
   of the program spoil.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "trace-test.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, PHASES = 20, PER_PHASE = 10000 };

static const char path[] = "trace-threads.ummt";
static struct ummgr_trace_writer *writer;
static pthread_barrier_t barrier;

/* The N-th access of thread T in a phase.  */
static struct ummgr_trace_access
nth (uint64_t *state, uint32_t t, int phase)
{
  struct ummgr_trace_access a = random_access (state);
  a.thread = t;
  a.launch = phase;
  return a;
}

static void *
work (void *arg)
{
  uint32_t t = (uintptr_t) arg;
  uint64_t state = 1000 + t;
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  CHECK (stream);
  for (int phase = 0; phase < PHASES; phase++)
    {
      struct ummgr_trace_access batch[100];
      for (int i = 0; i < PER_PHASE; i += 100)
	{
	  for (int j = 0; j < 100; j++)
	    batch[j] = nth (&state, t, phase);
	  ummgr_trace_stream_write (stream, batch, 100);
	  /* Records of a thread in the middle of a phase collect all.  */
	  if (i % 2500 == 0)
	    {
	      struct ummgr_trace_record r = { .kind = UMMGR_TRACE_COPY };
	      r.u.move.launch = phase;
	      r.u.move.object = t;
	      ummgr_trace_write (writer, &r);
	    }
	}
      pthread_barrier_wait (&barrier);
      /* The main thread writes its record, while the accesses of before are
	 still in the threads' chunks.  */
      pthread_barrier_wait (&barrier);
    }
  /* Half of the streams are left to the writer.  */
  if (t % 2)
    ummgr_trace_stream_close (stream);
  return NULL;
}

static void
check_file (void)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record r;
  uint64_t states[THREADS], seen[THREADS] = { 0 }, copies = 0;
  for (int t = 0; t < THREADS; t++)
    states[t] = 1000 + t;
  int phase = 0;
  CHECK (ummgr_trace_reader_open (path, &reader) == UMMGR_OK);
  CHECK (ummgr_trace_reader_next (reader, &r) == UMMGR_OK);
  for (;;)
    {
      CHECK (ummgr_trace_reader_next (reader, &r) == UMMGR_OK);
      if (r.kind == UMMGR_TRACE_END)
	break;
      if (r.kind == UMMGR_TRACE_FINISH)
	{
	  CHECK_EQ (r.u.launch.launch, phase);
	  phase++;
	  for (int t = 0; t < THREADS; t++)
	    CHECK_EQ (seen[t], (uint64_t) phase * PER_PHASE);
	  continue;
	}
      if (r.kind == UMMGR_TRACE_COPY)
	{
	  /* After the thread's own accesses before it, exactly.  */
	  CHECK_EQ (r.u.move.launch, phase);
	  CHECK_EQ (seen[r.u.move.object] % 2500, 100);
	  copies++;
	  continue;
	}
      CHECK_EQ (r.kind, UMMGR_TRACE_ACCESS);
      uint32_t t = r.u.access.thread;
      CHECK (t < THREADS);
      struct ummgr_trace_access want = nth (&states[t], t, phase);
      CHECK (same_access (&r.u.access, &want));
      seen[t]++;
    }
  CHECK_EQ (phase, PHASES);
  CHECK_EQ (copies, THREADS * PHASES * (PER_PHASE / 2500));
  ummgr_trace_reader_close (reader);
}

static atomic_bool enough;

static void *
go_on (void *arg)
{
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  struct ummgr_trace_record mark = mark_record ("x");
  uint64_t state = 1 + (uintptr_t) arg;
  CHECK (stream);
  while (!enough)
    {
      for (int i = 0; i < 1000; i++)
	{
	  struct ummgr_trace_access a = random_access (&state);
	  ummgr_trace_stream_write (stream, &a, 1);
	}
      ummgr_trace_write (writer, &mark);
    }
  ummgr_trace_stream_close (stream);
  return NULL;
}

/* The end comes while threads write: the file is whole all the same.  */
static void
finish_early (void)
{
  pthread_t threads[2];
  CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
  for (uintptr_t t = 0; t < 2; t++)
    CHECK (pthread_create (&threads[t], NULL, go_on, (void *) t) == 0);
  while (file_size (path) < 1000000)
    usleep (1000);
  CHECK (ummgr_trace_writer_finish (writer) == UMMGR_OK);
  uint64_t size = file_size (path);
  enum ummgr_status status;
  CHECK (read_all (path, &status) > 1000);
  CHECK_EQ (status, UMMGR_OK);
  enough = true;
  for (int t = 0; t < 2; t++)
    pthread_join (threads[t], NULL);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
  CHECK_EQ (file_size (path), size);
}

int
main (void)
{
  pthread_t threads[THREADS];
  CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
  pthread_barrier_init (&barrier, NULL, THREADS + 1);
  for (uintptr_t t = 0; t < THREADS; t++)
    CHECK (pthread_create (&threads[t], NULL, work, (void *) t) == 0);
  for (int phase = 0; phase < PHASES; phase++)
    {
      pthread_barrier_wait (&barrier);
      struct ummgr_trace_record r = { .kind = UMMGR_TRACE_FINISH };
      r.u.launch.launch = phase;
      ummgr_trace_write (writer, &r);
      pthread_barrier_wait (&barrier);
    }
  for (int t = 0; t < THREADS; t++)
    pthread_join (threads[t], NULL);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
  check_file ();
  finish_early ();
  unlink (path);
  return 0;
}
