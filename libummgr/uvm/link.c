/* What copies share: the host's memory, and the uplinks of switches.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns how much of each is taken, and when.

   At each moment a copy goes as fast as its device's link, or, if that is less, as what
   it shares has left by those that were asked for before it.  So nothing ever carries more
   than it can; what is asked for later, for the same time, gets what is left, and its
   end is known at once.  (On a machine all would slow down alike: with equal copies the
   first is over too early here, the last when it is there.)  What a launch moves over
   its link is spread evenly over its time; if that doesn't pass, the launch waits for it.

   What is taken is a list of times without overlaps.  Copies one after another on one
   device make one entry.  When the list is full its earliest entry is forgotten: nobody
   goes back so far, but to issue what is side by side with it.  */

#include "config.h"
#include "uvm/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 256 };

struct entry
{
  double from, to, rate;	/* Taken, of the line's.  */
};

struct line
{
  double rate;
  unsigned count;
  struct entry entry[ENTRIES];	/* In order.  */
};

struct uvm_links
{
  int behind[UVM_DEVICES];	/* Which uplink, from 1 on; 0: none.  */
  struct entry later[ENTRIES];	/* take's.  */
  unsigned lines;
  struct line line[];		/* The host's memory, and of each uplink in and out.  */
};

static size_t
size_of (unsigned lines)
{
  return sizeof (struct uvm_links) + lines * sizeof (struct line);
}

bool
uvm_links_create (struct uvm *u, const struct uvm_config *config)
{
  int uplinks = 0;
  for (int d = 0; d < config->devices; d++)
    uplinks = config->uplink[d] > uplinks ? config->uplink[d] : uplinks;
  if (!uplinks && config->host_rate <= 0)
    return true;
  struct uvm_links *l = u->links = calloc (1, size_of (1 + 2 * uplinks));
  if (!l)
    return false;
  l->lines = 1 + 2 * uplinks;
  l->line[0].rate = config->host_rate > 0 ? config->host_rate : INFINITY;
  for (int i = 0; i < uplinks; i++)
    l->line[1 + 2 * i].rate = l->line[2 + 2 * i].rate = config->uplink_rate[i];
  memcpy (l->behind, config->uplink, sizeof l->behind);
  return true;
}

bool
uvm_links_copy (struct uvm *to, const struct uvm *from)
{
  to->links = NULL;
  if (!from->links)
    return true;
  size_t size = size_of (from->links->lines);
  to->links = malloc (size);
  if (to->links)
    memcpy (to->links, from->links, size);
  return to->links;
}

/* What L has left at TIME, until *END_P.  */
static double
left_at (const struct line *l, double time, double *end_p)
{
  for (unsigned i = 0; i < l->count; i++)
    if (l->entry[i].to > time)
      {
	bool in = l->entry[i].from <= time;
	*end_p = uvm_min (*end_p, in ? l->entry[i].to : l->entry[i].from);
	return in ? l->rate - l->entry[i].rate : l->rate;
      }
  return l->rate;
}

/* Let E, behind all entries of L, be one.  */
static void
append (struct line *l, struct entry e)
{
  struct entry *last = l->count ? &l->entry[l->count - 1] : NULL;
  if (e.to <= e.from)
    return;
  if (last && last->to == e.from && last->rate == e.rate)
    {
      last->to = e.to;
      return;
    }
  if (l->count == ENTRIES)
    memmove (l->entry, l->entry + 1, --l->count * sizeof *l->entry);
  l->entry[l->count++] = e;
}

/* RATE more of L is taken from FROM to TO.  */
static void
take (struct uvm_links *u, struct line *l, double from, double to, double rate)
{
  unsigned first = l->count;
  if (to <= from || isinf (l->rate))
    return;
  while (first > 0 && l->entry[first - 1].to > from)
    first--;
  const unsigned n = l->count - first;
  memcpy (u->later, l->entry + first, n * sizeof *u->later);
  l->count = first;
  double at = from;
  for (unsigned i = 0; i < n; i++)
    {
      const struct entry e = u->later[i];
      append (l, (struct entry) { e.from, uvm_min (e.to, from), e.rate });
      append (l, (struct entry) { at, uvm_min (e.from, to), rate });
      append (l, (struct entry) { uvm_max (e.from, from), uvm_min (e.to, to), e.rate + rate });
      append (l, (struct entry) { uvm_max (e.from, to), e.to, e.rate });
      at = uvm_max (at, uvm_min (e.to, to));
    }
  append (l, (struct entry) { at, to, rate });
}

double
uvm_links_pass (struct uvm *u, int device, uint64_t bytes, double rate, bool in, double start)
{
  struct uvm_links *links = u->links;
  if (!bytes)
    return start;
  const double own = start + bytes / rate;
  if (!links)
    return own;
  int up = links->behind[device];
  struct line *host = &links->line[0], *uplink = up ? &links->line[2 * up - in] : NULL;
  /* What is left may be a rounding error.  */
  const double least = 1e-9 * uvm_min (rate, uvm_min (host->rate, uplink ? uplink->rate : rate));
  double at = start, rest = bytes;
  bool slow = false;
  for (;;)
    {
      double end = INFINITY, now = uvm_min (rate, left_at (host, at, &end));
      if (uplink)
	now = uvm_min (now, left_at (uplink, at, &end));
      slow |= now < rate;
      const double done = now < least ? INFINITY : slow ? at + rest / now : own;
      const double to = uvm_min (done, end);
      if (now >= least)
	{
	  take (links, host, at, to, now);
	  if (uplink)
	    take (links, uplink, at, to, now);
	}
      if (done <= end)
	return done;
      rest -= (end - at) * now;
      at = end;
    }
}
