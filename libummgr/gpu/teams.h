/* Which of a launch's teams goes to a multiprocessor that has room for one.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No memory, no lock: a launch has one of its own.  */

#pragma once

#include "device/figures.h"

#include <stdbool.h>
#include <stdint.h>

struct ummgr_gpu_teams
{
  uint32_t count, left;
  unsigned gpus, together;
  enum ummgr_scheduling scheduling;
  uint32_t next[UMMGR_FIGURES_GPUS]; /* By GPU, its next one; COUNT or more: it has none.  */
};

/* COUNT teams on GPUS GPUs, which have IN_FLIGHT at once.  */
void ummgr_gpu_teams_begin (struct ummgr_gpu_teams *t, uint32_t count, unsigned gpus,
			    unsigned in_flight, enum ummgr_scheduling scheduling);

/* The next one for GPU; false: there is none.  */
bool ummgr_gpu_teams_take (struct ummgr_gpu_teams *t, unsigned gpu, uint32_t *team_p);
