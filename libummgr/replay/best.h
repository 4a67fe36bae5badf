/* Inside policies.c: the best possible, of a trace, on a machine.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Takes what a sink does, and makes windows and chunks of it (bound.h).  Pages to which
   the same happened, in the same windows, are one chunk: they are told from each other
   by a tree of histories, of which each page is at some node, so that memory is bounded by
   how many there are.  How long a launch takes with all data on the device, and how many
   bytes it has of each page, a machine says whose memory is large enough; or, if that is
   less, how long it takes with all data in reach of a link that takes no time.

   As in all of a replay, what the trace doesn't have didn't happen: results that the host
   is not seen to read need not come back.

   Not thread-safe.  */

#pragma once

#include "device/figures.h"
#include "replay/pages.h"
#include "replay/replay.h"

struct ummgr_best;

/* NULL without memory.  */
struct ummgr_best *ummgr_best_create (const struct ummgr_figures *device);
void ummgr_best_destroy (struct ummgr_best *best);

const struct ummgr_figures *ummgr_best_figures (const struct ummgr_best *best);

/* Bytes of memory that it takes for a unit, at most; for an object its machine takes some.  */
size_t ummgr_best_unit_bytes (const struct ummgr_best *best);

/* As the calls of a sink.  */
bool ummgr_best_grow (struct ummgr_best *best, uint32_t units);
bool ummgr_best_object (struct ummgr_best *best, const struct ummgr_page_object *object);
bool ummgr_best_events (struct ummgr_best *best, const struct ummgr_page_event *events,
			size_t count);
void ummgr_best_region (struct ummgr_best *best, const struct ummgr_page_region *region);
void ummgr_best_taken (struct ummgr_best *best, const struct ummgr_trace_taken *taken);
void ummgr_best_ran (struct ummgr_best *best, const struct ummgr_trace_ran *ran);
void ummgr_best_told (struct ummgr_best *best);
bool ummgr_best_steps (struct ummgr_best *best, struct ummgr_gpu_steps *steps,
		       const struct ummgr_areas *areas);

/* After the last of them: no placement in MEMORY takes less.  Errors are logged.  */
enum ummgr_status ummgr_best_seconds (struct ummgr_best *best, uint64_t memory,
				      double *seconds_p);
