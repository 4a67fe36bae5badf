/* What comes after regions, as records and in dumps.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "live/live.h"

static unsigned
fact_flags (const live_fact *fact)
{
  unsigned flags = UMMGR_LIVE_ANALYSED;
  const live_value &v = fact->value;
  if (fact->apart)
    flags |= UMMGR_LIVE_APART;
  if (!fact->known)
    return flags & ~UMMGR_LIVE_ANALYSED;
  flags |= v.may & LIVE_READ ? UMMGR_LIVE_MAY_READ : 0;
  flags |= (v.may & LIVE_READS) == LIVE_READ ? UMMGR_LIVE_TOLD : 0;
  flags |= v.may & LIVE_WRITE ? UMMGR_LIVE_MAY_WRITE : 0;
  /* What may not happen at all is only sure where nothing follows.  */
  flags |= v.must & v.may & LIVE_READ ? UMMGR_LIVE_READ : 0;
  flags |= v.must & v.may & LIVE_WRITE ? UMMGR_LIVE_WRITE : 0;
  flags |= (v.must & LIVE_NEXT) && (v.may & LIVE_HOST) ? UMMGR_LIVE_NEXT : 0;
  flags |= v.may & LIVE_NEEDED ? 0 : UMMGR_LIVE_DEAD;
  flags |= v.may & LIVE_ORIGIN ? 0 : UMMGR_LIVE_OWN;
  return flags;
}

/* No, maybe, yes, by what may be and what is sure.  */
static const char *
answer (unsigned flags, unsigned may, unsigned sure)
{
  return flags & sure ? "yes" : flags & may ? "maybe" : "no";
}

static void
fact_dump (const char *name, const live_fact *fact, unsigned flags)
{
  fprintf (dump_file, ";; ummgr:   live %s ", name);
  if (!fact->known)
    {
      fprintf (dump_file, "not known: %s\n", fact->why);
      return;
    }
  fprintf (dump_file, "host reads %s writes %s next %.2f%s %s\n",
	   answer (flags, UMMGR_LIVE_MAY_READ, UMMGR_LIVE_READ),
	   answer (flags, UMMGR_LIVE_MAY_WRITE, UMMGR_LIVE_WRITE),
	   fact->value.next, flags & UMMGR_LIVE_NEXT ? " surely" : "",
	   flags & UMMGR_LIVE_DEAD ? "dead" : "needed");
  if (flags & UMMGR_LIVE_OWN)
    fprintf (dump_file, ";; ummgr:   own %s\n", name);
  if (flags & UMMGR_LIVE_TOLD)
    fprintf (dump_file, ";; ummgr:   told of %s\n", name);
}

/* What is known of argument I of FUNCTION from CALL (NULL: from all), and FLAGS, as records have them.  */
static live_fact
fact_of (tree function, unsigned i, const live_call *call, unsigned *flags)
{
  live_fact fact = call ? live_fact_from (function, i, call) : live_fact_get (function, i);
  *flags = fact_flags (&fact);
  return fact;
}

/* FACT and its FLAGS as a record.  */
static ummgr_live_record
record_of (const live_fact *fact, unsigned flags, ummgr_strings *strings)
{
  ummgr_live_record r = {};
  r.flags = flags;
  r.next = fact->known ? MAX (MIN (fact->value.next, 1), 0) : 0;
  r.why = fact->why ? ummgr_string_add (strings, fact->why) : 0;
  return r;
}

/* Does CALL know more of some argument of REGION, FUNCTION, than ALL, the flags of all of them, do?  */
static bool
call_tells (const ummgr_region *region, tree function, const live_call *call, const vec<unsigned> &all)
{
  unsigned flags;
  for (unsigned j = 0; j < region->args.length (); j++)
    {
      fact_of (function, j, call, &flags);
      if (flags != all[j])
	return true;
    }
  return false;
}

/* What CALLS have of REGION, FUNCTION, whose first argument is the unit's number FIRST.  */
static void
calls_emit (const ummgr_region *region, tree function, unsigned first, const vec<live_call *> &calls,
	    ummgr_strings *strings, vec<char> *out)
{
  for (unsigned j = 0; j < region->args.length (); j++)
    for (live_call *call : calls)
      {
	unsigned flags;
	live_fact fact = fact_of (function, j, call, &flags);
	const ummgr_live_record live = record_of (&fact, flags, strings);
	const ummgr_call_live_record r
	  = { call->id, first + j, live_call_line (call), live.flags, live.why, live.next };
	ummgr_bytes_append (out, &r, sizeof r);
	call->used = true;
      }
  if (!dump_file)
    return;
  for (live_call *call : calls)
    {
      fprintf (dump_file, ";; ummgr:  called at line %d\n", live_call_line (call));
      for (unsigned j = 0; j < region->args.length (); j++)
	{
	  unsigned flags;
	  live_fact fact = fact_of (function, j, call, &flags);
	  fact_dump (region->args[j].name, &fact, flags);
	}
    }
}

/* The calls from which alone more is known of REGION, FUNCTION, than of ALL; and all others of the same function, since
   one may come within such a call, and is not that.  */
static void
calls_choose (const ummgr_region *region, tree function, const vec<unsigned> &all, vec<live_call *> *out)
{
  auto_vec<live_call *> candidates;
  bool calls = false;
  live_calls_of (function, &candidates);
  if (candidates.length () < 2)
    return;
  for (live_call *call : candidates)
    calls |= call->site->callee && call_tells (region, function, call, all);
  for (live_call *call : candidates)
    if (call->site->callee ? calls : call_tells (region, function, call, all))
      out->safe_push (call);
}

void
live_emit (const vec<const ummgr_region *> &regions, const vec<tree> &functions,
	   ummgr_strings *strings, vec<char> *out, vec<char> *by_call)
{
  unsigned first = 0;
  live_begin ();
  for (unsigned i = 0; i < regions.length (); i++)
    {
      auto_vec<unsigned> all;
      if (dump_file)
	fprintf (dump_file, ";; ummgr: live after region %s\n",
		 regions[i]->name);
      for (unsigned j = 0; j < regions[i]->args.length (); j++)
	{
	  unsigned flags;
	  live_fact fact = fact_of (functions[i], j, NULL, &flags);
	  const ummgr_live_record r = record_of (&fact, flags, strings);
	  ummgr_bytes_append (out, &r, sizeof r);
	  all.safe_push (flags);
	  if (dump_file)
	    fact_dump (regions[i]->args[j].name, &fact, flags);
	}
      auto_vec<live_call *> calls;
      calls_choose (regions[i], functions[i], all, &calls);
      calls_emit (regions[i], functions[i], first, calls, strings, by_call);
      first += regions[i]->args.length ();
    }
}
