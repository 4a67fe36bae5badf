/* Reading trace files: header, blocks, errors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the descriptor and one block.  What the bytes of a block mean is
   trace-decode.c's.  */

#include "config.h"
#include "trace-read.h"

#include "../log.h"
#include "trace-block.h"
#include "trace-code.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A longer header is no header.  */
enum { HEADER_MAX = 4096 };

struct ummgr_trace_reader
{
  int fd;
  char *path;
  uint64_t offset;		/* Bytes read.  */
  struct ummgr_trace_position position;
  uint32_t sequence;		/* Of the next block.  */
  enum ummgr_status status;	/* Of the error that ended reading.  */
  bool ended;			/* The end record was read.  */
  bool warned;			/* Of unknown records.  */
  struct ummgr_trace_codec codec;
  size_t raw_size;
  unsigned char *raw;		/* UMMGR_TRACE_BLOCK_MAX bytes.  */
  unsigned char *stored;	/* UMMGR_TRACE_STORED_MAX bytes.  */
  struct ummgr_trace_decoder decoder;
};

/* The file is damaged at byte AT.  */
static enum ummgr_status
damaged (struct ummgr_trace_reader *reader, uint64_t at, const char *what)
{
  ummgr_error ("trace: %s: byte %llu (block %llu): %s; the %llu records before "
	       "it are good", reader->path, (unsigned long long) at,
	       (unsigned long long) reader->position.block, what,
	       (unsigned long long) reader->position.records);
  reader->position.offset = at;
  return reader->status = UMMGR_ERR_INVALID;
}

/* Read SIZE bytes, or what there is; *GOT of them.  */
static enum ummgr_status
get_bytes (struct ummgr_trace_reader *reader, void *to, size_t size,
	   size_t *got)
{
  size_t have = 0;
  while (have < size)
    {
      ssize_t n = read (reader->fd, (char *) to + have, size - have);
      if (n < 0 && errno == EINTR)
	continue;
      if (n < 0)
	{
	  ummgr_error ("trace: %s: cannot read byte %llu: %s", reader->path,
		       (unsigned long long) (reader->offset + have),
		       strerror (errno));
	  reader->position.offset = reader->offset + have;
	  return reader->status = UMMGR_ERR_IO;
	}
      if (n == 0)
	break;
      have += n;
    }
  reader->offset += have;
  *got = have;
  return UMMGR_OK;
}

static enum ummgr_status
not_a_trace (struct ummgr_trace_reader *reader)
{
  ummgr_error ("trace: %s is not a trace file of ummgr", reader->path);
  return UMMGR_ERR_INVALID;
}

static enum ummgr_status
read_header (struct ummgr_trace_reader *reader)
{
  unsigned char header[HEADER_MAX];
  size_t got;
  enum ummgr_status status
      = get_bytes (reader, header, UMMGR_TRACE_HEADER_SIZE, &got);
  if (status)
    return status;
  if (got < 8 || memcmp (header, UMMGR_TRACE_MAGIC, 8) != 0)
    return not_a_trace (reader);
  if (got < UMMGR_TRACE_HEADER_SIZE)
    return damaged (reader, got, "the file ends within its header");
  uint32_t version = ummgr_trace_get_u32 (header + 8);
  if (version != UMMGR_TRACE_VERSION)
    {
      ummgr_error ("trace: %s has format version %u, and this ummgr reads "
		   "version %d: use the ummgr that wrote it", reader->path,
		   version, UMMGR_TRACE_VERSION);
      return UMMGR_ERR_INVALID;
    }
  uint32_t size = ummgr_trace_get_u32 (header + 12);
  if (size < UMMGR_TRACE_HEADER_SIZE || size > HEADER_MAX)
    return damaged (reader, 12, "the header has an impossible size");
  size_t rest = size - UMMGR_TRACE_HEADER_SIZE;
  status = get_bytes (reader, header, rest, &got);
  if (!status && got < rest)
    return damaged (reader, reader->offset, "the file ends within its header");
  return status;
}

enum ummgr_status
ummgr_trace_reader_open (const char *path, struct ummgr_trace_reader **reader_p)
{
  if (!ummgr_trace_can_compress ())
    {
      ummgr_error ("trace: cannot read %s: this ummgr was built without "
		   "libzstd; install libzstd-dev and configure again", path);
      return UMMGR_ERR_UNSUPPORTED;
    }
  enum ummgr_status status = UMMGR_ERR_NOMEM;
  struct ummgr_trace_reader *reader = calloc (1, sizeof *reader);
  if (!reader)
    goto no_memory;
  reader->fd = -1;
  reader->path = strdup (path);
  reader->raw = malloc (UMMGR_TRACE_BLOCK_MAX);
  reader->stored = malloc (UMMGR_TRACE_STORED_MAX);
  if (!reader->path || !reader->raw || !reader->stored
      || !ummgr_trace_codec_init (&reader->codec, false))
    goto no_memory;
  reader->fd = open (path, O_RDONLY | O_CLOEXEC);
  if (reader->fd < 0)
    {
      ummgr_error ("trace: cannot open %s: %s", path, strerror (errno));
      status = UMMGR_ERR_IO;
      goto close_reader;
    }
  status = read_header (reader);
  if (status)
    goto close_reader;
  reader->position.offset = reader->offset;
  *reader_p = reader;
  return UMMGR_OK;

no_memory:
  ummgr_error ("trace: no memory to read %s", path);
close_reader:
  ummgr_trace_reader_close (reader);
  return status;
}

void
ummgr_trace_reader_close (struct ummgr_trace_reader *reader)
{
  if (!reader)
    return;
  if (reader->fd >= 0)
    close (reader->fd);
  ummgr_trace_codec_fini (&reader->codec);
  free (reader->stored);
  free (reader->raw);
  free (reader->path);
  free (reader);
}

/* Check a block's header; its frame has *STORED bytes.  */
static enum ummgr_status
check_block (struct ummgr_trace_reader *reader, const unsigned char *header,
	     uint64_t at, size_t *stored)
{
  if (ummgr_trace_get_u32 (header) != UMMGR_TRACE_BLOCK_MAGIC)
    return damaged (reader, at, "no block begins here");
  if (ummgr_trace_get_u32 (header + 4) != reader->sequence)
    return damaged (reader, at + 4, "the block is out of sequence");
  *stored = ummgr_trace_get_u32 (header + 8);
  if (!*stored || *stored > UMMGR_TRACE_STORED_MAX)
    return damaged (reader, at + 8, "the block has an impossible size");
  reader->raw_size = ummgr_trace_get_u32 (header + 12);
  if (!reader->raw_size || reader->raw_size > UMMGR_TRACE_BLOCK_MAX)
    return damaged (reader, at + 12, "the block has an impossible size");
  return UMMGR_OK;
}

static enum ummgr_status
next_block (struct ummgr_trace_reader *reader)
{
  unsigned char header[UMMGR_TRACE_BLOCK_HEADER_SIZE];
  uint64_t at = reader->offset;
  size_t got, stored = 0;
  reader->position.block = reader->sequence;
  enum ummgr_status status = get_bytes (reader, header, sizeof header, &got);
  if (status)
    return status;
  if (got == 0)
    return damaged (reader, at, "the file ends without its end record: the "
		    "program was stopped, or the disk was full");
  if (got < sizeof header)
    return damaged (reader, reader->offset, "the file ends within a block");
  status = check_block (reader, header, at, &stored);
  if (status)
    return status;
  status = get_bytes (reader, reader->stored, stored, &got);
  if (status)
    return status;
  if (got < stored)
    return damaged (reader, reader->offset, "the file ends within a block");
  const char *wrong
      = ummgr_trace_block_unpack (&reader->codec, reader->stored, stored,
				  reader->raw, reader->raw_size);
  if (wrong)
    return damaged (reader, at, wrong);
  reader->position.offset = at;
  reader->sequence++;
  ummgr_trace_decode_begin (&reader->decoder, reader->raw, reader->raw_size);
  return UMMGR_OK;
}

/* The end record: nothing was lost before it, and nothing follows.  */
static enum ummgr_status
check_end (struct ummgr_trace_reader *reader)
{
  unsigned char more;
  size_t got;
  if (reader->decoder.end_records
      != reader->position.records + reader->decoder.unknown)
    return damaged (reader, reader->position.offset,
		    "the end record counts other records");
  if (reader->decoder.in.at != reader->decoder.in.end)
    return damaged (reader, reader->position.offset,
		    "the block goes on after the end record");
  enum ummgr_status status = get_bytes (reader, &more, 1, &got);
  if (status)
    return status;
  if (got)
    return damaged (reader, reader->offset - 1,
		    "the file goes on after the end record");
  reader->ended = true;
  return UMMGR_OK;
}

static void
warn_unknown (struct ummgr_trace_reader *reader)
{
  if (reader->warned)
    return;
  reader->warned = true;
  ummgr_warn ("trace: %s: kinds of records that this ummgr does not know are "
	      "skipped; the ummgr that wrote it is newer", reader->path);
}

enum ummgr_status
ummgr_trace_reader_next (struct ummgr_trace_reader *reader,
			 struct ummgr_trace_record *record)
{
  if (__builtin_expect (reader->status || reader->ended, 0))
    {
      if (!reader->status)
	*record = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_END };
      return reader->status;
    }
  int result;
  while (!(result = ummgr_trace_decode (&reader->decoder, record)))
    {
      enum ummgr_status status = next_block (reader);
      if (status)
	return status;
    }
  if (reader->decoder.unknown)
    warn_unknown (reader);
  if (result < 0)
    return damaged (reader, reader->position.offset,
		    "the block holds no records that make sense");
  if (__builtin_expect (record->kind == UMMGR_TRACE_END, 0))
    return check_end (reader);
  reader->position.records++;
  return UMMGR_OK;
}

struct ummgr_trace_position
ummgr_trace_reader_position (const struct ummgr_trace_reader *reader)
{
  return reader->position;
}
