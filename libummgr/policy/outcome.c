/* What launches are foreseen to take, and what they took.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "policy/outcome.h"

#include <math.h>

/* A launch that takes so many times what was foreseen wasn't understood.  */
#define MISSED 1.5
/* And one that takes so much of what it took before hardly takes less.  */
#define HARDLY 0.9

double
ummgr_outcome_factor (const struct ummgr_outcome *outcome, uint32_t key)
{
  double factor = outcome->factor[key % UMMGR_SAID_KEYS];
  return factor > 0 ? factor : 1;
}

/* What is known of the region of the launch at hand.  */
static struct ummgr_outcome_region *
region_of (struct ummgr_outcome *outcome)
{
  struct ummgr_outcome_region *region = &outcome->regions[outcome->launch.region % UMMGR_OUTCOME_REGIONS];
  if (region->region != outcome->launch.region)
    *region = (struct ummgr_outcome_region) { .region = outcome->launch.region };
  return region;
}

double
ummgr_outcome_foresees (struct ummgr_outcome *outcome, double *link_p)
{
  const struct ummgr_outcome_launch *l = &outcome->launch;
  double rest = region_of (outcome)->rest, link = 0;
  for (unsigned i = 0; i < l->count; i++)
    link += l->use[i].link;
  *link_p = link;
  return l->begins + l->accesses * (rest > 0 ? rest : l->wait) + link;
}

/* What L uses from afar counts TIMES as much, as far as it can.  Returns the most that came of it.  */
static double
count_more (struct ummgr_outcome *outcome, const struct ummgr_outcome_launch *l, double times)
{
  double most = 1;
  for (unsigned i = 0; i < l->count; i++)
    {
      const struct ummgr_outcome_use *use = &l->use[i];
      double more = use->link > 0 ? fmin (times, use->most / use->link) : 1;
      if (!(more > 1))
	continue;
      outcome->factor[use->key % UMMGR_SAID_KEYS] = (float) (ummgr_outcome_factor (outcome, use->key) * more);
      most = fmax (most, more);
    }
  return most;
}

/* Of L's uses none counts more than foreseen.  Did any?  */
static bool
count_once (struct ummgr_outcome *outcome, const struct ummgr_outcome_launch *l)
{
  bool any = false;
  for (unsigned i = 0; i < l->count; i++)
    {
      any |= ummgr_outcome_factor (outcome, l->use[i].key) > 1;
      outcome->factor[l->use[i].key % UMMGR_SAID_KEYS] = 0;
    }
  return any;
}

double
ummgr_outcome_took (struct ummgr_outcome *outcome, double took)
{
  const struct ummgr_outcome_launch *l = &outcome->launch;
  struct ummgr_outcome_region *region = region_of (outcome);
  double link, foreseen = ummgr_outcome_foresees (outcome, &link), comes = 0;
  double rest = fmax (took - l->begins - link, 0) / l->accesses;
  for (unsigned i = 0; i < l->count; i++)
    comes += l->use[i].link > 0 ? l->use[i].comes : 0;
  if (took <= foreseen * MISSED || took - foreseen < l->begins)
    {
      region->missed = 0;
      region->rest = region->rest > 0 ? fmin (region->rest, rest) : rest;
      return 1;
    }
  if (!(comes > 0))
    {
      region->rest = rest;
      return took > region->before * HARDLY && count_once (outcome, l) ? 0 : 1;
    }
  region->missed += took - foreseen;
  if (region->missed <= comes)
    return 1;
  region->missed = 0;
  region->before = took;
  return count_more (outcome, l, (took - (foreseen - link)) / link);
}
