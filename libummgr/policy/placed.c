/* Where an object is, after a decision was carried out.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For those who carry decisions out.  No state.  */

#include "config.h"
#include "policy/policy.h"

/* One range is in its place and the rest on the host, so a part can only grow or shrink
   at its ends; where what is so can't be said, what is on the device counts for
   less.  */
void
ummgr_placed_change (struct ummgr_placed *placed, size_t size, size_t lo,
		     size_t hi, enum ummgr_place place)
{
  bool was_device = placed->place == UMMGR_PLACE_DEVICE;
  if (place == UMMGR_PLACE_HOST && was_device && lo > placed->lo)
    {
      if (placed->hi > lo)
	placed->hi = lo;
      return;
    }
  if (place == UMMGR_PLACE_HOST && was_device && hi < placed->hi)
    {
      if (placed->lo < hi)
	placed->lo = hi;
      return;
    }
  bool joins = placed->place == place && lo <= placed->hi && hi >= placed->lo;
  placed->place = place;
  if (place == UMMGR_PLACE_HOST)
    {
      placed->lo = 0;
      placed->hi = size;
      return;
    }
  if (!joins || lo < placed->lo)
    placed->lo = lo;
  if (!joins || hi > placed->hi)
    placed->hi = hi;
}
