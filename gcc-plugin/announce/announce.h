/* Where the host comes next: what the announcements' files share.
   SPDX-License-Identifier: GPL-3.0-or-later

   announce.cc finds the places, announce/insert.cc puts the calls there; announce/calls.cc has
   which call it is that launches, announce/turns.cc how often loops that launch go round.  */

#pragma once

#include "live/live.h"

#define UMMGR_PASS_ANNOUNCE "ummgr-announce"

/* An announcement: on the edge ON, or else before the statement BEFORE.  */
struct announce_place
{
  edge on;
  gimple *before;
  tree value;			/* A pointer, or a reference to one that may be
				   read there; or a constant.  */
  location_t location;
  tree more;			/* The call's second argument, which may be computed there, or NULL_TREE.  */
};

/* announce/insert.cc: put calls of DECL, a weak function, to PLACES of cfun.  */
void announce_insert (tree decl, const vec<announce_place> &places);
/* announce/insert.cc: *DECL, the weak function void NAME (TYPE), or NAME (TYPE, MORE), made if it isn't there.  */
tree announce_decl (tree *decl, const char *name, tree type, tree more = NULL_TREE);

/* announce/calls.cc: have the calls of which the table has records say which they are, those in F, cfun.  */
void announce_calls (const live_function *f);

/* announce/calls.cc: have F, cfun, tell at TELLINGS what the host is about to read.  */
void announce_tellings (const live_function *f, const vec<live_telling> &tellings);

/* A loop that tells how often it goes round: its number in calls, where it begins, and its one way out.  */
struct announce_loop
{
  tree id;
  edge entry, exit;
};
/* Where loops of a function begin, where a turn of theirs, or all, are over, and what the host goes over after some of
   them.  */
struct announce_turns
{
  auto_vec<announce_place> begins, goes_on, after;
  auto_vec<announce_loop> counted;
};
/* announce/turns.cc: find OUT of F, which has no loops; what the host goes over then, of PLACES of F, which is cfun and
   has dominators; and have F, cfun, tell.  */
void announce_turns_find (live_function *f, announce_turns *out);
void announce_turns_after (const vec<announce_place> &places, announce_turns *turns);
void announce_turns_insert (const announce_turns &turns);

opt_pass *ummgr_pass_announce_new (void);
/* Does that pass run, right after the tables'?  */
bool ummgr_announce_follows (void);
