/* How an object gets to the device: sent as a whole, by demand, or not at all.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   SC'19 3.1: what is accessed to at least half is sent.  Half was found by trial,
   for large objects on one machine.  What stands behind it is a comparison.
   Demand brings what is accessed and costs faults; sending brings the rest as
   well.  So sending is right as soon as the faults would take as long as the rest
   does, whatever the density: SC'19's own figures for bfs (section 5.2:
   demand takes 29 % of what sending takes if nothing is accessed, 303 % if all
   is) cross at a quarter.  Where a fault's time isn't known the half decides.

   An estimate may rest on a guess that nothing stands behind: how long a loop is
   whose bound is in memory.  SC'19 and IWOMP'18 go by it like by any other.  But
   sending costs no more than the bytes, and demand many times that if all is
   accessed after all.  So what either may lose decides: by demand comes what
   would lose less by it, if the guess is at its worst, than it saves if it is
   right; without a fault's time, what is below the threshold even at its worst.
   With --partial=paper the guess decides.

   Faults are counted low: those of an access that goes through a part of the
   object from end to end, where the tree prefetcher helps most.  A sample that
   finds none may miss some: only few iterations come to their accesses.  One does,
   or the program wouldn't run the region, and others nearby: they bring as many
   places as an iteration goes to, or a unit, so that a small object is better sent.

   What is only read, and little of that, may stay on the host: what is read comes
   over the link, in each launch again.  So all launches that use the object, as far
   as is known, must bring no more than half of what sending it would.  More may come
   than is known; then it is sent once this launch may bring the sum to half, at the
   latest.  By then no more is lost than is saved else.  What nobody knows a limit of
   is sent.

   What host and device share, and the host goes over before the next region does, comes and goes for each use, unless
   both only read it: where its bytes over the link take less than that, it stays on the host, whatever room there is.
   An example: a mask that a region writes and the host counts then, each time: each byte goes over the link once, and
   not there and back.  Owns no state.  */

#include "config.h"
#include "policy/ranked.h"

static double
least (double a, double b)
{
  return a < b ? a : b;
}

static double
most (double a, double b)
{
  return a > b ? a : b;
}

/* The bytes that could be sent while demand brings what is accessed of BYTES,
   DENSITY of them.  */
static double
demand_cost (const struct ummgr_ranked *r, const struct ummgr_hint *hint,
	     double density, double bytes)
{
  double all = r->unit_faults * most (1, bytes / (double) r->unit);
  double faults = density * all;
  if (hint->scatter > 0)
    faults = most (faults, least (most (hint->scatter, r->unit_faults), all));
  return density * bytes + faults * r->fault_bytes;
}

/* Is demand right for BYTES, of which DENSITY is accessed as far as is known, or
   WORST if that was a guess?  */
static bool
demand_is_right (const struct ummgr_ranked *r, const struct ummgr_hint *hint,
		 double density, double worst, double bytes)
{
  if (!r->kind->weighs || !(r->fault_bytes > 0))
    return worst < r->kind->density;
  double saves = bytes - demand_cost (r, hint, density, bytes);
  double loses = demand_cost (r, hint, worst, bytes) - bytes;
  return loses < saves;
}

/* The share of the part that would be sent.  */
static double
share_of (const struct ummgr_ranked_item *item, double density)
{
  return density * (double) item->object->view->size
    / (double) (item->want_hi - item->want_lo);
}

/* What counts is the share of all launches, since what one leaves out the next may
   access; -1: not known.  */
static double
density_of (const struct ummgr_ranked_item *item, const struct ummgr_hint *hint)
{
  double density = hint->density >= 0 ? hint->density : hint->density_sc19;
  return most (density < 0 ? density : share_of (item, density),
	       hint->density_program);
}

/* Of an object that comes by demand: the range that the region accesses, if
   it's known and demand would bring most of it anyway, page by page.  An access
   of a word for each fault granule is enough for that.  */
static void
choose_sent (struct ummgr_ranked_item *item, const struct ummgr_hint *hint)
{
  size_t size = item->object->view->size;
  if (hint->hi <= hint->lo || hint->lo >= size
      || hint->density * size * (UMMGR_FAULT_SIZE / sizeof (double))
      < hint->hi - hint->lo)
    return;
  item->sent_lo = hint->lo;
  item->sent_hi = hint->hi < size ? hint->hi : size;
}

/* Is ITEM's object better used where it is, on the host?  */
static bool
host_is_right (const struct ummgr_ranked *r,
	       const struct ummgr_ranked_item *item,
	       const struct ummgr_hint *hint)
{
  const struct ummgr_ranked_object *o = item->object;
  bool came = o->view->plain || (ummgr_ranked_bytes (o) && o->used);
  double half = (double) (item->want_hi - item->want_lo) / 2;
  return r->kind->weighs && r->fault_bytes > 0
    && r->partial != UMMGR_PARTIAL_PAPER && r->transfer == 'h' && !came
    && hint->read && !hint->write && hint->remote > 0
    && hint->remote_program <= half && o->remote + hint->remote_most <= half;
}

/* Would ITEM's object come, and go home, for one use that takes less from there?  */
static bool
comes_in_vain (const struct ummgr_ranked *r, const struct ummgr_ranked_item *item, const struct ummgr_hint *hint)
{
  const struct ummgr_ranked_object *o = item->object;
  return r->dear > 0 && o->view->path == UMMGR_PATH_UNIFIED && hint->known && !hint->estimated && hint->remote > 0
	 && hint->host_known && hint->host_next > 0.9 && (hint->write || hint->host_writes)
	 && o->weight * r->dear <= (hint->write ? 2 : 1);
}

/* What isn't known is sent as the program would have sent it.  */
void
ummgr_ranked_choose_transfer (const struct ummgr_ranked *r,
			      struct ummgr_ranked_item *item,
			      const struct ummgr_hint *hint)
{
  item->sent_lo = item->sent_hi = 0;
  item->away = host_is_right (r, item, hint) || comes_in_vain (r, item, hint);
  item->remote = hint->remote / (double) item->object->view->size;
  item->transfer = r->transfer == 'i' ? UMMGR_TRANSFER_IMPLICIT
    : UMMGR_TRANSFER_EXPLICIT;
  double density = density_of (item, hint), worst = density;
  if (r->transfer != 'h' || density < 0 || density >= r->kind->density)
    return;
  if (r->partial != UMMGR_PARTIAL_PAPER)
    worst = most (density, least (share_of (item, hint->density_most), 1));
  choose_sent (item, hint);
  if (item->sent_lo < item->sent_hi
      || demand_is_right (r, hint, density, worst, item->want_hi - item->want_lo))
    item->transfer = UMMGR_TRANSFER_IMPLICIT;
}
