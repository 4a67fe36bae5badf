/* Remedies of a trace's objects, tried by replay: for `ummgr report' and `ummgr run --apply'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "base/options.h"
#include "base/remedy.h"
#include "diagnose/diagnose.h"

/* Try what D's objects could be advised, and have D say what helps, on the machine and under the
   policy of OPTIONS: where these have NULL or 0, as the recorded run was, as far as its trace
   says.  `explicit', under which nothing is ours to place, is as `um'.  Nothing is tried, and D
   says why, where the trace can't be replayed, or not in seconds, unless it is to be done ANYWAY.  */
void ummgr_remedies_try (struct ummgr_diagnosis *d, const struct ummgr_options *options,
			 bool anyway);

/* What PATH, a trace, which is tried as OPTIONS say, or a report of one as JSON, proposes, of the
   kinds that are in ONLY, unless that is empty: "read-mostly:NAME@FILE:LINE,...", the caller's to
   free; "" for nothing.  NULL after a message.  */
char *ummgr_remedies_of_file (const char *path, const struct ummgr_options *options,
			      const struct ummgr_remedies *only);
