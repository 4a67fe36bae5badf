/* GPUs of a topology, and what is known of the links between them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "topology/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *shortly, *text; } ways[] = {
#define WAY(NAME, SHORT, TEXT) { SHORT, TEXT },
#include "topology/ways.def"
#undef WAY
};

const char *
ummgr_topology_short (enum ummgr_topology_way way)
{
  return ways[way].shortly;
}

const char *
ummgr_topology_long (enum ummgr_topology_way way)
{
  return ways[way].text;
}

struct ummgr_topology_text
ummgr_topology_cpus (const cpu_set_t *cpus)
{
  struct ummgr_topology_text out = { "" };
  size_t at = 0;
  for (int first = 0, last; first < CPU_SETSIZE; first = last + 1)
    {
      last = first;
      if (!CPU_ISSET (first, cpus))
	continue;
      while (last + 1 < CPU_SETSIZE && CPU_ISSET (last + 1, cpus))
	last++;
      at += (size_t) snprintf (out.text + at, sizeof out.text - at,
			       last > first ? "%s%d-%d" : "%s%d", at ? "," : "", first,
			       last);
    }
  return out;
}

void
ummgr_topology_simulate (struct ummgr_topology *t, unsigned count)
{
  unsigned places[UMMGR_TOPOLOGY_NODES], n = 0;
  memset (t->gpu, 0, sizeof t->gpu);
  memset (t->link, 0, sizeof t->link);
  t->gpus = count < UMMGR_TOPOLOGY_GPUS ? count : UMMGR_TOPOLOGY_GPUS;
  for (unsigned i = 0; i < t->nodes; i++)
    if (CPU_COUNT (&t->node[i].cpus) > 0)
      places[n++] = i;
  for (unsigned i = 0; i < t->gpus; i++)
    {
      struct ummgr_topology_gpu *gpu = &t->gpu[i];
      gpu->simulated = true;
      gpu->node = n ? (int) places[i * n / t->gpus] : -1;
      if (n)
	gpu->cpus = t->node[gpu->node].cpus;
    }
  for (unsigned i = 0; i < t->gpus; i++)
    for (unsigned j = 0; j < t->gpus; j++)
      t->link[i][j].way = i == j ? UMMGR_WAY_SELF
	: n == 0 ? UMMGR_WAY_UNKNOWN
	: t->gpu[i].node == t->gpu[j].node ? UMMGR_WAY_NODE : UMMGR_WAY_SYSTEM;
}

/* Which of T's GPUs has this address; -1.  */
static int
gpu_at (const struct ummgr_topology *t, const char *pci)
{
  for (unsigned i = 0; i < t->gpus; i++)
    if (*pci && strcmp (t->gpu[i].pci, pci) == 0)
      return (int) i;
  return -1;
}

void
ummgr_topology_match (struct ummgr_topology *t, const char (*pci)[16], unsigned count)
{
  struct ummgr_topology *old = malloc (sizeof *old);
  unsigned n = count < UMMGR_TOPOLOGY_GPUS ? count : UMMGR_TOPOLOGY_GPUS;
  int from[UMMGR_TOPOLOGY_GPUS];
  if (old)
    *old = *t;
  memset (t->gpu, 0, sizeof t->gpu);
  memset (t->link, 0, sizeof t->link);
  t->gpus = n;
  for (unsigned i = 0; i < n; i++)
    {
      from[i] = old ? gpu_at (old, pci[i]) : -1;
      if (from[i] >= 0)
	t->gpu[i] = old->gpu[from[i]];
      else if (t->nodes == 1)	/* Where else?  */
	t->gpu[i] = (struct ummgr_topology_gpu) { .cpus = t->node[0].cpus };
      else
	t->gpu[i].node = -1;
      snprintf (t->gpu[i].pci, sizeof t->gpu[i].pci, "%s", pci[i]);
    }
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      if (i == j)
	t->link[i][j].way = UMMGR_WAY_SELF;
      else if (from[i] >= 0 && from[j] >= 0)
	t->link[i][j] = old->link[from[i]][from[j]];
  free (old);
}

static void
set_rate (struct ummgr_topology_link *link, double rate, bool told)
{
  if (rate <= 0)
    return;
  link->rate = rate;
  link->estimate = !told;
  if (told)
    link->way = UMMGR_WAY_LINK;
}

void
ummgr_topology_figures (struct ummgr_topology *t, unsigned number,
			const struct ummgr_figures *figures, bool told)
{
  struct ummgr_topology_gpu *gpu = &t->gpu[number];
  if (*figures->name)
    snprintf (gpu->name, sizeof gpu->name, "%s", figures->name);
  set_rate (&gpu->in, figures->h2d_rate, told);
  set_rate (&gpu->out, figures->d2h_rate, told);
}

void
ummgr_topology_peer (struct ummgr_topology *t, unsigned to, unsigned from,
		     const struct ummgr_device_link *link)
{
  struct ummgr_topology_link *known = &t->link[to][from];
  if (link->rate > 0)
    set_rate (known, link->rate, true);
  else if (link->nvlink && known->way != UMMGR_WAY_NVLINK)
    *known = (struct ummgr_topology_link) { .way = UMMGR_WAY_NVLINK };
}

/* What is copied between GPUs that no link of their own connects goes over those of
   both.  */
void
ummgr_topology_derive (struct ummgr_topology *t)
{
  for (unsigned to = 0; to < t->gpus; to++)
    for (unsigned from = 0; from < t->gpus; from++)
      {
	struct ummgr_topology_link *link = &t->link[to][from];
	double in = t->gpu[to].in.rate, out = t->gpu[from].out.rate;
	bool own = link->way == UMMGR_WAY_NVLINK || link->way == UMMGR_WAY_SELF
	  || link->way == UMMGR_WAY_LINK;
	if (own || in <= 0 || out <= 0)
	  continue;
	link->rate = in < out ? in : out;
	link->estimate = true;
      }
}
