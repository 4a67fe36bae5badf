/* The blocks of a trace file, one after the other, unpacked.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Beside a long file a thread unpacks the next few blocks while the caller
   works on this one.  Errors come in their place, after all blocks before
   them.  Logs nothing.  */

#pragma once

#include "base/status.h"
#include "trace/block.h"

#include <pthread.h>

/* Blocks in memory: the caller's, and those ahead of it.  */
enum { UMMGR_TRACE_AHEAD = 4 };

struct ummgr_trace_fetched
{
  uint64_t at;			/* The byte at which the block begins.  */
  size_t stored;		/* Bytes that it has in the file.  */
  unsigned char *raw;		/* The block, unpacked ...  */
  size_t size;
  /* ... unless there is none: */
  bool end;			/* The file ends here, where a block may.  */
  int error;			/* errno: byte WRONG_AT can't be read.  */
  const char *wrong;		/* Or the file is damaged there.  */
  uint64_t wrong_at;
};

enum ummgr_trace_ahead
{
  UMMGR_TRACE_AHEAD_LONG,	/* A thread for files that are long.  */
  UMMGR_TRACE_AHEAD_NEVER,
  UMMGR_TRACE_AHEAD_ALWAYS
};

struct ummgr_trace_fetch
{
  bool open;
  int fd;
  uint64_t offset;		/* Bytes read.  */
  uint32_t sequence;		/* Of the next block.  */
  uint64_t unpacked;		/* Bytes.  */
  struct ummgr_trace_codec codec;
  unsigned char *stored;	/* UMMGR_TRACE_STORED_MAX bytes.  */
  struct ummgr_trace_fetched ring[UMMGR_TRACE_AHEAD];
  enum ummgr_trace_ahead ahead;	/* As asked for; NEVER once that is done. */
  /* From here on the thread's and the caller's; of what is above
     AHEAD and ring[TAKEN] are the caller's, and the rest is the thread's.  */
  bool threaded;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned made, taken;		/* Blocks; under LOCK.  */
  bool stop;			/* Under LOCK.  */
};

/* From the file FD on, which this closes.  A zeroed struct, or one for which
   this failed (UMMGR_ERR_NOMEM), may be given to ummgr_trace_fetch_fini.  */
enum ummgr_status ummgr_trace_fetch_init (struct ummgr_trace_fetch *fetch,
					  int fd);
void ummgr_trace_fetch_fini (struct ummgr_trace_fetch *fetch);

/* Bytes before the first block: up to SIZE, or what there is; *GOT of them.
   0, or an errno for byte fetch->offset.  */
int ummgr_trace_fetch_bytes (struct ummgr_trace_fetch *fetch, void *to,
			     size_t size, size_t *got);

/* The next block, which holds until the next call; the same again if there is
   none.  */
const struct ummgr_trace_fetched *
ummgr_trace_fetch_next (struct ummgr_trace_fetch *fetch);
