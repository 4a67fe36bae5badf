/* Records of objects' facts: those of a trace that is older than a field are
   refused, or the field is not 0 or ""; counts that can't be make the reader
   write beyond its arrays, or read beyond the bytes.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "trace-test.h"
#include "trace/block.h"
#include "trace/bytes.h"

static const char path[] = "trace-facts.ummt";

/* Make a trace of one block, SIZE raw bytes and an end that counts RECORDS. */
static void
make (const unsigned char *raw, size_t size, unsigned records)
{
  static unsigned char all[1 << 17], bytes[UMMGR_TRACE_STORED_MAX + 64];
  struct ummgr_trace_codec codec;
  CHECK (size + 8 < sizeof all);
  memcpy (all, raw, size);
  const unsigned char end[]
      = { 0x80 + UMMGR_TRACE_END, 3, 0, (unsigned char) records, 0 };
  memcpy (all + size, end, sizeof end);
  memcpy (bytes, UMMGR_TRACE_MAGIC, 8);
  ummgr_trace_put_u32 (bytes + 8, UMMGR_TRACE_VERSION);
  ummgr_trace_put_u32 (bytes + 12, UMMGR_TRACE_HEADER_SIZE);
  CHECK (ummgr_trace_codec_init (&codec, true));
  size_t n = ummgr_trace_block_pack (&codec, 0, all, size + sizeof end,
				     bytes + UMMGR_TRACE_HEADER_SIZE);
  ummgr_trace_codec_fini (&codec);
  file_store (path, bytes, UMMGR_TRACE_HEADER_SIZE + n);
}

/* What the first version wrote.  */
static void
test_older (void)
{
  static const unsigned char raw[] = {
    0x80 + UMMGR_TRACE_RUN, 15, 9, 1, 'a', 0, 1, 'b', 0, 1, 'c', 0, 1, 'd', 0,
    16, 4,
    0x80 + UMMGR_TRACE_DEVICE, 6, 0, 1, 99, 1, 'g', 0,
    0x80 + UMMGR_TRACE_OBJECT, 10, 0, 5, 1, 'x', 0, 0, 0, 7, 64, 32,
    0x80 + UMMGR_TRACE_COPY, 8, 0, 5, 8, 16, 1, 0, 0, 3
  };
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record r;
  make (raw, sizeof raw, 4);
  CHECK (!ummgr_trace_reader_open (path, &reader));
  memset (&r, 0xff, sizeof r);
  CHECK (!ummgr_trace_reader_next (reader, &r) && r.kind == UMMGR_TRACE_RUN);
  CHECK (strcmp (r.u.run.writer, "d") == 0 && r.u.run.page_size == 16);
  CHECK (r.u.run.sample == 0 && r.u.run.block == 0
	 && r.u.run.instrumented == 0 && r.u.run.rank == 0);
  CHECK (strcmp (r.u.run.host, "") == 0 && strcmp (r.u.run.job, "") == 0);
  memset (&r, 0xff, sizeof r);
  CHECK (!ummgr_trace_reader_next (reader, &r)
	 && r.kind == UMMGR_TRACE_DEVICE);
  CHECK (r.u.device.memory == 99 && strcmp (r.u.device.name, "g") == 0);
  CHECK (r.u.device.in_rate == 0 && r.u.device.out_rate == 0
	 && r.u.device.latency == 0 && r.u.device.gpu_fault == 0
	 && r.u.device.cpu_fault == 0 && r.u.device.fault_size == 0);
  memset (&r, 0xff, sizeof r);
  CHECK (!ummgr_trace_reader_next (reader, &r)
	 && r.kind == UMMGR_TRACE_OBJECT);
  CHECK (r.u.object.size == 32 && r.u.object.flags == 0
	 && r.u.object.element_size == 0
	 && strcmp (r.u.object.layout, "") == 0);
  memset (&r, 0xff, sizeof r);
  CHECK (!ummgr_trace_reader_next (reader, &r) && r.kind == UMMGR_TRACE_COPY);
  CHECK (r.u.move.from == -1 && r.u.move.to == 0 && r.u.move.launch == 3
	 && r.u.move.copy == 0 && r.u.move.hash == 0 && r.u.move.unchanged == 0
	 && r.u.move.line == 0 && strcmp (r.u.move.file, "") == 0);
  CHECK (!ummgr_trace_reader_next (reader, &r) && r.kind == UMMGR_TRACE_END);
  ummgr_trace_reader_close (reader);
}

/* A record of facts with these counts, and BODY bytes of runs.  */
static enum ummgr_status
read_counts (uint64_t states, uint64_t cells, uint64_t runs, uint64_t length,
	     size_t body)
{
  static unsigned char raw[1 << 16];
  unsigned char *payload = raw + 4, *to = payload;
  for (int i = 0; i < 6; i++)
    *to++ = 0;			/* Time, object ... offset.  */
  to = ummgr_trace_put (to, states);
  for (uint64_t i = 0; i < states && i < 2; i++)
    {
      *to++ = 1;
      *to++ = 1;
    }
  memset (to, 0, 11);
  to = ummgr_trace_put (to + 11, cells);
  to = ummgr_trace_put (to, 1);
  to = ummgr_trace_put (to, runs);
  unsigned char *end = to + body;
  while (to < end)
    {
      unsigned char *run = ummgr_trace_put (to, length);
      memset (run, 1, 7);
      to = run + 7;
    }
  to = end;
  size_t n = to - payload;
  raw[0] = 0x80 + UMMGR_TRACE_FACTS;
  raw[1] = n | 0x80;
  raw[2] = n >> 7 | 0x80;
  raw[3] = n >> 14;
  make (raw, to - raw, 1);
  enum ummgr_status status;
  read_all (path, &status);
  return status;
}

int
main (void)
{
  log_discard ();
  test_older ();
  CHECK_EQ (read_counts (2, 1024, 2, 1, 16), UMMGR_OK);
  CHECK_EQ (read_counts (2, 1024, 1024, 1, 8 * 1024), UMMGR_OK);
  CHECK_EQ (read_counts (0, 2, 2, 1, 16), UMMGR_OK);
  /* More than there can be.  */
  CHECK_EQ (read_counts (257, 1024, 2, 1, 16), UMMGR_ERR_INVALID);
  CHECK_EQ (read_counts (UINT64_MAX, 1024, 2, 1, 16), UMMGR_ERR_INVALID);
  CHECK_EQ (read_counts (2, 1025, 2, 1, 16), UMMGR_ERR_INVALID);
  CHECK_EQ (read_counts (2, UINT64_MAX, 2, 1, 16), UMMGR_ERR_INVALID);
  CHECK_EQ (read_counts (2, 1024, 1025, 0, 8 * 1025), UMMGR_ERR_INVALID);
  CHECK_EQ (read_counts (2, 1024, UINT64_MAX, 1, 16), UMMGR_ERR_INVALID);
  /* More than the bytes hold.  */
  CHECK_EQ (read_counts (2, 1024, 3, 1, 16), UMMGR_ERR_INVALID);
  CHECK_EQ (read_counts (2, 1024, 2, 1, 15), UMMGR_ERR_INVALID);
  CHECK_EQ (read_counts (200, 0, 0, 1, 0), UMMGR_ERR_INVALID);
  /* Runs longer than the picture.  */
  CHECK_EQ (read_counts (2, 3, 2, 2, 16), UMMGR_ERR_INVALID);
  CHECK_EQ (read_counts (2, 1024, 2, UINT64_MAX, 34), UMMGR_ERR_INVALID);
  unlink (path);
  return 0;
}
