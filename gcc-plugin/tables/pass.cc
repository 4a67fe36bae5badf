/* The pass that drives the analyses and has their table emitted.
   SPDX-License-Identifier: GPL-3.0-or-later

   Asks each analysis in turn, of regions or of the unit, and hands on what comes
   out.  Holds no state.  */

#include "announce/announce.h"
#include "count/count.h"
#include "live/live.h"
#include "tables/tables.h"

/* Fill U's regions with those of the unit that have a body now.  A region in
   code that was never reached has none.  */
static void
regions_find (tables_unit *u)
{
  hash_map<int_hash<unsigned, 0, UINT_MAX>, tree> functions;
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (lookup_attribute ("omp target entrypoint",
			  DECL_ATTRIBUTES (node->decl)))
      functions.put (DECL_UID (node->decl), node->decl);
  for (unsigned i = 0; i < ummgr_regions.length (); i++)
    if (tree *function = functions.get (ummgr_regions[i].function_uid))
      {
	u->regions.safe_push (&ummgr_regions[i]);
	u->functions.safe_push (*function);
      }
}

/* How regions use their arguments.  */
static void
uses_find (tables_unit *u)
{
  for (unsigned i = 0; i < u->regions.length (); i++)
    {
      use_region *use = use_analyse (u->regions[i], u->functions[i]);
      use_emit (&u->uses, use, &u->strings);
      if (dump_file)
	use_dump (dump_file, use);
      if (dump_enabled_p ())
	use_notes_write (use);
      use_region_free (use);
    }
}

/* How often and in which order regions run.  */
static void
flow_find (tables_unit *u)
{
  flow_region_map numbers;
  for (unsigned i = 0; i < u->functions.length (); i++)
    numbers.put (DECL_UID (u->functions[i]), i);
  flow_analyse (&numbers, &u->strings, &u->flow);
}

/* How often they ran when that was counted.  */
static void
counts_find (tables_unit *u)
{
  for (unsigned i = 0; i < u->regions.length (); i++)
    count_emit (u->regions[i], u->flow.counted[i], &u->strings, &u->counts);
}

/* Tell live/ what regions don't write.  */
static void
unwritten_tell (const tables_unit *u)
{
  const unsigned may = UMMGR_USE_WRITE | UMMGR_USE_UNKNOWN | UMMGR_USE_BEHIND;
  unsigned n = 0;
  for (unsigned i = 0; i < u->regions.length (); i++)
    for (unsigned j = 0; j < u->regions[i]->args.length (); j++, n++)
      {
	ummgr_arg_use_record use;
	memcpy (&use, u->uses.args.address () + n * sizeof use, sizeof use);
	if ((use.flags & (UMMGR_USE_ANALYSED | may)) == UMMGR_USE_ANALYSED)
	  live_unwritten (u->functions[i], j);
      }
}

static void
unit_analyse (function *)
{
  tables_unit u;
  ummgr_string_add (&u.strings, "");
  regions_find (&u);
  uses_find (&u);
  flow_find (&u);
  counts_find (&u);
  unwritten_tell (&u);
  live_will_tell (ummgr_announce_follows ());
  live_emit (u.regions, u.functions, &u.strings, &u.lives, &u.call_lives);
  site_shared_find ();
  /* The pass that asks the same is the next one.  */
  if (!ummgr_announce_follows ())
    live_end ();
  /* A unit without regions may be on the way to those of others.  */
  if (u.regions.is_empty () && u.flow.functions.is_empty () && !site_any ())
    return;
  site_emit (&u.sites, u.regions, &u.strings);
  tables_emit (&u);
}

opt_pass *
ummgr_pass_tables_new (void)
{
  static const ummgr_pass pass = {
    SIMPLE_IPA_PASS, UMMGR_PASS_TABLES, OPTGROUP_OMP, 0,
    ummgr_unit_offloads, unit_analyse
  };
  return ummgr_pass_new (&pass);
}
