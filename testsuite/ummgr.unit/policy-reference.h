/* What rlm, glm, rdm, otm and auto are to do, slowly: from SC'19's steps and what the comments of the policies say
   of them, with lists and loops alone.  What has been seen and said of next uses is taken from reuse-seen.h and
   reuse-said.h, which have tests of their own.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "policy-apply.h"
#include "policy-given.h"
#include "policy/reuse-said.h"
#include "policy/reuse-seen.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

#define N 20
#define TURNS 64		/* Uses that are remembered.  */
#define UNIT ((int64_t) 65536)
#define FAR 1e300
#define PASSED 8		/* Candidates that aren't worth it.  */
#define SOON 8			/* Regions until what came as it was mapped is used.  */
#define LOOPS 2000		/* That begin in a round, at most.  */
#define NAMES 5			/* Of regions, and one more.  */

static const struct ummgr_policy_ops *policy;
static struct ummgr_policy_config config;
static char which;		/* 'r'lm, 'g'lm, r'd'm, 'o'tm, 'a'uto.  */
static enum ummgr_partial partial;
static bool weighs;		/* Demand has a cost, and transfer a choice.  */
static int64_t granule;		/* Managed memory takes whole ones; 1: by bytes.  */
static double dear;		/* A byte over the link, in bytes that are sent; 0: not known.  */
static bool discards;		/* The driver can be told what is of no use.  */
static struct ummgr_plan plan;
static struct ummgr_object_view o[N];
static struct ummgr_placed placed[N];
static bool alive[N];
static int64_t budget;
static uint64_t now;

/* The reference: what it knows of each object.  */
static struct
{
  int64_t lo, hi;
  double distance, value, global, kept;
  uint64_t recency;
  bool used, written, dead;
  uint64_t since, uses, count, first, last;
  struct ummgr_said_promise promise[2];
  int64_t most_lo, most_hi, lost_lo, lost_hi;
  bool moves_back;
  double remote, weight, missed;
  bool came, sends;
  bool in_loop[LOOPS];		/* By their numbers: used in it.  */
  uint64_t loop;		/* In which it was used last,  */
  double loop_turns, loop_uses;	/* what was left of that, and uses in it.  */
  int turn_count;		/* Its uses since it was used outside of the loop TURN_LOOP, the last ones:  */
  uint64_t turn_loop;
  struct { double left, weight; } turn[TURNS]; /* the turns that the loop had left.  */
} ref[N];
static bool waits;		/* The last construct's data had no room.  */
static bool ref_plain;		/* What fits is copied into plain memory.  */
static struct ummgr_region_view region; /* At hand.  */
static uint64_t nest[3];	/* The loops that it is in,  */
static int depth;		/* so many.  */
static uint64_t ref_clock;
static int ref_part;
static struct ummgr_seen *seen;
static struct ummgr_said said;
static float factors[UMMGR_SAID_KEYS];	/* How many times as much uses take as was foreseen; 0: once.  */

static unsigned
rnd (unsigned n)
{
  static uint64_t x = 88172645463325252u;
  return random64 (&x) % n;
}

static bool
movable (int i)
{
  return !o[i].pinned && !o[i].running;
}

static int64_t
has (int i)
{
  return ref[i].hi - ref[i].lo;
}

/* Ranks say when their objects are used next.  */
static bool
by_distance (void)
{
  return which == 'd' || which == 'a';
}

/* What object I has ends there.  */
static int64_t
ref_there (int i)
{
  int64_t size = o[i].size;
  return ref[i].hi < size ? ref[i].hi : size;
}

/* Bytes of [LO, HI) in [LO2, HI2).  */
static int64_t
common (int64_t lo, int64_t hi, int64_t lo2, int64_t hi2)
{
  int64_t bytes = (hi < hi2 ? hi : hi2) - (lo > lo2 ? lo : lo2);
  return bytes > 0 ? bytes : 0;
}

static int64_t
managed_end (int i)
{
  return ((int64_t) o[i].size + granule - 1) / granule * granule;
}

/* Where object I ends, as it is charged.  Plain memory that loses some becomes managed.  */
static int64_t
ref_end (int i)
{
  int64_t size = o[i].size;
  return o[i].plain && has (i) >= size ? size : managed_end (i);
}

static int64_t
free_bytes (void)
{
  int64_t sum = 0;
  for (int i = 0; i < N; i++)
    sum += alive[i] ? has (i) : 0;
  return budget - sum;
}

/* One object of the region.  */
struct arg
{
  int object;
  double distance, value;
  uint64_t recency;
  int64_t lo, hi;		/* Wanted.  */
  bool away, written, fresh, first;
  const char *name;
  double accesses, most;	/* Of a launch: as far as known, else -1; bytes over the link.  */
};

static bool
known (const struct arg *a)
{
  return by_distance () ? a->distance < FAR : a->value >= 0;
}

/* DISTANCE of object I, by SOURCE 1 (the compiler) or 3 (seen), if it is believed;
   else -1.  */
static double
ref_believed (int i, int source, const char *name, double distance)
{
  struct ummgr_said_promise *promise = &ref[i].promise[source / 2];
  uint32_t key = ummgr_said_key (region.region, name, source);
  ummgr_said_came (&said, promise, now);
  if (distance < 0 || partial == UMMGR_PARTIAL_PAPER)
    return distance;
  *promise = (struct ummgr_said_promise) { distance, now, key };
  ummgr_said_add (&said, promise);
  return ummgr_said_trusted (&said, key) ? distance : -1;
}

static void
ref_range (struct arg *a, const struct ummgr_hint *h)
{
  int i = a->object;
  a->lo = 0;
  a->hi = ref_end (i);
  if (partial != UMMGR_PARTIAL_ON)
    return;
  if (h->known && h->lo < h->hi && h->lo < o[i].size)
    {
      a->lo = h->lo / UNIT * UNIT;
      int64_t hi = (h->hi + UNIT - 1) / UNIT * UNIT;
      a->hi = hi < a->hi ? hi : a->hi;
    }
  if (ref[i].lost_hi > a->lo && ref[i].lost_lo < a->hi)
    ref[i].moves_back = true;
  if (ref[i].most_hi == 0 || a->lo < ref[i].most_lo)
    ref[i].most_lo = a->lo;
  if (a->hi > ref[i].most_hi)
    ref[i].most_hi = a->hi;
  if (ref[i].moves_back)
    {
      a->lo = ref[i].most_lo;
      a->hi = ref[i].most_hi < (int64_t) o[i].size ? ref[i].most_hi : ref_end (i);
    }
}

static void ref_set (int j, int64_t lo, int64_t hi);

/* May A be read over the link for less than half of what sending it takes, in all launches?  */
static bool
ref_little (const struct arg *a, const struct ummgr_hint *h)
{
  int i = a->object;
  double wanted = a->hi - a->lo;
  if (which == 'o' || partial == UMMGR_PARTIAL_PAPER || !weighs || !h->known
      || h->write || !h->read || h->remote == 0)
    return false;
  if (o[i].plain || (has (i) && ref[i].used))
    return false;
  return 2 * h->remote_program <= wanted && 2 * (ref[i].remote + h->remote_most) <= wanted;
}

/* Would A, which the host goes over before the next region does, come for one use, and go where it was written, for
   more than that use takes over the link?  */
static bool
ref_in_vain (const struct arg *a, const struct ummgr_hint *h)
{
  double copies = h->write ? 2 : h->host_writes ? 1 : 0;
  if (which != 'a' || dear == 0 || o[a->object].path != UMMGR_PATH_UNIFIED || !h->known || h->estimated)
    return false;
  if (h->remote == 0 || !h->host_known || h->host_next <= 0.9)
    return false;
  return copies > 0 && ref[a->object].weight * dear <= copies;
}

/* Is A better left on the host?  Then it goes there.  */
static void
ref_away (struct arg *a, const struct ummgr_hint *h)
{
  int i = a->object;
  a->away = ref_little (a, h) || ref_in_vain (a, h);
  if (!a->away || !movable (i))
    return;
  ref[i].remote += h->remote;
  ref_set (i, 0, 0);
}

/* In what could be sent meanwhile: what demand takes for DENSITY of A.  */
static double
ref_demand (const struct arg *a, const struct ummgr_hint *h, double density)
{
  double wanted = a->hi - a->lo, all = config.unit_faults * fmax (1, wanted / UNIT), faults = density * all;
  double places = fmax (h->scatter, config.unit_faults);
  if (h->scatter > 0 && faults < places)
    faults = fmin (places, all);
  return density * wanted + faults * config.fault_bytes;
}

/* Is what comes of A sent as a whole?  What isn't known is, and what is accessed to at least half (otm: 0.6).  */
static bool
ref_sends (const struct arg *a, const struct ummgr_hint *h)
{
  double size = o[a->object].size, wanted = a->hi - a->lo, half = which == 'o' ? 0.6 : 0.5;
  if (config.transfer[0] != 'h')
    return config.transfer[0] == 'e';
  double density = !h->known ? -1 : h->density >= 0 ? h->density : h->density_sc19;
  density = density < 0 ? density : density * size / wanted;
  if (h->known && h->density_program > density)
    density = h->density_program;
  if (density < 0 || density >= half)
    return true;
  double worst = partial == UMMGR_PARTIAL_PAPER ? density : fmax (density, fmin (1, h->density_most * size / wanted));
  /* A range of which an access comes to each page is sent, and the rest comes by demand.  */
  if (h->lo < h->hi && h->lo < o[a->object].size && h->density * size * (UNIT / 8) >= h->hi - h->lo)
    return false;
  if (which == 'o' || !weighs)
    return worst >= half;
  return ref_demand (a, h, worst) - wanted >= wanted - ref_demand (a, h, density);
}

/* How many times as much as foreseen uses by KEY take.  */
static double
ref_factor (uint32_t key)
{
  return factors[key] > 0 ? factors[key] : 1;
}

static uint32_t
ref_key (const char *name)
{
  return ummgr_said_key (region.region, name, 4);
}

/* Regions from now to the next use of A, as far as is known.  */
static double
ref_next (const struct arg *a, const struct ummgr_hint *h)
{
  int i = a->object;
  struct ummgr_seen_distance d = ummgr_seen_use (seen, ummgr_seen_object (seen, o[i].base));
  double fixed = !h->known || h->reuse_static < 0 ? -1 : h->reuse_likely > 0 ? h->reuse_likely
    : h->reuse_static < 1 ? 1 : h->reuse_static;
  fixed = ref_believed (i, 1, h->known ? h->name : NULL, fixed);
  double guessed = ref_believed (i, 3, h->known ? h->name : NULL, d.regions);
  double next = d.proved ? d.regions : fixed >= 0 ? fixed : guessed >= 0 ? guessed : FAR;
  /* Turns that are left use it again, where nothing says when, or that nothing does.  */
  if (next >= FAR && which == 'a' && region.loop_count && region.loops[0].turns > 1)
    next = 1;
  return next;
}

static void
ref_rank (struct arg *a, const struct ummgr_hint *h)
{
  int i = a->object;
  if (h->known && h->global_locality > 0)
    ref[i].global = h->global_locality;
  ref[i].kept = h->known && h->host_known ? 1 - h->host_next : 1;
  /* The driver can be told that what it has is of no use before this region, or after it.  */
  a->fresh = discards && h->known && h->overwritten;
  ref[i].dead = discards && h->known && h->dead && h->host_known && !h->host_writes;
  a->distance = 0;
  a->value = ref[i].global;
  double local = h->known && h->locality > 0 ? h->locality : -1;
  if (which == 'r')
    a->value = local;
  if (by_distance ())
    {
      double next = ref_next (a, h);
      a->distance = next == FAR ? FAR : now + next;
    }
  if (which == 'd')
    {
      a->value = ref[i].global >= 0 ? ref[i].global : local;
      if (a->value >= 0 && partial == UMMGR_PARTIAL_ON)
	a->value /= (double) o[i].size;
    }
  if (which == 'a')
    {
      /* Bytes over the link for each of its own, as often as all regions that use it make it.  */
      double times = h->known && !h->estimated && local > 0 && ref[i].global > local ? ref[i].global / local : 1;
      ref[i].weight *= ref_factor (ref_key (h->known ? h->name : NULL));
      a->value = h->known ? ref[i].weight * times : -1;
    }
  a->written = h->known && h->write;
  ref[i].written |= a->written || !h->known;
  a->name = h->known && h->name ? h->name : "";
  a->first = which == 'a' && region.first == &o[i];
  a->accesses = h->known && !h->estimated ? h->locality : -1;
  a->most = h->known ? h->remote_most : 0;
  ref[i].sends = ref_sends (a, h);
  a->recency = ref[i].recency;
  if (has (i) && known (a))
    a->recency += UINT64_C (1) << 63;
}

static bool
ref_worse (double d1, double v1, uint64_t r1, double d2, double v2,
	   uint64_t r2)
{
  return d1 != d2 ? d1 > d2 : v1 != v2 ? v1 < v2 : r1 < r2;
}

/* With parts rdm and auto go by what a byte has of accesses, or costs.  */
static bool
per_byte (void)
{
  return by_distance () && partial == UMMGR_PARTIAL_ON;
}

/* Does X get its room after Y?  The region's first is before all others.  Of two that are as good, and both there or
   both not: the larger one; if that is as good for each byte, the smaller one; that isn't written; whose name comes
   later.  */
static bool
ref_after (const struct arg *x, const struct arg *y)
{
  if (x->first != y->first)
    return y->first;
  bool tie = x->distance == y->distance && x->value == y->value && known (x) && known (y)
    && !has (x->object) == !has (y->object);
  int64_t x_size = o[x->object].size, y_size = o[y->object].size;
  if (tie && x->value > 0 && x_size != y_size)
    return per_byte () ? x_size < y_size : x_size > y_size;
  if (tie && x->written != y->written)
    return y->written;
  if (tie && strcmp (x->name, y->name))
    return strcmp (x->name, y->name) > 0;
  return ref_worse (x->distance, x->value, x->recency, y->distance, y->value, y->recency);
}

/* May outside object J leave for A?  */
static bool
outside_may (int j, const struct arg *a)
{
  if (which == 'o')
    return !ref[j].used;
  if (ref[j].distance != a->distance)
    return ref[j].distance > a->distance;
  if (ref[j].value != a->value)
    return ref[j].value < a->value;
  return !known (a);
}

static double ref_turn (int i);

/* The candidate for A that leaves first, or -1; TAKEN were collected.  In a loop whose turns show what A takes others
   are asked, too.  */
static int
ref_worst (const struct arg *args, int n, int a, const bool *taken)
{
  int worst = -1;
  double wd = 0, wv = 0;
  uint64_t wr = 0;
  for (int j = 0; j < N; j++)
    {
      if (!alive[j] || !has (j) || !movable (j) || taken[j])
	continue;
      int at = -1, last = -1;
      for (int k = 0; k < n; k++)
	{
	  int i = args[k].object;
	  if (i == j)
	    at = k;
	  if (k > a && has (i) && movable (i) && !taken[i] && !(which == 'o' && ref[i].used))
	    last = k;
	}
      /* Of the region's own the one whose turn is last.  */
      if (at >= 0 ? at != last
	  : !(ref_turn (args[a].object) > 0 ? ref[j].distance > now : outside_may (j, &args[a])))
	continue;
      double d = at >= 0 ? args[at].distance : ref[j].distance;
      double v = at >= 0 ? args[at].value : ref[j].value;
      uint64_t r = at >= 0 ? args[at].recency : ref[j].recency;
      if (worst < 0 || ref_worse (d, v, r, wd, wv, wr))
	{
	  worst = j;
	  wd = d;
	  wv = v;
	  wr = r;
	}
    }
  return worst;
}

static int64_t
ref_eligible (const struct arg *args, int n, int a)
{
  bool taken[N] = { false };
  int64_t sum = 0;
  for (int j; (j = ref_worst (args, n, a, taken)) >= 0; taken[j] = true)
    sum += has (j);
  return sum;
}

static void
ref_set (int j, int64_t lo, int64_t hi)
{
  int64_t before = has (j);
  ref[j].lo = hi > lo ? lo : 0;
  ref[j].hi = hi > lo ? hi : 0;
  if (has (j) != before)
    {
      ref[j].since = now;
      ref[j].uses = 0;
      ref[j].came = false;
    }
  if (ref_part == j && hi <= lo)
    ref_part = -1;
}

static double
ref_rate (int j)
{
  return (double) ref[j].uses / (now - ref[j].since + 1);
}

/* How often A's object is used before LEFT, for all that is known.  */
static double
ref_before (int i, double distance, double left)
{
  double uses = 0, rate = 0;
  for (double at = distance; at < left; at += distance)
    uses++;
  if (!ref[i].count)
    return uses;
  rate = (double) ref[i].count / (now - ref[i].first);
  return fmin (uses, 1 + rate * (left - distance));
}

/* Uses of object I in the turns that are left of those loops at hand that haven't used J: in each as many as there
   were on average, this one included, or one.  */
static double
ref_loop_uses (int i, int j)
{
  double turns = 1, each = 1;
  for (unsigned l = 0; l < region.loop_count && !ref[j].in_loop[region.loops[l].number]; l++)
    turns = region.loops[l].turns;
  if (region.loop_count && ref[i].loop == region.loop)
    each = (ref[i].loop_uses + 1) / (ref[i].loop_turns - region.loops[0].turns + 1);
  return (turns - 1) * fmax (1, each);
}

/* What object I's uses in the last whole turn of the loop at hand took over the link, a byte; 0: there is none, or it
   was used elsewhere since.  */
static double
ref_turn (int i)
{
  double sum = 0;
  for (int t = 0; which == 'a' && region.loop_count && ref[i].turn_loop == region.loop && t < ref[i].turn_count; t++)
    sum += ref[i].turn[t].left == region.loops[0].turns + 1 ? ref[i].turn[t].weight : 0;
  return sum;
}

static void
ref_note_turn (int i)
{
  uint64_t loop = region.loop_count ? region.loop : 0;
  if (loop != ref[i].turn_loop)
    ref[i].turn_count = 0;
  ref[i].turn_loop = loop;
  if (ref[i].turn_count == TURNS)
    memmove (ref[i].turn, ref[i].turn + 1, --ref[i].turn_count * sizeof *ref[i].turn);
  ref[i].turn[ref[i].turn_count].left = region.loops[0].turns;
  ref[i].turn[ref[i].turn_count++].weight = ref[i].weight;
}

/* What argument A gains, in the future or as the past has shown, and loses if J
   gives bytes for those that come.  */
static void
ref_weigh (const struct arg *args, int n, int a, int j, double gives,
	   double comes, double *cost, double *gain, double *regret)
{
  bool runs = false;
  int i = args[a].object;
  double next = ref[j].distance, distance = args[a].distance - now;
  for (int k = 0; k < n; k++)
    if (args[k].object == j)
      {
	runs = true;
	next = args[k].distance;
      }
  if (!ref[j].used && !runs)
    {
      /* It will be used soon, but nothing is lost if it never came.  */
      *cost += ref[j].came && distance > SOON ? gives : 0;
      return;
    }
  bool idle = ref[j].last < ref[i].since;
  /* What no construct maps any more is not used again.  */
  bool over = which == 'a' && o[j].over && !runs;
  double left = over ? INFINITY : next != FAR ? next - now
    : ref[j].uses && !idle ? 1 / ref_rate (j) : FAR;
  double in_loops = which == 'a' && !over && next == FAR ? ref_loop_uses (i, j) : 0;
  double window = now - (ref[i].since > ref[j].since
			 ? ref[i].since : ref[j].since);
  gives *= ref[j].kept;
  comes *= ref[i].kept;
  /* Read now, and copied out, if it is there; and read later.  A plain copy that nobody writes needn't be
     copied, but gives way only for what is better by a tenth of that, and if it is known when it is read.  */
  bool clean = !ref[j].written && o[j].path == UMMGR_PATH_MAPPED && left < FAR;
  double out = left == INFINITY || ref[j].dead ? 0 : clean ? 0.1 : 1;
  if (ref[j].uses || ref[j].came)
    *cost += ((runs ? ref[j].weight : 0) + out) * gives;
  if (ref_turn (i) > 0 && ref_turn (j) > 0)
    {
      /* So do the turns that are still to come.  */
      *cost += (region.loops[0].turns - 1) * ref_turn (j) * gives;
      *gain += (ref[i].weight - (args[a].fresh ? 0 : 1) + (region.loops[0].turns - 1) * ref_turn (i)) * comes;
    }
  else if (left < FAR || in_loops > 0)
    {
      *cost += ref[j].weight * gives;
      double more = in_loops > 0 ? in_loops : left > distance ? ref_before (i, distance, left) : 0;
      *gain += ((1 + more) * ref[i].weight - (args[a].fresh ? 0 : 1)) * comes;
    }
  double saves = ref[i].last < ref[j].since ? 0 : window * ref_rate (i) * ref[i].weight * comes;
  double loses = idle ? 0 : window * ref_rate (j) * ref[j].weight * gives;
  *regret += saves - loses;	/* At once, so that what is as much is rounded as in the policy.  */
}

/* Which objects leave for BYTES, so that A has GROWTH more; in order, ended by
   -1; none where there is not enough, or it doesn't pay.  */
static void
ref_victims (const struct arg *args, int n, int a, int64_t bytes,
	     int64_t growth, int *victims)
{
  bool weighed = by_distance () && partial != UMMGR_PARTIAL_PAPER;
  bool taken[N] = { false };
  int count = 0, j, passed = 0;
  int64_t got = 0;
  while (got < bytes && passed < PASSED && (j = ref_worst (args, n, a, taken)) >= 0)
    {
      double cost = 0, gain = 0, regret = 0, gives = has (j);
      double share = gives > bytes ? 1 : gives / bytes;
      if (partial == UMMGR_PARTIAL_ON && gives > bytes)
	gives = bytes;
      ref_weigh (args, n, a, j, gives, growth * share, &cost, &gain, &regret);
      taken[j] = true;
      /* What isn't in the loop's turns gives way only for what ranks higher.  */
      bool own = false;
      for (int k = 0; k < n; k++)
	own |= args[k].object == j;
      bool sooner = ref_turn (args[a].object) > 0 && !(ref_turn (j) > 0) && !own && !outside_may (j, &args[a]);
      if (weighed && (sooner || (gain < cost && regret < cost)))
	{
	  passed++;
	  continue;
	}
      victims[count++] = j;
      got += has (j);
    }
  double cost = 0, gain = 0, regret = 0, sum = 0, each[N];
  for (int c = 0; c < count; c++)
    {
      each[c] = has (victims[c]);
      if (partial == UMMGR_PARTIAL_ON && c == count - 1 && got > bytes)
	each[c] -= (got - bytes) / UNIT * UNIT;
      sum += each[c];
    }
  for (int c = 0; c < count; c++)
    ref_weigh (args, n, a, victims[c], each[c], growth * (each[c] / sum), &cost,
	       &gain, &regret);
  if (got < bytes || (weighed && gain < cost && regret < cost))
    count = 0;
  victims[count] = -1;
}

static bool
ref_make_room (const struct arg *args, int n, int a, int64_t bytes,
	       int64_t growth)
{
  int victims[N + 1];
  if (bytes <= 0)
    return true;
  ref_victims (args, n, a, bytes, growth, victims);
  if (victims[0] < 0)
    return false;
  for (int *v = victims; *v >= 0; v++)
    {
      int j = *v;
      int64_t keep = has (j) > bytes && partial == UMMGR_PARTIAL_ON
	? (has (j) - bytes) / UNIT * UNIT : 0;
      bytes -= has (j) - keep;
      ref_set (j, ref[j].lo, ref[j].lo + keep);
    }
  return true;
}

/* J is to have [LO, HI) for its own region.  */
static void
ref_grant (int j, int64_t lo, int64_t hi)
{
  for (int64_t at = ref[j].lo; at < ref[j].hi; at += UNIT)
    if (at + UNIT <= lo || at >= hi)
      {
	int64_t end = at + UNIT < ref[j].hi ? at + UNIT : ref[j].hi;
	if (ref[j].lost_hi == 0 || at < ref[j].lost_lo)
	  ref[j].lost_lo = at;
	if (end > ref[j].lost_hi)
	  ref[j].lost_hi = end;
      }
  ref_set (j, lo, hi);
}

static void
ref_grant_part (const struct arg *args, int n, int a)
{
  int i = args[a].object;
  if (partial == UMMGR_PARTIAL_OFF)
    return;
  if (partial == UMMGR_PARTIAL_PAPER && ref_part >= 0 && ref_part != i)
    {
      bool taken[N] = { false };
      int j;
      while ((j = ref_worst (args, n, a, taken)) >= 0 && j != ref_part)
	taken[j] = true;
      if (j < 0)
	return;
      ref_set (j, 0, 0);
    }
  int64_t room = free_bytes () + has (i);
  int64_t most = room + ref_eligible (args, n, a), size = most / UNIT * UNIT;
  bool overlaps = has (i) && ref[i].lo < args[a].hi && args[a].lo < ref[i].hi;
  /* If all of it could come, that didn't pay.  */
  bool all = most >= args[a].hi - args[a].lo;
  if (most < UNIT || (!all && overlaps && size <= has (i)))
    return;
  if (all || !ref_make_room (args, n, a, size - room, size - has (i)))
    {
      /* It doesn't pay: what is free.  */
      CHECK (by_distance ());
      size = room < 0 ? 0 : room / UNIT * UNIT;
      if (size == 0 || (overlaps && size <= has (i)))
	return;
    }
  /* Grow from what is there upwards, then downwards.  */
  int64_t lo = overlaps && ref[i].lo > args[a].lo ? ref[i].lo : args[a].lo;
  int64_t hi = lo + size < args[a].hi ? lo + size : args[a].hi;
  while (lo - UNIT >= args[a].lo && hi - (lo - UNIT) <= size)
    lo -= UNIT;
  ref_grant (i, lo, hi);
  if (partial == UMMGR_PARTIAL_PAPER)
    ref_part = i;
}

/* Rent or buy, of the parts of one object: what it has stays for what it wants until, all in
   all, what was used over the link for that is as much as what goes out and what comes in.  */
static bool
ref_rents (int i, int64_t lo, int64_t hi)
{
  int64_t both = common (lo, hi, ref[i].lo, ref[i].hi), goes = has (i) - both, comes = hi - lo - both;
  if (!by_distance () || partial != UMMGR_PARTIAL_ON || !ref[i].uses)
    return false;
  if (goes == 0)
    return false;
  ref[i].missed += comes * ref[i].weight;
  bool buys = ref[i].missed >= goes + comes;
  if (buys)
    ref[i].missed = 0;
  return !buys;
}

static void
ref_item (const struct arg *args, int n, int a)
{
  int i = args[a].object;
  int64_t lo = args[a].lo, hi = args[a].hi, room = free_bytes () + has (i);
  if (args[a].away || !movable (i) || (has (i) && ref[i].lo <= lo && ref[i].hi >= hi))
    return;
  if (has (i) && ref[i].lo <= hi && lo <= ref[i].hi)
    {
      int64_t low = lo < ref[i].lo ? lo : ref[i].lo;
      int64_t high = hi > ref[i].hi ? hi : ref[i].hi;
      if (high - low <= room)
	{
	  lo = low;
	  hi = high;
	}
    }
  if (has (i) && ref_rents (i, lo, hi))
    return;
  if (!ref_make_room (args, n, a, hi - lo - room, hi - lo - has (i)))
    ref_grant_part (args, n, a);
  else
    {
      ref_grant (i, lo, hi);
      if (ref_part == i && hi - lo >= (int64_t) o[i].size)
	ref_part = -1;
    }
}

/* What comes is known, or each byte comes once.  */
static void
ref_weight (const struct arg *a, const struct ummgr_hint *h)
{
  ref[a->object].weight = h->known && h->remote > 0 ? h->remote / (a->hi - a->lo) : 1;
}

/* --- what launches take --------------------------------------------------- */

static struct
{
  double beside;		/* Seconds without the link for each access; 0: not known.  */
  double missed, before;	/* More than foreseen, and the launch when something came of it.  */
} took_region[NAMES];
static struct
{
  uint64_t sequence, name;	/* SEQUENCE 0: it isn't understood.  */
  double accesses;
  int n;
  struct { uint32_t key; double link, most, comes; } use[N];
} launch;

/* A launch is understood of which all accesses are known, to copies that are there or afar, and for which nothing
   MOVED.  */
static void
ref_launch (const struct arg *args, int n, bool moved)
{
  bool known = n > 0 && !moved && config.remote_seconds > 0 && config.access_seconds > 0 && config.threads > 0
    && region.trip > 0;
  launch.accesses = 0;
  launch.name = region.region;
  launch.n = n;
  for (int k = 0; k < n; k++)
    {
      int i = args[k].object;
      double wants = args[k].hi - args[k].lo, away = wants - common (args[k].lo, args[k].hi, ref[i].lo, ref[i].hi);
      known = known && args[k].accesses >= 0 && o[i].path == UMMGR_PATH_MAPPED && ref[i].sends;
      launch.accesses += args[k].accesses;
      launch.use[k].key = ref_key (args[k].name);
      launch.use[k].link = ref[i].weight * away * config.remote_seconds;
      launch.use[k].most = args[k].most * away / wants * config.remote_seconds;
      launch.use[k].comes = away * config.sent_seconds;
    }
  launch.sequence = known && launch.accesses > 0 ? region.sequence : 0;
}

/* Seconds over the link.  */
static double
ref_link (void)
{
  double sum = 0;
  for (int k = 0; k < launch.n; k++)
    sum += launch.use[k].link;
  return sum;
}

/* By the machine's figures threads wait for one access after the other, until launches have shown better.  */
static double
ref_foreseen (void)
{
  double wait = config.access_seconds / fmin (region.trip, config.threads), beside = took_region[launch.name].beside;
  return config.launch_seconds + launch.accesses * (beside > 0 ? beside : wait) + ref_link ();
}

/* The region at hand took so long.  Half as much again as foreseen is too much; what that is in all has to be more than
   what coming takes.  */
static void
ref_took (double took)
{
  if (took <= 0 || launch.sequence != region.sequence)
    return;
  double link = ref_link (), over = took - ref_foreseen (), comes = 0, *beside = &took_region[launch.name].beside;
  double rest = fmax (took - config.launch_seconds - link, 0) / launch.accesses;
  double more = (took - (ref_foreseen () - link)) / link;
  for (int k = 0; k < launch.n; k++)
    comes += launch.use[k].comes;
  if (over <= ref_foreseen () / 2 || over < config.launch_seconds)
    {
      took_region[launch.name].missed = 0;
      *beside = *beside > 0 ? fmin (*beside, rest) : rest;
    }
  else if (comes == 0)
    {
      /* The link isn't it, unless that has helped.  */
      *beside = rest;
      for (int k = 0; took > 0.9 * took_region[launch.name].before && k < launch.n; k++)
	factors[launch.use[k].key] = 0;
    }
  else if ((took_region[launch.name].missed += over) > comes)
    {
      took_region[launch.name].missed = 0;
      took_region[launch.name].before = took;
      for (int k = 0; k < launch.n; k++)
	if (launch.use[k].link > 0)
	  factors[launch.use[k].key] = ref_factor (launch.use[k].key)
	    * fmax (1, fmin (more, launch.use[k].most / launch.use[k].link));
    }
}

/* --- steps ---------------------------------------------------------------- */

/* A construct is to map BYTES.  */
static void
ref_construct (int64_t bytes)
{
  bool any = false;
  for (int i = 0; i < N; i++)
    any |= alive[i];
  waits = which == 'd' && partial != UMMGR_PARTIAL_PAPER && bytes > free_bytes ();
  ref_plain = (ref_plain || !any) && bytes <= free_bytes ();
}

/* Object I comes, and what there is room for begins on the device: of what the host fills nothing, under auto.  */
static void
ref_map (int i)
{
  bool copies = which == 'a' && o[i].path == UMMGR_PATH_MAPPED;
  int64_t room = free_bytes () - (copies ? o[i].ahead : 0), size = o[i].size;
  int64_t end = copies && ref_plain ? size : ref_end (i);
  memset (&ref[i], 0, sizeof ref[i]);
  if (which == 'a' && !copies && !o[i].devices)
    end = 0;
  if (room >= end && !(waits && o[i].path == UMMGR_PATH_MAPPED))
    ref[i].hi = end;
  else if (copies && room > 0)
    ref[i].hi = room / UNIT * UNIT;
  ref[i].came = copies && ref[i].hi;
  ref[i].global = -1;
  ref[i].distance = by_distance () ? FAR : which == 'g' ? 0 : INFINITY;
  ref[i].value = by_distance () || which == 'g' ? -1 : 0;
  ref[i].recency = ++ref_clock;
}

/* Uses that were expected by now, and are not those of ARGS, have not come: nobody knows when they will.  */
static void
ref_forget (const struct arg *args, int n)
{
  for (int j = 0; j < N; j++)
    {
      bool in = false;
      for (int k = 0; k < n; k++)
	in |= args[k].object == j;
      if (by_distance () && alive[j] && !in && ref[j].distance <= now)
	ref[j].distance = FAR;
    }
}

/* Those that rank lowest leave until BYTES have.  */
static void
ref_evict (int64_t bytes)
{
  ref_forget (NULL, 0);
  while (bytes > 0)
    {
      int worst = -1;
      for (int j = 0; j < N; j++)
	if (alive[j] && has (j) && movable (j)
	    && (worst < 0 || ref_worse (ref[j].distance, ref[j].value, ref[j].recency, ref[worst].distance,
					ref[worst].value, ref[worst].recency)))
	  worst = j;
      if (worst < 0)
	return;
      int64_t stays = partial == UMMGR_PARTIAL_ON && has (worst) > bytes ? (has (worst) - bytes) / UNIT * UNIT : 0;
      bytes -= has (worst) - stays;
      ref_set (worst, ref[worst].lo, ref[worst].lo + stays);
    }
}

/* What was plain and lost some has become managed memory.  */
static void
ref_settle (void)
{
  for (int i = 0; i < N; i++)
    if (alive[i] && has (i) && ref[i].hi >= (int64_t) o[i].size)
      ref[i].hi = ref_end (i);
}

static void
ref_region (const int *objects, const struct ummgr_hint *hints, int n)
{
  struct arg args[N] = { { .object = 0 } };
  int64_t before[N][2];
  bool moved = false;
  for (int j = 0; j < N; j++)
    {
      before[j][0] = ref[j].lo;
      before[j][1] = ref_there (j);
    }
  for (int k = 0; k < n; k++)
    {
      args[k].object = objects[k];
      if (!ref[objects[k]].used)
	ref[objects[k]].since = now;
      ref_range (&args[k], &hints[k]);
      ref_weight (&args[k], &hints[k]);
      ref_away (&args[k], &hints[k]);
      ref_rank (&args[k], &hints[k]);
    }
  for (int k = 1; k < n; k++)	/* Best first.  */
    for (int l = k; l > 0 && ref_after (&args[l - 1], &args[l]); l--)
      {
	struct arg t = args[l];
	args[l] = args[l - 1];
	args[l - 1] = t;
      }
  ref_forget (args, n);
  for (int k = 0; k < n; k++)
    {
      if (args[k].hi >= (int64_t) o[args[k].object].size)
	args[k].hi = ref_end (args[k].object);
      ref_item (args, n, k);
    }
  for (int j = 0; j < N; j++)
    moved |= alive[j] && (before[j][0] != ref[j].lo || before[j][1] != ref_there (j));
  ref_launch (args, n, moved);
  for (int k = 0; k < n; k++)
    {
      int i = args[k].object;
      if (!ref[i].count++)
	ref[i].first = now;
      ref[i].last = now;
      if (region.loop && ref[i].loop != region.loop)
	{
	  ref[i].loop = region.loop;
	  ref[i].loop_turns = region.loop_count ? region.loops[0].turns : 0;
	  ref[i].loop_uses = 0;
	}
      ref[i].loop_uses++;
      ref_note_turn (i);
      for (int l = 0; l < depth; l++)
	ref[i].in_loop[nest[l]] = true;
      ref[i].used = true;
      ref[i].uses++;
      ref[i].distance = which == 'r' ? INFINITY : args[k].distance;
      ref[i].value = which == 'r' ? 0 : args[k].value;
      ref[i].recency = ref_clock + n - k;
    }
  ref_clock += n;
}
