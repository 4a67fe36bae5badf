/* Where the host comes next: what the announcements' files share.
   SPDX-License-Identifier: GPL-3.0-or-later

   announce.cc finds the places, announce/insert.cc puts the calls there.  */

#pragma once

#include "live/live.h"

#define UMMGR_PASS_ANNOUNCE "ummgr-announce"

/* An announcement: on the edge ON, or else before the statement BEFORE.  */
struct announce_place
{
  edge on;
  gimple *before;
  tree value;			/* A pointer, or a reference to one that may be
				   read there.  */
  location_t location;
};

/* announce/insert.cc: put calls of __ummgr_host_next to PLACES of cfun.  */
void announce_insert (const vec<announce_place> &places);

opt_pass *ummgr_pass_announce_new (void);
/* Does that pass run, right after the tables'?  */
bool ummgr_announce_follows (void);
