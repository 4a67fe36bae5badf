/* What is written to a trace is not what is read: a record, a field or the
   order would differ.  Random records of every kind with every extreme.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "trace-test.h"

enum { RECORDS = 400000 };

static const char path[] = "trace-roundtrip.ummt";

/* One step of the sequence, the same for the writer and for the reader.  */
static void
step (uint64_t *state, struct ummgr_trace_record *record, bool *flush)
{
  uint64_t r = random_next (state);
  *flush = r % 5000 == 0;
  if (r % 20 == 0)
    {
      *record = random_record (state);
      return;
    }
  *record = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_ACCESS };
  record->u.access = random_access (state);
}

static void
write_records (uint64_t seed)
{
  struct ummgr_trace_writer *writer;
  CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  CHECK (stream);
  struct ummgr_trace_record record;
  bool flush;
  for (int i = 0; i < RECORDS; i++)
    {
      step (&seed, &record, &flush);
      if (record.kind == UMMGR_TRACE_ACCESS)
	ummgr_trace_stream_write (stream, &record.u.access, 1);
      else
	ummgr_trace_write (writer, &record);
      if (flush)
	CHECK (ummgr_trace_flush (writer) == UMMGR_OK);
    }
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
}

static void
read_records (uint64_t seed)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record got, want = run_record ();
  CHECK (ummgr_trace_reader_open (path, &reader) == UMMGR_OK);
  CHECK (ummgr_trace_reader_next (reader, &got) == UMMGR_OK);
  check_record (&got, &want);
  bool flush;
  for (int i = 0; i < RECORDS; i++)
    {
      step (&seed, &want, &flush);
      CHECK (ummgr_trace_reader_next (reader, &got) == UMMGR_OK);
      check_record (&got, &want);
    }
  for (int i = 0; i < 2; i++)
    {
      CHECK (ummgr_trace_reader_next (reader, &got) == UMMGR_OK);
      CHECK_EQ (got.kind, UMMGR_TRACE_END);
    }
  CHECK_EQ (ummgr_trace_reader_position (reader).records, RECORDS + 1);
  ummgr_trace_reader_close (reader);
}

/* More accesses in one call than are encoded at once, in a trace that is read from
   descriptor 0.  */
static void
many_at_once (void)
{
  enum { MANY = 300 };
  struct ummgr_trace_access accesses[MANY];
  struct ummgr_trace_writer *writer;
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record r;
  uint64_t seed = 5, n = 0;
  for (int i = 0; i < MANY; i++)
    accesses[i] = random_access (&seed);
  CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  ummgr_trace_stream_write (stream, accesses, MANY);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
  int saved = dup (0);
  close (0);
  CHECK (ummgr_trace_reader_open (path, &reader) == UMMGR_OK);
  while (!ummgr_trace_reader_next (reader, &r) && r.kind != UMMGR_TRACE_END)
    if (r.kind == UMMGR_TRACE_ACCESS)
      {
	CHECK (n < MANY && same_access (&r.u.access, &accesses[n]));
	n++;
      }
  CHECK_EQ (n, MANY);
  ummgr_trace_reader_close (reader);
  if (saved >= 0)
    dup2 (saved, 0);
}

int
main (void)
{
  for (uint64_t seed = 1; seed < 3; seed++)
    {
      write_records (seed * 88172645463325252ull);
      read_records (seed * 88172645463325252ull);
    }

  many_at_once ();

  /* What is no access is dropped, and a string too long is cut.  */
  struct ummgr_trace_writer *writer;
  CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  const struct ummgr_trace_access odd[]
      = { { .object = 1, .size = 0, .count = 1, .access = UMMGR_TRACE_READ },
	  { .object = 1, .size = 4, .count = 0, .access = UMMGR_TRACE_READ },
	  { .object = 1, .size = 4, .count = 1, .stride = 9,
	    .access = UMMGR_TRACE_READ } };
  ummgr_trace_stream_write (stream, odd, 3);
  static char big[3 * UMMGR_TRACE_STRING_MAX];
  memset (big, 'x', sizeof big - 1);
  struct ummgr_trace_record record = mark_record (big), end = { 0 };
  ummgr_trace_write (writer, &record);
  record.u.mark.name = NULL;
  ummgr_trace_write (writer, &record);
  ummgr_trace_write (writer, &end);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);

  struct ummgr_trace_reader *reader;
  CHECK (ummgr_trace_reader_open (path, &reader) == UMMGR_OK);
  CHECK (!ummgr_trace_reader_next (reader, &record));
  CHECK (!ummgr_trace_reader_next (reader, &record)
	 && record.kind == UMMGR_TRACE_ACCESS && record.u.access.stride == 0);
  CHECK (!ummgr_trace_reader_next (reader, &record));
  CHECK_EQ (strlen (record.u.mark.name), UMMGR_TRACE_STRING_MAX);
  CHECK (!ummgr_trace_reader_next (reader, &record));
  CHECK_EQ (strlen (record.u.mark.name), 0);
  CHECK (!ummgr_trace_reader_next (reader, &record)
	 && record.kind == UMMGR_TRACE_END);
  ummgr_trace_reader_close (reader);
  unlink (path);
  return 0;
}
