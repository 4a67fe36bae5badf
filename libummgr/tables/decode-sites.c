/* Decoding the sites of data objects, and where their memory goes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   As tables/decode.c.  Holds no state.  */

#include "config.h"
#include "tables/decode-internal.h"

static void
site_fill (struct filling *f, uint32_t i)
{
  struct ummgr_site_record r;
  record_get (&r, sizeof r, &f->view->sites, i);
  f->sites[i] = (struct ummgr_table_site) {
    .id = r.id,
    .kind = string_get (f, r.kind),
    .file = string_get (f, r.file),
    .line = r.line,
    .function = string_get (f, r.function),
    .variable = string_get (f, r.variable),
    .flags = r.flags,
    .why = string_get (f, r.why)
  };
}

static void
end_fill (struct filling *f, struct ummgr_table_flow_end *end, uint32_t kind,
	  uint32_t x, uint32_t y)
{
  *end = (struct ummgr_table_flow_end) { .kind = kind, .name = f->strings };
  switch (kind)
    {
    case UMMGR_FLOW_SITE:
      if (x < f->view->sites.count)
	end->site = &f->sites[x];
      else
	f->bad = true;
      break;
    case UMMGR_FLOW_ARGUMENT:
      if (x < f->unit->arg_count)
	end->arg = &f->unit->args[x];
      else
	f->bad = true;
      break;
    case UMMGR_FLOW_PARAMETER:
    case UMMGR_FLOW_RETURN:
    case UMMGR_FLOW_GLOBAL:
      end->name = string_get (f, x);
      end->index = y;
      break;
    default:
      /* Of a later version: not known.  */
      end->kind = UMMGR_FLOW_UNKNOWN;
      break;
    }
}

void
ummgr_table_sites_fill (struct filling *f)
{
  const struct view *view = f->view;
  f->unit->site_count = view->sites.count;
  f->unit->sites = f->sites;
  f->unit->site_flow_count = view->site_flows.count;
  f->unit->site_flows = f->site_flows;
  for (uint32_t i = 0; i < view->sites.count; i++)
    site_fill (f, i);
  for (uint32_t i = 0; i < view->site_flows.count && !f->bad; i++)
    {
      struct ummgr_site_flow_record r;
      record_get (&r, sizeof r, &view->site_flows, i);
      end_fill (f, &f->site_flows[i].from, r.from_kind, r.from_x, r.from_y);
      end_fill (f, &f->site_flows[i].to, r.to_kind, r.to_x, r.to_y);
    }
}
