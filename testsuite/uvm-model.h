/* Unified memory, slowly: what an instance of uvm/, the simulated driver and
   `ummgr replay --policy' must count and hold, by a model that knows no masks, trees
   or lists.  Every page is a record, every question a loop.  It shares nothing with
   the implementation but the names of counters.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "base/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES 2
#define PAGE 4096
#define BLOCK_MOST 512

struct page
{
  unsigned holders;		/* Bit 0 the CPU, bit 1+d device d.  */
  int preferred;		/* -2: none.  */
  int read_mostly;
  unsigned accessed_by;
  unsigned remote;		/* Bit 1+d: device d has a mapping of it.  */
  unsigned evicted;		/* Bit 1+d: it left device d for want of room, and is not
				   back.  */
  int on_cpu;			/* A CPU fault brought it, and no device had it since.  */
  long seen[DEVICES];		/* Launch that used it remotely.  */
  int touched[DEVICES];		/* Remotely, since its region's counter was cleared.  */
  /* Of the first page of a region: its counter, and whether that has notified.  */
  long accesses[DEVICES];
  int notified[DEVICES];
  unsigned value;		/* The test's.  */
};

struct object
{
  int pages;
  int home;
  unsigned long crossed;	/* Bytes of it, between the host and devices.  */
  struct page *page;
};

struct lru_entry
{
  struct object *object;
  int block;
};

/* What things cost.  */
struct costs
{
  double h2d_rate, d2h_rate, peer_rate, memory_rate, remote_rate;
  double link_latency, launch_cost, gpu_fault_cost, gpu_block_cost, host_page_cost,
    cpu_fault_cost;
  int group;			/* Faults that are taken to come at once.  */
  double both_rate;		/* Of a link both ways at once; 0: as of each by itself.  */
};

static struct lru_entry lru[DEVICES][4096];
static int lru_length[DEVICES];
static struct ummgr_counters want[DEVICES], begun[DEVICES];
static unsigned long capacity[DEVICES], plain_used[DEVICES];
static struct costs costs[DEVICES];
static int devices, block_pages, granule, threshold;
static long launch;
static int launched;		/* Device; -1: none.  */

/* The blocks of the faults of the group under way.  */
static struct lru_entry faulted[256];
static struct ummgr_counters since; /* As they were when it began.  */
static double paging_seconds;	/* Of the launch.  */
static double beside_seconds;	/* Of it, for access counters.  */
static int faulted_count;
static int writing;		/* The access under way.  */
static int faulting;		/* What is brought, a GPU's fault brings.  */
static long unmapped;		/* Pages of the launch that the CPU had mapped.  */

/* Access counters: pages of a region, accesses that notify (0: none do); what has notified,
   the first first; whether launches tell of each access.  */
static int region_pages, counts_to[DEVICES];
static struct lru_entry notified[DEVICES][4096]; /* BLOCK is the page.  */
static int notified_count[DEVICES];
static int told_of_each;

static inline void
model_begin (void)
{
  memset (notified_count, 0, sizeof notified_count);
  memset (lru_length, 0, sizeof lru_length);
  memset (want, 0, sizeof want);
  memset (plain_used, 0, sizeof plain_used);
  faulted_count = 0;
  unmapped = 0;
  launch = 0;
  launched = -1;
}

static inline void
model_object (struct object *o, int pages, int home)
{
  *o = (struct object) { pages, home, 0, calloc (pages, sizeof *o->page) };
  for (int i = 0; i < pages; i++)
    o->page[i].preferred = -2;
}

/* What a link needs for so many bytes in and out: neither way takes more than its rate, nor both more than BOTH.  */
static inline double
over_link (const struct costs *c, double in, double out, double in_rate, double out_rate, double both)
{
  double seconds = c->both_rate ? (in + out) / both : 0;
  if (seconds < in / in_rate)
    seconds = in / in_rate;
  return seconds < out / out_rate ? out / out_rate : seconds;
}

/* What a group of faults costs that moves so much: its blocks one after another, each with
   an equal part.  The driver is ready for a block's copies when it has done all blocks up
   to it; a direction copies one block at a time; in comes behind out.  */
static inline double
cost_of_group (const struct costs *c, int blocks, double pages, double in, double out)
{
  double driver = 0, ins = 0, outs = 0, last = 0;
  for (int i = 0; i < blocks; i++)
    {
      driver += c->gpu_block_cost + pages / blocks * c->host_page_cost;
      if (out)
	outs = fmax (outs, driver) + out / blocks / c->d2h_rate;
      if (in)
	ins = fmax (ins, fmax (driver, out ? outs : 0)) + in / blocks / c->h2d_rate;
      last = fmax (driver, fmax (ins, outs));
    }
  return c->gpu_fault_cost + fmax (last, over_link (c, in, out, c->h2d_rate, c->d2h_rate, c->both_rate));
}

/* The group of D's faults that is full, or that a launch's end closes.  */
static inline void
end_group (int d)
{
  const struct costs *c = &costs[d];
  int blocks = 0;
  for (int i = 0; i < faulted_count; i++)
    {
      int seen = 0;
      for (int k = 0; k < i; k++)
	seen |= faulted[k].object == faulted[i].object
		&& faulted[k].block == faulted[i].block;
      blocks += !seen;
    }
  if (faulted_count)
    {
      paging_seconds += cost_of_group (c, blocks, unmapped,
				       want[d].h2d_bytes - since.h2d_bytes,
				       want[d].d2h_bytes - since.d2h_bytes);
      want[d].fault_batches++;
      since = want[d];
      unmapped = 0;
    }
  faulted_count = 0;
}

/* D's fault on PAGE of O has been served.  */
static inline void
note_fault (int d, struct object *o, int page)
{
  faulted[faulted_count++] = (struct lru_entry) { o, page / block_pages };
  if (faulted_count == costs[d].group)
    end_group (d);
}

/* --- pages, blocks and room ------------------------------------------------ */

static inline int
first_page (int block)
{
  return block * block_pages;
}

static inline int
last_page (const struct object *o, int block)
{
  int end = (block + 1) * block_pages;
  return end < o->pages ? end : o->pages;
}

static inline unsigned long
block_cost (const struct object *o, int block)
{
  int n = last_page (o, block) - first_page (block);
  return (unsigned long) (n + granule - 1) / granule * granule * PAGE;
}

static inline int
block_on (const struct object *o, int block, int p)
{
  for (int i = first_page (block); i < last_page (o, block); i++)
    if (o->page[i].holders >> p & 1)
      return 1;
  return 0;
}

static inline unsigned long
managed_used (int d)
{
  unsigned long sum = 0;
  for (int i = 0; i < lru_length[d]; i++)
    sum += block_cost (lru[d][i].object, lru[d][i].block);
  return sum;
}

static inline void
lru_out (int d, struct object *o, int block)
{
  for (int i = 0; i < lru_length[d]; i++)
    if (lru[d][i].object == o && lru[d][i].block == block)
      {
	memmove (&lru[d][i], &lru[d][i + 1],
		 (lru_length[d] - i - 1) * sizeof lru[d][0]);
	lru_length[d]--;
	return;
      }
}

static inline void
lru_newest (int d, struct object *o, int block)
{
  lru_out (d, o, block);
  lru[d][lru_length[d]++] = (struct lru_entry) { o, block };
}

static inline void
peak (int d)
{
  unsigned long now = plain_used[d] + managed_used (d);
  if (want[d].device_peak_bytes < now)
    want[d].device_peak_bytes = now;
}

/* The tests enable peer access between all devices.  What a launch moves is paid for
   at its end.  */
static inline void
move_page (struct object *o, int from, int to)
{
  int d = (to ? to : from) - 1;
  o->crossed += from && to ? 0 : PAGE;
  if (from && to)
    {
      want[d].d2d_bytes += PAGE;
      want[d].model_seconds += PAGE / costs[d].peer_rate;
      return;
    }
  *(to ? &want[d].h2d_bytes : &want[d].d2h_bytes) += PAGE;
  if (launched != d)
    want[d].model_seconds
      += PAGE / (to ? costs[d].h2d_rate : costs[d].d2h_rate);
}

static inline void
gone_from (struct object *o, int block, int p)
{
  if (p && !block_on (o, block, p))
    lru_out (p - 1, o, block);
}

static inline void
evict_oldest (int d, const struct object *but, int but_block)
{
  int i = 0;
  if (lru[d][0].object == but && lru[d][0].block == but_block)
    i = 1;
  struct object *o = lru[d][i].object;
  int block = lru[d][i].block;
  for (int k = first_page (block); k < last_page (o, block); k++)
    {
      struct page *g = &o->page[k];
      if (!(g->holders >> (1 + d) & 1))
	continue;
      if (!(g->holders & 1))
	move_page (o, 1 + d, 0);
      g->holders = (g->holders | 1) & ~(1u << (1 + d));
      g->evicted |= 1u << (1 + d);
      g->remote = 0;
    }
  lru_out (d, o, block);
  want[d].evictions++;
}

static inline int
room (int d, unsigned long bytes, const struct object *o, int block)
{
  if (plain_used[d] + bytes > capacity[d])
    return 0;
  while (plain_used[d] + managed_used (d) + bytes > capacity[d])
    evict_oldest (d, o, block);
  return 1;
}

/* The pages in SET (one flag each) of BLOCK come to P.  */
static inline int
bring (struct object *o, int block, const char *set, int p, int copy)
{
  if (p)
    {
      if (!block_on (o, block, p)
	  && !room (p - 1, block_cost (o, block), o, block))
	return 0;
      lru_newest (p - 1, o, block);
    }
  for (int i = first_page (block); i < last_page (o, block); i++)
    {
      struct page *g = &o->page[i];
      if (!set[i - first_page (block)])
	continue;
      unsigned before = g->holders;
      if (!(g->holders >> p & 1))
	{
	  for (int q = 0; q <= devices; q++)
	    if (g->holders >> q & 1)
	      {
		move_page (o, q, p);
		break;
	      }
	  if (p && (g->evicted >> p & 1))
	    want[p - 1].refetched_bytes += 4096;
	  g->evicted &= ~(1u << p);
	  g->remote = 0;
	  unmapped += faulting && p && g->on_cpu;
	  g->on_cpu = 0;
	}
      g->holders = copy ? g->holders | 1u << p : 1u << p;
      g->on_cpu &= g->holders & 1;
      for (int q = 1; q <= devices; q++)
	if ((before & ~g->holders) >> q & 1)
	  gone_from (o, block, q);
    }
  if (p)
    peak (p - 1);
  return 1;
}

static inline int
holder_for (const struct page *g, int p)
{
  if (g->holders >> p & 1)
    return p;
  for (int q = 0; q <= devices; q++)
    if (g->holders >> q & 1)
      return q;
  return -1;
}

static inline int
same_advice (const struct page *a, const struct page *b)
{
  return a->preferred == b->preferred && a->read_mostly == b->read_mostly
	 && a->accessed_by == b->accessed_by;
}

/* WRITE is 2 where access counters ask.  */
static inline int
target (const struct page *g, int p, int write, int *copy)
{
  *copy = 0;
  if (g->read_mostly)
    {
      *copy = write != 1;
      return p;
    }
  int holder = holder_for (g, p);
  int location = g->preferred == -2 ? -1 : g->preferred + 1;
  if (location == p)
    return p;
  if (p && holder >= 0 && (g->accessed_by >> p & 1) && write != 2)
    return holder;
  if (p && location >= 0)
    return location;
  return p;
}

/* Flags of the pages that come to P with those of BLOCK that FAULTED flags, all advised as
   page I: their granules, or over each of them the greatest part of the block that is then
   dense enough.  */
static inline void
region_of_all (const struct object *o, int block, const char *faulted, int i, int p, char *set)
{
  int base = first_page (block), n = last_page (o, block) - base, any = 0;
  char grown[BLOCK_MOST] = { 0 };
  memset (set, 0, BLOCK_MOST);
  for (int k = 0; k < n; k++)
    {
      any |= o->page[base + k].holders;
      for (int j = k / granule * granule; j < n && j < (k / granule + 1) * granule; j++)
	grown[k] |= faulted[j];
    }
  int all = !any && o->page[i].preferred == p - 1;
  for (int f = 0; f < n; f++)
    for (int size = granule; faulted[f] && size <= (threshold ? 2 * block_pages : granule);
	 size *= 2)
      {
	int lo = f / size * size, hi = lo + size < n ? lo + size : n, count = 0;
	for (int k = lo; k < hi; k++)
	  count += grown[k] || (o->page[base + k].holders >> p & 1);
	for (int k = lo; k < hi && (size == granule || count * 100 > (hi - lo) * threshold); k++)
	  set[k] = 1;
      }
  for (int k = 0; k < n; k++)
    set[k] = (all || set[k]) && same_advice (&o->page[base + k], &o->page[i]);
}

/* The same with page I alone.  */
static inline void
region (const struct object *o, int i, int p, char *set)
{
  char one[BLOCK_MOST] = { 0 };
  one[i % block_pages] = 1;
  region_of_all (o, i / block_pages, one, i, p, set);
}

/* P, which has page I, writes it: other copies in its granule go.  */
static inline void
collapse (struct object *o, int i, int p)
{
  int block = i / block_pages, base = first_page (block);
  int lo = base + (i - base) / granule * granule, hi = lo + granule;
  if (hi > last_page (o, block))
    hi = last_page (o, block);
  for (int k = lo; k < hi; k++)
    {
      struct page *g = &o->page[k];
      if (!(g->holders >> p & 1) || !same_advice (g, &o->page[i]))
	continue;
      unsigned before = g->holders;
      g->holders = 1u << p;
      g->on_cpu &= p == 0;
      if (before != g->holders)
	g->remote = 0;
      for (int q = 1; q <= devices; q++)
	if ((before & ~g->holders) >> q & 1)
	  gone_from (o, block, q);
    }
}

static int count_remote = 1;	/* By granules, as the driver's view maps them.  */

/* --- access counters ------------------------------------------------------------ */

static inline int
region_of_page (int i)
{
  int base = first_page (i / block_pages);
  return base + (i - base) / region_pages * region_pages;
}

/* Device D makes N accesses to page I, which another processor holds.  Does that notify the
   driver?  */
static inline int
model_used (struct object *o, int i, int d, int n)
{
  if (!counts_to[d])
    return 0;
  struct page *head = &o->page[region_of_page (i)];
  o->page[i].touched[d] = 1;
  if (head->notified[d])
    return 0;
  head->accesses[d] += n;
  if (head->accesses[d] < counts_to[d])
    return 0;
  head->notified[d] = 1;
  notified[d][notified_count[d]++] = (struct lru_entry) { o, i };
  want[d].notifications++;
  return 1;
}

static inline void
use_remote (struct object *o, int i, int d, int holder)
{
  int block = i / block_pages, base = first_page (block);
  int lo = base + (i - base) / granule * granule, hi = lo + granule;
  if (hi > last_page (o, block))
    hi = last_page (o, block);
  for (int k = lo; k < hi; k++)
    {
      struct page *g = &o->page[k];
      if (!(g->holders >> holder & 1) || !same_advice (g, &o->page[i]))
	continue;
      if (!told_of_each)
	model_used (o, k, d, PAGE / 32);
      if ((g->remote >> (1 + d) & 1) && g->seen[d] == launch)
	continue;
      want[d].remote_bytes += count_remote ? PAGE : 0;
      want[d].sent_bytes += count_remote && writing ? PAGE : 0;
      g->remote |= 1u << (1 + d);
      g->seen[d] = launch;
    }
}

/* Device D has no copy of those of BLOCK that MISSED flags, which go where page I does.  How
   many of them were faults.  */
static inline int
model_miss (struct object *o, int block, const char *missed, int i, int d, int write)
{
  int p = 1 + d, base = first_page (block), copy, faults = 0, absent = 0;
  int to = target (&o->page[i], p, write, &copy);
  char set[BLOCK_MOST], rest[BLOCK_MOST] = { 0 };
  for (int k = base; k < last_page (o, block); k++)
    {
      struct page *g = &o->page[k];
      int holder = holder_for (g, p);
      int known = (g->remote >> p & 1)
		  || (holder >= 0 && (g->accessed_by >> p & 1));
      faults += missed[k - base] && (to == p || holder != to || !known);
    }
  if (to == p)
    {
      region_of_all (o, block, missed, i, p, set);
      if (bring (o, block, set, p, copy))
	return faults;
      to = 0;
    }
  for (int k = base; k < last_page (o, block); k++)
    absent |= rest[k - base] = missed[k - base] && !(o->page[k].holders >> to & 1);
  if (absent)
    {
      region_of_all (o, block, rest, i, to, set);
      if (!bring (o, block, set, to, 0))
	bring (o, block, set, to = 0, 0);
    }
  /* Each granule once.  */
  for (int k = base, last = -1; k < last_page (o, block); k++)
    if (missed[k - base] && (k - base) / granule != last)
      {
	use_remote (o, k, d, to);
	last = (k - base) / granule;
      }
  return faults;
}

/* A batch's time: the driver is ready for a block's copies when it has done all blocks up to
   it; a direction copies one block at a time; in comes behind out.  */
struct pipe
{
  double driver, ins, outs, bytes_in, bytes_out;
};

static inline double
pipe_end (const struct pipe *t, const struct costs *c)
{
  return fmax (fmax (t->driver, fmax (t->ins, t->outs)),
	       over_link (c, t->bytes_in, t->bytes_out, c->h2d_rate, c->d2h_rate, c->both_rate));
}

static inline void
pipe_block (struct pipe *t, const struct costs *c, long pages, double in, double out)
{
  t->driver += c->gpu_block_cost + pages * c->host_page_cost;
  t->bytes_in += in;
  t->bytes_out += out;
  if (out)
    t->outs = fmax (t->outs, t->driver) + out / c->d2h_rate;
  if (in)
    t->ins = fmax (t->ins, fmax (t->driver, out ? t->outs : 0)) + in / c->h2d_rate;
}

/* Of page I, whose access by D made its counter notify: flags of the block's pages that are to
   come.  Those of parts that D touched, where the processor has them that has I.  */
static inline void
expand (const struct object *o, int i, int d, char *set)
{
  int base = first_page (i / block_pages), first = region_of_page (i);
  int holder = holder_for (&o->page[i], 1 + d);
  if (holder < 0 || holder == 1 + d)
    return;
  for (int k = first; k < first + region_pages && k < last_page (o, i / block_pages); k++)
    {
      int part = base + (k - base) / granule * granule, touched = 0;
      for (int j = part; j < part + granule && j < last_page (o, i / block_pages); j++)
	touched |= o->page[j].touched[d];
      if (touched && (o->page[k].holders >> holder & 1))
	set[k - base] = 1;
    }
}

/* The pages flagged in SET go where each is to be.  False: there is no room.  */
static inline int
model_migrate (struct object *o, int block, char *set, int d)
{
  int base = first_page (block), last = last_page (o, block), p = 1 + d, mapped = 0;
  for (int k = base; k < last; k++)
    mapped |= (o->page[k].holders | o->page[k].remote) >> p & 1;
  for (int i = base; mapped && i < last; i++)
    {
      char these[BLOCK_MOST] = { 0 }, all[BLOCK_MOST];
      int copy, its, any = 0;
      if (!set[i - base] || (o->page[i].holders >> p & 1))
	continue;
      int to = target (&o->page[i], p, 2, &copy);
      for (int k = i; k < last; k++)
	if (set[k - base] && !(o->page[k].holders >> p & 1)
	    && same_advice (&o->page[k], &o->page[i])
	    && target (&o->page[k], p, 2, &its) == to && its == copy)
	  {
	    set[k - base] = 0;
	    any |= these[k - base] = !(o->page[k].holders >> to & 1);
	  }
      if (!any)
	continue;
      region_of_all (o, block, these, i, to, all);
      int pages = 0;
      for (int k = base; k < last; k++)
	pages += all[k - base] &= !(o->page[k].holders >> to & 1);
      if (!bring (o, block, all, to, copy))
	return 0;
      want[d].notified_pages += pages;
      /* D uses from now on what a peer has.  */
      for (int k = base; k < last && to != p; k++)
	if (all[k - base])
	  {
	    o->page[k].remote |= 1u << p;
	    o->page[k].seen[d] = launch;
	    want[d].remote_bytes += count_remote ? PAGE : 0;
	    want[d].sent_bytes += count_remote && writing ? PAGE : 0;
	  }
    }
  return 1;
}

/* The driver serves up to MOST of D's notifications; how long, but for waking up.  */
static inline double
model_heed (int d, int most)
{
  struct lru_entry e[256];
  struct pipe t = { 0 };
  int n = notified_count[d] < most ? notified_count[d] : most, room = 1;
  memcpy (e, notified[d], n * sizeof *e);
  memmove (notified[d], notified[d] + n, (notified_count[d] -= n) * sizeof *e);
  while (n && room)
    {
      struct object *o = e[0].object;
      int block = e[0].block / block_pages, left = 0;
      char set[BLOCK_MOST] = { 0 };
      /* The lowest block.  */
      for (int i = 0; i < n; i++)
	if (e[i].object < o || (e[i].object == o && e[i].block / block_pages < block))
	  {
	    o = e[i].object;
	    block = e[i].block / block_pages;
	  }
      for (int i = 0; i < n; i++)
	if (e[i].object == o && e[i].block / block_pages == block)
	  expand (o, e[i].block, d, set);
      const struct ummgr_counters before = want[d];
      long unmapped_before = unmapped;
      faulting = 1;
      room = model_migrate (o, block, set, d);
      faulting = 0;
      double in = want[d].h2d_bytes - before.h2d_bytes;
      double out = want[d].d2h_bytes - before.d2h_bytes;
      pipe_block (&t, &costs[d], unmapped - unmapped_before, in, out);
      /* Nothing of this is a batch of faults'.  */
      unmapped = unmapped_before;
      since.h2d_bytes += in;
      since.d2h_bytes += out;
      for (int i = 0; i < n; i++)
	if (e[i].object != o || e[i].block / block_pages != block)
	  e[left++] = e[i];
	else if (room)
	  {
	    int first = region_of_page (e[i].block);
	    o->page[first].notified[d] = o->page[first].accesses[d] = 0;
	    for (int k = first; k < first + region_pages && k < last_page (o, block); k++)
	      o->page[k].touched[d] = 0;
	  }
      n = left;
    }
  double seconds = pipe_end (&t, &costs[d]);
  /* It wakes once in a launch.  */
  beside_seconds += (beside_seconds == 0) * costs[d].gpu_fault_cost / 2 + seconds;
  return seconds;
}

static inline void
model_gpu (struct object *o, int i, int d, int write)
{
  struct page *g = &o->page[i];
  int p = 1 + d, fault = 0;
  writing = write;
  int known = !(g->holders >> p & 1) && (g->remote >> p & 1) && g->seen[d] == launch;
  while (notified_count[d] && !known)
    model_heed (d, 256);
  if (g->holders >> p & 1)
    {
      fault = write && g->holders != 1u << p;
      if (fault)
	collapse (o, i, p);
    }
  /* Where notifications that came before it have mapped the page now, that is no fault, but a use.  */
  else if (!known)
    {
      char one[BLOCK_MOST] = { 0 };
      one[i % block_pages] = 1;
      faulting = 1;
      fault = model_miss (o, i / block_pages, one, i, d, write);
      faulting = 0;
    }
  if (fault)
    {
      want[d].gpu_faults++;
      note_fault (d, o, i);
    }
  while (notified_count[d] && !known)
    model_heed (d, 256);
}

/* --- batches of a GPU's faults --------------------------------------------- */

struct fault
{
  struct object *object;
  int page, write;
};

struct batch
{
  int pages, same, blocks;
  double seconds;
};

/* May device D access page I?  What is accessed-by, and stays where it is, gets mapped.  */
static inline int
model_reaches (struct object *o, int i, int d, int write)
{
  const struct page *g = &o->page[i];
  int p = 1 + d, holder = holder_for (g, p), copy;
  if (holder == p)
    return !write || g->holders == 1u << p;
  if (g->remote >> p & 1)
    return 1;
  if (holder < 0 || !(g->accessed_by >> p & 1) || target (g, p, write, &copy) != holder)
    return 0;
  use_remote (o, i, d, holder);
  return 1;
}

/* The faults on BLOCK are served: flags of the pages, 2 for a write.  */
static inline int
model_serve_block (struct object *o, int block, const char *faulted, int d)
{
  int base = first_page (block), last = last_page (o, block), p = 1 + d, faults = 0;
  char rest[BLOCK_MOST] = { 0 };
  for (int k = base; k < last; k++)
    if (faulted[k - base] && !model_reaches (o, k, d, faulted[k - base] == 2))
      faults += (rest[k - base] = faulted[k - base]) && (o->page[k].holders >> p & 1);
  for (int k = base; k < last; k++)
    if (rest[k - base] && (o->page[k].holders >> p & 1))
      {
	collapse (o, k, p);
	rest[k - base] = 0;
      }
  for (int i = base; i < last; i++)
    {
      char these[BLOCK_MOST] = { 0 };
      int copy, its;
      if (!rest[i - base])
	continue;
      int to = target (&o->page[i], p, rest[i - base] == 2, &copy), write = rest[i - base] == 2;
      for (int k = i; k < last; k++)
	if (rest[k - base] && same_advice (&o->page[k], &o->page[i])
	    && target (&o->page[k], p, rest[k - base] == 2, &its) == to && its == copy)
	  these[k - base] = 1;
      for (int k = i; k < last; k++)
	rest[k - base] = these[k - base] ? 0 : rest[k - base];
      faults += model_miss (o, block, these, i, d, write);
    }
  return faults;
}

/* Device D's COUNT entries at F are served at once.  */
static inline struct batch
model_serve (int d, const struct fault *f, int count)
{
  struct batch b = { .seconds = 0 };
  struct pipe t = { 0 };
  char done[4096] = { 0 };
  for (int left = count; left > 0;)
    {
      /* The lowest block that is left.  */
      int first = -1;
      char faulted[BLOCK_MOST] = { 0 };
      for (int i = 0; i < count; i++)
	if (!done[i] && (first < 0 || f[i].object < f[first].object
			 || (f[i].object == f[first].object && f[i].page < f[first].page)))
	  first = i;
      struct object *o = f[first].object;
      int block = f[first].page / block_pages;
      for (int i = 0; i < count; i++)
	if (!done[i] && f[i].object == o && f[i].page / block_pages == block)
	  {
	    char *flag = &faulted[f[i].page % block_pages];
	    b.same += *flag != 0;
	    if (*flag < 1 + !!f[i].write)
	      *flag = 1 + !!f[i].write;
	    done[i] = 1;
	    left--;
	  }
      struct ummgr_counters before = want[d];
      unmapped = 0;
      faulting = 1;
      int faults = model_serve_block (o, block, faulted, d);
      faulting = 0;
      want[d].gpu_faults += faults;
      b.pages += faults;
      b.blocks += faults > 0;
      if (faults)
	pipe_block (&t, &costs[d], unmapped, want[d].h2d_bytes - before.h2d_bytes,
		    want[d].d2h_bytes - before.d2h_bytes);
    }
  unmapped = 0;
  want[d].fault_batches++;
  since = want[d];
  b.seconds = costs[d].gpu_fault_cost + pipe_end (&t, &costs[d]);
  paging_seconds += b.seconds;
  return b;
}

static inline void
cpu_fault (int d)
{
  want[d].cpu_faults++;
  want[d].model_seconds += costs[d].cpu_fault_cost;
}

static inline void
model_cpu (struct object *o, int i, int write)
{
  struct page *g = &o->page[i];
  int copy;
  char set[BLOCK_MOST];
  if (g->holders & 1)
    {
      if (write && g->holders != 1)
	{
	  int d = 0;
	  while (!(g->holders >> (1 + d) & 1))
	    d++;
	  cpu_fault (d);
	  collapse (o, i, 0);
	}
      return;
    }
  int holder = holder_for (g, 0);
  target (g, 0, write, &copy);
  if (holder > 0)
    cpu_fault (holder - 1);
  region (o, i, 0, set);
  bring (o, i / block_pages, set, 0, copy);
  for (int k = 0; k < BLOCK_MOST; k++)
    if (set[k])
      o->page[first_page (i / block_pages) + k].on_cpu = 1;
}

/* The pages [LO, HI) are written by the driver, from device D.  */
static inline void
model_write (struct object *o, int lo, int hi, int d)
{
  char set[BLOCK_MOST];
  while (lo < hi)
    {
      int block = lo / block_pages, copy, end = lo + 1;
      int to = target (&o->page[lo], 1 + d, 1, &copy);
      while (end < hi && end < last_page (o, block)
	     && target (&o->page[end], 1 + d, 1, &copy) == to)
	end++;
      memset (set, 0, sizeof set);
      memset (set + lo - first_page (block), 1, end - lo);
      if (!bring (o, block, set, to, 0))
	bring (o, block, set, 0, 0);
      lo = end;
    }
}

/* A copy has USED the links of devices.  */
static inline void
model_latency (unsigned used)
{
  for (int d = 0; d < devices; d++)
    if (used >> d & 1)
      want[d].model_seconds += costs[d].link_latency;
}

/* The driver copies pages [LO, HI) from the host, block after block: a later one may
   evict an earlier one.  */
static inline void
model_copy_in (struct object *o, int lo, int hi)
{
  unsigned used = 0;
  for (int i = lo; i < hi; i++)
    {
      int end = last_page (o, i / block_pages);
      if (i == lo || i % block_pages == 0)
	model_write (o, i, end < hi ? end : hi, o->home);
      for (int d = 0; d < devices; d++)
	if (o->page[i].holders == 1u << (1 + d))
	  {
	    move_page (o, 0, 1 + d);
	    used |= 1u << d;
	  }
    }
  model_latency (used);
}

/* To the host: what nobody holds comes into being there.  */
static inline void
model_copy_out (struct object *o, int lo, int hi)
{
  unsigned used = 0;
  for (int i = lo; i < hi; i++)
    {
      if (!o->page[i].holders)
	o->page[i].holders = 1;
      int holder = holder_for (&o->page[i], 0);
      if (holder > 0)
	move_page (o, holder, 0), used |= 1u << (holder - 1);
    }
  model_latency (used);
}

/* --- what the program says ----------------------------------------------- */

/* False: they don't all come.  */
static inline int
model_prefetch (struct object *o, int lo, int hi, int d)
{
  int ok = 1, charged = d < 0 ? o->home : d;
  unsigned long before = o->crossed;
  for (int b = lo / block_pages; ok && b * block_pages < hi; b++)
    for (int rm = 0; ok && rm < 2; rm++)
      {
	char set[BLOCK_MOST] = { 0 };
	int any = 0;
	for (int i = first_page (b); i < last_page (o, b); i++)
	  if (i >= lo && i < hi && o->page[i].read_mostly == rm)
	    any = set[i - first_page (b)] = 1;
	ok = !any || bring (o, b, set, 1 + d, rm);
      }
  if (o->crossed != before)
    want[charged].model_seconds += costs[charged].link_latency;
  return ok;
}

/* Of several copies one stays.  */
static inline void
keep_one (struct object *o, int i)
{
  struct page *g = &o->page[i];
  int keep = holder_for (g, 0);
  if (g->preferred != -2 && (g->holders >> (1 + g->preferred) & 1))
    keep = 1 + g->preferred;
  unsigned before = g->holders;
  if (keep >= 0)
    {
      g->holders = 1u << keep;
      g->on_cpu &= keep == 0;
    }
  if (before != g->holders)
    g->remote = 0;
  for (int q = 1; q <= devices; q++)
    if ((before & ~g->holders) >> q & 1)
      gone_from (o, i / block_pages, q);
}

/* ADVICE as CUmem_advise numbers it.  */
static inline void
model_advise (struct object *o, int lo, int hi, int advice, int d)
{
  for (int i = lo; i < hi; i++)
    {
      struct page *g = &o->page[i];
      switch (advice)
	{
	case 1:
	case 2:
	  g->read_mostly = advice == 1;
	  if (advice == 2)
	    keep_one (o, i);
	  break;
	case 3:
	  g->preferred = d;
	  break;
	case 4:
	  g->preferred = -2;
	  break;
	case 5:
	  g->accessed_by |= 1u << (1 + d);
	  break;
	default:
	  g->accessed_by &= ~(1u << (1 + d));
	}
    }
}

/* --- memory that comes and goes -------------------------------------------- */

/* Pages [LO, HI) are freed.  */
static inline void
model_discard (struct object *o, int lo, int hi)
{
  for (int i = lo; i < hi; i++)
    {
      unsigned before = o->page[i].holders;
      o->page[i].holders = o->page[i].remote = o->page[i].evicted = 0;
      o->page[i].on_cpu = 0;
      for (int q = 1; q <= devices; q++)
	if (before >> q & 1)
	  gone_from (o, i / block_pages, q);
    }
}

static inline void
model_free (struct object *o)
{
  model_discard (o, 0, o->pages);
  for (int d = 0; d < DEVICES; d++)
    {
      int left = 0;
      for (int i = 0; i < notified_count[d]; i++)
	if (notified[d][i].object != o)
	  notified[d][left++] = notified[d][i];
      notified_count[d] = left;
    }
  free (o->page);
  o->page = NULL;
}

static inline int
model_take (int d, unsigned long bytes)
{
  if (!room (d, bytes, NULL, 0))
    return 0;
  plain_used[d] += bytes;
  peak (d);
  return 1;
}

/* --- launches ---------------------------------------------------------------- */

static inline void
model_launch_begin (int d)
{
  launch++;
  begun[d] = since = want[d];
  paging_seconds = beside_seconds = unmapped = faulted_count = 0;
  want[d].launches++;
  launched = d;
}

static inline void
model_launch_end (int d)
{
  const struct ummgr_counters *b = &begun[d];
  const struct costs *c = &costs[d];
  struct ummgr_counters *w = &want[d];
  double sent = w->sent_bytes - b->sent_bytes, read = w->remote_bytes - b->remote_bytes - sent;
  launched = -1;
  end_group (d);
  w->model_seconds
    += c->launch_cost
       + fmax (beside_seconds,
	       fmax ((w->local_bytes - b->local_bytes) / c->memory_rate,
		     over_link (c, read, sent, c->remote_rate, c->remote_rate,
				c->both_rate / ((c->h2d_rate + c->d2h_rate) / 2) * c->remote_rate)))
       + paging_seconds
       + over_link (c, w->h2d_bytes - since.h2d_bytes, w->d2h_bytes - since.d2h_bytes, c->h2d_rate, c->d2h_rate,
		    c->both_rate);
}

/* Call DIFFERS for the first counter of device D in GOT that is not as wanted.  */
static inline void
model_compare (int d, const struct ummgr_counters *got,
	       void (*differs) (const char *what, double got, double wanted))
{
  const struct ummgr_counters *w = &want[d];
#define SAME(FIELD)                                                           \
  if (got->FIELD != w->FIELD)                                                 \
    differs (#FIELD, got->FIELD, w->FIELD)
  SAME (gpu_faults);
  SAME (fault_batches);
  SAME (cpu_faults);
  SAME (evictions);
  SAME (refetched_bytes);
  SAME (notifications);
  SAME (notified_pages);
  SAME (h2d_bytes);
  SAME (d2h_bytes);
  SAME (d2d_bytes);
  SAME (local_bytes);
  SAME (remote_bytes);
  SAME (sent_bytes);
  SAME (launches);
  SAME (device_peak_bytes);
  if (fabs (got->model_seconds - w->model_seconds)
      > 1e-9 * w->model_seconds + 1e-12)
    differs ("model_seconds", got->model_seconds, w->model_seconds);
}
