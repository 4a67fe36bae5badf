/* How else a traced program could be run: under another policy, with other options, on another card.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Whoever tries them by replay (cli/advise-runs.c) fills a struct ummgr_runs; what pays is said here.
   A run pays that takes at least UMMGR_RUN_PAYS less than the one that it is proposed in place of: the
   recorded one; for one more option or another card, what was best without.  No globals.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_t;

#define UMMGR_RUN_PAYS 0.05

enum { UMMGR_RUNS_MOST = 24 };

enum ummgr_run_kind
{
  UMMGR_RUN_POLICY,
  UMMGR_RUN_OPTION,		/* Beside the best policy.  */
  UMMGR_RUN_CARD,		/* With the best of these.  */
  UMMGR_RUN_KINDS
};

struct ummgr_run_tried
{
  enum ummgr_run_kind kind;
  const char *policy;		/* Static.  */
  const char *option;		/* "--partial=on"; "": none.  Static.  */
  char card[64];		/* Its profile's name; "": the recorded run's.  */
  uint64_t memory;		/* Of the device.  */
  double seconds;		/* Modelled.  */
  uint64_t bytes;		/* Over its link, both ways.  */
  uint64_t evictions;
};

struct ummgr_runs
{
  const char *untried;		/* Why none was tried; or NULL.  Static.  */
  double seconds;		/* The recorded run, modelled.  */
  uint64_t bytes;		/* That it moved.  */
  const char *policy;		/* Its.  The diagnosis's.  */
  double again;			/* What a replay of it under that policy takes; 0: none can.  */
  bool unify;			/* All but the recorded one are of the program built by ummgr cc --unify,
				   which it wasn't.  */
  uint64_t scale;		/* 1/SCALE of the machine.  */
  uint64_t data, memory;	/* Bytes that devices use; that the recorded one has.  */
  struct ummgr_run_tried tried[UMMGR_RUNS_MOST];
  size_t count;
};

/* The one of KIND to propose in place of what takes SECONDS: of those that take nearly the same the
   first; NULL: none pays.  */
const struct ummgr_run_tried *ummgr_runs_best (const struct ummgr_runs *runs, enum ummgr_run_kind kind,
					       double seconds);

/* What pays, or why nothing was tried.  RUNS NULL: nothing.  */
void ummgr_runs_text (FILE *out, const struct ummgr_runs *runs);
/* All that was tried: a new reference; null for NULL.  */
struct json_t *ummgr_runs_json (const struct ummgr_runs *runs);
