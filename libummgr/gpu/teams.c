/* Which of a launch's teams goes to a multiprocessor that has room for one.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  In turn they go as GPUs do it: the next one that has not begun, wherever
   there is room; that is kept in next[0].  */

#include "config.h"
#include "gpu/teams.h"

#include "device/layout.h"

void
ummgr_gpu_teams_begin (struct ummgr_gpu_teams *t, uint32_t count, unsigned gpus,
		       unsigned in_flight, enum ummgr_scheduling scheduling)
{
  *t = (struct ummgr_gpu_teams) {
    .count = count, .left = count, .gpus = gpus, .scheduling = gpus > 1 ? scheduling : 0,
    .together = ummgr_layout_together (count, in_flight, gpus, scheduling)
  };
  for (unsigned i = 0; t->scheduling && i < gpus; i++)
    t->next[i] = i * t->together;
}

/* GPU takes its next one.  */
static uint32_t
take_own (struct ummgr_gpu_teams *t, unsigned gpu)
{
  uint32_t team = t->next[gpu]++;
  if (t->scheduling && t->next[gpu] % t->together == 0)
    t->next[gpu] += (t->gpus - 1) * t->together;
  return team;
}

/* Whose next team is the first of all.  */
static unsigned
most_behind (const struct ummgr_gpu_teams *t)
{
  unsigned gpu = 0;
  for (unsigned i = 1; i < t->gpus; i++)
    if (t->next[i] < t->next[gpu])
      gpu = i;
  return gpu;
}

bool
ummgr_gpu_teams_take (struct ummgr_gpu_teams *t, unsigned gpu, uint32_t *team_p)
{
  if (!t->scheduling)
    gpu = 0;
  if (t->next[gpu] >= t->count)
    {
      if (t->scheduling != UMMGR_SCHEDULING_STEAL || !t->left)
	return false;
      gpu = most_behind (t);
    }
  *team_p = take_own (t, gpu);
  t->left--;
  return true;
}
