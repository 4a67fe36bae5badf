/* Accesses in batches, and blocks unpacked ahead by a thread: other records
   than one at a time gives, slots that change their meaning unsaid, another
   place of an error, a close that hangs or leaves the thread behind.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "trace-test.h"

enum { RECORDS = 6000, DAMAGES = 150 };

static const char path[] = "trace-batch.ummt";
static uint64_t state = 99;

/* As in loops: streams of accesses far and near, by some actors.  */
static struct ummgr_trace_access
loop_access (uint64_t *s)
{
  static uint64_t at;
  uint64_t stream = random_next (s) % 100;
  /* Taking turns, near each other or far.  */
  static const uint32_t far[] = { 3, 3, 100, 9000, UINT32_MAX };
  uint32_t team = at / 2000 % 2 ? at % 120 : random_next (s) % far[at / 50 % 5];
  return (struct ummgr_trace_access) {
    .object = 1 + stream, .offset = 8 * stream + 4 * at++, .count = 1,
    .size = 4, .access = UMMGR_TRACE_READ, .launch = random_next (s) % 40 == 0,
    .team = team, .thread = random_next (s) % far[at / 70 % 5]
  };
}

static void
make_trace (int records, int flush_every)
{
  struct ummgr_trace_writer *writer;
  CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
  struct ummgr_trace_stream *streams[2]
      = { ummgr_trace_stream_open (writer), ummgr_trace_stream_open (writer) };
  for (int i = 0; i < records; i++)
    {
      struct ummgr_trace_stream *stream = streams[random_next (&state) % 2];
      unsigned what = random_next (&state) % 64;
      struct ummgr_trace_access a = what < 40 ? loop_access (&state)
				    : random_access (&state);
      if (what)
	ummgr_trace_stream_write (stream, &a, 1);
      else
	{
	  struct ummgr_trace_record r = random_record (&state);
	  ummgr_trace_write (writer, &r);
	}
      if (flush_every && i % flush_every == 0)
	CHECK (ummgr_trace_flush (writer) == UMMGR_OK);
    }
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
}

/* A slot says of every access of an epoch what it said of the first.  */
static void
check_slots (const struct ummgr_trace_batch *batch)
{
  static struct ummgr_trace_slot known[UMMGR_TRACE_SLOTS];
  static bool seen[UMMGR_TRACE_SLOTS];
  static uint64_t epoch;
  if (batch->epoch != epoch)
    memset (seen, 0, sizeof seen);
  epoch = batch->epoch;
  for (size_t i = 0; i < batch->count; i++)
    {
      unsigned n = batch->points[i].slot;
      CHECK (n < UMMGR_TRACE_SLOTS);
      if (!seen[n])
	known[n] = batch->slots[n];
      seen[n] = true;
      CHECK (known[n].object == batch->slots[n].object
	     && known[n].size == batch->slots[n].size
	     && known[n].stride == batch->slots[n].stride
	     && known[n].count == batch->slots[n].count
	     && known[n].access == batch->slots[n].access);
    }
}

/* The next batch or record of BATCHES is what SINGLE gives.  */
static enum ummgr_status
compare_next (struct ummgr_trace_reader *single,
	      struct ummgr_trace_reader *batches, bool *end)
{
  struct ummgr_trace_batch batch;
  struct ummgr_trace_record a, b;
  enum ummgr_status status = ummgr_trace_reader_batch (batches, &batch, &b);
  if (!status && batch.count)
    check_slots (&batch);
  for (size_t i = 0; i < batch.count; i++)
    {
      struct ummgr_trace_access got = ummgr_trace_batch_access (&batch, i);
      CHECK (ummgr_trace_reader_next (single, &a) == UMMGR_OK);
      CHECK_EQ (a.kind, UMMGR_TRACE_ACCESS);
      got.team = a.u.access.team;
      got.thread = a.u.access.thread;
      CHECK (same_access (&a.u.access, &got));
    }
  *end = false;
  if (batch.count)
    {
      /* Whoever made the next one is not forgotten.  */
      if (random_next (&state) % 4)
	return status;
      status = ummgr_trace_reader_next (batches, &b);
    }
  CHECK_EQ (ummgr_trace_reader_next (single, &a), status);
  if (status)
    return status;
  check_record (&a, &b);
  *end = a.kind == UMMGR_TRACE_END;
  return status;
}

/* Read PATH both ways: how it ended, and how many records there are.  */
static enum ummgr_status
compare (bool ahead, uint64_t *records)
{
  struct ummgr_trace_reader *single, *batches;
  bool end;
  enum ummgr_status status = ummgr_trace_reader_open (path, &single);
  CHECK_EQ (ummgr_trace_reader_open (path, &batches), status);
  if (status)
    return status;
  ummgr_trace_reader_ahead (single, false);
  if (ahead)
    ummgr_trace_reader_ahead (batches, true);
  do
    status = compare_next (single, batches, &end);
  while (!status && !end);
  struct ummgr_trace_position a = ummgr_trace_reader_position (single);
  struct ummgr_trace_position b = ummgr_trace_reader_position (batches);
  CHECK_EQ (a.offset, b.offset);
  CHECK_EQ (a.block, b.block);
  CHECK_EQ (a.records, b.records);
  *records = a.records;
  /* And again.  */
  CHECK_EQ (compare_next (single, batches, &end), status);
  ummgr_trace_reader_close (single);
  ummgr_trace_reader_close (batches);
  return status;
}

static void
test_whole (void)
{
  uint64_t records;
  for (int i = 0; i < 8; i++)
    {
      make_trace (RECORDS, i % 2 ? 500 : 0);
      CHECK_EQ (compare (i & 2, &records), UMMGR_OK);
      CHECK_EQ (records, RECORDS + 1);
    }
}

/* Of several megabytes: the thread begins by itself.  */
static void
test_long (void)
{
  uint64_t records;
  make_trace (600000, 0);
  CHECK_EQ (compare (false, &records), UMMGR_OK);
  CHECK_EQ (records, 600001);
}

static void
test_damaged (void)
{
  uint64_t records;
  size_t size;
  make_trace (RECORDS, 100);
  unsigned char *good = file_load (path, &size);
  for (int i = 0; i < DAMAGES; i++)
    {
      size_t at = random_next (&state) % size, n = size;
      unsigned char byte = good[at];
      if (i % 3 == 0)
	n = at;
      else if (i % 3 == 1)
	good[at] ^= 1u << random_next (&state) % 8;
      else
	{
	  /* Whole, and more after the end.  */
	  memcpy (good + size, good, at);
	  n = size + at;
	}
      file_store (path, good, n);
      compare (true, &records);
      good[at] = byte;
    }
  free (good);
}

/* A reader that is closed early.  */
static void
test_close (void)
{
  make_trace (RECORDS, 100);
  for (int i = 0; i < 40; i++)
    {
      struct ummgr_trace_reader *reader;
      struct ummgr_trace_record record;
      CHECK (ummgr_trace_reader_open (path, &reader) == UMMGR_OK);
      ummgr_trace_reader_ahead (reader, true);
      for (int k = 0; k < 25 * i; k++)
	CHECK (ummgr_trace_reader_next (reader, &record) == UMMGR_OK);
      ummgr_trace_reader_close (reader);
    }
}

int
main (void)
{
  log_discard ();
  test_whole ();
  test_long ();
  test_damaged ();
  test_close ();
  unlink (path);
  return 0;
}
