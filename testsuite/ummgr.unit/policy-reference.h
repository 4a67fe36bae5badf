/* What rlm, glm, rdm and otm are to do, slowly: from SC'19's steps and what the comments of the policies say
   of them, with lists and loops alone.
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
#define UNIT ((int64_t) 65536)
#define FAR 1e300
#define PASSED 8		/* Candidates that aren't worth it.  */

static const struct ummgr_policy_ops *policy;
static char which;		/* 'r'lm, 'g'lm, r'd'm, 'o'tm.  */
static enum ummgr_partial partial;
static bool weighs;		/* Demand has a cost, and transfer a choice.  */
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
} ref[N];
static bool waits;		/* The last construct's data had no room.  */
static uint64_t ref_clock;
static int ref_part;
static struct ummgr_seen *seen;
static struct ummgr_said said;
static uint64_t region_name;

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
  bool away, written, fresh;
  const char *name;
};

static bool
known (const struct arg *a)
{
  return which == 'd' ? a->distance < FAR : a->value >= 0;
}

/* DISTANCE of object I, by SOURCE 1 (the compiler) or 3 (seen), if it is believed;
   else -1.  */
static double
ref_believed (int i, int source, const char *name, double distance)
{
  struct ummgr_said_promise *promise = &ref[i].promise[source / 2];
  uint32_t key = ummgr_said_key (region_name, name, source);
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
  a->hi = o[i].size;
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
      a->hi = ref[i].most_hi;
    }
}

static void ref_set (int j, int64_t lo, int64_t hi);

/* Is A better left on the host?  Then it goes there.  */
static void
ref_away (struct arg *a, const struct ummgr_hint *h)
{
  int i = a->object;
  double wanted = a->hi - a->lo;
  a->away = false;
  if (which == 'o' || partial == UMMGR_PARTIAL_PAPER || !weighs || !h->known
      || h->write || !h->read || h->remote == 0)
    return;
  if (has (i) && ref[i].used)
    return;
  if (2 * h->remote_program > wanted
      || 2 * (ref[i].remote + h->remote_most) > wanted)
    return;
  a->away = true;
  if (!movable (i))
    return;
  ref[i].remote += h->remote;
  ref_set (i, 0, 0);
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
  if (which == 'd')
    {
      struct ummgr_seen_distance d
	= ummgr_seen_use (seen, ummgr_seen_object (seen, o[i].base));
      double fixed = h->known ? h->reuse_static : -1;
      fixed = ref_believed (i, 1, h->known ? h->name : NULL,
			    fixed >= 0 && fixed < 1 ? 1 : fixed);
      double guessed = ref_believed (i, 3, h->known ? h->name : NULL, d.regions);
      a->distance = d.proved ? now + d.regions : fixed >= 0 ? now + fixed
	: guessed >= 0 ? now + guessed : FAR;
      a->value = ref[i].global >= 0 ? ref[i].global : local;
      if (a->value >= 0 && partial == UMMGR_PARTIAL_ON)
	a->value /= (double) o[i].size;
    }
  a->written = h->known && h->write;
  ref[i].written |= a->written || !h->known;
  a->name = h->known && h->name ? h->name : "";
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

/* With parts rdm goes by the accesses that a byte has.  */
static bool
per_byte (void)
{
  return which == 'd' && partial == UMMGR_PARTIAL_ON;
}

/* Does X get its room after Y?  Of two that are as good, and both there or both not: the larger one;
   if that is as good for each byte, the smaller one; that isn't written; whose name comes later.  */
static bool
ref_after (const struct arg *x, const struct arg *y)
{
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

/* The candidate for A that leaves first, or -1; TAKEN were collected.  */
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
      if (at >= 0 ? at != last : !outside_may (j, &args[a]))
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
    return;
  bool idle = ref[j].last < ref[i].since;
  double left = next != FAR ? next - now
    : ref[j].uses && !idle ? 1 / ref_rate (j) : FAR;
  double window = now - (ref[i].since > ref[j].since
			 ? ref[i].since : ref[j].since);
  gives *= ref[j].kept;
  comes *= ref[i].kept;
  /* Read now, and copied out, if it is there; and read later.  A plain copy that nobody writes needn't be
     copied, but gives way only for what is better by a tenth of that, and if it is known when it is read.  */
  bool clean = !ref[j].written && o[j].path == UMMGR_PATH_MAPPED && left < FAR;
  double out = left == INFINITY || ref[j].dead ? 0 : clean ? 0.1 : 1;
  if (ref[j].uses)
    *cost += ((runs ? ref[j].weight : 0) + out) * gives;
  if (left < FAR)
    {
      *cost += ref[j].weight * gives;
      double more = left > distance ? ref_before (i, distance, left) : 0;
      *gain += ((1 + more) * ref[i].weight - (args[a].fresh ? 0 : 1)) * comes;
    }
  if (ref[i].last >= ref[j].since)
    *regret += window * ref_rate (i) * ref[i].weight * comes;
  if (!idle)
    *regret -= window * ref_rate (j) * ref[j].weight * gives;
}

/* Which objects leave for BYTES, so that A has GROWTH more; in order, ended by
   -1; none where there is not enough, or it doesn't pay.  */
static void
ref_victims (const struct arg *args, int n, int a, int64_t bytes,
	     int64_t growth, int *victims)
{
  bool weighed = which == 'd' && partial != UMMGR_PARTIAL_PAPER;
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
      if (weighed && gain < cost && regret < cost)
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
      CHECK (which == 'd');
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
  int64_t goes = 0, comes = 0;
  if (which != 'd' || partial != UMMGR_PARTIAL_ON || !ref[i].uses)
    return false;
  for (int64_t at = ref[i].lo; at < ref[i].hi; at++)
    goes += at < lo || at >= hi;
  for (int64_t at = lo; at < hi; at++)
    comes += at < ref[i].lo || at >= ref[i].hi;
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
      if (ref_part == i && hi - lo == (int64_t) o[i].size)
	ref_part = -1;
    }
}

/* What comes is known, or each byte comes once.  */
static void
ref_weight (const struct arg *a, const struct ummgr_hint *h)
{
  ref[a->object].weight = h->known && h->remote > 0 ? h->remote / (a->hi - a->lo) : 1;
}

static void
ref_region (const int *objects, const struct ummgr_hint *hints, int n)
{
  struct arg args[N];
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
  for (int j = 0; j < N; j++)
    if (which == 'd' && alive[j] && ref[j].distance <= now && movable (j))
      {
	bool in = false;
	for (int k = 0; k < n; k++)
	  in |= args[k].object == j;
	if (!in)
	  ref[j].distance = FAR;
      }
  for (int k = 0; k < n; k++)
    ref_item (args, n, k);
  for (int k = 0; k < n; k++)
    {
      int i = args[k].object;
      if (!ref[i].count++)
	ref[i].first = now;
      ref[i].last = now;
      ref[i].used = true;
      ref[i].uses++;
      ref[i].distance = which == 'r' ? INFINITY : args[k].distance;
      ref[i].value = which == 'r' ? 0 : args[k].value;
      ref[i].recency = ref_clock + n - k;
    }
  ref_clock += n;
}
