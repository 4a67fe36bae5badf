/* Where the changes that `ummgr advise' tells of go.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "advise/advise.h"

struct ummgr_runs;

/* Try by replay how else D's program could be run, where that takes seconds, or ANYWAY; RUNS says
   what came of it.  */
void ummgr_cli_runs_try (const struct ummgr_diagnosis *d, bool anyway, struct ummgr_runs *runs);

/* ummgr_advise's AROUND, of DATA, a diagnosis: by the tables in the program that was traced, where
   it still is and has them.  */
void ummgr_cli_around (void *data, const struct ummgr_change_place *places, size_t count,
		       struct ummgr_change_around *out);
