/* Where the data of regions is allocated, over all units of a program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A graph of ends, sorted and so found by binary search, and of flows, sorted by
   where they go.  An argument's data is found by a search backwards from it,
   what reaches regions by one from all arguments at once.  Owns nothing.  */

#include "config.h"
#include "tables/sites.h"

#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

struct edge
{
  uint32_t from, to;		/* Ends.  */
};

struct ummgr_sites
{
  struct ummgr_table_flow_end *ends;
  size_t end_count;
  struct edge *edges;		/* By TO.  */
  size_t edge_count;
  uint64_t *reached;		/* Ids of sites, ascending.  */
  size_t reached_count;
};

static int
compare_number (uintptr_t a, uintptr_t b)
{
  return (a > b) - (a < b);
}

static int
compare_ends (const void *a_p, const void *b_p)
{
  const struct ummgr_table_flow_end *a = a_p, *b = b_p;
  int order = compare_number (a->kind, b->kind);
  if (!order)
    order = compare_number ((uintptr_t) a->site, (uintptr_t) b->site);
  if (!order)
    order = compare_number ((uintptr_t) a->arg, (uintptr_t) b->arg);
  if (!order)
    order = compare_number (a->index, b->index);
  return order ? order : strcmp (a->name, b->name);
}

static int
compare_edges (const void *a_p, const void *b_p)
{
  const struct edge *a = a_p, *b = b_p;
  int order = compare_number (a->to, b->to);
  return order ? order : compare_number (a->from, b->from);
}

static int
compare_ids (const void *a_p, const void *b_p)
{
  uint64_t a = *(const uint64_t *) a_p, b = *(const uint64_t *) b_p;
  return (a > b) - (a < b);
}

static uint32_t
end_number (const struct ummgr_sites *s, const struct ummgr_table_flow_end *end)
{
  const struct ummgr_table_flow_end *found
    = s->end_count ? bsearch (end, s->ends, s->end_count, sizeof *end,
			      compare_ends) : NULL;
  return found ? (uint32_t) (found - s->ends) : UINT32_MAX;
}

static void
ends_sort (struct ummgr_sites *s)
{
  size_t kept = 0;
  if (s->end_count)
    qsort (s->ends, s->end_count, sizeof *s->ends, compare_ends);
  for (size_t i = 0; i < s->end_count; i++)
    if (i == 0 || compare_ends (&s->ends[i], &s->ends[kept - 1]) != 0)
      s->ends[kept++] = s->ends[i];
  s->end_count = kept;
}

/* The first edge to END, or beyond the last.  */
static size_t
first_edge (const struct ummgr_sites *s, uint32_t end)
{
  size_t lo = 0, hi = s->edge_count;
  while (lo < hi)
    {
      size_t middle = lo + (hi - lo) / 2;
      if (s->edges[middle].to < end)
	lo = middle + 1;
      else
	hi = middle;
    }
  return lo;
}

/* A search backwards under way: ends that were reached, and those of them whose
   edges have been followed up to NEXT.  */
struct search
{
  bool *seen;
  uint32_t *found;
  size_t next, count;
};

static bool
search_new (struct search *search, size_t ends)
{
  search->seen = calloc (ends ? ends : 1, sizeof *search->seen);
  search->found = calloc (ends ? ends : 1, sizeof *search->found);
  search->next = search->count = 0;
  return search->seen && search->found;
}

static void
search_free (struct search *search)
{
  free (search->seen);
  free (search->found);
}

static void
search_add (struct search *search, uint32_t end)
{
  if (search->seen[end])
    return;
  search->seen[end] = true;
  search->found[search->count++] = end;
}

static void
search_run (const struct ummgr_sites *s, struct search *search)
{
  while (search->next < search->count)
    {
      uint32_t to = search->found[search->next++];
      for (size_t i = first_edge (s, to);
	   i < s->edge_count && s->edges[i].to == to; i++)
	search_add (search, s->edges[i].from);
    }
}

static bool
reached_find (struct ummgr_sites *s)
{
  struct search search;
  bool good = search_new (&search, s->end_count);
  s->reached = calloc (s->end_count ? s->end_count : 1, sizeof *s->reached);
  good = good && s->reached;
  for (size_t i = 0; i < s->end_count && good; i++)
    if (s->ends[i].kind == UMMGR_FLOW_ARGUMENT)
      search_add (&search, (uint32_t) i);
  if (good)
    search_run (s, &search);
  for (size_t i = 0; i < search.count && good; i++)
    {
      const struct ummgr_table_flow_end *end = &s->ends[search.found[i]];
      if (end->kind == UMMGR_FLOW_SITE)
	s->reached[s->reached_count++] = end->site->id;
    }
  if (good && s->reached_count)
    qsort (s->reached, s->reached_count, sizeof *s->reached, compare_ids);
  search_free (&search);
  return good;
}

struct ummgr_sites *
ummgr_sites_new (const struct ummgr_table_unit *const *units, size_t count)
{
  struct ummgr_sites *s = calloc (1, sizeof *s);
  size_t flows = 0;
  for (size_t i = 0; i < count; i++)
    flows += units[i]->site_flow_count;
  if (!s || flows > UINT32_MAX / 2)
    {
      free (s);
      return NULL;
    }
  s->ends = calloc (2 * flows + 1, sizeof *s->ends);
  s->edges = calloc (flows + 1, sizeof *s->edges);
  bool good = s->ends && s->edges;
  for (size_t i = 0; i < count && good; i++)
    for (size_t j = 0; j < units[i]->site_flow_count; j++)
      {
	s->ends[s->end_count++] = units[i]->site_flows[j].from;
	s->ends[s->end_count++] = units[i]->site_flows[j].to;
      }
  if (good)
    ends_sort (s);
  for (size_t i = 0; i < count && good; i++)
    for (size_t j = 0; j < units[i]->site_flow_count; j++)
      s->edges[s->edge_count++] = (struct edge) {
	end_number (s, &units[i]->site_flows[j].from),
	end_number (s, &units[i]->site_flows[j].to)
      };
  if (good && s->edge_count)
    qsort (s->edges, s->edge_count, sizeof *s->edges, compare_edges);
  if (good && reached_find (s))
    return s;
  ummgr_sites_free (s);
  return NULL;
}

void
ummgr_sites_free (struct ummgr_sites *s)
{
  if (!s)
    return;
  free (s->ends);
  free (s->edges);
  free (s->reached);
  free (s);
}

/* Is END one that nothing is known to go to, and no argument?  */
static bool
is_open (const struct ummgr_sites *s, uint32_t end)
{
  size_t i = first_edge (s, end);
  return s->ends[end].kind != UMMGR_FLOW_ARGUMENT
    && (i == s->edge_count || s->edges[i].to != end);
}

void
ummgr_sites_each (const struct ummgr_sites *s,
		  const struct ummgr_table_arg *arg,
		  void (*function) (const struct ummgr_table_flow_end *end,
				    void *data),
		  void *data)
{
  struct ummgr_table_flow_end key = { .kind = UMMGR_FLOW_ARGUMENT, .arg = arg,
    .name = "" };
  uint32_t end = end_number (s, &key);
  struct search search;
  if (end == UINT32_MAX)
    return;
  if (search_new (&search, s->end_count))
    {
      search_add (&search, end);
      search_run (s, &search);
    }
  /* Sites first, in the order of the search.  */
  for (int open = 0; open <= 1; open++)
    for (size_t i = 0; i < search.count; i++)
      {
	uint32_t n = search.found[i];
	bool site = s->ends[n].kind == UMMGR_FLOW_SITE;
	if (open ? !site && is_open (s, n) : site)
	  function (&s->ends[n], data);
      }
  search_free (&search);
}

bool
ummgr_sites_reach (const struct ummgr_sites *s, uint64_t id)
{
  return s->reached_count
    && bsearch (&id, s->reached, s->reached_count, sizeof id, compare_ids);
}
