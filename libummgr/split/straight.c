/* Launches in pieces whose data comes straight from the program's memory: whether that pays, and in how many.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns how many regions go so with data that is mapped; nothing else beyond the launch it is handed.  */

#include "config.h"
#include "split/straight-plan.h"

#include "base/log.h"
#include "device/device.h"
#include "hints/turns.h"
#include "memory/kept.h"
#include "memory/mapping.h"
#include "memory/plan.h"
#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many pieces at least: with less, hardly anything is beside something else.  */
enum { LEAST_PIECES = 4 };
/* What is mapped runs in slices where that takes so much of the time that it takes else; and where it takes else at
   most so much more than the link needs.  */
#define GAINS 0.95
#define WAITS 1.2
/* Where all that a loop is to take is foreseen, so much of it; with one object before all others on the device, of the
   first few.  */
#define FORESEEN_GAINS 0.97
enum { FIRSTS_MOST = 4 };
/* And, of the best of these, so often with so much of the room for slices.  */
enum { SHORTER = 2 };
#define SHORTER_BY 0.8
/* Copies for a piece take at least so many times what a launch does that does nothing; and where there is no room for
   such slices, at most so many times more pieces than would be best.  */
#define MANY_LAUNCHES 4
#define MANY_MORE 3

/* So many launches in a row that were better not cut, and nobody asks again.  */
enum { REFUSED_MOST = 4 };

/* Seconds in which a launch's teams begin and end, whatever they do: libgomp's code in the model of an H200, 2.8 us,
   and 2.2 of one that is scaled by 64, whose few multiprocessors have as many teams to begin.  */
#define TEAMS_TAKE 2.5e-6

/* Regions that have gone so with data that is mapped, and not in vain.  With the managers' locks.  */
static unsigned going;

/* Is clause I of a kind that leads nowhere else?  */
static bool
kind_is_simple (const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  return ummgr_kind_is_data (kind) || kind == UMMGR_MAP_FIRSTPRIVATE || kind == UMMGR_MAP_FIRSTPRIVATE_INT
	 || kind == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION;
}

/* Bytes that come to the device for CLAUSES beside S's objects.  */
static uint64_t
others (struct ummgr_manager *manager, const struct ummgr_clauses *clauses, const struct ummgr_straight *s)
{
  uint64_t sum = ummgr_mapping_new_bytes (manager, clauses);
  for (size_t n = 0; n < s->count; n++)
    sum -= s->object[n].size;
  return sum;
}

static bool
all_simple (const struct ummgr_clauses *clauses)
{
  bool simple = true;
  for (size_t i = 0; i < clauses->count; i++)
    simple &= !clauses->hostaddrs[i] || kind_is_simple (clauses, i);
  return simple;
}

/* Iterations that are enough for the device to be busy: a team each, maybe.  */
static uint64_t
pieces_most (const struct ummgr_figures *f, uint64_t trip, bool always)
{
  uint64_t teams = 2 * ummgr_figures_sms (f);
  return always || trip < teams ? trip : trip / teams;
}

/* Does each of S's pieces give every thread of the device an iteration?  Where one doesn't, small launches may take
   longer than a large one, unless that waits for the link alone.  */
static bool
fills (const struct ummgr_straight *s, const struct ummgr_figures *f)
{
  return s->pieces.trip / s->pieces.count >= ummgr_figures_sms (f) * f->max_threads_per_sm;
}

/* Of S's objects; SKIP, if that is one, is used where it is.  */
struct sums
{
  double in, out, sizes;
  uint64_t slots;		/* Bytes.  */
};

static struct sums
sums_of (const struct ummgr_straight *s, size_t skip)
{
  struct sums sums = { 0 };
  for (size_t n = 0; n < s->count; n++)
    {
      const struct ummgr_straight_object *o = &s->object[n];
      sums.in += (double) o->bytes_come;
      sums.out += (double) o->bytes_leave;
      if (n == skip)
	continue;
      sums.in += (double) o->bytes_in;
      sums.out += (double) o->bytes_out;
      sums.sizes += (double) o->size;
      sums.slots += o->slots * o->slot;
    }
  return sums;
}

/* A launch that does nothing.  */
static double
launch_takes (const struct ummgr_figures *f)
{
  return f->launch_cost + TEAMS_TAKE;
}

/* Seconds that the copies of SUMS take in S, in and out, by themselves.  */
static double
comes_in (const struct ummgr_straight *s, const struct sums *sums, const struct ummgr_figures *f)
{
  return sums->in / (s->object[0].mapped ? f->h2d_rate : ummgr_staging_rate (f, s->threads[false], false));
}

static double
goes_out (const struct ummgr_straight *s, const struct sums *sums, const struct ummgr_figures *f)
{
  return sums->out / (s->object[0].mapped ? f->d2h_rate : ummgr_staging_rate (f, s->threads[true], true));
}

/* The seconds that all of it takes, in COUNT pieces: the first one's data comes, and the last one's leaves, beside
   nothing.  What is used over the link shares that with what is copied the same way.  */
static double
slices_take (const struct ummgr_straight *s, const struct sums *sums, const struct ummgr_straight_rest *rest,
	     const struct ummgr_figures *f, double count)
{
  double in = comes_in (s, sums, f), out = goes_out (s, sums, f);
  double link = ummgr_figures_rows (f, sums->in / f->h2d_rate + (rest->read + count * rest->read_each) / f->remote_rate,
				    sums->out / f->d2h_rate + (rest->sent + count * rest->sent_each) / f->remote_rate);
  return fmax (fmax (link, fmax (in, out)), count * launch_takes (f)) + (in + out) / count + 2 * f->link_latency;
}

/* Pieces that take the least time: of each its launch counts, though most of it is beside copies, and, of what is
   MAPPED, the room that its slices take of what the device would have of all objects.  Copies for one take several
   times as long as its launch does whatever is in it: what a small launch leaves idle isn't known.  */
static double
pieces_best (const struct ummgr_straight *s, const struct sums *sums, const struct ummgr_figures *f)
{
  double alone = comes_in (s, sums, f) + goes_out (s, sums, f), launch = launch_takes (f);
  double best = fmin (sqrt ((s->object[0].mapped ? 2 + UMMGR_STRAIGHT_AHEAD : 1) * alone / launch),
		      alone / (MANY_LAUNCHES * launch));
  return fmax (best, LEAST_PIECES);
}

/* Leave out what is better used where it is: what is written and would have to come for it, say.  */
static void
choose (struct ummgr_straight *s, const struct ummgr_figures *f, struct ummgr_straight_rest *rest)
{
  for (size_t n = s->count; n > 0 && s->count;)
    {
      const struct ummgr_straight_object *o = &s->object[--n];
      if (o->own)
	continue;
      struct ummgr_straight_rest more = *rest;
      ummgr_straight_rest_add (&more, o, false);
      const struct sums with = sums_of (s, SIZE_MAX), without = sums_of (s, n);
      if (slices_take (s, &without, &more, f, pieces_best (s, &without, f))
	  >= slices_take (s, &with, rest, f, pieces_best (s, &with, f)))
	continue;
      ummgr_straight_leave_out (s, n, false, rest);
      n = s->count;
    }
}

/* The seconds that it takes as a whole, as far as the link tells, but for what comes before.  */
static double
whole_takes (const struct ummgr_straight *s, const struct ummgr_straight_rest *rest, const struct ummgr_figures *f,
	     uint64_t room)
{
  const struct sums sums = sums_of (s, SIZE_MAX);
  double read = rest->read + rest->read_each, sent = rest->sent + rest->sent_each;
  if (!s->count || s->object[0].mapped)
    {
      for (size_t n = 0; n < s->count; n++)
	{
	  read += s->object[n].read;
	  sent += s->object[n].sent;
	}
      return ummgr_figures_remote (f, read, sent);
    }
  /* Mapped, it is copied before and after, and what there is no room for is used over the link between.  */
  double away = sums.sizes > (double) room ? (sums.sizes - (double) room) / sums.sizes : 0;
  return comes_in (s, &sums, f) + goes_out (s, &sums, f)
	 + away * ummgr_figures_remote (f, sums.in, sums.out);
}

/* Cut S into as many pieces as take the least time, but for that its slices have ROOM.  Returns why that can't be, or
   NULL.  */
static const char *
pieces_find (struct ummgr_straight *s, const struct ummgr_straight_launch *l, void **values,
	     const struct ummgr_figures *f, uint64_t room)
{
  const uint64_t most = pieces_most (f, s->pieces.trip, l->always);
  struct sums sums = sums_of (s, SIZE_MAX);
  if (most < (l->always ? 2 : LEAST_PIECES))
    return "ranges of its loop would leave most of the device idle";
  s->pieces.count = (uint64_t) fmin (pieces_best (s, &sums, f), (double) most);
  for (;;)
    {
      if (!ummgr_straight_slices (s, l->known, l->clauses, values))
	return UMMGR_STRAIGHT_NO_MEMORY;
      sums = sums_of (s, SIZE_MAX);
      if (sums.slots <= room)
	return NULL;
      if (s->pieces.count >= most)
	return "there is no room for slices of its data beside the rest";
      /* So many as slices were too large, but for halos.  */
      double larger = (double) sums.slots / (double) (room + 1);
      s->pieces.count = (uint64_t) fmin ((double) s->pieces.count * fmax (larger, 1.1) + 1, (double) most);
    }
}

/* Cut S so that its slices have ROOM; or why not.  */
static const char *
cut (struct ummgr_straight *s, const struct ummgr_straight_launch *l, void **values, const struct ummgr_figures *f,
     uint64_t room, struct ummgr_straight_rest *rest)
{
  const bool is_mapped = s->object[0].mapped, weighed = is_mapped && !l->always;
  const double link = whole_takes (s, rest, f, room), whole = s->whole > 0 ? s->whole : link;
  const double kernel = s->whole > WAITS * link ? s->whole : 0;
  if (weighed)
    choose (s, f, rest);
  for (size_t n = s->count; is_mapped && room == 0 && n-- > 0;)
    if (s->object[n].slot && !s->object[n].own)
      ummgr_straight_leave_out (s, n, false, rest);
  if (!s->count)
    return "its data is better used where it is";
  double moves = 0;
  for (size_t n = 0; n < s->count; n++)
    moves += (double) s->object[n].bytes_come / f->h2d_rate + (double) s->object[n].bytes_leave / f->d2h_rate;
  if (weighed && kernel > 0 && !(moves > 0))
    return "it takes longer than the link";
  const char *why = pieces_find (s, l, values, f, room);
  if (why)
    return why;
  for (size_t n = 0; n < s->count; n++)
    if (!s->object[n].own && !ummgr_straight_is_apart (s, n, false))
      return "several ranges of its loop may write to the same places";
  if (weighed && !fills (s, f) && (kernel > 0 || !(s->whole > 0)))
    return kernel > 0 ? "it takes longer than the link" : "it isn't known yet how long it takes as a whole";
  const struct sums sums = sums_of (s, SIZE_MAX);
  const double count = (double) s->pieces.count;
  if (weighed && count > MANY_MORE * pieces_best (s, &sums, f))
    return "there is no room for slices of its data beside the rest";
  const double takes = fmax (slices_take (s, &sums, rest, f, count),
			     kernel > 0 ? kernel + count * launch_takes (f) : 0);
  s->otherwise = moves + whole;
  s->takes = takes;
  ummgr_debug ("split: %s in %llu pieces: %.3g MB in, %.3g out: %.3g us; as a whole %.3g us", s->where,
	       (unsigned long long) s->pieces.count, sums.in / 1e6, sums.out / 1e6, 1e6 * takes, 1e6 * s->otherwise);
  return l->always || takes < (is_mapped ? GAINS : 1) * s->otherwise ? NULL : "slices of its data would take longer";
}

/* The guards of S's slots: one before each, and one behind the last.  */
static void
guard (struct ummgr_straight *s, bool on)
{
  const struct ummgr_device_ops *ops = s->device->ops;
  uintptr_t behind = s->memory + UMMGR_DEVICE_GUARD;
  for (size_t n = 0; n < s->count; n++)
    for (unsigned k = 0; k < s->object[n].slots && s->object[n].slot; k++)
      {
	behind = s->object[n].address + (k + 1) * s->object[n].stride;
	ops->guard (behind - s->object[n].stride - UMMGR_DEVICE_GUARD, UMMGR_DEVICE_GUARD, on);
      }
  ops->guard (behind - UMMGR_DEVICE_GUARD, UMMGR_DEVICE_GUARD, on);
}

/* Staging memory for S, if copies are to pass it and nobody else has it.  */
static void
take_staging (struct ummgr_straight *s)
{
  enum { WORKERS = 2 * UMMGR_STRAIGHT_AHEAD * UMMGR_STAGING_THREADS };
  struct ummgr_straight_worker *worker = &s->workers[0][0][0];
  uintptr_t half = 0;
  if (s->threads[false] || s->threads[true])
    half = ummgr_staging_take (s->manager);
  s->staged = half != 0;
  for (unsigned n = 0; n < 2 * WORKERS && half; n++, half += UMMGR_STAGING_BIT)
    worker[n / 2].staging.half[n % 2] = half;
  if (s->staged)
    ummgr_debug ("split: %s: %u threads stage what comes, %u what goes", s->where, s->threads[false], s->threads[true]);
  else
    s->threads[false] = s->threads[true] = 0;
}

/* Memory on the device for all slots, and what libgomp is told.  */
static bool
prepare (struct ummgr_straight *s, const struct ummgr_clauses *clauses)
{
  const struct ummgr_device_ops *ops = s->device->ops;
  uint64_t slots = 0;
  uintptr_t host;
  s->guarded = ops->guard && ops->guard (0, 0, true);
  s->clauses = *clauses;
  s->clauses.hostaddrs = malloc ((clauses->count + 1) * sizeof *clauses->hostaddrs);
  s->clauses.kinds = malloc ((clauses->count + 1) * sizeof *clauses->kinds);
  if (!s->clauses.hostaddrs || !s->clauses.kinds)
    return false;
  memcpy (s->clauses.hostaddrs, clauses->hostaddrs, clauses->count * sizeof *clauses->hostaddrs);
  memcpy (s->clauses.kinds, clauses->kinds, clauses->count * sizeof *clauses->kinds);
  for (size_t n = 0; n < s->count; n++)
    {
      s->clauses.kinds[s->object[n].argument] = UMMGR_MAP_FIRSTPRIVATE_INT;
      s->object[n].stride = s->object[n].slot;
      if (s->guarded && s->object[n].slot)
	s->object[n].stride = (s->object[n].slot + 2 * UMMGR_DEVICE_GUARD - 1) & -(uint64_t) UMMGR_DEVICE_GUARD;
      slots += s->object[n].slots * s->object[n].stride;
    }
  if (!slots)
    return true;
  take_staging (s);
  /* Memory need not begin with a page.  */
  slots += s->guarded ? 2 * UMMGR_DEVICE_GUARD : 0;
  enum ummgr_status status;
  do
    status = ops->alloc (s->device, UMMGR_DEVICE_PLAIN, slots, &host, &s->memory);
  while (status == UMMGR_ERR_DEVMEM && ummgr_kept_drop (s->manager, false));
  if (status != UMMGR_OK)
    {
      s->memory = 0;
      return false;
    }
  uintptr_t next = s->memory;
  if (s->guarded)
    next = ((next + UMMGR_DEVICE_GUARD - 1) & -(uintptr_t) UMMGR_DEVICE_GUARD) + UMMGR_DEVICE_GUARD;
  for (size_t n = 0; n < s->count; n++)
    {
      s->object[n].address = next;
      next += s->object[n].slots * s->object[n].stride;
    }
  if (s->guarded)
    {
      guard (s, true);
      ummgr_debug ("split: %s: slices have guards on both sides", s->where);
    }
  return true;
}

/* Why CLAUSES, or the region, allow no slices at all; or NULL.  */
static const char *
refused (const struct ummgr_table_region *known, const struct ummgr_clauses *clauses, const struct ummgr_device *device)
{
  if (!known || known->arg_count != clauses->count)
    return "it was compiled without the plugin";
  if (known->split.flags & UMMGR_SPLIT_CALLS)
    return "it calls what is not known here";
  if (!(known->split.flags & UMMGR_SPLIT_BOUNDS))
    return "its indices may be cut to 32 bits, and then divided; or an older plugin compiled it";
  if (!device->ops->copy_beside)
    return "its device copies nothing beside launches";
  return all_simple (clauses) ? NULL : "its data has pointers, or descriptors";
}

/* Plan OUT, whose objects are found, with slices in MOST bytes.  */
static const char *
plan (const struct ummgr_straight_launch *l, uint64_t most, struct ummgr_straight *out,
      struct ummgr_straight_rest *rest)
{
  const struct ummgr_clauses *clauses = l->clauses;
  const struct ummgr_figures f = ummgr_device_figures (out->device);
  void **values = malloc ((clauses->count + 1) * sizeof *values);
  if (!values)
    return UMMGR_STRAIGHT_NO_MEMORY;
  memcpy (values, clauses->hostaddrs, clauses->count * sizeof *values);
  const char *why = ummgr_straight_check (out, l->known, clauses, values, rest);
  if (!why)
    {
      /* What the construct maps beside them has its place first.  */
      uint64_t room = most;
      if (!out->object[0].mapped)
	{
	  uint64_t taken = out->manager->taken + others (out->manager, clauses, out);
	  room = taken < out->manager->budget ? out->manager->budget - taken : 0;
	  out->staging_rate = f.staging_rate;
	  out->threads[false] = ummgr_staging_threads (out->device, &f, false);
	  out->threads[true] = ummgr_staging_threads (out->device, &f, true);
	}
      why = cut (out, l, values, &f, room < most ? room : most, rest);
    }
  free (values);
  return why;
}

/* OUT, of which nothing is known yet.  Returns why nothing can go so, or NULL.  */
static const char *
start (const struct ummgr_straight_launch *l, struct ummgr_straight *out)
{
  *out = (struct ummgr_straight) {
    .manager = l->manager, .device = ummgr_device_of (l->manager->device), .where = l->name, .pieces = l->pieces
  };
  out->pieces.count = l->pieces.trip < 2 * LEAST_PIECES ? l->pieces.trip : 2 * LEAST_PIECES;
  const char *why = refused (l->known, l->clauses, out->device);
  return why ? why : l->pieces.trip < 2 ? "its loop has one iteration" : NULL;
}

/* OUT goes so, unless there is a reason WHY not.  */
static const char *
finish (const char *why, const struct ummgr_clauses *clauses, struct ummgr_straight *out)
{
  if (!why && !prepare (out, clauses))
    why = UMMGR_STRAIGHT_NO_MEMORY;
  if (!why)
    return NULL;
  ummgr_straight_forget (out);
  out->pieces.count = 0;
  return why;
}

const char *
ummgr_straight_plan (const struct ummgr_straight_launch *l, struct ummgr_straight *out)
{
  struct ummgr_straight_rest rest = { 0 };
  const char *why = start (l, out);
  if (!why)
    {
      ummgr_straight_find (l->manager, l->known, l->clauses, out);
      why = out->count ? plan (l, UINT64_MAX, out, &rest) : "its data is mapped already, or in several clauses";
    }
  return finish (why, l->clauses, out);
}

/* Find what of what is mapped goes in slices.  */
static const char *
plan_mapped (const struct ummgr_straight_launch *l, const struct ummgr_straight_asked *asked,
	     struct ummgr_straight *out)
{
  struct ummgr_straight_rest rest = { 0 };
  const char *why = start (l, out);
  if (why)
    return why;
  struct ummgr_past_region *past = ummgr_past_of (l->known, l->manager->device);
  out->past = past && !l->always ? &past->slices : NULL;
  if (l->known->split.flags & UMMGR_SPLIT_POINTERS || l->known->member_count)
    return "it follows pointers that it finds in memory";
  if (out->past && out->past->vain)
    return "slices of its data took, or would take, longer";
  out->whole = out->past ? ummgr_past_otherwise (out->past, (double) l->bytes) : 0;
  ummgr_straight_find_mapped (l->manager, l->known, l->clauses, asked, out, &rest);
  if (asked->object)
    {
      const struct ummgr_figures f = ummgr_device_figures (out->device);
      out->remote = fmax (whole_takes (out, &rest, &f, 0), out->whole);
    }
  why = out->count ? plan (l, asked->most, out, &rest)
    : "it isn't known which part of its data a range of its loop uses";
  /* Asking takes time, too.  */
  if (out->past && !asked->object)
    {
      out->past->refused = why ? out->past->refused + 1 : 0;
      if (out->past->refused >= REFUSED_MOST)
	ummgr_straight_vain (out);
    }
  return why;
}

void
ummgr_straight_vain (struct ummgr_straight *s)
{
  s->past->vain = true;
  if (s->past->used)
    __atomic_sub_fetch (&going, 1, __ATOMIC_RELAXED);
  s->past->used = false;
  if (s->manager->room.slices && !__atomic_load_n (&going, __ATOMIC_RELAXED))
    ummgr_plan_slices (s->manager, 0);
}

void
ummgr_straight_whole (struct ummgr_manager *manager, const struct ummgr_table_region *known, double took,
		      uint64_t bytes)
{
  struct ummgr_past_region *past = took > 0 && bytes ? ummgr_past_of (known, manager->device) : NULL;
  if (past)
    ummgr_past_unsliced (&past->slices, took, (double) bytes);
}

const char *
ummgr_straight_plan_mapped (const struct ummgr_straight_launch *l, const struct ummgr_arrivals *arrivals,
			    struct ummgr_straight *out)
{
  const struct ummgr_straight_asked asked = { .most = l->manager->room.slices, .arrivals = arrivals };
  const char *why = finish (plan_mapped (l, &asked, out), l->clauses, out);
  if (!why && out->past && !out->past->used)
    {
      out->past->used = true;
      __atomic_add_fetch (&going, 1, __ATOMIC_RELAXED);
    }
  return why;
}

uint64_t
ummgr_straight_wants (const struct ummgr_straight_launch *l, double share, uint64_t most)
{
  struct ummgr_straight s;
  const struct ummgr_straight_asked asked = { .foresees = true, .share = share, .most = most };
  const char *why = plan_mapped (l, &asked, &s);
  if (why)
    ummgr_debug ("split: %s wants no slices: %s", l->name, why);
  uint64_t wants = why ? 0 : sums_of (&s, SIZE_MAX).slots;
  ummgr_straight_forget (&s);
  return wants;
}

/* Seconds in which what the device is to have as ASKED comes, and what of that regions write goes home: beside a launch
   where the host goes over it after a loop at hand.  */
static double
moves_take (const struct ummgr_straight_launch *l, const struct ummgr_straight_asked *asked)
{
  const struct ummgr_figures f = ummgr_device_figures (ummgr_device_of (l->manager->device));
  double in = 0, out = 0, beside = 0;
  for (size_t i = 0; i < l->clauses->count; i++)
    {
      const struct ummgr_object *object = ummgr_straight_mapped (l->manager, l->clauses, i);
      if (!object)
	continue;
      const struct ummgr_interval kept = ummgr_straight_kept (object, 0, object->view.size, asked);
      const double seconds = (double) ummgr_interval_length (kept) / f.d2h_rate;
      in += (double) ummgr_interval_length (kept) / f.h2d_rate;
      if (l->known->args[i].use.flags & UMMGR_USE_WRITE)
	*(ummgr_turns_host_after (object->view.base, object->view.size, false) ? &beside : &out) += seconds;
    }
  return in + out + (1 - ummgr_figures_share (&f)) * beside;
}

/* The best place that was found for what a loop's launches use.  */
struct first
{
  double whole, sliced;		/* Seconds.  */
  uint64_t wants;		/* Bytes for slices.  */
  const struct ummgr_object *object;
};

/* To BEST: what a loop of TURNS takes with OBJECT on the device before all others, but for ASIDE bytes that are for
   slices.  */
static void
first_try (const struct ummgr_straight_launch *l, double turns, uint64_t aside, const struct ummgr_object *object,
	   struct first *best)
{
  struct ummgr_straight s;
  const uint64_t size = object->view.size, room = l->manager->budget - aside, first = size < room ? size : room;
  const struct ummgr_straight_asked asked = {
    .foresees = true, .object = object, .first = first, .most = aside,
    .share = l->bytes > size ? (double) (room - first) / (double) (l->bytes - size) : 0
  };
  const double moves = moves_take (l, &asked);
  const char *why = plan_mapped (l, &asked, &s);
  best->whole = fmin (best->whole, turns * s.remote + moves);
  ummgr_debug ("split: %s with object %llu first: %.3g us to move, %.3g each of %g as a whole, %.3g in slices", l->name,
	       (unsigned long long) object->view.id, 1e6 * moves, 1e6 * s.remote, turns, why ? INFINITY : 1e6 * s.takes);
  if (!why && turns * s.takes + moves < best->sliced)
    *best = (struct first) { best->whole, turns * s.takes + moves, sums_of (&s, SIZE_MAX).slots, object };
  ummgr_straight_forget (&s);
}

uint64_t
ummgr_straight_first (const struct ummgr_straight_launch *launch, double turns, uint64_t most,
		      const struct ummgr_object_view **first_p)
{
  struct first best = { INFINITY, INFINITY, 0, NULL };
  struct ummgr_straight_launch l = *launch;
  unsigned tries = 0;
  l.always = false;
  for (size_t i = 0; i < l.clauses->count && tries < FIRSTS_MOST; i++)
    {
      const struct ummgr_object *object = ummgr_straight_mapped (l.manager, l.clauses, i);
      if (object)
	first_try (&l, turns, most, object, &best);
      tries += object != NULL;
    }
  /* Shorter slices leave more room.  */
  for (unsigned i = 0; best.object && i < SHORTER; i++)
    {
      most = (uint64_t) (SHORTER_BY * (double) most);
      first_try (&l, turns, most, best.object, &best);
    }
  if (!(best.sliced < FORESEEN_GAINS * best.whole))
    return 0;
  *first_p = &best.object->view;
  return best.wants;
}

bool
ummgr_straight_brings (const struct ummgr_object_view *view)
{
  const struct ummgr_placed *p = view->placed;
  return p && p->place == UMMGR_PLACE_DEVICE && view->path == UMMGR_PATH_UNIFIED
	 && ummgr_turns_host_after (view->base, view->size, true);
}

bool
ummgr_straight_sends (const struct ummgr_straight *s, const struct ummgr_copy *copy)
{
  for (size_t n = 0; n < s->count; n++)
    if (s->object[n].mapped && copy == &s->object[n].mapped->copy && ummgr_straight_comes_any (&s->object[n]))
      return true;
  return false;
}

void
ummgr_straight_forget (struct ummgr_straight *s)
{
  if (s->memory && s->guarded)
    guard (s, false);
  if (s->memory)
    s->device->ops->free (s->device, UMMGR_DEVICE_PLAIN, 0, s->memory);
  if (s->staged)
    ummgr_manager_staged (s->manager);
  s->staged = false;
  free (s->slice);
  free (s->clauses.hostaddrs);
  free (s->clauses.kinds);
  s->memory = 0;
  s->slice = NULL;
  s->clauses = (struct ummgr_clauses) { .count = 0 };
  s->count = 0;
}
