/* The best possible, of a trace, on a machine.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the machines with room for all, the histories, and the windows.  */

#include "config.h"
#include "replay/best.h"
#include "replay/bound.h"
#include "replay/machine.h"

#include "base/grow.h"
#include "base/log.h"
#include "base/progress.h"
#include "paging/paging.h"

#include <Judy.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  PAGE = 4096,
  SECTOR = 32,
  SECTORS_MOST = 1 << 27,	/* Of a page in a launch.  */
  NODES_MOST = 1 << 24,
  EVENTS_MOST = 1 << 26,
  WINDOWS_MOST = 4096,		/* Of a program.  */
  PART = 3000,			/* Events of a program, about.  */
  SOLVING = 20			/* Seconds of solving, at most.  */
};

/* What happens to a page in a window.  */
enum
{
  USED = 1,
  FRESH = 2,			/* First it is written; or it has no content.  */
  WRITTEN = 4,
  HOST = 8			/* By the host.  */
};

/* What has happened to a page: to its parent's, and then.  */
struct node
{
  uint32_t parent;
  uint32_t window;
  uint32_t sectors;		/* That it has of local memory, or over the link.  */
  uint32_t pages;		/* To which nothing else has.  */
  uint8_t flags;
  bool content;			/* It has some now.  */
  bool used;			/* By the GPU, ever.  */
};

struct page
{
  uint32_t node;
  uint32_t sectors;		/* In the running launch.  */
  uint8_t device, host, later;	/* Flags of it, of the host before it, and behind.  */
};

/* Units, each once.  */
struct units
{
  uint32_t *unit;
  size_t count, room;
};

struct ummgr_best
{
  struct ummgr_figures figures;
  struct ummgr_replay_machine_state *machine;
  /* The host has all in that one, and its link takes no time: in another order a launch may
     take a little less.  */
  struct ummgr_replay_machine_state *far;
  struct page *page;		/* By unit.  */
  uint32_t pages;		/* There is room for.  */
  uint32_t units;		/* Behind the last object.  */
  struct node *node;		/* The first is nothing.  */
  size_t nodes, node_room;
  void *children;		/* Judy: of the window that ends.  */
  struct ummgr_bound_window *window; /* Whose room is what others have of it.  */
  size_t windows, window_room;
  struct units device, host, later;
  bool running, told;
  double taken;			/* Bytes of the device that others have.  */
  struct ummgr_trace_taken copies; /* libgomp's own, ...  */
  double extra;			/* ... and what these take.  */
  bool irregular;		/* Too many histories: no more are told apart.  */
  bool failed;
};

/* --- histories ------------------------------------------------------------------- */

static bool
has_content (const struct node *parent, uint8_t flags)
{
  return parent->content || flags & (HOST | WRITTEN);
}

/* The node of P, to which FLAGS happens in WINDOW, with so many SECTORS.  0: no memory.  */
static uint32_t
child_of (struct ummgr_best *b, uint32_t parent, uint32_t window, uint8_t flags,
	  uint32_t sectors)
{
  Word_t key = (Word_t) parent << 32 | (Word_t) sectors << 4 | flags;
  PPvoid_t slot = JudyLIns (&b->children, key, PJE0);
  if (!slot || slot == (PPvoid_t) PPJERR
      || !UMMGR_GROW (b->node, b->node_room, b->nodes + 1))
    return 0;
  if (!*slot)
    {
      const struct node *p = &b->node[parent];
      b->node[b->nodes] = (struct node) {
	parent, window, sectors, 0, flags, has_content (p, flags), p->used || !(flags & HOST)
      };
      *slot = (void *) (uintptr_t) b->nodes++;
    }
  return (uintptr_t) *slot;
}

/* A number of sectors that is not much less: pages differ in no more.  */
static uint32_t
about (uint32_t sectors)
{
  unsigned shift = 0;
  if (sectors > SECTORS_MOST)
    sectors = SECTORS_MOST;
  while (sectors >> shift >= 16)
    shift++;
  return sectors >> shift << shift;
}

static void
move_page (struct ummgr_best *b, struct page *p, uint32_t window, uint8_t flags,
	   uint32_t sectors)
{
  const struct node *n = &b->node[p->node];
  b->irregular |= b->nodes == NODES_MOST;
  if (b->irregular)
    return;
  if (!n->content && !(flags & HOST))
    flags |= FRESH;
  uint32_t to = child_of (b, p->node, window, flags, about (sectors));
  if (!to)
    {
      b->failed = true;
      return;
    }
  b->node[p->node].pages--;
  b->node[to].pages++;
  p->node = to;
}

static uint32_t
window_new (struct ummgr_best *b, bool launch, double least)
{
  if (!UMMGR_GROW (b->window, b->window_room, b->windows + 1))
    {
      b->failed = true;
      return 0;
    }
  b->window[b->windows] = (struct ummgr_bound_window) { launch, least, b->taken };
  return b->windows++;
}

/* What the host did since the last launch, in a window of its own.  */
static void
end_host (struct ummgr_best *b)
{
  if (b->host.count)
    {
      uint32_t w = window_new (b, false, 0);
      for (size_t i = 0; i < b->host.count && !b->failed; i++)
	{
	  struct page *p = &b->page[b->host.unit[i]];
	  move_page (b, p, w, p->host | HOST, 0);
	  p->host = 0;
	}
      JudyLFreeArray (&b->children, PJE0);
    }
  b->host.count = 0;
  struct units none = b->host;
  b->host = b->later;
  b->later = none;
  for (size_t i = 0; i < b->host.count; i++)
    {
      struct page *p = &b->page[b->host.unit[i]];
      p->host = p->later;
      p->later = 0;
    }
}

static void
end_launch (struct ummgr_best *b, double took)
{
  end_host (b);
  uint32_t w = window_new (b, true, b->figures.launch_cost + took);
  for (size_t i = 0; i < b->device.count && !b->failed; i++)
    {
      struct page *p = &b->page[b->device.unit[i]];
      move_page (b, p, w, p->device, b->told ? p->sectors : PAGE / SECTOR);
      p->device = 0;
      p->sectors = 0;
    }
  b->device.count = 0;
  JudyLFreeArray (&b->children, PJE0);
}

/* --- events ------------------------------------------------------------------------ */

/* UNIT of LIST, whose flags are at FLAGS, is used.  */
static void
note (struct ummgr_best *b, struct units *list, uint32_t unit, uint8_t *flags, bool write)
{
  if (!*flags)
    {
      if (!UMMGR_GROW (list->unit, list->room, list->count + 1))
	{
	  b->failed = true;
	  return;
	}
      list->unit[list->count++] = unit;
      *flags = USED | (write ? FRESH : 0);
    }
  if (write)
    *flags |= WRITTEN;
}

static void
take_event (struct ummgr_best *b, const struct ummgr_page_event *e)
{
  struct page *p = &b->page[e->unit];
  bool write = ummgr_page_writes (e->kind);
  if (ummgr_page_is_use (e->kind))
    note (b, &b->device, e->unit, &p->device, write);
  else if (e->kind != UMMGR_PAGE_HOST_READ && e->kind != UMMGR_PAGE_HOST_WRITE)
    return;
  /* While a launch runs: before, if that has not used it so far.  */
  else if (b->running && p->device)
    note (b, &b->later, e->unit, &p->later, write);
  else
    note (b, &b->host, e->unit, &p->host, write);
}

/* The running launch has ended: how long it took, at least.  */
static double
least_seconds (struct ummgr_best *b, const struct ummgr_page_event *end)
{
  double near = -ummgr_machine_counters (b->machine).kernel_seconds;
  double far = -ummgr_machine_counters (b->far).kernel_seconds;
  ummgr_machine_events (b->machine, end, 1);
  ummgr_machine_events (b->far, end, 1);
  near += ummgr_machine_counters (b->machine).kernel_seconds;
  far += ummgr_machine_counters (b->far).kernel_seconds;
  return b->told && far < near ? far : near;
}

static bool
is_hosts (unsigned kind)
{
  return kind == UMMGR_PAGE_HOST_READ || kind == UMMGR_PAGE_HOST_WRITE;
}

/* The machines, which have all, see nothing of what the host does.  */
bool
ummgr_best_events (struct ummgr_best *b, const struct ummgr_page_event *e, size_t count)
{
  for (size_t i = 0; i < count && !b->failed; i++)
    if (e[i].kind == UMMGR_PAGE_REGION_END)
      {
	double least = least_seconds (b, &e[i]);
	if (b->running)
	  end_launch (b, least);
	b->running = false;
      }
    else if (e[i].kind != UMMGR_PAGE_REGION_BEGIN)
      {
	take_event (b, &e[i]);
	if (is_hosts (e[i].kind))
	  continue;
	ummgr_machine_events (b->machine, &e[i], 1);
	ummgr_machine_events (b->far, &e[i], 1);
      }
  return !b->failed;
}

bool
ummgr_best_grow (struct ummgr_best *b, uint32_t units)
{
  if (units > b->pages)
    {
      uint32_t room = units > 2 * b->pages ? units : 2 * b->pages;
      struct page *page = reallocarray (b->page, room, sizeof *page);
      if (!page)
	return false;
      memset (page + b->pages, 0, (room - b->pages) * sizeof *page);
      b->node[0].pages += room - b->pages;
      b->page = page;
      b->pages = room;
    }
  return ummgr_machine_grow (b->machine, units) && ummgr_machine_grow (b->far, units);
}

bool
ummgr_best_object (struct ummgr_best *b, const struct ummgr_page_object *t)
{
  struct ummgr_device *device = ummgr_machine_device (b->machine);
  struct ummgr_device *far = ummgr_machine_device (b->far);
  const uintptr_t address = (uintptr_t) t->first * PAGE;
  const size_t bytes = (size_t) t->units * PAGE;
  /* Names come later; nobody asks for them.  */
  if (t->first < b->units)
    return true;
  b->units = t->first + t->units;
  if (!ummgr_machine_object (b->machine, t) || !ummgr_machine_object (b->far, t)
      || device->ops->prefetch (device, address, bytes, false)
      || far->ops->keep_on_host (far, address, bytes, true))
    return false;
  for (uint32_t i = t->first; i < b->units; i++)
    ummgr_machine_events (b->far, &(struct ummgr_page_event) { i, UMMGR_PAGE_HOST_WRITE, 0 }, 1);
  return true;
}

void
ummgr_best_region (struct ummgr_best *b, const struct ummgr_page_region *r)
{
  b->running = true;
  b->told = false;
  ummgr_machine_region (b->machine, r);
  ummgr_machine_region (b->far, r);
}

void
ummgr_best_taken (struct ummgr_best *b, const struct ummgr_trace_taken *t)
{
  const struct ummgr_figures *f = &b->figures;
  const struct ummgr_trace_taken *c = &b->copies;
  if (t->copied_in > c->copied_in)
    b->extra += (t->copied_in - c->copied_in) / ummgr_figures_pageable (f, true);
  if (t->copied_out > c->copied_out)
    b->extra += (t->copied_out - c->copied_out) / ummgr_figures_pageable (f, false);
  if (t->copies > c->copies)
    b->extra += (t->copies - c->copies) * f->link_latency;
  b->copies = *t;
  b->taken = t->bytes;
}

void
ummgr_best_ran (struct ummgr_best *b, const struct ummgr_trace_ran *r)
{
  ummgr_machine_ran (b->machine, r);
}

void
ummgr_best_told (struct ummgr_best *b)
{
  b->told = b->running;
  ummgr_machine_told (b->machine);
  ummgr_machine_told (b->far);
}

bool
ummgr_best_steps (struct ummgr_best *b, struct ummgr_gpu_steps *steps,
		  const struct ummgr_areas *areas)
{
  return ummgr_machine_steps (b->machine, steps, areas)
	 && ummgr_machine_steps (b->far, steps, areas);
}

static void
fetched (void *data, uint32_t unit, unsigned sectors)
{
  struct ummgr_best *b = data;
  if (unit < b->pages)
    b->page[unit].sectors += sectors;
}

/* --- chunks -------------------------------------------------------------------------- */

struct chunks
{
  struct ummgr_bound_chunk *chunk;
  size_t count, room;
  struct ummgr_bound_event *event;
  size_t events, event_room;
};

static void
chunks_free (struct chunks *c)
{
  free (c->chunk);
  free (c->event);
}

static size_t
length_of (const struct ummgr_best *b, uint32_t node)
{
  size_t n = 0;
  for (; node; node = b->node[node].parent)
    n++;
  return n;
}

/* A chunk of so many BYTES, whose events are the COUNT that C has got last.  */
static bool
chunk_new (struct chunks *c, double bytes, bool begun, size_t count)
{
  if (!UMMGR_GROW (c->chunk, c->room, c->count + 1))
    return false;
  c->chunk[c->count++]
    = (struct ummgr_bound_chunk) { .bytes = bytes, .begun = begun, .events = count };
  return true;
}

/* C has all its events.  */
static void
chunks_done (struct chunks *c)
{
  size_t first = 0;
  for (size_t i = 0; i < c->count; i++)
    {
      c->chunk[i].event = c->event + first;
      first += c->chunk[i].events;
    }
}

/* The pages to which happened what node LEAF says.  */
static bool
add_leaf (struct ummgr_best *b, uint32_t leaf, struct chunks *c)
{
  size_t n = length_of (b, leaf), first = c->events;
  b->irregular |= first + n > EVENTS_MOST;
  if (b->irregular || !UMMGR_GROW (c->event, c->event_room, first + n))
    return false;
  c->events += n;
  bool dead = true;
  for (uint32_t i = leaf, k = c->events; i; i = b->node[i].parent)
    {
      const struct node *x = &b->node[i];
      c->event[--k] = (struct ummgr_bound_event) {
	.window = x->window, .host = x->flags & HOST, .needed = !(x->flags & FRESH),
	.written = x->flags & WRITTEN, .dead = dead,
	.price = x->sectors * (double) SECTOR / PAGE
      };
      dead = x->flags & FRESH;
    }
  return chunk_new (c, (double) b->node[leaf].pages * PAGE, false, n);
}

static bool
add_leaves (struct ummgr_best *b, struct chunks *c)
{
  for (uint32_t i = 1; i < b->nodes; i++)
    if (b->node[i].pages && b->node[i].used && !add_leaf (b, i, c))
      return false;
  chunks_done (c);
  return true;
}

/* --- parts -----------------------------------------------------------------------------

   A program grows faster in time than in size.  So long runs are cut, and each part begins
   with what it likes on the device: what parts take at least, the whole does.  */

static int
compare_numbers (double a, double b)
{
  return a < b ? -1 : a > b;
}

static int
compare_events (const struct ummgr_bound_event *a, const struct ummgr_bound_event *b)
{
  const unsigned x = a->host << 3 | a->needed << 2 | a->written << 1 | a->dead;
  const unsigned y = b->host << 3 | b->needed << 2 | b->written << 1 | b->dead;
  if (a->window != b->window)
    return a->window < b->window ? -1 : 1;
  return x != y ? (x < y ? -1 : 1) : compare_numbers (a->price, b->price);
}

static int
compare_chunks (const void *x, const void *y)
{
  const struct ummgr_bound_chunk *a = x, *b = y;
  int order = a->begun - b->begun;
  if (a->events != b->events)
    return a->events < b->events ? -1 : 1;
  for (size_t i = 0; i < a->events && !order; i++)
    order = compare_events (&a->event[i], &b->event[i]);
  return order;
}

/* Let chunks of PART to which the same happens there be one.  How many events are left.  */
static size_t
join (struct chunks *part)
{
  size_t count = 0, events = 0;
  qsort (part->chunk, part->count, sizeof *part->chunk, compare_chunks);
  for (size_t i = 0; i < part->count; i++)
    if (count && !compare_chunks (&part->chunk[count - 1], &part->chunk[i]))
      part->chunk[count - 1].bytes += part->chunk[i].bytes;
    else
      {
	part->chunk[count++] = part->chunk[i];
	events += part->chunk[i].events;
      }
  part->count = count;
  return events;
}

/* The first of C's events, from number FIRST on, that is not before WINDOW.  */
static size_t
event_at (const struct ummgr_bound_chunk *c, size_t first, uint32_t window)
{
  while (first < c->events && c->event[first].window < window)
    first++;
  return first;
}

/* What of ALL is in windows FROM to TO; AT is, by chunk, its first event there.  False
   without memory.  */
static bool
cut (const struct chunks *all, uint32_t from, uint32_t to, const size_t *at,
     struct chunks *part, size_t *events_p)
{
  part->count = part->events = 0;
  for (size_t i = 0; i < all->count; i++)
    {
      const struct ummgr_bound_chunk *c = &all->chunk[i];
      const size_t n = event_at (c, at[i], to) - at[i];
      if (!n)
	continue;
      if (!UMMGR_GROW (part->event, part->event_room, part->events + n)
	  || !chunk_new (part, c->bytes, at[i], n))
	return false;
      for (size_t k = 0; k < n; k++)
	{
	  struct ummgr_bound_event *e = &part->event[part->events++];
	  *e = c->event[at[i] + k];
	  e->window -= from;
	}
    }
  chunks_done (part);
  *events_p = join (part);
  return true;
}

/* The longest part from window FROM on that is no program of too many events; its end.  0:
   no memory.  */
static uint32_t
next_part (const struct chunks *all, uint32_t from, uint32_t windows, size_t *at,
	   struct chunks *part)
{
  uint32_t least = from + 1, most = windows - from > WINDOWS_MOST ? from + WINDOWS_MOST : windows;
  uint32_t to = most;
  size_t events;
  for (;;)
    {
      if (!cut (all, from, to, at, part, &events))
	return 0;
      if (events <= PART)
	least = to;
      else
	most = to > least ? to - 1 : least;
      if (least == most && to == least)
	break;
      to = least + (most - least + 1) / 2;
    }
  for (size_t i = 0; i < all->count; i++)
    at[i] = event_at (&all->chunk[i], at[i], to);
  return to;
}

/* Solve all of B with MEMORY, a part after another.  */
static enum ummgr_status
solve_parts (const struct ummgr_best *b, const struct ummgr_bound_window *window, double memory,
	     const struct chunks *all, size_t *at, double *seconds_p)
{
  const struct ummgr_figures *f = &b->figures;
  const uint32_t windows = b->windows;
  struct ummgr_bound bound = {
    .machine = { f->memory_rate, f->h2d_rate, f->d2h_rate, f->remote_rate, f->launch_cost,
		 f->both_rate, ummgr_figures_ways (f), f->access_counter_threshold > 0 },
    .room = memory
  };
  enum ummgr_status status = UMMGR_OK;
  struct chunks part = { 0 };
  *seconds_p = b->extra;
  for (uint32_t from = 0, to; from < windows && !status; from = to)
    {
      double seconds = 0;
      ummgr_progress_show ("best", from, windows);
      to = next_part (all, from, windows, at, &part);
      if (!to)
	{
	  status = UMMGR_ERR_NOMEM;
	  break;
	}
      bound.window = window + from;
      bound.windows = to - from;
      bound.chunk = part.chunk;
      bound.chunks = part.count;
      ummgr_debug ("replay: best: windows %u to %u, %zu chunks", from, to, part.count);
      status = ummgr_bound_solve (&bound, SOLVING * (double) (to - from) / windows, &seconds);
      *seconds_p += seconds;
      bound.room = window[to - 1].room;
    }
  chunks_free (&part);
  ummgr_progress_end ();
  return status;
}

enum ummgr_status
ummgr_best_seconds (struct ummgr_best *b, uint64_t memory, double *seconds_p)
{
  struct chunks all = { 0 };
  end_host (b);
  bool good = !b->failed && add_leaves (b, &all);
  size_t *at = calloc (all.count + 1, sizeof *at);
  struct ummgr_bound_window *window = malloc ((b->windows + 1) * sizeof *window);
  enum ummgr_status status = good && at && window ? UMMGR_OK : UMMGR_ERR_NOMEM;
  ummgr_debug ("replay: best: %zu windows, %zu chunks, %zu events", b->windows, all.count,
	       all.events);
  for (size_t i = 0; i < b->windows && !status; i++)
    {
      window[i] = b->window[i];
      window[i].room = memory > window[i].room ? memory - window[i].room : 0;
    }
  if (!status)
    status = solve_parts (b, window, memory, &all, at, seconds_p);
  chunks_free (&all);
  free (window);
  free (at);
  if (b->irregular)
    status = UMMGR_ERR_LIMIT;
  if (status)
    ummgr_error ("replay: --policy=best: %s", status == UMMGR_ERR_LIMIT
		 ? "the pages of this trace have too many different histories; try a smaller problem"
		 : status == UMMGR_ERR_NOMEM ? "not enough memory" : "the solver fails");
  return status;
}

/* --- all -------------------------------------------------------------------------------- */

struct ummgr_best *
ummgr_best_create (const struct ummgr_figures *device)
{
  struct ummgr_best *b = calloc (1, sizeof *b);
  if (!b)
    return NULL;
  b->figures = *device;
  struct ummgr_figures roomy = *device;
  roomy.memory_bytes = UINT64_C (1) << 60;
  b->machine = ummgr_machine_create (&roomy, ummgr_paging_find ("lru"));
  roomy.remote_rate = INFINITY;
  b->far = ummgr_machine_create (&roomy, ummgr_paging_find ("lru"));
  if (b->machine && b->far && UMMGR_GROW (b->node, b->node_room, 1))
    {
      b->node[b->nodes++] = (struct node) { 0 };
      ummgr_machine_fetches (b->machine, fetched, b);
      return b;
    }
  ummgr_best_destroy (b);
  return NULL;
}

void
ummgr_best_destroy (struct ummgr_best *b)
{
  if (!b)
    return;
  ummgr_machine_destroy (b->machine);
  ummgr_machine_destroy (b->far);
  JudyLFreeArray (&b->children, PJE0);
  free (b->page);
  free (b->node);
  free (b->window);
  free (b->device.unit);
  free (b->host.unit);
  free (b->later.unit);
  free (b);
}

const struct ummgr_figures *
ummgr_best_figures (const struct ummgr_best *b)
{
  return &b->figures;
}

/* Arrays have up to twice the room that they need.  */
size_t
ummgr_best_unit_bytes (const struct ummgr_best *b)
{
  return 2 * ummgr_machine_unit_bytes (b->machine)
	 + 2 * (sizeof (struct page) + 3 * sizeof (uint32_t) + sizeof (struct node));
}

