/* Advice by the tables of the program that was traced.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "advise/advise.h"

/* What D comes to, by the tables in the program that was traced, where it still is and has them; as
   ummgr_advise.  */
struct ummgr_advice *ummgr_cli_advice (struct ummgr_diagnosis *d, bool patches);

struct ummgr_runs;

/* Try by replay how else D's program could be run, where that takes seconds, or ANYWAY; RUNS says
   what came of it.  */
void ummgr_cli_runs_try (const struct ummgr_diagnosis *d, bool anyway, struct ummgr_runs *runs);
