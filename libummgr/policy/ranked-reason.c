/* Why an object is on the device, or isn't.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A loop's decisions repeat with the same figures: the last text is kept with
   each object, so that words are put together only when something changed,
   and only if somebody reads them.  */

#include "config.h"
#include "policy/ranked.h"

#include <stdio.h>
#include <string.h>

enum kind
{
  THERE = 1,
  A_PART,
  TOO_LARGE,
  BLOCKED,
  AWAY,
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

/* The reason of O that says what KEY does; its text is NULL if it is new.  */
static struct ummgr_ranked_reason *
find_reason (struct ummgr_ranked_object *o,
	     const struct ummgr_ranked_reason *key)
{
  enum { COUNT = sizeof o->reasons / sizeof *o->reasons };
  for (unsigned i = 0; i < COUNT; i++)
    {
      struct ummgr_ranked_reason *r = &o->reasons[i];
      if (r->text && r->kind == key->kind && r->own == key->own
	  && r->other == key->other && r->tie == key->tie && r->cost == key->cost
	  && r->other_id == key->other_id)
	return r;
    }
  struct ummgr_ranked_reason *r = &o->reasons[o->next_reason++ % COUNT];
  *r = *key;
  return r;
}

static void
name_of (const struct ummgr_ranked_object *o, char *buf, size_t size)
{
  if (o->view->name)
    snprintf (buf, size, "%s", o->view->name);
  else
    snprintf (buf, size, "object %llu", (unsigned long long) o->view->id);
}

static int
item_kind (const struct ummgr_ranked *r, const struct ummgr_ranked_item *item)
{
  const struct ummgr_ranked_object *o = item->object;
  if (item->away)
    return AWAY;
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
    : kind == TOO_LARGE ? "larger than what objects may take of the device's memory"
    : kind == AWAY ? "few of its bytes are read"
    : kind == BLOCKED ? "ranks below what is on the device"
    : "ranks lowest";
}

void
ummgr_ranked_describe_value (const struct ummgr_rank *rank, const char *name,
			     const char *where, char *buf, size_t size)
{
  if (rank->value < 0 && name)
    snprintf (buf, size, "%s was there first", name);
  else if (rank->value < 0)
    snprintf (buf, size, "accesses in %s not known", where);
  else if (name)
    snprintf (buf, size, "%s has %.3g", name, rank->value);
  else
    snprintf (buf, size, "%.3g accesses in %s", rank->value, where);
}

/* From where the distances of O, and of BY if not NULL, are known.  */
static void
add_source (const struct ummgr_ranked_object *o,
	    const struct ummgr_ranked_object *by, char *text, size_t size)
{
  static const char *const words[] = {
    [UMMGR_SOURCE_NONE] = NULL, [UMMGR_SOURCE_STATIC] = "static",
    [UMMGR_SOURCE_LEARNED] = "seen", [UMMGR_SOURCE_GUESSED] = "seen once"
  };
  const char *own = words[o->source], *other = by ? words[by->source] : NULL;
  size_t used = strlen (text);
  if (own && other && own != other)
    snprintf (text + used, size - used, " (%s; %s)", own, other);
  else if (own)
    snprintf (text + used, size - used, " (%s)", own);
}

/* O, with RANK, stands below BY, which has BY_RANK.  BY may be NULL.  */
static void
describe (const struct ummgr_ranked *r, const struct ummgr_ranked_object *o,
	  const struct ummgr_rank *rank, const struct ummgr_ranked_object *by,
	  const struct ummgr_rank *by_rank, char *text, size_t size)
{
  char name[TEXT / 2];
  r->kind->describe (r, rank, NULL, NULL, text, size);
  if (by)
    {
      size_t used = strlen (text);
      snprintf (text + used, size - used, ", ");
      used = strlen (text);
      name_of (by, name, sizeof name);
      r->kind->describe (r, by_rank, name, rank, text + used, size - used);
    }
  add_source (o, by, text, size);
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
  bool tie = names && item->rank.distance == item->blocked_rank.distance;
  struct ummgr_ranked_reason key = {
    .kind = kind,
    .own = figure (r, &item->rank) * 16 + o->source,
    .other = kind == A_PART ? percent
      : kind == AWAY ? item->remote
      : tie ? item->blocked_rank.value
      : names ? figure (r, &item->blocked_rank) : 0,
    .tie = tie ? item->rank.value : 0,
    .cost = r->kind->cost ? r->kind->cost (r, item, NULL, 0) : 0,
    .other_id = names ? by->view->id : 0
  };
  struct ummgr_ranked_reason *reason = find_reason (o, &key);
  if (reason->text)
    return reason->text;
  char text[4 * TEXT], ranks[2 * TEXT];
  describe (r, o, &item->rank, names ? by : NULL, &item->blocked_rank, ranks,
	    sizeof ranks);
  if (kind == A_PART)
    snprintf (text, sizeof text, "%.0f%% fits, %s", percent, ranks);
  else if (kind == AWAY)
    snprintf (text, sizeof text, "%.2g%% of it is read over the link, %s",
	      100 * item->remote, ranks);
  else if (kind == TOO_LARGE)
    snprintf (text, sizeof text, "larger than what objects may take of the device's memory, %s", ranks);
  else
    snprintf (text, sizeof text, "%s", ranks);
  size_t used = strlen (text);
  if (r->kind->cost)
    r->kind->cost (r, item, text + used, sizeof text - used);
  return reason->text = ummgr_reasons_keep (&r->reasons, text, plain (kind));
}

const char *
ummgr_ranked_why_leaves (struct ummgr_ranked *r,
			 struct ummgr_ranked_object *victim)
{
  const struct ummgr_rank *rank = &victim->node.rank;
  if (!r->explain)
    return plain (LEAVES);
  struct ummgr_ranked_reason key = {
    .kind = LEAVES, .own = figure (r, rank) * 16 + victim->source
  };
  struct ummgr_ranked_reason *reason = find_reason (victim, &key);
  if (reason->text)
    return victim->told = reason->text;
  char text[2 * TEXT], own[TEXT];
  describe (r, victim, rank, NULL, NULL, own, sizeof own);
  snprintf (text, sizeof text, "makes room, %s", own);
  reason->text = ummgr_reasons_keep (&r->reasons, text, plain (LEAVES));
  return victim->told = reason->text;
}
