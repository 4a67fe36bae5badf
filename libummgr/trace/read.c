/* Reading trace files: header, blocks, errors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns where in the file the reader is, and its error.  Blocks come from
   trace/fetch.c; what their bytes mean is trace/decode.c's.  */

#include "config.h"
#include "trace/read.h"

#include "base/log.h"
#include "base/progress.h"
#include "trace/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
  HEADER_MAX = 4096,		/* A longer header is no header.  */
  BATCH = 1024			/* Few enough to stay in the first cache.  */
};

struct ummgr_trace_reader
{
  char *path;
  struct ummgr_trace_position position;
  uint64_t blocks;		/* Before the current one, or the next.  */
  uint64_t size;		/* Of the file; 0: not known.  */
  uint64_t until;		/* Where it ends; 0: where its end record is.  */
  enum ummgr_status status;	/* Of the error that ended reading.  */
  bool ended;			/* The end record was read.  */
  bool warned;			/* Of unknown records.  */
  struct ummgr_trace_limit limit;
  struct ummgr_trace_fetch fetch;
  struct ummgr_trace_decoder decoder;
  struct ummgr_trace_point points[BATCH];
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

static enum ummgr_status
unreadable (struct ummgr_trace_reader *reader, uint64_t at, int error)
{
  ummgr_error ("trace: %s: cannot read byte %llu: %s", reader->path,
	       (unsigned long long) at, strerror (error));
  reader->position.offset = at;
  return reader->status = UMMGR_ERR_IO;
}

/* Bytes of the header, or what there is; *GOT of them.  */
static enum ummgr_status
get_bytes (struct ummgr_trace_reader *reader, void *to, size_t size,
	   size_t *got)
{
  int error = ummgr_trace_fetch_bytes (&reader->fetch, to, size, got);
  return error ? unreadable (reader, reader->fetch.offset, error) : UMMGR_OK;
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
    return damaged (reader, reader->fetch.offset,
		    "the file ends within its header");
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
  reader->path = strdup (path);
  if (!reader->path)
    goto no_memory;
  status = ummgr_trace_limit_init (&reader->limit, reader->path);
  if (status)
    goto close_reader;
  status = UMMGR_ERR_NOMEM;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    {
      ummgr_error ("trace: cannot open %s: %s", path, strerror (errno));
      status = UMMGR_ERR_IO;
      goto close_reader;
    }
  struct stat st;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode))
    reader->size = st.st_size;
  if (ummgr_trace_fetch_init (&reader->fetch, fd))
    goto no_memory;
  status = read_header (reader);
  if (status)
    goto close_reader;
  reader->position.offset = reader->fetch.offset;
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
  ummgr_progress_end ();
  ummgr_trace_fetch_fini (&reader->fetch);
  free (reader->path);
  free (reader);
}

void
ummgr_trace_reader_ahead (struct ummgr_trace_reader *reader, bool ahead)
{
  reader->fetch.ahead = ahead ? UMMGR_TRACE_AHEAD_ALWAYS
			: UMMGR_TRACE_AHEAD_NEVER;
}

void
ummgr_trace_reader_until (struct ummgr_trace_reader *reader, uint64_t bytes)
{
  reader->until = bytes;
  /* Whoever unpacks ahead would find blocks that are not whole.  */
  if (bytes)
    ummgr_trace_reader_ahead (reader, false);
}

static enum ummgr_status
next_block (struct ummgr_trace_reader *reader)
{
  const struct ummgr_trace_fetched *block
      = ummgr_trace_fetch_next (&reader->fetch);
  reader->position.block = reader->blocks;
  if (reader->until && block->at >= reader->until)
    {
      reader->ended = true;
      return UMMGR_OK;
    }
  if (block->error)
    return unreadable (reader, block->wrong_at, block->error);
  if (block->end)
    return damaged (reader, block->at, "the file ends without its end record: "
		    "the program was stopped, or the disk was full");
  if (block->wrong)
    return damaged (reader, block->wrong_at, block->wrong);
  reader->limit.steps += (uint64_t) block->stored * UMMGR_TRACE_BYTE_STEPS;
  reader->position.offset = block->at;
  reader->blocks++;
  ummgr_progress_show (reader->path, block->at, reader->until ? reader->until : reader->size);
  ummgr_trace_decode_begin (&reader->decoder, block->raw, block->size);
  return UMMGR_OK;
}

/* The end record: nothing was lost before it, and nothing follows.  */
static enum ummgr_status
check_end (struct ummgr_trace_reader *reader)
{
  if (reader->decoder.end_records
      != reader->position.records + reader->decoder.unknown)
    return damaged (reader, reader->position.offset,
		    "the end record counts other records");
  if (reader->decoder.in.at != reader->decoder.in.end)
    return damaged (reader, reader->position.offset,
		    "the block goes on after the end record");
  const struct ummgr_trace_fetched *block
      = ummgr_trace_fetch_next (&reader->fetch);
  if (block->error && block->wrong_at == block->at)
    return unreadable (reader, block->at, block->error);
  if (!block->end)
    return damaged (reader, block->at, "the file goes on after the end record");
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

/* RECORD came of the decoder with RESULT, which is not 0.  */
static enum ummgr_status
hand_out (struct ummgr_trace_reader *reader,
	  const struct ummgr_trace_record *record, int result)
{
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

/* Is there nothing new to hand out?  */
static inline bool
is_over (struct ummgr_trace_reader *reader)
{
  if (__builtin_expect (reader->limit.exceeded && !reader->status, 0))
    reader->status = UMMGR_ERR_LIMIT;
  return reader->status || reader->ended;
}

/* As it was before: after the end, or after an error.  */
static enum ummgr_status
hand_out_again (struct ummgr_trace_reader *reader,
		struct ummgr_trace_record *record)
{
  if (!reader->status)
    *record = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_END };
  return reader->status;
}

enum ummgr_status
ummgr_trace_reader_next (struct ummgr_trace_reader *reader,
			 struct ummgr_trace_record *record)
{
  if (__builtin_expect (is_over (reader), 0))
    return hand_out_again (reader, record);
  int result;
  while (!(result = ummgr_trace_decode (&reader->decoder, record)))
    {
      enum ummgr_status status = next_block (reader);
      if (status)
	return status;
      if (reader->ended)
	return hand_out_again (reader, record);
    }
  return hand_out (reader, record, result);
}

enum ummgr_status
ummgr_trace_reader_batch (struct ummgr_trace_reader *reader,
			  struct ummgr_trace_batch *batch,
			  struct ummgr_trace_record *record)
{
  struct ummgr_trace_decoder *decoder = &reader->decoder;
  *batch = (struct ummgr_trace_batch) { .points = reader->points,
					.slots = decoder->slots };
  if (is_over (reader))
    return hand_out_again (reader, record);
  for (;;)
    {
      batch->count = ummgr_trace_decode_points (decoder, reader->points, BATCH,
						&batch->launch);
      if (batch->count)
	{
	  batch->epoch = decoder->epoch;
	  reader->position.records += batch->count;
	  return UMMGR_OK;
	}
      int result = ummgr_trace_decode (decoder, record);
      if (result)
	return hand_out (reader, record, result);
      enum ummgr_status status = next_block (reader);
      if (status)
	return status;
      if (reader->ended)
	return hand_out_again (reader, record);
    }
}

struct ummgr_trace_access
ummgr_trace_batch_access (const struct ummgr_trace_batch *batch, size_t i)
{
  const struct ummgr_trace_slot *slot = &batch->slots[batch->points[i].slot];
  return (struct ummgr_trace_access) {
    .object = slot->object, .offset = batch->points[i].offset,
    .stride = slot->stride, .count = slot->count, .launch = batch->launch,
    .size = slot->size, .access = slot->access
  };
}

struct ummgr_trace_limit *
ummgr_trace_reader_limit (struct ummgr_trace_reader *reader)
{
  return &reader->limit;
}

struct ummgr_trace_position
ummgr_trace_reader_position (const struct ummgr_trace_reader *reader)
{
  return reader->position;
}
