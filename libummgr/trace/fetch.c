/* The blocks of a trace file: reading, checking, unpacking ahead.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the descriptor, the blocks in memory and the thread.  What a block
   means, and what to say of an error, is trace/read.c's.  */

#include "config.h"
#include "trace/fetch.h"

#include "trace/bytes.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A shorter trace is read before a thread has begun.  */
enum { LONG_BYTES = 4 << 20 };

enum ummgr_status
ummgr_trace_fetch_init (struct ummgr_trace_fetch *fetch, int fd)
{
  *fetch = (struct ummgr_trace_fetch) { .open = true, .fd = fd };
  fetch->stored = malloc (UMMGR_TRACE_STORED_MAX);
  fetch->ring[0].raw = malloc (UMMGR_TRACE_BLOCK_MAX);
  if (!fetch->stored || !fetch->ring[0].raw
      || !ummgr_trace_codec_init (&fetch->codec, false))
    return UMMGR_ERR_NOMEM;
  return UMMGR_OK;
}

static void
stop_thread (struct ummgr_trace_fetch *fetch)
{
  pthread_mutex_lock (&fetch->lock);
  fetch->stop = true;
  pthread_cond_signal (&fetch->changed);
  pthread_mutex_unlock (&fetch->lock);
  pthread_join (fetch->thread, NULL);
  pthread_cond_destroy (&fetch->changed);
  pthread_mutex_destroy (&fetch->lock);
}

void
ummgr_trace_fetch_fini (struct ummgr_trace_fetch *fetch)
{
  if (!fetch->open)
    return;
  if (fetch->threaded)
    stop_thread (fetch);
  close (fetch->fd);
  ummgr_trace_codec_fini (&fetch->codec);
  free (fetch->stored);
  for (unsigned i = 0; i < UMMGR_TRACE_AHEAD; i++)
    free (fetch->ring[i].raw);
}

int
ummgr_trace_fetch_bytes (struct ummgr_trace_fetch *fetch, void *to,
			 size_t size, size_t *got)
{
  size_t have = 0;
  int error = 0;
  while (have < size)
    {
      ssize_t n = read (fetch->fd, (char *) to + have, size - have);
      if (n < 0 && errno == EINTR)
	continue;
      if (n < 0)
	error = errno;
      if (n <= 0)
	break;
      have += n;
    }
  fetch->offset += have;
  *got = have;
  return error;
}

static void
damaged (struct ummgr_trace_fetched *to, uint64_t at, const char *what)
{
  to->wrong = what;
  to->wrong_at = at;
}

/* Check a block's header; its frame has *STORED bytes.  */
static bool
check_header (const struct ummgr_trace_fetch *fetch,
	      const unsigned char *header, struct ummgr_trace_fetched *to,
	      size_t *stored)
{
  static const char size[] = "the block has an impossible size";
  *stored = ummgr_trace_get_u32 (header + 8);
  to->size = ummgr_trace_get_u32 (header + 12);
  if (ummgr_trace_get_u32 (header) != UMMGR_TRACE_BLOCK_MAGIC)
    damaged (to, to->at, "no block begins here");
  else if (ummgr_trace_get_u32 (header + 4) != fetch->sequence)
    damaged (to, to->at + 4, "the block is out of sequence");
  else if (!*stored || *stored > UMMGR_TRACE_STORED_MAX)
    damaged (to, to->at + 8, size);
  else if (!to->size || to->size > UMMGR_TRACE_BLOCK_MAX)
    damaged (to, to->at + 12, size);
  return !to->wrong;
}

/* Bytes of a block; false, and TO says why, if they are not there.  */
static bool
get_block_bytes (struct ummgr_trace_fetch *fetch, void *bytes, size_t size,
		 struct ummgr_trace_fetched *to)
{
  size_t got;
  to->error = ummgr_trace_fetch_bytes (fetch, bytes, size, &got);
  if (to->error)
    to->wrong_at = fetch->offset;
  else if (got == 0 && fetch->offset == to->at)
    to->end = true;
  else if (got < size)
    damaged (to, fetch->offset, "the file ends within a block");
  else
    return true;
  return false;
}

/* Read and unpack the next block into TO; false if there is none.  */
static bool
make_block (struct ummgr_trace_fetch *fetch, struct ummgr_trace_fetched *to)
{
  unsigned char header[UMMGR_TRACE_BLOCK_HEADER_SIZE];
  size_t stored;
  to->at = fetch->offset;
  if (!get_block_bytes (fetch, header, sizeof header, to)
      || !check_header (fetch, header, to, &stored)
      || !get_block_bytes (fetch, fetch->stored, stored, to))
    return false;
  const char *wrong = ummgr_trace_block_unpack (&fetch->codec, fetch->stored,
						stored, to->raw, to->size);
  if (wrong)
    damaged (to, to->at, wrong);
  to->stored = fetch->offset - to->at;
  fetch->sequence++;
  fetch->unpacked += to->size;
  return !wrong;
}

static void *
make_ahead (void *data)
{
  struct ummgr_trace_fetch *fetch = data;
  bool more = true;
  pthread_mutex_lock (&fetch->lock);
  while (more)
    {
      while (fetch->made - fetch->taken == UMMGR_TRACE_AHEAD && !fetch->stop)
	pthread_cond_wait (&fetch->changed, &fetch->lock);
      if (fetch->stop)
	break;
      struct ummgr_trace_fetched *to
	  = &fetch->ring[fetch->made % UMMGR_TRACE_AHEAD];
      pthread_mutex_unlock (&fetch->lock);
      more = make_block (fetch, to);
      pthread_mutex_lock (&fetch->lock);
      fetch->made++;
      pthread_cond_signal (&fetch->changed);
    }
  pthread_mutex_unlock (&fetch->lock);
  return NULL;
}

/* Begin to work ahead, where that is of use: with another processor, and not at
   a pipe, where it could wait for ever.  Else all goes on without.  */
static void
start_thread (struct ummgr_trace_fetch *fetch)
{
  struct stat st;
  sigset_t all, old;
  if ((fetch->ahead == UMMGR_TRACE_AHEAD_LONG
       && sysconf (_SC_NPROCESSORS_ONLN) < 2)
      || fstat (fetch->fd, &st) || !S_ISREG (st.st_mode))
    return;
  for (unsigned i = 0; i < UMMGR_TRACE_AHEAD; i++)
    if (!fetch->ring[i].raw
	&& !(fetch->ring[i].raw = malloc (UMMGR_TRACE_BLOCK_MAX)))
      return;
  pthread_mutex_init (&fetch->lock, NULL);
  pthread_cond_init (&fetch->changed, NULL);
  /* The program's handlers run in its own threads.  */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  fetch->threaded = !pthread_create (&fetch->thread, NULL, make_ahead, fetch);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  if (fetch->threaded)
    return;
  pthread_cond_destroy (&fetch->changed);
  pthread_mutex_destroy (&fetch->lock);
}

static bool
is_last (const struct ummgr_trace_fetched *block)
{
  return block->end || block->error || block->wrong;
}

const struct ummgr_trace_fetched *
ummgr_trace_fetch_next (struct ummgr_trace_fetch *fetch)
{
  struct ummgr_trace_fetched *block
      = &fetch->ring[fetch->taken % UMMGR_TRACE_AHEAD];
  bool held = fetch->threaded;
  if (is_last (block))
    return block;
  if (fetch->ahead == UMMGR_TRACE_AHEAD_ALWAYS
      || (fetch->ahead == UMMGR_TRACE_AHEAD_LONG
	  && fetch->unpacked >= LONG_BYTES))
    {
      start_thread (fetch);
      fetch->ahead = UMMGR_TRACE_AHEAD_NEVER;
    }
  if (!fetch->threaded)
    {
      make_block (fetch, block);
      return block;
    }
  pthread_mutex_lock (&fetch->lock);
  fetch->taken += held;
  pthread_cond_signal (&fetch->changed);
  while (fetch->made == fetch->taken)
    pthread_cond_wait (&fetch->changed, &fetch->lock);
  block = &fetch->ring[fetch->taken % UMMGR_TRACE_AHEAD];
  pthread_mutex_unlock (&fetch->lock);
  return block;
}
