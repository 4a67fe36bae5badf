/* `ummgr info --topology' as text and as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The matrix is nvidia-smi's, with rates.  No state.  */

#include "config.h"
#include "cli/info.h"
#include "base/human.h"
#include "base/table.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* So much of CPUS as a column has room for.  */
static void
add_cpus (struct ummgr_table *table, const cpu_set_t *cpus, const char *none)
{
  enum { ROOM = 32 };
  struct ummgr_topology_text all = ummgr_topology_cpus (cpus);
  bool long_list = strlen (all.text) > ROOM;
  ummgr_table_add (table, "%.*s%s\t", ROOM, CPU_COUNT (cpus) ? all.text : none,
		   long_list ? "..." : "");
}

static void
put_counts (const struct ummgr_info_map *map)
{
  const struct ummgr_topology *t = &map->topology;
  if (!map->known)
    puts ("hwloc not found: where GPUs are isn't known (Debian: " UMMGR_INFO_HWLOC ")");
  else
    printf ("%u package%s, %u NUMA node%s, %u core%s, as hwloc %s has it%s\n", t->packages,
	    t->packages == 1 ? "" : "s", t->nodes, t->nodes == 1 ? "" : "s", t->cores,
	    t->cores == 1 ? "" : "s", t->version,
	    t->here ? "" : " from HWLOC_XMLFILE");
  if (map->profile)
    printf ("simulated GPUs, profile %s, at the NUMA nodes in order\n", map->profile);
}

static void
put_nodes (const struct ummgr_topology *t)
{
  struct ummgr_table table = { .columns = "lllll" };
  ummgr_table_add (&table, "NUMA node\tpackage\tmemory\tCPUs\tGPUs\n");
  for (unsigned i = 0; i < t->nodes; i++)
    {
      const struct ummgr_topology_node *node = &t->node[i];
      ummgr_table_add (&table, "%d\t", node->number);
      if (node->package >= 0)
	ummgr_table_add (&table, "%d", node->package);
      else
	ummgr_table_add (&table, "-");
      ummgr_table_add (&table, "\t%s\t", ummgr_human_bytes ((double) node->memory).text);
      add_cpus (&table, &node->cpus, "none");
      bool any = false;
      for (unsigned g = 0; g < t->gpus; g++)
	if (t->gpu[g].node == (int) i)
	  {
	    ummgr_table_add (&table, "%s%u", any ? " " : "", g);
	    any = true;
	  }
      ummgr_table_add (&table, "%s\n", any ? "" : "none");
    }
  ummgr_table_end (&table, stdout);
}

static void
put_gpus (const struct ummgr_topology *t)
{
  struct ummgr_table table = { .columns = "lllll" };
  ummgr_table_add (&table, "GPU\tPCI\tNUMA node\tCPUs\tname\n");
  for (unsigned g = 0; g < t->gpus; g++)
    {
      const struct ummgr_topology_gpu *gpu = &t->gpu[g];
      ummgr_table_add (&table, "%u\t%s\t", g, gpu->simulated ? "simulated"
		       : *gpu->pci ? gpu->pci : "?");
      if (gpu->node >= 0)
	ummgr_table_add (&table, "%d", t->node[gpu->node].number);
      else
	ummgr_table_add (&table, "?");
      ummgr_table_add (&table, "\t");
      add_cpus (&table, &gpu->cpus, "?");
      ummgr_table_add (&table, "%s\n", *gpu->name ? gpu->name : "?");
    }
  ummgr_table_end (&table, stdout);
}

static void
add_link (struct ummgr_table *table, const struct ummgr_topology_link *link)
{
  double rate = link->rate / 1e9;
  if (link->way == UMMGR_WAY_SELF)
    ummgr_table_add (table, "\t%s", ummgr_topology_short (link->way));
  else if (rate <= 0)
    ummgr_table_add (table, "\t%s%s", ummgr_topology_short (link->way),
		     link->way == UMMGR_WAY_UNKNOWN ? "" : " ?");
  else
    ummgr_table_add (table, "\t%s %s%.*f", ummgr_topology_short (link->way),
		     link->estimate ? "~" : "", rate < 99.95, rate);
}

static void
put_matrix (const struct ummgr_topology *t)
{
  enum { AT_ONCE = UMMGR_TABLE_COLUMNS - 2 };
  char columns[UMMGR_TABLE_COLUMNS + 1];
  for (unsigned from = 0; from == 0 || from < t->gpus; from += AT_ONCE)
    {
      struct ummgr_table table = { .columns = columns };
      unsigned end = from + AT_ONCE < t->gpus ? from + AT_ONCE : t->gpus;
      memset (columns, 'l', sizeof columns);
      columns[end - from + 2] = 0;
      ummgr_table_add (&table, "GB/s to");
      for (unsigned g = from; g < end; g++)
	ummgr_table_add (&table, "\tfrom GPU%u", g);
      ummgr_table_add (&table, "\tfrom host\n");
      for (unsigned to = 0; to < t->gpus; to++)
	{
	  ummgr_table_add (&table, "GPU%u", to);
	  for (unsigned g = from; g < end; g++)
	    add_link (&table, &t->link[to][g]);
	  add_link (&table, &t->gpu[to].in);
	  ummgr_table_add (&table, "\n");
	}
      ummgr_table_add (&table, "host");
      for (unsigned g = from; g < end; g++)
	add_link (&table, &t->gpu[g].out);
      ummgr_table_add (&table, "\t%s\n", ummgr_topology_short (UMMGR_WAY_SELF));
      ummgr_table_end (&table, stdout);
    }
}

static void
note (unsigned *ways, bool *estimate, const struct ummgr_topology_link *link)
{
  *ways |= 1u << link->way;
  *estimate |= link->estimate;
}

static void
put_legend (const struct ummgr_info_map *map)
{
  const struct ummgr_topology *t = &map->topology;
  unsigned ways = 1u << UMMGR_WAY_SELF;
  bool estimate = false;
  for (unsigned i = 0; i < t->gpus; i++)
    {
      note (&ways, &estimate, &t->gpu[i].in);
      note (&ways, &estimate, &t->gpu[i].out);
      for (unsigned j = 0; j < t->gpus; j++)
	note (&ways, &estimate, &t->link[i][j]);
    }
  puts ("");
  for (unsigned way = 0; way < UMMGR_WAYS; way++)
    if (ways >> way & 1)
      printf ("%-5s %s\n", ummgr_topology_short (way), ummgr_topology_long (way));
  puts ("Rates are of bulk copies, one way, in 10^9 bytes a second; ?: unknown.");
  if (estimate)
    printf ("~: an estimate: %.2f of what the link can carry, of two links the slower.\n",
	    UMMGR_FIGURES_COPIES);
  if (map->profile)
    puts ("Without ~ they are the profile's, which says where each is from.");
}

void
ummgr_info_map_text (const struct ummgr_info_map *map)
{
  const struct ummgr_topology *t = &map->topology;
  put_counts (map);
  if (t->nodes)
    {
      puts ("");
      put_nodes (t);
    }
  puts ("");
  if (!t->gpus)
    {
      puts ("no NVIDIA GPU on PCI (--gpu=sim shows simulated ones)");
      return;
    }
  put_gpus (t);
  puts ("");
  put_matrix (t);
  put_legend (map);
}

/* --- JSON --------------------------------------------------------------------- */

static json_t *
cpus_json (const cpu_set_t *cpus)
{
  return CPU_COUNT (cpus) ? json_string (ummgr_topology_cpus (cpus).text) : json_null ();
}

static json_t *
link_json (const struct ummgr_info_map *map, const struct ummgr_topology_link *link)
{
  json_t *out = json_object ();
  bool known = link->way != UMMGR_WAY_UNKNOWN;
  json_object_set_new (out, "way", known ? json_string (ummgr_topology_short (link->way))
		       : json_null ());
  json_object_set_new (out, "rate", link->rate > 0 ? json_real (link->rate) : json_null ());
  json_object_set_new (out, "source", link->rate <= 0 ? json_null ()
		       : json_string (link->estimate ? "estimate"
				      : map->profile ? "profile" : "hwloc"));
  return out;
}

static json_t *
number_json (bool known, int number)
{
  return known ? json_integer (number) : json_null ();
}

static json_t *
nodes_json (const struct ummgr_topology *t)
{
  json_t *out = json_array ();
  for (unsigned i = 0; i < t->nodes; i++)
    {
      const struct ummgr_topology_node *node = &t->node[i];
      json_t *one = json_object ();
      json_object_set_new (one, "number", json_integer (node->number));
      json_object_set_new (one, "package", number_json (node->package >= 0, node->package));
      json_object_set_new (one, "memory", json_integer ((json_int_t) node->memory));
      json_object_set_new (one, "cpus", cpus_json (&node->cpus));
      json_array_append_new (out, one);
    }
  return out;
}

static json_t *
gpus_json (const struct ummgr_info_map *map)
{
  const struct ummgr_topology *t = &map->topology;
  json_t *out = json_array ();
  for (unsigned g = 0; g < t->gpus; g++)
    {
      const struct ummgr_topology_gpu *gpu = &t->gpu[g];
      json_t *one = json_object (), *from = json_array ();
      json_object_set_new (one, "name", ummgr_json_text (gpu->name));
      json_object_set_new (one, "pci", ummgr_json_text (gpu->pci));
      json_object_set_new (one, "simulated", json_boolean (gpu->simulated));
      json_object_set_new (one, "node", number_json (gpu->node >= 0, gpu->node >= 0
						     ? t->node[gpu->node].number : 0));
      json_object_set_new (one, "cpus", cpus_json (&gpu->cpus));
      json_object_set_new (one, "from_host", link_json (map, &gpu->in));
      json_object_set_new (one, "to_host", link_json (map, &gpu->out));
      for (unsigned i = 0; i < t->gpus; i++)
	json_array_append_new (from, link_json (map, &t->link[g][i]));
      json_object_set_new (one, "from_gpu", from);
      json_array_append_new (out, one);
    }
  return out;
}

bool
ummgr_info_map_json (const struct ummgr_info_map *map)
{
  const struct ummgr_topology *t = &map->topology;
  json_t *out = json_object ();
  json_object_set_new (out, "hwloc", ummgr_json_text (t->version));
  json_object_set_new (out, "this_machine", json_boolean (!map->known || t->here));
  json_object_set_new (out, "profile", map->profile ? ummgr_json_text (map->profile)
		       : json_null ());
  json_object_set_new (out, "packages", number_json (map->known, (int) t->packages));
  json_object_set_new (out, "cores", number_json (map->known, (int) t->cores));
  json_object_set_new (out, "nodes", nodes_json (t));
  json_object_set_new (out, "gpus", gpus_json (map));
  return ummgr_json_put (out, 6);
}
