/* Replay of a trace under page replacement policies, all in one pass.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "replay/memory.h"
#include "replay/pages.h"

/* A policy and a capacity, and what came of them.  */
struct ummgr_replay_case
{
  /* A name of paging/paging.h; "ideal"; "rrip-thrashing" (what HPE's authors give to
     applications of type II).  */
  const char *policy;
  double part;			/* Of the footprint; 0: BYTES says.  */
  uint64_t bytes;

  /* Filled in.  */
  uint32_t capacity;		/* Pages, at least 1.  */
  struct ummgr_replay_counts counts;
  bool was_full;
  bool has_ratios;		/* HPE's.  */
  double ratio1, ratio2;
  const char *category;		/* Of HPE, or NULL.  */
  uint32_t switches;		/* Of HPE's strategy.  */
  /* Of HPE, on average: page sets compared by a search of MRU-C, and entries of the
     hit record cache in use at a transfer; -1: there was none.  */
  double compared, entries;
};

struct ummgr_replay_options
{
  struct ummgr_page_options pages;
  enum ummgr_replay_hits hits;
};

/* Replay PATH for CASES[0..COUNT).  Where one has a part of the footprint, PATH
   is read twice, so it must not be a pipe.  UMMGR_ERR_INVALID also where the GPU
   accesses nothing; errors are logged.  */
enum ummgr_status
ummgr_replay_evict (const char *path,
		    const struct ummgr_replay_options *options,
		    struct ummgr_replay_case *cases, size_t count,
		    struct ummgr_page_totals *totals);

/* The name of an enum ummgr_hpe_category; NULL if there is none yet.  */
const char *ummgr_replay_category (unsigned category);

/* What a machine takes for the counts; a model, see uvm/clock.c.  Rates in
   bytes per second, costs in seconds.  */
struct ummgr_replay_machine
{
  double memory_rate, in_rate, out_rate;
  double launch_cost, gpu_fault_cost, cpu_fault_cost;
  double fault_batch;
};
double ummgr_replay_seconds (const struct ummgr_replay_machine *machine,
			     const struct ummgr_replay_counts *counts,
			     const struct ummgr_page_totals *totals);
