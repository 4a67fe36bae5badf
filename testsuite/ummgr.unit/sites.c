/* Units that are joined by the wrong names, or not at all, send data to regions
   that never get it, or lose it.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "tables/sites.h"
#include "ummgr-table.h"

#include <string.h>

enum { MAX = 8 };

/* What ummgr_sites_each calls for one argument.  */
struct seen
{
  unsigned count;
  struct ummgr_table_flow_end ends[MAX];
};

static void
see (const struct ummgr_table_flow_end *end, void *data)
{
  struct seen *seen = data;
  CHECK (seen->count < MAX);
  seen->ends[seen->count++] = *end;
}

static struct ummgr_table_flow_end
end_site (const struct ummgr_table_site *site)
{
  return (struct ummgr_table_flow_end) { .kind = UMMGR_FLOW_SITE, .site = site,
    .name = "" };
}

static struct ummgr_table_flow_end
end_arg (const struct ummgr_table_arg *arg)
{
  return (struct ummgr_table_flow_end) { .kind = UMMGR_FLOW_ARGUMENT,
    .arg = arg, .name = "" };
}

/* Names are equal, not the same.  */
static struct ummgr_table_flow_end
end_name (unsigned kind, const char *name, unsigned index)
{
  return (struct ummgr_table_flow_end) { .kind = kind, .name = strdup (name),
    .index = index };
}

static void
check_none (void)
{
  struct ummgr_table_arg arg = { .name = "a" };
  struct seen seen = { 0 };
  struct ummgr_sites *s = ummgr_sites_new (NULL, 0);
  CHECK (s);
  ummgr_sites_each (s, &arg, see, &seen);
  CHECK_EQ (seen.count, 0);
  CHECK (!ummgr_sites_reach (s, 1));
  ummgr_sites_free (s);
  ummgr_sites_free (NULL);
}

/* Unit 1 allocates: site 1 is handed to run's first parameter, 2 to its second,
   3 is what make returns.  Unit 2: run's first parameter goes on to work's, and
   what make returns to the variable v.  Unit 3: work's parameter is argument a,
   v is b, and so is the parameter of a function that nobody calls; the parameters
   go round in a circle.  c is not known.  */
static void
check_three (void)
{
  struct ummgr_table_site sites[3] = { { .id = 1 }, { .id = 2 }, { .id = 3 } };
  struct ummgr_table_arg args[4] = { { .name = "a" } };
  unsigned p = UMMGR_FLOW_PARAMETER, r = UMMGR_FLOW_RETURN,
	   g = UMMGR_FLOW_GLOBAL;
  struct ummgr_table_site_flow one[] = {
    { end_site (&sites[0]), end_name (p, "run", 0) },
    { end_site (&sites[1]), end_name (p, "run", 1) },
    { end_site (&sites[2]), end_name (r, "make", 0) }
  };
  struct ummgr_table_site_flow two[] = {
    { end_name (p, "run", 0), end_name (p, "work", 0) },
    { end_name (r, "make", 0), end_name (g, "v", 0) },
    { end_name (p, "work", 0), end_name (p, "run", 0) }
  };
  struct ummgr_table_site_flow three[] = {
    { end_name (p, "work", 0), end_arg (&args[0]) },
    { end_name (g, "v", 0), end_arg (&args[1]) },
    { end_name (p, "uncalled", 2), end_arg (&args[1]) },
    { end_name (UMMGR_FLOW_UNKNOWN, "", 0), end_arg (&args[2]) }
  };
  struct ummgr_table_unit units[3] = {
    { .site_flows = one, .site_flow_count = 3 },
    { .site_flows = two, .site_flow_count = 3 },
    { .site_flows = three, .site_flow_count = 4 }
  };
  const struct ummgr_table_unit *list[] = { &units[2], &units[0], &units[1] };
  struct ummgr_sites *s = ummgr_sites_new (list, 3);
  struct seen seen[4] = { { 0 } };
  CHECK (s);
  for (int i = 0; i < 4; i++)
    ummgr_sites_each (s, &args[i], see, &seen[i]);
  CHECK_EQ (seen[0].count, 1);
  CHECK (seen[0].ends[0].site == &sites[0]);
  CHECK_EQ (seen[1].count, 2);
  CHECK (seen[1].ends[0].site == &sites[2]);
  CHECK_EQ (seen[1].ends[1].kind, p);
  CHECK_EQ (seen[1].ends[1].index, 2);
  CHECK (strcmp (seen[1].ends[1].name, "uncalled") == 0);
  CHECK_EQ (seen[2].count, 1);
  CHECK_EQ (seen[2].ends[0].kind, UMMGR_FLOW_UNKNOWN);
  CHECK_EQ (seen[3].count, 0);
  CHECK (ummgr_sites_reach (s, 1));
  CHECK (!ummgr_sites_reach (s, 2));
  CHECK (ummgr_sites_reach (s, 3));
  CHECK (!ummgr_sites_reach (s, 4));
  ummgr_sites_free (s);
  /* Without the unit in the middle site 1 reaches nothing that is known.  */
  s = ummgr_sites_new (list, 2);
  CHECK (s && !ummgr_sites_reach (s, 1));
  ummgr_sites_free (s);
}

int
main (void)
{
  check_none ();
  check_three ();
  return 0;
}
