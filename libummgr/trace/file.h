/* A trace file that is being written: blocks, appended.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One thread at a time: trace/write.c holds its writer's lock.  */

#pragma once

#include "base/descriptor.h"
#include "base/status.h"
#include "trace/block.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ummgr_trace_file
{
  struct ummgr_descriptor out;
  char *path;
  pid_t owner;			/* The process that may write.  */
  uint64_t offset;		/* Bytes of whole blocks written.  */
  uint32_t sequence;		/* Of the next block.  */
  enum ummgr_status status;	/* The first error, which ended writing.  */
  bool finished;		/* What comes later is dropped.  */
  struct ummgr_trace_codec codec;
  size_t used;			/* Bytes in RAW.  */
  unsigned char *raw;		/* UMMGR_TRACE_BLOCK_MAX bytes.  */
  unsigned char *stored;	/* UMMGR_TRACE_STORED_MAX bytes.  */
};

/* Create PATH and write the header.  Errors are logged; then nothing needs to
   be closed.  */
enum ummgr_status ummgr_trace_file_open (struct ummgr_trace_file *file,
					 const char *path);

/* Make room for SIZE more bytes in RAW, by writing the block if need be, and
   say where they go.  The caller adds what it used to USED.  */
unsigned char *ummgr_trace_file_room (struct ummgr_trace_file *file,
				      size_t size);

/* Write what is in RAW as a block.  After an error, drop it.  */
void ummgr_trace_file_flush (struct ummgr_trace_file *file);

/* Close without flushing; later blocks are dropped.  A child's close says
   nothing.  */
void ummgr_trace_file_finish (struct ummgr_trace_file *file);

/* The same, and free.  */
void ummgr_trace_file_close (struct ummgr_trace_file *file);
