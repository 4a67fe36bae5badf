/* Where an object is, after a decision was carried out.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For those who carry decisions out.  No state.  */

#include "config.h"
#include "policy/policy.h"

/* What a view says is one range in its place and the rest on the host, so a part
   can only grow or shrink at its ends; where it can't be said, what is on the
   device counts for less.  */
void
ummgr_object_placed (struct ummgr_object_view *view, size_t lo, size_t hi,
		     enum ummgr_place place)
{
  bool was_device = view->place == UMMGR_PLACE_DEVICE;
  if (place == UMMGR_PLACE_HOST && was_device && lo > view->placed_lo)
    {
      if (view->placed_hi > lo)
	view->placed_hi = lo;
      return;
    }
  if (place == UMMGR_PLACE_HOST && was_device && hi < view->placed_hi)
    {
      if (view->placed_lo < hi)
	view->placed_lo = hi;
      return;
    }
  bool joins = view->place == place && lo <= view->placed_hi
    && hi >= view->placed_lo;
  view->place = place;
  if (place == UMMGR_PLACE_HOST)
    {
      view->placed_lo = 0;
      view->placed_hi = view->size;
      return;
    }
  if (!joins || lo < view->placed_lo)
    view->placed_lo = lo;
  if (!joins || hi > view->placed_hi)
    view->placed_hi = hi;
}
