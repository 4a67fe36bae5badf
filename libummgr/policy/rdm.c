/* Policy `rdm`: the objects that will be used again soonest are on the
   device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   SC'19 3.4.  The target region counter, TRC, is the number of the region on
   the device; an object's next reuse time is TRC plus its reuse distance, and
   the object with the largest leaves first; equal times are told apart by
   global locality, of each byte where objects have parts.  Where that isn't known, the locality in the region that
   used it last stands in, which GL can't be below.

   The distance is, in this order: what the run has shown, if that has proved
   right for this object after this region; the compiler's, where it is likely
   (flow/flow.h), else where it is on average, if what it says of this argument mostly
   comes true (reuse-said.h; the paper has nobody look, nor has --partial=paper);
   what the run has shown and not proved, with the same reservation; unknown.
   Unknown is farther than any known distance, and nearer than never.  Among objects
   of unknown distance and locality the one used last is preferred, as in lru, but
   has to pay for its place (ranked-choose.c); those come to be known as soon as a
   loop comes round.

   State, for each device: ranked.c's, and what reuse-seen.c has learned.  */

#include "config.h"
#include "base/log.h"
#include "policy/policies.h"
#include "policy/rdm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The compiler's distance; -1: there is none.  The next use is in the next region
   at the soonest; INFINITY is never.  */
static double
static_distance (const struct ummgr_hint *hint)
{
  return hint->reuse_static < 0 ? -1
    : hint->reuse_likely > 0 ? hint->reuse_likely
    : hint->reuse_static < 1 ? 1 : hint->reuse_static;
}

/* Take DISTANCE, by a source that says it of OBJECT, down, and what has come of
   what it said last.  -1 where what it says of such objects isn't so.  */
static double
believed (struct ummgr_rdm *rdm, struct ummgr_ranked_object *object,
	  enum ummgr_rank_source source, const struct ummgr_hint *hint,
	  double distance)
{
  struct ummgr_said_promise *promise = &object->promise[source];
  uint64_t now = rdm->ranked.now;
  uint32_t key = ummgr_said_key (rdm->region, hint->name, source);
  ummgr_said_came (&rdm->said, promise, now);
  if (distance < 0 || rdm->ranked.partial == UMMGR_PARTIAL_PAPER)
    return distance;
  *promise = (struct ummgr_said_promise) { distance, now, key };
  ummgr_said_add (&rdm->said, promise);
  return ummgr_said_trusted (&rdm->said, key) ? distance : -1;
}

/* Regions until the next use.  */
static double
distance_of (struct ummgr_rdm *rdm, struct ummgr_ranked_object *object,
	     const struct ummgr_hint *hint)
{
  if (!object->seen)
    object->seen = ummgr_seen_object (rdm->seen, object->view->base);
  struct ummgr_seen_distance seen = ummgr_seen_use (rdm->seen, object->seen);
  double said = believed (rdm, object, UMMGR_SOURCE_STATIC, hint,
			  static_distance (hint));
  double guessed = believed (rdm, object, UMMGR_SOURCE_GUESSED, hint,
			     seen.regions);
  object->source = seen.proved ? UMMGR_SOURCE_LEARNED
    : said >= 0 ? UMMGR_SOURCE_STATIC
    : guessed >= 0 ? UMMGR_SOURCE_GUESSED : UMMGR_SOURCE_NONE;
  double distance = object->source == UMMGR_SOURCE_NONE ? UMMGR_DISTANCE_UNKNOWN
    : object->source == UMMGR_SOURCE_STATIC ? said : seen.regions;
  ummgr_debug ("rdm: object at %#" PRIxPTR ": next use in %.6g regions (%s)",
	       object->view->base, distance,
	       object->source == UMMGR_SOURCE_LEARNED ? "learned"
	       : object->source == UMMGR_SOURCE_STATIC ? "static"
	       : object->source == UMMGR_SOURCE_GUESSED ? "guessed" : "unknown");
  return distance;
}

/* Does the locality of a byte break ties?  Where parts can be placed, what has most accesses for
   each byte that it takes saves most: a large array that is accessed more than a small one would
   fill the device with a part of it.  */
static bool
by_byte (const struct ummgr_ranked *ranked)
{
  return ranked->partial == UMMGR_PARTIAL_ON;
}

void
ummgr_rdm_rank_distance (struct ummgr_ranked *ranked, struct ummgr_ranked_object *object,
			 const struct ummgr_hint *hint, struct ummgr_rank *rank)
{
  double distance = distance_of ((struct ummgr_rdm *) ranked, object, hint);
  rank->distance = distance < UMMGR_DISTANCE_UNKNOWN
    ? ranked->now + distance : distance;
}

static void
rank (struct ummgr_ranked *ranked, struct ummgr_ranked_object *object,
      const struct ummgr_hint *hint, struct ummgr_rank *rank)
{
  double global = ummgr_ranked_global (object, hint);
  ummgr_rdm_rank_distance (ranked, object, hint, rank);
  rank->value = global >= 0 ? global
    : hint->locality > 0 ? hint->locality : -1;
  if (by_byte (ranked) && rank->value >= 0)
    rank->value /= object->view->size;
}

/* What the one called NAME has at the same time as OWN; VALUE: of what a rank's is.  */
static void
describe_tie (const struct ummgr_rank *rank, const char *value, const char *name, const struct ummgr_rank *own,
	      char *buf, size_t size)
{
  if (rank->distance >= UMMGR_DISTANCE_UNKNOWN)
    snprintf (buf, size, "%s was there first", name);
  else if (rank->value > own->value && own->value >= 0)
    snprintf (buf, size, "%s then too, with %.3g %s to %.3g", name, rank->value, value, own->value);
  else
    snprintf (buf, size, "%s then too", name);
}

void
ummgr_rdm_describe (const struct ummgr_ranked *ranked, const struct ummgr_rank *rank, const char *value,
		    const char *name, const struct ummgr_rank *own, char *buf, size_t size)
{
  double regions = rank->distance - ranked->now;
  if (name && rank->distance == own->distance)
    describe_tie (rank, value, name, own, buf, size);
  else if (rank->distance == INFINITY)
    snprintf (buf, size, "%s%snot used again", name ? name : "",
	      name ? " is " : "");
  else if (rank->distance >= UMMGR_DISTANCE_UNKNOWN)
    snprintf (buf, size, "%snext use not known", name ? "its " : "");
  else if (name)
    snprintf (buf, size, "%s is used in %.3g", name, regions);
  else
    snprintf (buf, size, "next use in %.3g region%s", regions,
	      regions == 1 ? "" : "s");
}

static void
describe (const struct ummgr_ranked *ranked, const struct ummgr_rank *rank, const char *name,
	  const struct ummgr_rank *own, char *buf, size_t size)
{
  ummgr_rdm_describe (ranked, rank, by_byte (ranked) ? "accesses a byte" : "accesses", name, own, buf, size);
}

static const struct ummgr_ranked_kind kind = {
  UMMGR_RDM_KIND,
  .rank = rank,
  .describe = describe
};

enum ummgr_status
ummgr_rdm_init (void *state, const struct ummgr_ranked_kind *as, const struct ummgr_policy_config *config)
{
  struct ummgr_rdm *rdm = state;
  rdm->seen = ummgr_seen_new ();
  return rdm->seen ? ummgr_ranked_init (state, as, config)
    : UMMGR_ERR_NOMEM;
}

static enum ummgr_status
init (void *state, const struct ummgr_policy_config *config)
{
  return ummgr_rdm_init (state, &kind, config);
}

void
ummgr_rdm_fini (void *state)
{
  struct ummgr_rdm *rdm = state;
  ummgr_seen_free (rdm->seen);
  ummgr_ranked_fini (state);
}

void
ummgr_rdm_begin (void *state, const struct ummgr_region_view *region,
		 struct ummgr_object_view *const *objects, size_t count,
		 struct ummgr_plan *plan)
{
  struct ummgr_rdm *rdm = state;
  rdm->region = region->region;
  ummgr_seen_begin (rdm->seen, region->region, region->sequence);
  ummgr_ranked_begin (state, region, objects, count, plan);
}

/* Where not all fits the first in the clauses would be in the way of what is used most: of 2
   of 3 arrays of the same size, which the regions to come tell apart, 1 would leave again.  */
static void
on_construct (void *state, uint64_t bytes)
{
  struct ummgr_ranked *r = state;
  r->waits = r->partial != UMMGR_PARTIAL_PAPER && ummgr_ranked_room (r) < (int64_t) bytes;
}

const struct ummgr_policy_ops ummgr_policy_rdm = {
  .name = "rdm",
  .description = "what will be used again soonest on the device",
  .source = "SC'19 section 3.4, RDM, with partial mapping",
  .state_size = sizeof (struct ummgr_rdm),
  .init = init,
  .fini = ummgr_rdm_fini,
  .on_construct = on_construct,
  .on_region_begin = ummgr_rdm_begin,
  .on_region_end = ummgr_after_region,
  UMMGR_RANKED_OPS
};
