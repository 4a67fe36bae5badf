/* The machine and the policy of a recorded run, for replays of its trace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "base/options.h"
#include "device/figures.h"
#include "diagnose/diagnose.h"

struct ummgr_recorded
{
  const char *profile, *policy;	/* The diagnosis's, or the options'.  */
  struct ummgr_figures machine;	/* With its scale and memory.  */
  uint64_t scale;
};

/* Why D's trace can't be replayed; NULL: it can.  Static.  */
const char *ummgr_recorded_refused (const struct ummgr_diagnosis *d);

/* What D's run had, or what OPTIONS say where these have neither NULL nor 0; `explicit', under which
   nothing is ours to place, is as `um'.  Not NULL: why it is not known; static.  */
const char *ummgr_recorded_find (struct ummgr_recorded *r, const struct ummgr_diagnosis *d,
				 const struct ummgr_options *options);

/* The first device of PROFILE, with SCALE, MEMORY (0: all) and access counters as OPTIONS say.  */
bool ummgr_recorded_machine (const char *profile, uint64_t scale, uint64_t memory,
			     const struct ummgr_options *options, struct ummgr_figures *out);
