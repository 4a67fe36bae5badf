/* Why an object is on the device, or isn't.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A loop's decisions repeat with the same figures: the last text is kept with
   each object, so that words are put together only when something changed,
   and only if somebody reads them.  */

#include "config.h"
#include "policy/ranked.h"

#include <stdio.h>

enum kind
{
  THERE = 1,
  A_PART,
  TOO_LARGE,
  BLOCKED,
  LEAVES
};

enum { TEXT = 256 };

/* What tells one rank from another in words.  */
static double
figure (const struct ummgr_ranked *r, const struct ummgr_rank *rank)
{
  return !r->kind->by_distance ? rank->value
    : rank->distance < UMMGR_DISTANCE_UNKNOWN ? rank->distance - r->now
    : rank->distance;
}

static bool
is_kept (struct ummgr_ranked_object *o, int kind, double own, double other,
	 uint64_t other_id)
{
  if (o->reason.text && o->reason.kind == kind && o->reason.own == own
      && o->reason.other == other && o->reason.other_id == other_id)
    return true;
  o->reason.kind = kind;
  o->reason.own = own;
  o->reason.other = other;
  o->reason.other_id = other_id;
  return false;
}

static void
name_of (const struct ummgr_ranked_object *o, char *buf, size_t size)
{
  if (o->name)
    snprintf (buf, size, "%s", o->name);
  else
    snprintf (buf, size, "object %llu", (unsigned long long) o->view->id);
}

static int
item_kind (const struct ummgr_ranked *r, const struct ummgr_ranked_item *item)
{
  const struct ummgr_ranked_object *o = item->object;
  uint64_t bytes = ummgr_ranked_bytes (o);
  uint64_t want = item->want_hi - item->want_lo;
  if (bytes >= want)
    return THERE;
  return bytes ? A_PART : want > (uint64_t) r->budget ? TOO_LARGE : BLOCKED;
}

/* For those who don't read figures.  */
static const char *
plain (int kind)
{
  return kind == THERE ? "used by the region"
    : kind == A_PART ? "used by the region, a part fits"
    : kind == TOO_LARGE ? "larger than the device's memory"
    : kind == BLOCKED ? "ranks below what is on the device"
    : "ranks lowest";
}

const char *
ummgr_ranked_why (struct ummgr_ranked *r, const struct ummgr_ranked_item *item)
{
  struct ummgr_ranked_object *o = item->object;
  const struct ummgr_ranked_object *by = item->blocked_by;
  int kind = item_kind (r, item);
  if (!r->explain)
    return plain (kind);
  double percent
    = 100.0 * ummgr_ranked_bytes (o) / (item->want_hi - item->want_lo);
  bool names = by && (kind == BLOCKED || kind == A_PART);
  double other = names ? figure (r, &item->blocked_rank) : 0;
  if (is_kept (o, kind, figure (r, &item->rank) * 16 + o->source,
	       kind == A_PART ? percent : other, names ? by->view->id : 0))
    return o->reason.text;
  char text[4 * TEXT], own[TEXT], blocker[2 * TEXT], name[TEXT / 2];
  r->kind->describe (r, &item->rank, o->source, own, sizeof own);
  blocker[0] = '\0';
  if (names)
    {
      char rank[TEXT / 2];
      name_of (by, name, sizeof name);
      r->kind->describe (r, &item->blocked_rank, by->source, rank,
			 sizeof rank);
      snprintf (blocker, sizeof blocker, "; %s: %s", name, rank);
    }
  if (kind == A_PART)
    snprintf (text, sizeof text, "%.0f%% fits: %s%s", percent, own, blocker);
  else if (kind == TOO_LARGE)
    snprintf (text, sizeof text, "larger than the device's memory; %s", own);
  else
    snprintf (text, sizeof text, "%s%s", own, blocker);
  return o->reason.text = ummgr_reasons_keep (&r->reasons, text, plain (kind));
}

const char *
ummgr_ranked_why_leaves (struct ummgr_ranked *r,
			 struct ummgr_ranked_object *victim)
{
  const struct ummgr_rank *rank = &victim->node.rank;
  if (!r->explain)
    return plain (LEAVES);
  if (is_kept (victim, LEAVES, figure (r, rank) * 16 + victim->source, 0, 0))
    return victim->reason.text;
  char text[2 * TEXT], own[TEXT];
  r->kind->describe (r, rank, victim->source, own, sizeof own);
  snprintf (text, sizeof text, "makes room: %s", own);
  victim->told = victim->reason.text
    = ummgr_reasons_keep (&r->reasons, text, plain (LEAVES));
  return victim->reason.text;
}
