/* Which memory the host and devices may share, whatever clauses say.
   SPDX-License-Identifier: GPL-3.0-or-later

   What a call allocates may be managed memory under the policy auto, without the user's having
   asked for that (-fplugin-arg-ummgr-unify), if no program can tell: live/within.cc has proved that nobody
   else gets at it, and that the host doesn't touch it while a construct maps it; and either constructs bring
   back what regions write in them, or nobody wants what the host has.  Whether it becomes that, libummgr
   decides when it is allocated: where all fits, it doesn't (libummgr/memory/unify.h).

   Holds no state.  */

#include "live/live.h"
#include "site/site.h"

void
site_shared_find (void)
{
  for (unsigned i = 0; i < site_results.length (); i++)
    {
      site_found *found = &site_results[i];
      if (found->call == UINT_MAX || found->why || !(found->flags & UMMGR_SITE_REACHES))
	continue;
      const site_call &call = site_calls[found->call];
      const live_sharing s = live_sharing_of (call.node, call.call);
      if (!s.quiet || (s.held && !s.unread))
	continue;
      found->flags |= UMMGR_SITE_SHARED;
      if (dump_file)
	fprintf (dump_file, ";; ummgr: may be shared: %s at %s:%u for %s\n", found->kind, lbasename (found->file),
		 found->line, found->variable);
    }
}
