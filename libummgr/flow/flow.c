/* How often each region is launched, and how soon another follows: answers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the flow of the loaded program.  When a region is asked for that it does
   not know, because an object was loaded since, it is composed anew; the old
   one stays, since others may be reading it.  Columns are computed when they
   are asked for, published once, and never changed.  */

#include "config.h"
#include "flow/flow.h"

#include "flow/chain.h"
#include "base/fork.h"
#include "base/log.h"
#include "tables/tables.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* Held while a flow or a column is computed; taken before that of
   tables/tables.c.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct ummgr_flow *
ummgr_flow_new (const struct ummgr_table_unit *const *units, size_t count)
{
  struct ummgr_flow *flow = calloc (1, sizeof *flow);
  if (!flow)
    return NULL;
  if (flow_compose (flow, units, count) && flow_groups_find (flow) && flow_solve (flow)
      && flow_fit (flow))
    {
      flow->columns = calloc (flow->region_count + (size_t) 1,
			      sizeof *flow->columns);
      if (flow->columns)
	return flow;
    }
  ummgr_flow_free (flow);
  return NULL;
}

void
ummgr_flow_free (struct ummgr_flow *flow)
{
  if (!flow)
    return;
  for (unsigned i = 0; flow->columns && i < flow->region_count; i++)
    free (atomic_load_explicit (&flow->columns[i], memory_order_relaxed));
  free (flow->columns);
  free (flow->regions);
  free (flow->region_slots);
  free (flow->functions);
  free (flow->nodes);
  free (flow->edges);
  free (flow->values);
  free (flow->callers);
  free (flow->taken);
  free (flow->calls);
  free (flow->order);
  free (flow->counted);
  free (flow->frequency);
  free (flow->region_flags);
  free (flow);
}

static bool
region_is_known (const struct ummgr_flow *flow, unsigned region)
{
  return region != FLOW_NONE && flow->region_flags[region] & UMMGR_FLOW_KNOWN;
}

/* Was it counted how often REGION is launched, and is nothing better known?  */
static bool
region_is_counted (const struct ummgr_flow *flow, unsigned region)
{
  return region != FLOW_NONE && flow->counted[region] >= 0
	 && !(region_is_known (flow, region)
	      && flow->region_flags[region] & UMMGR_FLOW_EXACT);
}

double
ummgr_flow_frequency_in (struct ummgr_flow *flow,
			 const struct ummgr_table_region *region)
{
  unsigned i = flow_region_find (flow, region);
  if (region_is_counted (flow, i))
    return flow->counted[i];
  return region_is_known (flow, i) ? flow->frequency[i] : NAN;
}

unsigned
ummgr_flow_flags_in (struct ummgr_flow *flow,
		     const struct ummgr_table_region *region)
{
  unsigned i = flow_region_find (flow, region);
  unsigned counted = region_is_counted (flow, i) ? UMMGR_FLOW_COUNTED : 0;
  if (!region_is_known (flow, i))
    return counted;
  const struct flow_column *column
    = atomic_load_explicit (&flow->columns[i], memory_order_acquire);
  return flow->region_flags[i] | counted
	 | (column && !column->finished ? UMMGR_FLOW_UNFINISHED : 0);
}

/* The answers for TARGET, or NULL without memory.  */
static const struct flow_column *
column_get (struct ummgr_flow *flow, unsigned target)
{
  struct flow_column *column
    = atomic_load_explicit (&flow->columns[target], memory_order_acquire);
  if (column)
    return column;
  ummgr_fork_guard (UMMGR_FORK_FLOW, &lock);
  pthread_mutex_lock (&lock);
  column = atomic_load_explicit (&flow->columns[target],
				 memory_order_relaxed);
  if (!column)
    {
      column = flow_column_new (flow, target);
      atomic_store_explicit (&flow->columns[target], column,
			     memory_order_release);
    }
  pthread_mutex_unlock (&lock);
  return column;
}

double
ummgr_flow_distance_in (struct ummgr_flow *flow,
			const struct ummgr_table_region *from,
			const struct ummgr_table_region *to,
			double *probability)
{
  unsigned s = from ? flow_region_find (flow, from) : flow->region_count;
  unsigned d = flow_region_find (flow, to);
  const struct flow_column *column = NULL;
  if (region_is_known (flow, d)
      && (from ? region_is_known (flow, s) : flow->main != FLOW_NONE))
    column = column_get (flow, d);
  if (probability)
    *probability = !column ? NAN : column->hit[s].p < 1 ? column->hit[s].p : 1;
  if (!column)
    return NAN;
  if (column->hit[s].p < UMMGR_FLOW_NEVER)
    return INFINITY;
  return column->hit[s].m / column->hit[s].p;
}

/* The loaded program's, published by LOCK's holder.  */
static _Atomic (struct ummgr_flow *) program;

/* Compose the program from the tables that are loaded now.  */
static struct ummgr_flow *
program_compose (void)
{
  size_t count;
  const struct ummgr_table_unit **units = ummgr_tables_units (&count);
  struct ummgr_flow *flow = units ? ummgr_flow_new (units, count) : NULL;
  free (units);
  if (!flow)
    ummgr_warn_once ("flow: no memory to compose the program's tables; "
		     "frequencies and reuse distances are not known");
  return flow;
}

/* The program's flow, with REGION where any has it, or NULL.  */
static struct ummgr_flow *
program_get (const struct ummgr_table_region *region)
{
  struct ummgr_flow *flow = atomic_load_explicit (&program,
						  memory_order_acquire);
  if (flow && (!region || flow_region_find (flow, region) != FLOW_NONE))
    return flow;
  ummgr_fork_guard (UMMGR_FORK_FLOW, &lock);
  pthread_mutex_lock (&lock);
  flow = atomic_load_explicit (&program, memory_order_relaxed);
  if (!flow || (region && flow_region_find (flow, region) == FLOW_NONE))
    {
      struct ummgr_flow *newer = program_compose ();
      if (newer)
	{
	  flow = newer;
	  atomic_store_explicit (&program, flow, memory_order_release);
	}
    }
  pthread_mutex_unlock (&lock);
  return flow;
}

double
ummgr_flow_frequency (const struct ummgr_table_region *region)
{
  struct ummgr_flow *flow = region ? program_get (region) : NULL;
  return flow ? ummgr_flow_frequency_in (flow, region) : NAN;
}

unsigned
ummgr_flow_flags (const struct ummgr_table_region *region)
{
  struct ummgr_flow *flow = region ? program_get (region) : NULL;
  return flow ? ummgr_flow_flags_in (flow, region) : 0;
}

double
ummgr_flow_distance (const struct ummgr_table_region *from,
		     const struct ummgr_table_region *to, double *probability)
{
  struct ummgr_flow *flow = to ? program_get (to) : NULL;
  if (flow && from && flow_region_find (flow, from) == FLOW_NONE)
    flow = program_get (from);
  if (probability)
    *probability = NAN;
  return flow ? ummgr_flow_distance_in (flow, from, to, probability) : NAN;
}

double
ummgr_flow_reuse (const struct ummgr_table_region *from,
		  const struct ummgr_table_region *const *users, size_t n)
{
  double least = NAN;
  for (size_t i = 0; i < n; i++)
    {
      double distance = ummgr_flow_distance (from, users[i], NULL);
      if (!isnan (distance) && !(least <= distance))
	least = distance;
    }
  return least;
}

double
ummgr_flow_next_use (const struct ummgr_table_region *from,
		     const struct ummgr_table_region *const *users, size_t n,
		     double reuse)
{
  struct ummgr_flow *flow = from ? program_get (from) : NULL;
  double likely = flow ? ummgr_flow_likely_in (flow, from, users, n) : NAN;
  if (!isnan (likely))
    return likely;
  return reuse >= 1 ? rint (reuse) : reuse >= 0 ? 1 : NAN;
}
