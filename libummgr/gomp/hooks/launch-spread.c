/* A launch over all GPUs: which these are, and what goes where before it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the set of GPUs, found at the first launch.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "device/device.h"
#include "gomp/real.h"
#include "report/stats.h"
#include "split/gpus.h"
#include "topology/ranks.h"

#include <pthread.h>
#include <string.h>

static struct ummgr_gpus gpus;
static bool by_demand;
static pthread_once_t found = PTHREAD_ONCE_INIT;

static bool
all_joined (void)
{
  bool joined = true;
  for (unsigned a = 0; a < gpus.count; a++)
    for (unsigned b = 0; b < gpus.count; b++)
      {
	struct ummgr_device *one = ummgr_device_of (gpus.device[a]);
	struct ummgr_device *other = ummgr_device_of (gpus.device[b]);
	if (a != b)
	  joined &= one->ops->reach && one->ops->reach (one, other);
      }
  return joined;
}

static void
find (void)
{
  int count = ummgr_real (omp_get_num_devices) ();
  if (count > UMMGR_PARTS_GPUS)
    {
      ummgr_warn ("--spread uses the first %d of %d GPUs", UMMGR_PARTS_GPUS, count);
      count = UMMGR_PARTS_GPUS;
    }
  for (int d = 0; d < count; d++)
    {
      if (!ummgr_rank_has ((unsigned) d))
	continue;
      struct ummgr_manager *m = ummgr_manager_for (d);
      if (!m || ummgr_manager_passive (m) || !m->executor.paged)
	{
	  ummgr_warn ("--spread: device %d has no managed memory that is paged on demand; "
		      "regions don't go there", d);
	  continue;
	}
      gpus.room[gpus.count] = m->budget;
      gpus.device[gpus.count++] = d;
    }
  gpus.joined = all_joined ();
  by_demand = strcmp (ummgr_process.options.spread, "demand") == 0;
  if (gpus.count > 0 && !by_demand)
    {
      ummgr_parts_over (&gpus);
      ummgr_gpus_begin ();
    }
  if (gpus.count < 2)
    ummgr_warn ("--spread has one GPU: no region goes over several");
  if (strcmp (ummgr_process.options.policy, "um") != 0)
    ummgr_warn ("--spread wants --policy=um, which leaves the places to it; --policy=%s sends "
		"data to one GPU", ummgr_process.options.policy);
}

bool
ummgr_launch_spreads (struct ummgr_manager *manager)
{
  if (!ummgr_options_spread (&ummgr_process.options))
    return false;
  pthread_once (&found, find);
  return gpus.count > 0 && !ummgr_manager_passive (manager);
}

void
ummgr_launch_spread (struct ummgr_manager *manager, const struct ummgr_table_region *known,
		     const struct ummgr_clauses *clauses, const struct ummgr_pieces *pieces,
		     bool apart, const char **why_p, struct ummgr_gpus_launch *out)
{
  const struct ummgr_gpus_wish wish = { apart, by_demand };
  uint64_t began = ummgr_nanoseconds (CLOCK_MONOTONIC);
  ummgr_gpus_plan (manager, known, clauses, &gpus, pieces, &wish, why_p, out);
  ummgr_stats_decisions (out->wants, ummgr_nanoseconds (CLOCK_MONOTONIC) - began);
}
