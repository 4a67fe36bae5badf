/* Which memory the host and devices may share, whatever clauses say.
   SPDX-License-Identifier: GPL-3.0-or-later

   What a call allocates may be managed memory under the policy auto, without the user's having
   asked for that (-fplugin-arg-ummgr-unify), if no program can tell: of each region's argument that it
   reaches, live/within.cc has proved that nobody else gets at it, and that the host doesn't touch it while a
   construct maps it; and either all constructs bring it back, or no region writes to it, or no host code
   reads it.  Whether it becomes that, libummgr decides when it is allocated: where all fits, it
   doesn't (libummgr/memory/unify.h).

   Holds no state.  */

#include "site/site.h"

/* What is known of all arguments that a site reaches.  */
struct sharing
{
  bool any, quiet, held, written, unread, around;
};

static void
sharing_add (sharing *s, const site_argument *a)
{
  s->any = true;
  s->quiet &= (a->live & UMMGR_LIVE_QUIET) != 0;
  s->held |= (a->live & UMMGR_LIVE_HELD) != 0;
  s->around |= (a->live & UMMGR_LIVE_AROUND) != 0;
  s->unread &= (a->live & UMMGR_LIVE_UNREAD) != 0;
  s->written |= !(a->use & UMMGR_USE_ANALYSED) || (a->use & (UMMGR_USE_WRITE | UMMGR_USE_UNKNOWN | UMMGR_USE_BEHIND));
}

static bool
is_shared (const sharing *s)
{
  return s->any && s->quiet && (!s->held || !s->written || s->unread);
}

void
site_shared_find (const vec<site_argument> &arguments)
{
  auto_vec<sharing> all;
  for (unsigned i = 0; i < site_results.length (); i++)
    all.safe_push ({ false, true, false, false, true, false });
  for (const site_flow &flow : site_flows)
    if (flow.from_kind == UMMGR_FLOW_SITE && flow.to_kind == UMMGR_FLOW_ARGUMENT)
      for (const site_argument &a : arguments)
	if (a.region == flow.to && a.argument == flow.argument)
	  sharing_add (&all[flow.from], &a);
  for (unsigned i = 0; i < site_results.length (); i++)
    {
      site_found *found = &site_results[i];
      if (found->call == UINT_MAX || found->why || !is_shared (&all[i]))
	continue;
      found->flags |= UMMGR_SITE_SHARED;
      found->around = all[i].around;
      if (dump_file)
	fprintf (dump_file, ";; ummgr: may be shared: %s at %s:%u\n", found->kind, lbasename (found->file), found->line);
    }
}
