/* Whether and how a launch is cut into pieces.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Holds no state.  */

#include "config.h"
#include "split/split.h"

#include "gomp/real.h"

/* Can clause I be mapped once around all pieces?  */
static bool
kind_is_known (const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  if (ummgr_kind_is_data (kind) || ummgr_kind_is_attach (kind))
    return true;
  switch (kind)
    {
    case UMMGR_MAP_POINTER:
    case UMMGR_MAP_TO_PSET:
    case UMMGR_MAP_FIRSTPRIVATE:
    case UMMGR_MAP_FIRSTPRIVATE_INT:
    case UMMGR_MAP_ZERO_LEN_ARRAY_SECTION:
    case UMMGR_MAP_STRUCT:
    case UMMGR_MAP_ALWAYS_POINTER:
    case UMMGR_MAP_POINTER_TO_ZERO_LENGTH_ARRAY_SECTION:
      return true;
    default:
      return false;
    }
}

/* Does the region see what argument I points to on the host now?  Data that the device
   has already may be other there.  */
static bool
argument_is_host (const struct ummgr_clauses *clauses, size_t i, int device)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  if (kind == UMMGR_MAP_FIRSTPRIVATE)
    return true;
  return ummgr_kind_is_data (kind) && (kind & UMMGR_MAP_TO)
	 && (ummgr_kind_is_always (kind)
	     || !ummgr_real (omp_target_is_present) (clauses->hostaddrs[i], device));
}

/* How many iterations a launch has, or why that isn't known.  */
static const char *
trip_get (const struct ummgr_table_split *split,
	  const struct ummgr_clauses *clauses, int device, int64_t *trip)
{
  const struct ummgr_code_inputs inputs
    = { .hostaddrs = clauses->hostaddrs, .sizes = clauses->sizes };
  struct ummgr_code_inputs_used used = { .loads = { { 0 } } };
  ummgr_code_inputs (split->trip, &used);
  for (size_t i = 0; i < clauses->count; i++)
    if (ummgr_code_has (&used.loads, i) && !argument_is_host (clauses, i, device))
      return "its iterations are counted by what the device has";
  if (!ummgr_code_evaluate (split->trip, &inputs, trip))
    return "it isn't known how many iterations it has";
  return *trip > (int64_t) (uintptr_t) clauses->hostaddrs[split->lo + 1]
	 ? "it has more iterations than its loop can have" : NULL;
}

const char *
ummgr_pieces_plan (const struct ummgr_table_region *known,
		   const struct ummgr_clauses *clauses, int device,
		   uint64_t wanted, struct ummgr_pieces *out)
{
  *out = (struct ummgr_pieces) { .count = 1 };
  if (!known || known->arg_count != clauses->count)
    return "it was compiled without the plugin";
  const struct ummgr_table_split *split = &known->split;
  if (split->lo < 0)
    return *split->why ? split->why
	   : "it was compiled with -fplugin-arg-ummgr-split=off, or by an older plugin";
  for (size_t i = 0; i < clauses->count; i++)
    if (!kind_is_known (clauses, i))
      return "a map clause of a kind that can't be mapped once for all";
  int64_t trip;
  const char *why = trip_get (split, clauses, device, &trip);
  if (why || trip < 1)
    return why;
  out->count = (uint64_t) trip < wanted ? (uint64_t) trip : wanted;
  out->trip = (uint64_t) trip;
  out->lo = (unsigned) split->lo;
  return NULL;
}

void
ummgr_pieces_range (const struct ummgr_pieces *pieces, uint64_t i, uint64_t all,
		    uint64_t *lo, uint64_t *hi)
{
  uint64_t each = pieces->trip / pieces->count, more = pieces->trip % pieces->count;
  *lo = each * i + (i < more ? i : more);
  *hi = i + 1 == pieces->count ? all : *lo + each + (i < more);
}
