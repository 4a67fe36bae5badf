/* Writing trace files: streams of accesses, and everything between them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A stream codes its accesses into a chunk of its own.  Chunks go into the
   file's block when they are full, and all of them before each record that
   is no access: that is the order that trace/write.h promises.

   Locks, in this order: the writer's (the file, the list of streams), then
   one stream's (its chunk and its encoder), held only to code or to copy.  */

#include "config.h"
#include "trace/write.h"

#include "base/log.h"
#include "trace/code.h"
#include "trace/file.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum
{
  CHUNK_SIZE = 1 << 16,
  /* Accesses coded under one hold of the stream's lock.  */
  BATCH = 64
};

struct ummgr_trace_stream
{
  struct ummgr_trace_writer *writer;
  struct ummgr_trace_stream *next;
  atomic_bool busy;		/* The stream's lock.  */
  uint64_t records, accesses;	/* In the chunk.  */
  size_t used;
  struct ummgr_trace_encoder encoder;
  unsigned char chunk[CHUNK_SIZE];
};

struct ummgr_trace_writer
{
  pthread_mutex_t lock;
  struct ummgr_trace_file file;
  struct ummgr_trace_stream *streams;
  uint64_t records, accesses;	/* In the file and its block.  */
  atomic_bool stopped;		/* Writing has failed or is finished.  */
};

/* In a forked child the locks may be held by threads that are not there, and
   the file is the parent's.  */
static inline bool
is_child (const struct ummgr_trace_writer *writer)
{
  return writer->file.owner != getpid ();
}

/* A spin lock: it is nearly always free, and an access costs little more
   than taking it.  The holder never waits for anything; in a forked child it
   may be a thread that is not there, so the lock is taken from it.  */
static inline void
stream_lock (struct ummgr_trace_stream *stream)
{
  while (atomic_exchange_explicit (&stream->busy, true, memory_order_acquire)
	 && !is_child (stream->writer))
    sched_yield ();
}

static inline void
stream_unlock (struct ummgr_trace_stream *stream)
{
  atomic_store_explicit (&stream->busy, false, memory_order_release);
}

static void
stream_restart (struct ummgr_trace_stream *stream)
{
  stream->records = stream->accesses = 0;
  stream->used = ummgr_trace_encode_reset (&stream->encoder, stream->chunk)
		 - stream->chunk;
}

/* Move the stream's chunk to the block.  Writer's lock held, not the
   stream's.  */
static void
collect (struct ummgr_trace_writer *writer, struct ummgr_trace_stream *stream)
{
  /* Before the stream is locked, as this may compress and write.  */
  unsigned char *to = ummgr_trace_file_room (&writer->file, CHUNK_SIZE);
  stream_lock (stream);
  if (stream->records)
    {
      memcpy (to, stream->chunk, stream->used);
      writer->file.used += stream->used;
      writer->records += stream->records;
      writer->accesses += stream->accesses;
      stream_restart (stream);
    }
  stream_unlock (stream);
}

static void
collect_all (struct ummgr_trace_writer *writer)
{
  for (struct ummgr_trace_stream *s = writer->streams; s; s = s->next)
    collect (writer, s);
}

/* What the file's state means for the streams.  Writer's lock held.  */
static void
unlock (struct ummgr_trace_writer *writer)
{
  if (writer->file.status)
    atomic_store_explicit (&writer->stopped, true, memory_order_relaxed);
  pthread_mutex_unlock (&writer->lock);
}

/* Writer's lock held.  */
static void
append (struct ummgr_trace_writer *writer,
	const struct ummgr_trace_record *record)
{
  unsigned char *to
      = ummgr_trace_file_room (&writer->file, UMMGR_TRACE_RECORD_ROOM);
  unsigned char *end = ummgr_trace_encode_record (record, writer->records,
						  writer->accesses, to);
  writer->file.used += end - to;
  writer->records++;
}

enum ummgr_status
ummgr_trace_writer_open (const char *path, const struct ummgr_trace_run *run,
			 struct ummgr_trace_writer **writer_p)
{
  struct ummgr_trace_writer *writer = calloc (1, sizeof *writer);
  if (!writer)
    {
      ummgr_error ("trace: no memory to write %s", path);
      return UMMGR_ERR_NOMEM;
    }
  enum ummgr_status status = ummgr_trace_file_open (&writer->file, path);
  if (status)
    {
      free (writer);
      return status;
    }
  pthread_mutex_init (&writer->lock, NULL);
  struct ummgr_trace_record record = { .kind = UMMGR_TRACE_RUN };
  record.u.run = *run;
  append (writer, &record);
  /* So that whatever happens the file says what it is of.  */
  ummgr_trace_file_flush (&writer->file);
  *writer_p = writer;
  return UMMGR_OK;
}

enum ummgr_status
ummgr_trace_writer_finish (struct ummgr_trace_writer *writer)
{
  static const struct ummgr_trace_record end = { .kind = UMMGR_TRACE_END };
  if (is_child (writer))
    return UMMGR_OK;
  pthread_mutex_lock (&writer->lock);
  collect_all (writer);
  append (writer, &end);
  ummgr_trace_file_flush (&writer->file);
  ummgr_trace_file_finish (&writer->file);
  enum ummgr_status status = writer->file.status;
  atomic_store_explicit (&writer->stopped, true, memory_order_relaxed);
  pthread_mutex_unlock (&writer->lock);
  return status;
}

enum ummgr_status
ummgr_trace_writer_close (struct ummgr_trace_writer *writer)
{
  enum ummgr_status status = ummgr_trace_writer_finish (writer);
  for (struct ummgr_trace_stream *s = writer->streams, *next; s; s = next)
    {
      next = s->next;
      free (s);
    }
  ummgr_trace_file_close (&writer->file);
  free (writer);
  return status;
}

void
ummgr_trace_write (struct ummgr_trace_writer *writer,
		   const struct ummgr_trace_record *record)
{
  if (!ummgr_trace_has_payload (record->kind) || is_child (writer)
      || atomic_load_explicit (&writer->stopped, memory_order_relaxed))
    return;
  pthread_mutex_lock (&writer->lock);
  collect_all (writer);
  append (writer, record);
  unlock (writer);
}

enum ummgr_status
ummgr_trace_flush (struct ummgr_trace_writer *writer)
{
  if (is_child (writer))
    return UMMGR_OK;
  pthread_mutex_lock (&writer->lock);
  collect_all (writer);
  ummgr_trace_file_flush (&writer->file);
  enum ummgr_status status = writer->file.status;
  unlock (writer);
  return status;
}

uint64_t
ummgr_trace_writer_size (struct ummgr_trace_writer *writer)
{
  if (is_child (writer))
    return 0;
  pthread_mutex_lock (&writer->lock);
  uint64_t size = writer->file.offset;
  unlock (writer);
  return size;
}

struct ummgr_trace_stream *
ummgr_trace_stream_open (struct ummgr_trace_writer *writer)
{
  struct ummgr_trace_stream *stream = calloc (1, sizeof *stream);
  if (!stream)
    {
      ummgr_error ("trace: no memory for a thread's stream; what it accesses "
		   "is not traced");
      return NULL;
    }
  stream->writer = writer;
  stream_restart (stream);
  if (is_child (writer))
    return stream;
  pthread_mutex_lock (&writer->lock);
  stream->next = writer->streams;
  writer->streams = stream;
  pthread_mutex_unlock (&writer->lock);
  return stream;
}

void
ummgr_trace_stream_close (struct ummgr_trace_stream *stream)
{
  struct ummgr_trace_writer *writer = stream->writer;
  /* In a child the list still holds it, and is walked when it closes.  */
  if (is_child (writer))
    return;
  pthread_mutex_lock (&writer->lock);
  collect (writer, stream);
  struct ummgr_trace_stream **link = &writer->streams;
  while (*link != stream)
    link = &(*link)->next;
  *link = stream->next;
  unlock (writer);
  free (stream);
}

/* The chunk is full: hand it over.  */
static void
hand_over (struct ummgr_trace_stream *stream)
{
  struct ummgr_trace_writer *writer = stream->writer;
  if (is_child (writer))
    {
      stream_restart (stream);
      return;
    }
  pthread_mutex_lock (&writer->lock);
  collect (writer, stream);
  unlock (writer);
}

/* Code accesses until the chunk is full; how many.  Stream's lock held.  */
static size_t
encode (struct ummgr_trace_stream *stream,
	const struct ummgr_trace_access *accesses, size_t count)
{
  unsigned char *to = stream->chunk + stream->used;
  const unsigned char *full = stream->chunk + CHUNK_SIZE
			      - UMMGR_TRACE_ACCESS_ROOM;
  size_t i;
  for (i = 0; i < count && to <= full; i++)
    {
      const struct ummgr_trace_access *access = &accesses[i];
      struct ummgr_trace_access single;
      if (__builtin_expect (!access->size || !access->count, 0))
	continue;
      if (access->count == 1 && access->stride)
	{
	  single = *access;
	  single.stride = 0;
	  access = &single;
	}
      to = ummgr_trace_encode_access (&stream->encoder, access, to);
      stream->records++;
      stream->accesses += access->count;
    }
  stream->used = to - stream->chunk;
  return i;
}

void
ummgr_trace_stream_write (struct ummgr_trace_stream *stream,
			  const struct ummgr_trace_access *accesses,
			  size_t count)
{
  if (atomic_load_explicit (&stream->writer->stopped, memory_order_relaxed))
    return;
  while (count)
    {
      stream_lock (stream);
      size_t done = encode (stream, accesses, count < BATCH ? count : BATCH);
      bool full = stream->used > CHUNK_SIZE - UMMGR_TRACE_ACCESS_ROOM;
      stream_unlock (stream);
      accesses += done;
      count -= done;
      if (full)
	hand_over (stream);
    }
}
