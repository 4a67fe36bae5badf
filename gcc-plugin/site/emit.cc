/* Allocation sites and flows as records.
   SPDX-License-Identifier: GPL-3.0-or-later

   Strings are those that the analysis keeps until the compiler ends.  */

#include "site/site.h"

static void
site_put (site_tables *out, const site_found *found, ummgr_strings *strings)
{
  ummgr_site_record r = {};
  r.id = found->id;
  r.kind = ummgr_string_add (strings, found->kind);
  r.file = ummgr_string_add (strings, found->file);
  r.line = found->line;
  r.function = ummgr_string_add (strings, found->function);
  r.variable = ummgr_string_add (strings, found->variable);
  r.flags = found->flags;
  r.why = ummgr_string_add (strings, found->why ? found->why : "");
  ummgr_bytes_append (&out->sites, &r, sizeof r);
}

/* An end that is neither a site nor an argument.  */
static void
symbol_put (unsigned number, uint32_t *x, uint32_t *y, ummgr_strings *strings)
{
  *x = number == SITE_UNKNOWN
       ? 0 : ummgr_string_add (strings, site_symbols[number].name);
  *y = number == SITE_UNKNOWN ? 0 : site_symbols[number].index;
}

bool
site_any (void)
{
  return !site_flows.is_empty ();
}

void
site_emit (site_tables *out, const vec<const ummgr_region *> &regions,
	   ummgr_strings *strings)
{
  /* Where the arguments of each region are, of those that the table has.  */
  auto_vec<unsigned> first;
  for (unsigned i = 0; i < ummgr_regions.length (); i++)
    first.safe_push (UINT_MAX);
  unsigned args = 0;
  for (unsigned i = 0; i < regions.length (); i++)
    {
      first[regions[i] - ummgr_regions.address ()] = args;
      args += regions[i]->args.length ();
    }
  for (unsigned i = 0; i < site_results.length (); i++)
    site_put (out, &site_results[i], strings);
  for (unsigned i = 0; i < site_flows.length (); i++)
    {
      const site_flow &flow = site_flows[i];
      ummgr_site_flow_record r = {};
      r.from_kind = flow.from_kind;
      r.to_kind = flow.to_kind;
      if (flow.from_kind == UMMGR_FLOW_SITE)
	r.from_x = flow.from;
      else
	symbol_put (flow.from, &r.from_x, &r.from_y, strings);
      if (flow.to_kind != UMMGR_FLOW_ARGUMENT)
	symbol_put (flow.to, &r.to_x, &r.to_y, strings);
      else if (first[flow.to] == UINT_MAX)
	continue;
      else
	r.to_x = first[flow.to] + flow.argument;
      ummgr_bytes_append (&out->flows, &r, sizeof r);
    }
}
