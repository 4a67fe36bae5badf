/* How an object gets to the device: sent as a whole, or by demand.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   SC'19 3.1: what is accessed to at least half is sent.  Half was found by trial,
   for large objects on one machine.  What stands behind it is a comparison.
   Demand brings what is accessed and costs faults; sending brings the rest as
   well.  So sending is right as soon as the faults would take as long as the rest
   does, whatever the density: SC'19's own figures for bfs (section 5.2:
   demand takes 29 % of what sending takes if nothing is accessed, 303 % if all
   is) cross at a quarter.  Where a fault's time isn't known the half decides.

   Faults are counted low: those of an access that goes through a part of the
   object from end to end, where the tree prefetcher helps most.  A sample that
   finds none may miss some: only few iterations come to their accesses.  One does,
   or the program wouldn't run the region, and others nearby: they bring as many
   places as an iteration goes to, or a unit, so that a small object is better sent.
   Owns no state.  */

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

/* Would demand take as long as sending the BYTES of the item's object that are
   wanted, of which DENSITY is accessed?  */
static bool
demand_costs_more (const struct ummgr_ranked *r, const struct ummgr_hint *hint,
		   double density, double bytes)
{
  if (!r->kind->weighs || !(r->fault_bytes > 0))
    return false;
  double all = r->unit_faults * most (1, bytes / (double) r->unit);
  density = least (density, 1);
  double faults = density * all;
  if (hint->scatter > 0)
    faults = most (faults, least (most (hint->scatter, r->unit_faults), all));
  return faults > 0 && faults * r->fault_bytes >= (1 - density) * bytes;
}

/* What counts is the share of all launches, since what one leaves out the next may
   access; -1: not known.  Of the part that would be sent.  */
static double
density_of (const struct ummgr_ranked_item *item, const struct ummgr_hint *hint)
{
  double density = hint->density >= 0 ? hint->density : hint->density_sc19;
  if (density >= 0)
    density *= (double) item->object->view->size
      / (double) (item->want_hi - item->want_lo);
  return most (density, hint->density_program);
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

/* What isn't known is sent as the program would have sent it.  */
void
ummgr_ranked_choose_transfer (const struct ummgr_ranked *r,
			      struct ummgr_ranked_item *item,
			      const struct ummgr_hint *hint)
{
  item->sent_lo = item->sent_hi = 0;
  item->transfer = r->transfer == 'i' ? UMMGR_TRANSFER_IMPLICIT
    : UMMGR_TRANSFER_EXPLICIT;
  double density = density_of (item, hint);
  if (r->transfer != 'h' || density < 0 || density >= r->kind->density)
    return;
  choose_sent (item, hint);
  if (item->sent_lo < item->sent_hi
      || !demand_costs_more (r, hint, density, item->want_hi - item->want_lo))
    item->transfer = UMMGR_TRANSFER_IMPLICIT;
}
