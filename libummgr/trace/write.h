/* Writing trace files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One writer makes one file.  Accesses go through streams, one for each
   thread that reports them; all else goes to the writer directly.

   Order in the file:
   - the accesses of one stream stand in the order of the calls;
   - a record given to ummgr_trace_write stands after every access whose call
     returned before it (on any thread, if the program orders the two), and
     before every access whose call begins after it returns;
   - accesses of different streams with no record between them stand in any
     order, in chunks.

   Memory: a few MiB for the writer and about 140 KiB for each stream, however
   long the trace.

   Errors: the first failure of a write (a full disk) is logged once, the file
   is cut back to its last whole block, and everything later is dropped; the
   program goes on.  A program that dies leaves a file that reads well up to
   what the last block held: a block is written when a MiB of operations has
   come together, and at ummgr_trace_flush.

   After fork, the child's calls do nothing: the file is its parent's.  No
   function here may be called from a signal handler.  */

#pragma once

#include "base/status.h"
#include "trace/format.h"

#include <stddef.h>

struct ummgr_trace_writer;
struct ummgr_trace_stream;

/* Create (or empty) the file PATH, write its header and RUN to it.  *WRITER
   is freed by ummgr_trace_writer_close.  UMMGR_ERR_UNSUPPORTED without
   libzstd, UMMGR_ERR_IO, UMMGR_ERR_NOMEM: logged.  */
enum ummgr_status
ummgr_trace_writer_open (const char *path, const struct ummgr_trace_run *run,
			 struct ummgr_trace_writer **writer);

/* Write what is pending, then the end record, and close the file.  Any thread,
   at exit too, while others go on: their calls do nothing from now on.  The
   first error that writing met (logged then).  */
enum ummgr_status ummgr_trace_writer_finish (struct ummgr_trace_writer *writer);

/* Finish, and free WRITER and the streams still open: no thread may use them
   any more.  The same status.  */
enum ummgr_status ummgr_trace_writer_close (struct ummgr_trace_writer *writer);

/* Append RECORD, of any kind but UMMGR_TRACE_ACCESS and UMMGR_TRACE_END, which
   are ignored.  Null strings are "", long ones are cut.  Any thread.  Takes
   the writer's lock, and each stream's for a moment.  */
void ummgr_trace_write (struct ummgr_trace_writer *writer,
			const struct ummgr_trace_record *record);

/* Write all that was recorded so far into the file, as a block.  Any thread.
   Often called, it costs compression.  */
enum ummgr_status ummgr_trace_flush (struct ummgr_trace_writer *writer);

/* How many bytes are in the file, in whole blocks.  Any thread.  */
uint64_t ummgr_trace_writer_size (struct ummgr_trace_writer *writer);

/* A stream of accesses, for one thread at a time.  NULL: no memory, logged.
   Any thread.  */
struct ummgr_trace_stream *
ummgr_trace_stream_open (struct ummgr_trace_writer *writer);

/* Hand over what is pending and free STREAM.  */
void ummgr_trace_stream_close (struct ummgr_trace_stream *stream);

/* Append COUNT accesses.  The stream's thread.  Several in one call are
   cheaper.  One with size or count 0 is no access and is dropped; the stride
   of a single one does not matter.  */
void ummgr_trace_stream_write (struct ummgr_trace_stream *stream,
			       const struct ummgr_trace_access *accesses,
			       size_t count);
