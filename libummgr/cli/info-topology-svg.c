/* `ummgr info --topology=FILE.svg'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   From above to below: packages with their NUMA nodes, the links to the host, the GPUs
   below their nodes, and what connects GPUs besides, as arcs.  No state.  */

#include "config.h"
#include "cli/info.h"
#include "base/human.h"
#include "report/html.h"

#include <string.h>

enum
{
  MARGIN = 20, GAP = 16,
  GPU_WIDTH = 176, GPU_HEIGHT = 64, PITCH = GPU_WIDTH + GAP,
  TITLE = 56,			/* What the machine is.  */
  PACKAGE_TOP = MARGIN + TITLE, PACKAGE_HEIGHT = 118,
  NODE_TOP = PACKAGE_TOP + 30, NODE_HEIGHT = 74,
  GPU_TOP = PACKAGE_TOP + PACKAGE_HEIGHT + 66,
  GPU_BOTTOM = GPU_TOP + GPU_HEIGHT,
  ARC = 30,			/* Depth for each GPU that an arc passes.  */
  LINE = 20,			/* Of the legend.  */
  LEAST_WIDTH = 760, LABELS = 12
};

/* A column for each NUMA node, and one for GPUs that are nowhere.  */
struct column
{
  unsigned x, width, gpus;
};

struct picture
{
  const struct ummgr_info_map *map;
  const struct ummgr_topology *t;
  struct column column[UMMGR_TOPOLOGY_NODES + 1];
  unsigned x[UMMGR_TOPOLOGY_GPUS]; /* Left edges.  */
  unsigned width, height, farthest; /* GPUs that an arc spans at most.  */
  unsigned ways;		/* Drawn; a bit each.  */
  unsigned arcs;
  const struct ummgr_topology_link *any; /* An arc's link ...  */
  bool equal;			/* ... to which the other arcs' are equal.  */
};

static const char *const colours[UMMGR_WAYS] = {
  [UMMGR_WAY_UNKNOWN] = "#9aa0a6", [UMMGR_WAY_LINK] = "#1a73a8",
  [UMMGR_WAY_NVLINK] = "#3f8f29", [UMMGR_WAY_SWITCH] = "#b8860b",
  [UMMGR_WAY_SWITCHES] = "#c06a1b", [UMMGR_WAY_BRIDGE] = "#7a5195",
  [UMMGR_WAY_NODE] = "#7a5195", [UMMGR_WAY_SYSTEM] = "#7a5195"
};

/* Is it drawn as an arc?  What goes by the host is not.  */
static bool
is_arc (enum ummgr_topology_way way)
{
  return way == UMMGR_WAY_LINK || way == UMMGR_WAY_NVLINK || way == UMMGR_WAY_SWITCH
	 || way == UMMGR_WAY_SWITCHES;
}

/* --- where things are ------------------------------------------------------------ */

static unsigned
column_of (const struct ummgr_topology *t, unsigned gpu)
{
  return t->gpu[gpu].node >= 0 ? (unsigned) t->gpu[gpu].node : t->nodes;
}

static void
lay_columns (struct picture *p)
{
  const struct ummgr_topology *t = p->t;
  unsigned x = MARGIN;
  for (unsigned g = 0; g < t->gpus; g++)
    p->column[column_of (t, g)].gpus++;
  for (unsigned c = 0; c <= t->nodes; c++)
    {
      struct column *column = &p->column[c];
      bool apart = c > 0 && (c == t->nodes || t->node[c].package < 0
			     || t->node[c].package != t->node[c - 1].package);
      if (c == t->nodes && !column->gpus)
	continue;
      x += apart ? 2 * GAP : 0;
      column->x = x;
      column->width = (column->gpus > 1 ? column->gpus : 1) * PITCH;
      column->gpus = 0;
      x += column->width + GAP;
    }
  p->width = x - GAP + MARGIN;
}

static void
lay_gpus (struct picture *p)
{
  const struct ummgr_topology *t = p->t;
  for (unsigned g = 0; g < t->gpus; g++)
    {
      struct column *column = &p->column[column_of (t, g)];
      p->x[g] = column->x + column->gpus++ * PITCH + GAP / 2;
      p->ways |= 1u << t->gpu[g].in.way;
    }
}

static unsigned
span (const struct picture *p, unsigned a, unsigned b)
{
  unsigned between = p->x[a] < p->x[b] ? p->x[b] - p->x[a] : p->x[a] - p->x[b];
  return (between + PITCH / 2) / PITCH;
}

static void
lay_arc (struct picture *p, const struct ummgr_topology_link *link)
{
  if (p->arcs++ == 0)
    p->equal = true;
  else
    p->equal &= link->way == p->any->way && link->rate == p->any->rate;
  p->ways |= 1u << link->way;
  p->any = link;
}

/* Many that are equal are called so once.  */
static bool
has_labels (const struct picture *p)
{
  return !p->equal || p->arcs <= LABELS;
}

static void
lay (struct picture *p)
{
  const struct ummgr_topology *t = p->t;
  lay_columns (p);
  lay_gpus (p);
  for (unsigned a = 0; a < t->gpus; a++)
    for (unsigned b = a + 1; b < t->gpus; b++)
      if (is_arc (t->link[a][b].way))
	{
	  lay_arc (p, &t->link[a][b]);
	  lay_arc (p, &t->link[b][a]);
	  if (span (p, a, b) > p->farthest)
	    p->farthest = span (p, a, b);
	}
  if (p->width < LEAST_WIDTH)
    p->width = LEAST_WIDTH;
  unsigned bottom = t->gpus ? GPU_BOTTOM : PACKAGE_TOP + PACKAGE_HEIGHT;
  p->height = bottom + (p->farthest ? (p->farthest + 1) * ARC : 0) + GAP
    + ((unsigned) __builtin_popcount (p->ways) + 3) * LINE;
}

/* --- what is drawn --------------------------------------------------------------- */

static void
put_text (FILE *out, unsigned x, unsigned y, const char *class, const char *text)
{
  fprintf (out, "<text x=\"%u\" y=\"%u\" class=\"%s\">", x, y, class);
  ummgr_report_escaped (out, text);
  fputs ("</text>\n", out);
}

static void
put_box (FILE *out, unsigned x, unsigned y, unsigned width, unsigned height,
	 const char *class)
{
  fprintf (out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"6\" class=\"%s\"/>\n",
	   x, y, width, height, class);
}

/* "NVL 47.9", with the other direction's where it differs.  */
static void
put_rate (char *buf, size_t size, const struct ummgr_topology_link *a,
	  const struct ummgr_topology_link *b)
{
  double there = a->rate / 1e9, back = b->rate / 1e9;
  const char *name = ummgr_topology_short (a->way);
  const char *mark = a->estimate ? "~" : "";
  if (there <= 0)
    snprintf (buf, size, "%s%s", name, a->way == UMMGR_WAY_UNKNOWN ? "" : " ?");
  else if (back <= 0 || there == back)
    snprintf (buf, size, "%s %s%.*f", name, mark, there < 99.95, there);
  else
    snprintf (buf, size, "%s %s%.*f / %.*f", name, mark, there < 99.95, there,
	      back < 99.95, back);
}

/* So much of TEXT as a box has room for.  */
static void
put_cut (FILE *out, unsigned x, unsigned y, const char *class, const char *text,
	 unsigned width)
{
  char cut[128];
  size_t room = width * 2 / 15, n = strlen (text);
  room = room < sizeof cut - 8 ? room : sizeof cut - 8;
  snprintf (cut, sizeof cut, "%.*s%s", (int) (n > room ? room - 1 : n), text,
	    n > room ? "\u2026" : "");
  put_text (out, x, y, class, cut);
}

static void
put_node (FILE *out, const struct picture *p, unsigned n)
{
  const struct ummgr_topology_node *node = &p->t->node[n];
  const struct column *c = &p->column[n];
  char text[64], cpus[sizeof (struct ummgr_topology_text) + 8];
  put_box (out, c->x + 8, NODE_TOP, c->width - GAP, NODE_HEIGHT, "node");
  snprintf (text, sizeof text, "NUMA node %d", node->number);
  put_text (out, c->x + 18, NODE_TOP + 22, "name", text);
  put_text (out, c->x + 18, NODE_TOP + 42, "small",
	    ummgr_human_bytes ((double) node->memory).text);
  snprintf (cpus, sizeof cpus, CPU_COUNT (&node->cpus) ? "CPUs %s" : "memory alone%s",
	    ummgr_topology_cpus (&node->cpus).text);
  put_cut (out, c->x + 18, NODE_TOP + 60, "small", cpus, c->width - 2 * GAP);
}

static void
put_packages (FILE *out, const struct picture *p)
{
  const struct ummgr_topology *t = p->t;
  for (unsigned first = 0, last; first < t->nodes; first = last + 1)
    {
      char text[64];
      last = first;
      while (t->node[first].package >= 0 && last + 1 < t->nodes
	     && t->node[last + 1].package == t->node[first].package)
	last++;
      unsigned end = p->column[last].x + p->column[last].width;
      if (t->node[first].package < 0)
	continue;
      put_box (out, p->column[first].x, PACKAGE_TOP, end - p->column[first].x,
	       PACKAGE_HEIGHT, "package");
      snprintf (text, sizeof text, "package %d", t->node[first].package);
      put_text (out, p->column[first].x + 10, PACKAGE_TOP + 20, "small", text);
    }
  for (unsigned n = 0; n < t->nodes; n++)
    put_node (out, p, n);
}

static void
put_gpu (FILE *out, const struct picture *p, unsigned g)
{
  const struct ummgr_topology_gpu *gpu = &p->t->gpu[g];
  unsigned x = p->x[g], middle = x + GPU_WIDTH / 2;
  char text[64];
  if (gpu->node >= 0)
    {
      unsigned top = NODE_TOP + NODE_HEIGHT;
      put_rate (text, sizeof text, &gpu->in, &gpu->out);
      fprintf (out, "<path class=\"link\" stroke=\"%s\" d=\"M%u %uV%u\"/>\n",
	       colours[gpu->in.way], middle, top, GPU_TOP);
      put_text (out, middle + 6, GPU_TOP - 22, "rate", text);
    }
  else
    put_text (out, x + 10, GPU_TOP - 22, "small", "at an unknown place");
  put_box (out, x, GPU_TOP, GPU_WIDTH, GPU_HEIGHT, gpu->simulated ? "gpu sim" : "gpu");
  snprintf (text, sizeof text, "GPU%u%s", g, gpu->simulated ? " simulated" : "");
  put_text (out, x + 10, GPU_TOP + 20, "name", text);
  put_cut (out, x + 10, GPU_TOP + 38, "small", *gpu->name ? gpu->name : "?",
	   GPU_WIDTH - 10);
  put_text (out, x + 10, GPU_TOP + 55, "small", *gpu->pci ? gpu->pci : "");
}

/* From the middle of one GPU's lower edge to the other's, deeper the farther.  The LABEL,
   and on another round the line.  */
static void
put_arc (FILE *out, const struct picture *p, unsigned a, unsigned b, bool label)
{
  const struct ummgr_topology_link *link = &p->t->link[a][b];
  unsigned left = p->x[a] < p->x[b] ? a : b, right = left == a ? b : a;
  unsigned from = p->x[left] + GPU_WIDTH / 2, to = p->x[right] + GPU_WIDTH / 2;
  unsigned depth = span (p, a, b) * ARC, bend = GPU_BOTTOM + depth + depth / 3;
  char text[64];
  put_rate (text, sizeof text, link, &p->t->link[b][a]);
  if (label)
    put_text (out, (from + to) / 2, GPU_BOTTOM + depth + 17, "rate middle", text);
  else
    fprintf (out, "<path class=\"link\" stroke=\"%s\" d=\"M%u %uC%u %u %u %u %u %u\">"
	     "<title>GPU%u, GPU%u: %s</title></path>\n", colours[link->way], from,
	     GPU_BOTTOM, from + 20, bend, to - 20, bend, to, GPU_BOTTOM, a, b, text);
}

static void
put_arcs (FILE *out, const struct picture *p, bool labels)
{
  const struct ummgr_topology *t = p->t;
  for (unsigned a = 0; a < t->gpus; a++)
    for (unsigned b = a + 1; b < t->gpus; b++)
      if (is_arc (t->link[a][b].way))
	put_arc (out, p, a, b, labels);
}

static void
put_legend (FILE *out, const struct picture *p)
{
  unsigned y = p->height - ((unsigned) __builtin_popcount (p->ways) + 2) * LINE;
  for (unsigned way = 0; way < UMMGR_WAYS; way++)
    if (p->ways >> way & 1 && colours[way])
      {
	char text[128], rate[64] = "";
	if (!has_labels (p) && p->any->way == way)
	  put_rate (rate, sizeof rate, p->any, p->any);
	snprintf (text, sizeof text, "%s: %s%s%s", ummgr_topology_short (way),
		  ummgr_topology_long (way), *rate ? ", each arc " : "", rate);
	fprintf (out, "<path class=\"link\" stroke=\"%s\" d=\"M%u %uh24\"/>\n", colours[way],
		 MARGIN, y - 4);
	put_text (out, MARGIN + 32, y, "small", text);
	y += LINE;
      }
  if (p->t->gpus)
    put_text (out, MARGIN, y, "small", "Rates: bulk copies in 10^9 bytes a second, to / "
	      "from the GPU where they differ; ~ an estimate, ? unknown.");
  if (p->map->profile)
    put_text (out, MARGIN, y + LINE, "small", "Simulated GPUs are at the NUMA nodes in order; "
	      "their rates are the profile's.");
}

static void
put_title (FILE *out, const struct picture *p)
{
  const struct ummgr_topology *t = p->t;
  char text[160];
  snprintf (text, sizeof text, "%u package%s, %u NUMA node%s, %u core%s, %u GPU%s", t->packages,
	    t->packages == 1 ? "" : "s", t->nodes, t->nodes == 1 ? "" : "s", t->cores,
	    t->cores == 1 ? "" : "s", t->gpus, t->gpus == 1 ? "" : "s");
  put_text (out, MARGIN, MARGIN + 14, "title", text);
  snprintf (text, sizeof text, "%s%s%s%s%s", p->map->known ? "as hwloc " : "hwloc not found",
	    t->version, p->map->known ? " has it" : "",
	    p->map->profile ? "; simulated GPUs, profile " : "",
	    p->map->profile ? p->map->profile : "");
  put_text (out, MARGIN, MARGIN + 36, "small", text);
}

static const char style[]
  = "text{font-family:system-ui,sans-serif;fill:#202124}"
    ".title{font-size:17px;font-weight:600}.name{font-size:14px;font-weight:600}"
    ".small{font-size:12px;fill:#5f6368}"
    ".rate{font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    ".middle{text-anchor:middle}"
    ".package{fill:#f1f3f4;stroke:#9aa0a6}.node{fill:#fff;stroke:#5f6368}"
    ".gpu{fill:#e6f4ea;stroke:#3f8f29}.sim{fill:#e8f0fe;stroke:#1a73a8;"
    "stroke-dasharray:5 3}.link{fill:none;stroke-width:2.5}";

void
ummgr_info_map_svg (FILE *out, const void *map)
{
  struct picture p = { .map = map, .t = &((const struct ummgr_info_map *) map)->topology };
  const struct ummgr_topology *t = p.t;
  lay (&p);
  fprintf (out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
	   "viewBox=\"0 0 %u %u\">\n<style>%s</style>\n"
	   "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", p.width, p.height, p.width,
	   p.height, style);
  put_title (out, &p);
  put_packages (out, &p);
  put_arcs (out, &p, false);
  if (has_labels (&p))
    put_arcs (out, &p, true);
  for (unsigned g = 0; g < t->gpus; g++)
    put_gpu (out, &p, g);
  put_legend (out, &p);
  fputs ("</svg>\n", out);
}
