/* Allocation sites and flows as records.
   SPDX-License-Identifier: GPL-3.0-or-later

   Strings are those that the analysis keeps until the compiler ends.  */

#include "site/site.h"

static void
put (vec<char> *to, const void *from, unsigned size)
{
  unsigned at = to->length ();
  to->safe_grow (at + size);
  memcpy (to->address () + at, from, size);
}

static void
site_put (site_tables *out, const site_found *found,
	  unsigned (*string) (void *data, const char *text), void *data)
{
  ummgr_site_record r = {};
  r.id = found->id;
  r.kind = string (data, found->kind);
  r.file = string (data, found->file);
  r.line = found->line;
  r.function = string (data, found->function);
  r.variable = string (data, found->variable);
  r.flags = found->flags;
  r.why = string (data, found->why ? found->why : "");
  put (&out->sites, &r, sizeof r);
}

/* An end that is neither a site nor an argument.  */
static void
symbol_put (unsigned number, uint32_t *x, uint32_t *y,
	    unsigned (*string) (void *data, const char *text), void *data)
{
  *x = number == SITE_UNKNOWN ? 0 : string (data, site_symbols[number].name);
  *y = number == SITE_UNKNOWN ? 0 : site_symbols[number].index;
}

bool
site_any (void)
{
  return !site_flows.is_empty ();
}

void
site_emit (site_tables *out, const vec<const ummgr_region *> &regions,
	   unsigned (*string) (void *data, const char *text), void *data)
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
    site_put (out, &site_results[i], string, data);
  for (unsigned i = 0; i < site_flows.length (); i++)
    {
      const site_flow &flow = site_flows[i];
      ummgr_site_flow_record r = {};
      r.from_kind = flow.from_kind;
      r.to_kind = flow.to_kind;
      if (flow.from_kind == UMMGR_FLOW_SITE)
	r.from_x = flow.from;
      else
	symbol_put (flow.from, &r.from_x, &r.from_y, string, data);
      if (flow.to_kind != UMMGR_FLOW_ARGUMENT)
	symbol_put (flow.to, &r.to_x, &r.to_y, string, data);
      else if (first[flow.to] == UINT_MAX)
	continue;
      else
	r.to_x = first[flow.to] + flow.argument;
      put (&out->flows, &r, sizeof r);
    }
}
