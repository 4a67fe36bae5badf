/* A trace as a stream of page events.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Accesses of launches are the GPU's, all others the CPU's.  What a device uses is
   taken for managed memory, whether the program mapped it or not: copies move
   nothing here.  What only the CPU uses has no pages; nor, beside managed memory
   of the program's own, have the small mappings that libgomp keeps under every
   policy.  What the trace left out (ummgr run --filter) is left out here: a page that
   is evicted meanwhile is used unseen.  */

#pragma once

#include "replay/replay.h"
#include "replay/tlb.h"

struct ummgr_page_totals
{
  uint64_t launches;
  uint64_t device_events;	/* Reads and writes by the GPU ...  */
  uint64_t host_events;		/* ... and by the CPU, after the filter.  */
  uint64_t filtered;		/* By the GPU, too: what a TLB serves.  */
  uint64_t strange;		/* Accesses outside every object.  */
  uint32_t units;		/* Beyond the last unit.  */
  uint32_t footprint;		/* Pages that the GPU accesses, of the objects'
				   whole life.  */
  uint64_t page_size;		/* Bytes.  */
};

struct ummgr_page_options
{
  /* Their hits are not seen by anyone.  Teams lie on the multiprocessors in
     turn.  */
  struct ummgr_tlbs_shape tlb;
  int device;			/* Launches of others are left out; -1: all
				   devices as one.  */
  uint64_t page_size;		/* The only one that will do; 0: any.  */
};

/* Read PATH to its end and give its events to SINK.  UMMGR_ERR_INVALID,
   UMMGR_ERR_IO, UMMGR_ERR_NOMEM, UMMGR_ERR_LIMIT as the reader's, or where SINK
   returned false (UMMGR_ERR_NOMEM); logged.  TOTALS may be NULL.  */
enum ummgr_status ummgr_pages_read (const char *path,
				    const struct ummgr_page_options *options,
				    const struct ummgr_page_sink *sink,
				    struct ummgr_page_totals *totals);

/* Only the totals, without events and what is filtered; to read PATH again, so
   that it must not be a pipe.  UMMGR_ERR_INVALID, logged, also where it is one, or
   the GPU accesses nothing.  */
enum ummgr_status
ummgr_pages_footprint (const char *path,
		       const struct ummgr_page_options *options,
		       struct ummgr_page_totals *totals);

/* The message that the GPU accesses nothing in PATH.  */
void ummgr_pages_complain (const char *path);
