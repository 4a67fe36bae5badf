/* What reading a trace may take.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Few bytes of a file can ask for any amount of work and memory: one run of
   accesses says how many there are, one object how long it is.  A reader takes
   what it does from a limit before it does it: steps, which are records and the
   pages that they name, and bytes of memory.  The steps grow with what was read
   of the file.

   For one thread at a time.  */

#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Steps for each byte of a file, beside those of --read-steps.  A program that
   goes over its data against their order leaves some 200 in a byte.  */
enum { UMMGR_TRACE_BYTE_STEPS = 1024 };

struct ummgr_trace_limit
{
  const char *path;		/* For the message; the reader's.  */
  uint64_t steps, memory;	/* Left.  */
  bool exceeded;
};

/* From the environment's options; UMMGR_ERR_INVALID if one is bad, logged.  */
enum ummgr_status ummgr_trace_limit_init (struct ummgr_trace_limit *limit,
					  const char *path);

/* Log that the option called NAME is exceeded, the first time.  Returns false.  */
bool ummgr_trace_limit_exceed (struct ummgr_trace_limit *limit,
			       const char *name);

/* Take STEPS, or BYTES of memory.  False, with EXCEEDED set and logged, if there
   are not so many left; a limit that is exceeded stays so.  Without LIMIT there is
   none.  */
static inline bool
ummgr_trace_limit_steps (struct ummgr_trace_limit *limit, uint64_t steps)
{
  if (!limit)
    return true;
  if (__builtin_expect (limit->exceeded || steps > limit->steps, 0))
    return ummgr_trace_limit_exceed (limit, "read-steps");
  limit->steps -= steps;
  return true;
}

static inline bool
ummgr_trace_limit_memory (struct ummgr_trace_limit *limit, uint64_t bytes)
{
  if (!limit)
    return true;
  if (limit->exceeded || bytes > limit->memory)
    return ummgr_trace_limit_exceed (limit, "read-memory");
  limit->memory -= bytes;
  return true;
}
