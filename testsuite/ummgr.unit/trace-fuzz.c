/* Damaged traces: a crash, a read beyond the bytes (a sanitizer would tell),
   an endless loop, a wrong record taken for a good one, or good records
   before the damage that are lost.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "trace-test.h"
#include "trace/block.h"
#include "trace/bytes.h"

#include <sys/mman.h>

enum { BLOCKS = 6, PER_BLOCK = 16, TOTAL = 1 + BLOCKS * PER_BLOCK,
       MAX_RECORDS = 1 << 20 };

/* A file in memory, opened anew through its name.  */
static int file;
static char path[64];
static uint64_t state = 77;

static unsigned char *good;
static size_t size;

/* Where the blocks begin, and how many records stand before each.  */
static size_t starts[BLOCKS + 2];
static unsigned blocks;

static void
set_file (const void *bytes, size_t n)
{
  CHECK (ftruncate (file, 0) == 0);
  CHECK (pwrite (file, bytes, n, 0) == (ssize_t) n);
}

static struct ummgr_trace_record
next_record (uint64_t *seed)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_ACCESS };
  if (random_next (seed) % 5)
    r.u.access = random_access (seed);
  else
    do
      r = random_record (seed);
    while (r.kind == UMMGR_TRACE_MARK	/* Long strings stay out.  */
	   || (r.kind == UMMGR_TRACE_FACTS && r.u.facts.run_count > 8));
  return r;
}

static void
make_sample (void)
{
  struct ummgr_trace_writer *writer;
  uint64_t seed = 5;
  CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  for (int i = 0; i < BLOCKS * PER_BLOCK; i++)
    {
      struct ummgr_trace_record r = next_record (&seed);
      if (r.kind == UMMGR_TRACE_ACCESS)
	ummgr_trace_stream_write (stream, &r.u.access, 1);
      else
	ummgr_trace_write (writer, &r);
      if (i % PER_BLOCK == PER_BLOCK - 1)
	CHECK (ummgr_trace_flush (writer) == UMMGR_OK);
    }
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
  good = file_load (path, &size);
  for (size_t at = UMMGR_TRACE_HEADER_SIZE; at < size;
       at += UMMGR_TRACE_BLOCK_HEADER_SIZE
	     + ummgr_trace_get_u32 (good + at + 8))
    {
      CHECK (blocks < BLOCKS + 2);
      starts[blocks++] = at;
    }
  CHECK_EQ (blocks, BLOCKS + 2);
}

/* Records that stand in the blocks that end at or before byte AT.  */
static uint64_t
records_before (size_t at)
{
  uint64_t n = 0;
  for (unsigned b = 0; b < blocks; b++)
    if (at >= (b + 1 < blocks ? starts[b + 1] : size))
      n = b == 0 ? 1 : b <= BLOCKS ? 1 + b * PER_BLOCK : TOTAL;
  return n;
}

/* Read the file: its records are the sample's, as many as there are.  */
static enum ummgr_status
read_sample (uint64_t *count, uint64_t *offset)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record got, want = run_record ();
  uint64_t seed = 5;
  *count = 0;
  *offset = 0;
  enum ummgr_status status = ummgr_trace_reader_open (path, &reader);
  if (status)
    return status;
  while (!(status = ummgr_trace_reader_next (reader, &got))
	 && got.kind != UMMGR_TRACE_END)
    {
      CHECK (++*count <= TOTAL);
      check_record (&got, &want);
      want = next_record (&seed);
    }
  *offset = ummgr_trace_reader_position (reader).offset;
  CHECK_EQ (ummgr_trace_reader_next (reader, &got), status);
  ummgr_trace_reader_close (reader);
  return status;
}

static void
truncate_everywhere (void)
{
  uint64_t count, offset;
  for (size_t n = 0; n < size; n++)
    {
      set_file (good, n);
      CHECK_EQ (read_sample (&count, &offset), UMMGR_ERR_INVALID);
      CHECK_EQ (count, records_before (n));
      /* The place named is where the file ends.  */
      if (n >= UMMGR_TRACE_HEADER_SIZE)
	CHECK_EQ (offset, n);
    }
}

static void
flip_everywhere (void)
{
  uint64_t count, offset;
  set_file (good, size);
  for (size_t at = 0; at < size; at++)
    for (int bit = 0; bit < 8; bit++)
      {
	unsigned char byte = good[at] ^ 1u << bit;
	CHECK (pwrite (file, &byte, 1, at) == 1);
	enum ummgr_status status = read_sample (&count, &offset);
	CHECK (pwrite (file, good + at, 1, at) == 1);
	/* zstd's frames have a bit that means nothing.  */
	if (status == UMMGR_OK)
	  CHECK_EQ (count, TOTAL);
	else
	  {
	    CHECK_EQ (status, UMMGR_ERR_INVALID);
	    CHECK_EQ (count, records_before (at));
	  }
      }
}

static void
append_bytes (void)
{
  uint64_t count, offset;
  good[size] = 0;
  set_file (good, size + 1);
  CHECK_EQ (read_sample (&count, &offset), UMMGR_ERR_INVALID);
  CHECK_EQ (offset, size);
  memcpy (good + size, good, size);
  set_file (good, 2 * size);
  CHECK_EQ (read_sample (&count, &offset), UMMGR_ERR_INVALID);
  CHECK_EQ (offset, size);
}

static void
damage (unsigned char *bytes, size_t *n)
{
  for (unsigned times = 1 + random_next (&state) % 6; times--;)
    {
      size_t at = random_next (&state) % *n, other = random_next (&state) % *n;
      size_t length = random_next (&state) % 16;
      switch (random_next (&state) % 5)
	{
	case 0:
	  bytes[at] ^= 1u << random_next (&state) % 8;
	  break;
	case 1:
	  bytes[at] = random_next (&state);
	  break;
	case 2:
	  bytes[at] = random_next (&state) % 2 ? 0xff : 0x7f;
	  break;
	case 3:
	  length = length < *n - at ? length : *n - at;
	  length = length < *n - other ? length : *n - other;
	  memmove (bytes + at, bytes + other, length);
	  break;
	default:
	  *n = at + 1;
	}
    }
}

/* Raw bytes with a right checksum that are no records: the decoder's own
   bounds.  */
static void
damage_raw (void)
{
  struct ummgr_trace_codec in, out;
  CHECK (ummgr_trace_codec_init (&in, false)
	 && ummgr_trace_codec_init (&out, true));
  static unsigned char raw[BLOCKS + 2][1 << 16], bytes[1 << 16];
  static unsigned char stored[UMMGR_TRACE_STORED_MAX];
  size_t raw_size[BLOCKS + 2];
  for (unsigned b = 0; b < blocks; b++)
    {
      raw_size[b] = ummgr_trace_get_u32 (good + starts[b] + 12);
      CHECK (raw_size[b] <= sizeof bytes);
      CHECK (!ummgr_trace_block_unpack (
	  &in, good + starts[b] + UMMGR_TRACE_BLOCK_HEADER_SIZE,
	  ummgr_trace_get_u32 (good + starts[b] + 8), raw[b], raw_size[b]));
    }
  unsigned clean = 0;
  for (int round = 0; round < 20000; round++)
    {
      unsigned b = random_next (&state) % blocks;
      size_t n = raw_size[b];
      memcpy (bytes, raw[b], n);
      damage (bytes, &n);
      size_t packed = ummgr_trace_block_pack (&out, 0, bytes, n, stored);
      CHECK (packed);
      CHECK (ftruncate (file, UMMGR_TRACE_HEADER_SIZE) == 0);
      CHECK (pwrite (file, stored, packed, UMMGR_TRACE_HEADER_SIZE)
	     == (ssize_t) packed);
      enum ummgr_status status;
      CHECK (read_all (path, &status) < MAX_RECORDS);
      clean += status == UMMGR_OK;
      CHECK (status == UMMGR_OK || status == UMMGR_ERR_INVALID);
    }
  /* Nearly all lack an end, or have one that counts other records.  */
  CHECK (clean < 10000);
  ummgr_trace_codec_fini (&in);
  ummgr_trace_codec_fini (&out);
}

int
main (void)
{
  log_discard ();
  file = memfd_create ("trace", 0);
  CHECK (file >= 0);
  snprintf (path, sizeof path, "/proc/self/fd/%d", file);
  make_sample ();
  uint64_t count, offset;
  CHECK_EQ (read_sample (&count, &offset), UMMGR_OK);
  CHECK_EQ (count, TOTAL);
  truncate_everywhere ();
  flip_everywhere ();
  append_bytes ();
  set_file (good, size);
  damage_raw ();
  free (good);
  return 0;
}
