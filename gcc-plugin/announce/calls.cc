/* Which call it is that launches.
   SPDX-License-Identifier: GPL-3.0-or-later

     __ummgr_called (id);
     add (x, p);
     __ummgr_called (0);

   where the table knows more of what follows this call than of what follows all calls of `add' (live/from.cc). In
   between no other call can launch add's region under this number: all calls of add say which they are, and what comes
   within one, by a function that add calls, is over with 0.  A call
   that is left by an exception or longjmp leaves its number behind, and does no harm: the table has it for regions
   of that function alone.

   And before the host reads what regions may have left on the device,

     __ummgr_host_reads (x);
     sum += x[i];

   where live/tell.cc has it.  Holds both functions' declarations.  */

#include "announce/announce.h"

static tree called_decl, reads_decl;

static void
place_add (vec<announce_place> *places, edge on, gimple *before, uint64_t id, location_t location)
{
  places->safe_push ({ on, before, build_int_cst (long_long_unsigned_type_node, id), location, NULL_TREE });
}

void
announce_calls (const live_function *f)
{
  auto_vec<announce_place> before, places;
  for (const live_call *call : live_calls ())
    {
      gcall *stmt = call->site->call;
      if (!call->used || call->caller != f)
	continue;
      location_t location = gimple_location (stmt);
      basic_block block = gimple_bb (stmt);
      gimple_stmt_iterator next = gsi_for_stmt (stmt);
      gsi_next (&next);
      edge out = gsi_end_p (next) ? find_fallthru_edge (block->succs) : NULL;
      place_add (&before, NULL, stmt, call->id, location);
      if (out || !gsi_end_p (next))
	place_add (&places, out, out ? NULL : gsi_stmt (next), 0, location);
      if (dump_file)
	fprintf (dump_file, ";; ummgr: call at line %d says which it is\n", live_call_line (call));
    }
  /* The end of one may be the place before the next: that one's number comes last.  */
  places.safe_splice (before);
  announce_insert (announce_decl (&called_decl, "__ummgr_called", long_long_unsigned_type_node), places);
}

void
announce_tellings (const live_function *f, const vec<live_telling> &tellings)
{
  auto_vec<announce_place> places;
  for (const live_telling &t : tellings)
    {
      location_t location = t.on ? UNKNOWN_LOCATION : gimple_location (t.before);
      places.safe_push ({ t.on, t.before, f->roots[t.root].t, location, NULL_TREE });
      if (dump_file)
	{
	  fprintf (dump_file, ";; ummgr: tells of ");
	  print_generic_expr (dump_file, f->roots[t.root].t);
	  fprintf (dump_file, t.on ? " on the way to a loop\n" : " at line %d\n", expand_location (location).line);
	}
    }
  announce_insert (announce_decl (&reads_decl, "__ummgr_host_reads", const_ptr_type_node), places);
}
