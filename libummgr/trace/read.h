/* Reading trace files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A reader hands out a file's records in order, one or some at a time, and
   holds a few blocks (6 MiB), however long the file.  The file may be a pipe.
   Beside a long file that is none a thread of the reader's unpacks ahead; what
   is handed out, and when, is the same.

   Nothing of a block is handed out before its checksum was found right.  A
   damaged or cut file gives all records of the blocks before the damage, then
   an error; the log names the byte.  Values are as written, but a file made
   with intent may hold any: check offsets against objects before use.

   A reader is for one thread at a time; several readers are independent.  */

#pragma once

#include "base/status.h"
#include "trace/code.h"
#include "trace/limit.h"

struct ummgr_trace_reader;

/* Open PATH and check its header.  *READER is freed by
   ummgr_trace_reader_close.  UMMGR_ERR_INVALID: not a trace, or of a version
   that this reader does not know, or an option of the limit's is bad;
   UMMGR_ERR_IO; UMMGR_ERR_NOMEM; UMMGR_ERR_UNSUPPORTED without libzstd.  All
   logged.  */
enum ummgr_status ummgr_trace_reader_open (const char *path,
					   struct ummgr_trace_reader **reader);
void ummgr_trace_reader_close (struct ummgr_trace_reader *reader);

/* The next record, in *RECORD; strings and arrays in it hold until the next
   call or the close.  UMMGR_TRACE_END is the last, and is given again after it.  Kinds
   that are not known are skipped, with one warning.  UMMGR_ERR_INVALID: the
   file is damaged or was cut; UMMGR_ERR_IO: it cannot be read.  Logged once;
   the same status again after it, and *RECORD holds nothing.  */
enum ummgr_status ummgr_trace_reader_next (struct ummgr_trace_reader *reader,
					   struct ummgr_trace_record *record);

/* Accesses in a row: all of one launch, and a slot says the same of all that
   name it.  Which thread made each, only ummgr_trace_reader_next tells.  */
struct ummgr_trace_batch
{
  size_t count;
  uint64_t launch;
  uint64_t epoch;		/* Slots of two batches of the same epoch have
				   the same meaning.  */
  const struct ummgr_trace_point *points;
  const struct ummgr_trace_slot *slots;	/* Not their LAST and STEP.  */
};

/* As ummgr_trace_reader_next, but for accesses, which go to *BATCH.  Its COUNT
   is 0 if there is something else, in *RECORD.  */
enum ummgr_status
ummgr_trace_reader_batch (struct ummgr_trace_reader *reader,
			  struct ummgr_trace_batch *batch,
			  struct ummgr_trace_record *record);

/* The I-th, with team and thread 0.  */
struct ummgr_trace_access
ummgr_trace_batch_access (const struct ummgr_trace_batch *batch, size_t i);

/* Unpack ahead in any case (but for a pipe), or never.  Before the first
   record.  */
void ummgr_trace_reader_ahead (struct ummgr_trace_reader *reader, bool ahead);

/* The file is still being written, and only its first BYTES, whole blocks, are to be read: there it
   ends, as with an end record.  Before the first record.  */
void ummgr_trace_reader_until (struct ummgr_trace_reader *reader, uint64_t bytes);

/* What work on the reader's records may take; whoever does more than look at each
   takes it from here.  Once it is exceeded the next call for a record gives
   UMMGR_ERR_LIMIT, which was logged.  Valid until the close.  */
struct ummgr_trace_limit *
ummgr_trace_reader_limit (struct ummgr_trace_reader *reader);

/* How far the reader is, for progress and for messages.  OFFSET is the byte
   at which the current block begins, or after an error the byte that it is
   about.  */
struct ummgr_trace_position
{
  uint64_t offset;		/* Bytes into the file.  */
  uint64_t block;		/* Number of the block, from 0.  */
  uint64_t records;		/* Handed out.  */
};

struct ummgr_trace_position
ummgr_trace_reader_position (const struct ummgr_trace_reader *reader);
