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
}

void
live_emit (const vec<const ummgr_region *> &regions, const vec<tree> &functions,
	   ummgr_strings *strings, vec<char> *out)
{
  live_begin ();
  for (unsigned i = 0; i < regions.length (); i++)
    {
      if (dump_file)
	fprintf (dump_file, ";; ummgr: live after region %s\n",
		 regions[i]->name);
      for (unsigned j = 0; j < regions[i]->args.length (); j++)
	{
	  live_fact fact = live_fact_get (functions[i], j);
	  ummgr_live_record r = {};
	  r.flags = fact_flags (&fact);
	  r.next = fact.known ? MAX (MIN (fact.value.next, 1), 0) : 0;
	  r.why = fact.why ? ummgr_string_add (strings, fact.why) : 0;
	  ummgr_bytes_append (out, &r, sizeof r);
	  if (dump_file)
	    fact_dump (regions[i]->args[j].name, &fact, r.flags);
	}
    }
}
