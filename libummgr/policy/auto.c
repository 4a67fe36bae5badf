/* Policy `auto`: libgomp's own way while all fits, and from then on by cost.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What a construct maps is copied into plain device memory as long as the device has room for
   all of it and for what is there: that is what libgomp does, but for one thing: what has to
   leave later becomes managed memory then (memory/storage.c), so nobody needs to know beforehand
   whether it will.  Where a construct's data doesn't fit, it is managed memory from the start,
   of which what there is room for is sent at once: behind what need not be copied in, and the smaller first,
   whatever the clauses' order.  When nothing is mapped any more all begins anew.

   From then on it is rdm's next use that decides, of parts of objects too, and of what is used at the same
   time what it costs over the link: bytes for each of its own, as caches have it (hints/passes.h).  What
   moves has to pay for that before it is of no use any more, or to have lost as much by waiting
   (ranked-choose.c), so that a guess that is wrong costs at most as much again.  What launches then take is
   compared with what was foreseen (outcome.h): where data costs more from afar than was thought it counts
   so many times.

   An example: 64 MiB of memory; a loop maps A, 40 MiB, for one region, and A and B, 40 MiB each,
   for another.  For the first A is copied to plain memory; the second gets both as managed
   memory, 16 MiB of the second on the host.

   State, for each device: rdm's, and what launches took.  */

#include "config.h"
#include "base/human.h"
#include "base/log.h"
#include "policy/outcome.h"
#include "policy/policies.h"
#include "policy/rdm.h"

#include <stdio.h>

struct planner
{
  struct ummgr_rdm rdm;		/* First.  */
  struct ummgr_outcome outcome;
  struct ummgr_policy_config config;
};

/* Once something did not fit, plain memory would only have to be given back.  */
static void
on_construct (void *state, uint64_t bytes)
{
  struct ummgr_ranked *r = state;
  if (r->count == 0)
    r->plain = true;
  if (ummgr_ranked_room (r) < (int64_t) bytes)
    r->plain = false;
}

static uint32_t
key_of (const struct planner *p, const char *name)
{
  return ummgr_said_key (p->rdm.region, name, UMMGR_SOURCES);
}

/* What is used at the same time as others goes by what it costs to have it on the host: bytes over the link for each of
   its own, as often as all regions that use it make it, where that is known.  */
static void
rank (struct ummgr_ranked *ranked, struct ummgr_ranked_object *object, const struct ummgr_hint *hint,
      struct ummgr_rank *rank)
{
  struct planner *p = (struct planner *) ranked;
  double global = ummgr_ranked_global (object, hint);
  object->weight *= ummgr_outcome_factor (&p->outcome, key_of (p, hint->name));
  ummgr_rdm_rank_distance (ranked, object, hint, rank);
  const struct ummgr_region_view *in = ranked->in;
  if (rank->distance >= UMMGR_DISTANCE_UNKNOWN && in && in->loop_count && in->loops[0].turns > 1)
    rank->distance = ranked->now + 1;
  /* A launch that makes no accesses says nothing of others.  */
  bool often = !hint->estimated && hint->locality > 0 && global > hint->locality;
  rank->value = !hint->known ? -1 : often ? object->weight * global / hint->locality : object->weight;
}

static void
describe (const struct ummgr_ranked *ranked, const struct ummgr_rank *rank, const char *name,
	  const struct ummgr_rank *own, char *buf, size_t size)
{
  ummgr_rdm_describe (ranked, rank, "bytes over the link a byte", name, own, buf, size);
}

/* An example: 8 MiB of which each byte is read 3 times over a link of 12 GB/s, and that come at 24:
   "; each use from the host costs 2.1 ms, coming 0.35 ms".  */
static double
cost (const struct ummgr_ranked *ranked, const struct ummgr_ranked_item *item, char *buf, size_t size)
{
  const struct planner *p = (const struct planner *) ranked;
  double range = (double) (item->want_hi - item->want_lo);
  double use = item->object->weight * range * p->config.remote_seconds;
  if (!(use > 0))
    return 0;
  if (!buf)
    return use;
  struct ummgr_human each = ummgr_human_seconds (use), once = ummgr_human_seconds (range * p->config.sent_seconds);
  double times = ummgr_outcome_factor (&p->outcome, key_of (p, item->name));
  char more[64] = "";
  if (times > 1)
    snprintf (more, sizeof more, ", %.3g times what was foreseen", times);
  snprintf (buf, size, "; each use from the host costs %s%s, coming %s", each.text, more, once.text);
  return use;
}

static const struct ummgr_ranked_kind kind = {
  UMMGR_RDM_KIND,
  .rank = rank,
  .describe = describe,
  .cost = cost
};

static enum ummgr_status
init (void *state, const struct ummgr_policy_config *config)
{
  struct planner *p = state;
  p->config = *config;
  p->config.partial = UMMGR_PARTIAL_ON;
  p->rdm.ranked.sends = true;
  p->rdm.ranked.dear = config->sent_seconds > 0 ? config->remote_seconds / config->sent_seconds : 0;
  enum ummgr_status status = ummgr_rdm_init (state, &kind, &p->config);
  if (config->granule)
    p->rdm.ranked.granule = (int64_t) config->granule;
  return status;
}

/* What ITEM's object has of what the region accesses is on the device; the rest, in bytes.  */
static double
afar (const struct ummgr_ranked_item *item)
{
  const struct ummgr_ranked_object *o = item->object;
  size_t lo = o->to_lo > item->want_lo ? o->to_lo : item->want_lo;
  size_t hi = o->to_hi < item->want_hi ? o->to_hi : item->want_hi;
  return (double) (item->want_hi - item->want_lo) - (lo < hi ? (double) (hi - lo) : 0);
}

/* Does D move nothing?  */
static bool
is_there (const struct ummgr_decision *d)
{
  const struct ummgr_placed *placed = d->object->placed;
  return d->lo == d->hi || d->transfer == UMMGR_TRANSFER_NONE
	 || (d->place == UMMGR_PLACE_DEVICE && placed->place == UMMGR_PLACE_DEVICE && placed->lo <= d->lo
	     && d->hi <= placed->hi);
}

/* What the launch is to take, if it is known how often it accesses what, and nothing moves for it: what is sent, or
   comes by demand, takes time, too.  */
static void
foresee (struct planner *p, const struct ummgr_region_view *region, const struct ummgr_plan *plan)
{
  const struct ummgr_ranked *r = &p->rdm.ranked;
  struct ummgr_outcome_launch *l = &p->outcome.launch;
  const struct ummgr_policy_config *c = &p->config;
  double threads = (double) region->trip < c->threads ? (double) region->trip : c->threads;
  bool known = r->item_count && r->item_count <= UMMGR_OUTCOME_USES && c->remote_seconds > 0
	       && c->access_seconds > 0 && threads > 0;
  l->region = region->region;
  l->begins = c->launch_seconds;
  l->wait = known ? c->access_seconds / threads : 0;
  l->accesses = 0;
  l->count = 0;
  for (size_t i = 0; known && i < plan->count; i++)
    known = is_there (&plan->decisions[i]);
  for (size_t i = 0; known && i < r->item_count; i++)
    {
      const struct ummgr_ranked_item *item = &r->items[i];
      double away = afar (item);
      known = item->accesses >= 0 && item->object->view->path == UMMGR_PATH_MAPPED
	      && item->transfer == UMMGR_TRANSFER_EXPLICIT;
      l->accesses += item->accesses;
      l->use[l->count++] = (struct ummgr_outcome_use) {
	.key = key_of (p, item->name), .link = item->object->weight * away * c->remote_seconds,
	.most = item->link_most * away / (double) (item->want_hi - item->want_lo) * c->remote_seconds,
	.comes = away * c->sent_seconds
      };
    }
  l->sequence = known && l->accesses > 0 ? region->sequence : 0;
}

static void
on_region_begin (void *state, const struct ummgr_region_view *region, struct ummgr_object_view *const *objects,
		 size_t count, struct ummgr_plan *plan)
{
  struct ummgr_ranked *r = state;
  r->in = region;
  ummgr_rdm_begin (state, region, objects, count, plan);
  r->in = NULL;
  foresee (state, region, plan);
}

static void
on_region_end (void *state, const struct ummgr_region_view *region, struct ummgr_object_view *const *objects,
	       size_t count, struct ummgr_plan *plan)
{
  struct planner *p = state;
  /* Others that began meanwhile ran beside it.  */
  if (region->took > 0 && p->outcome.launch.sequence == region->sequence)
    {
      double link, foreseen = ummgr_outcome_foresees (&p->outcome, &link);
      double times = ummgr_outcome_took (&p->outcome, region->took);
      if (times > 1)
	ummgr_info ("auto: %s took %.3g ms instead of %.3g: what it uses over the link counts up to %.3g times from now on",
		    region->name, region->took * 1e3, foreseen * 1e3, times);
      else if (!(times > 0))
	ummgr_info ("auto: %s takes %.3g ms without the link, too: what it used over it counts once again", region->name,
		    region->took * 1e3);
    }
  ummgr_after_region (state, region, objects, count, plan);
}

const struct ummgr_policy_ops ummgr_policy_auto = {
  .name = "auto",
  .description = "plain copies while all fits, else parts of what is used again soonest and "
		 "costs most over the link",
  .source = "SC'19 section 3.4, RDM with partial mapping, and libgomp",
  .plain = true,
  .keeps = true,
  .slices = true,
  .shares = true,
  .times = true,
  .state_size = sizeof (struct planner),
  .init = init,
  .fini = ummgr_rdm_fini,
  .on_construct = on_construct,
  .on_region_begin = on_region_begin,
  .on_region_end = on_region_end,
  UMMGR_RANKED_OPS
};
