/* An object in parts on several GPUs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what objects remember of it.  */

#include "config.h"
#include "memory/parts.h"

#include "device/device.h"
#include "record/record.h"
#include "trace/format.h"

#include <stdlib.h>
#include <string.h>

#define PAGE UINT64_C (4096)

/* How an object lies.  */
struct ummgr_laid
{
  struct ummgr_parts parts;
  unsigned count;
  int device[UMMGR_PARTS_GPUS];
  int home;			/* A GPU's index, -1: the host.  */
  bool moved;			/* Pages may have gone since.  */
  struct ummgr_interval ever;	/* Bytes that GPUs have, those among them that they were sent for
				   launches before, wherever they then were left.  */
  bool begun;			/* As it came from the host: no launch has wanted it so yet.  */
  bool open;			/* All GPUs use all of it where it lies.  */
  uint64_t against;		/* Bytes that launches used from afar, less those that they
				   would have had to where others wanted them.  */
};

/* Whole pages around [LO, HI) of OBJECT, as far as it goes.  */
static struct ummgr_interval
pages_of (const struct ummgr_object *object, int64_t lo, int64_t hi)
{
  int64_t base = (int64_t) object->copy.address, end = base + (int64_t) object->view.size;
  struct ummgr_interval pages = { (base + lo) & -(int64_t) PAGE,
				  (base + hi + (int64_t) PAGE - 1) & -(int64_t) PAGE };
  if (object->copy.chunk)
    return pages;
  return (struct ummgr_interval) { pages.lo < base ? base : pages.lo,
				   pages.hi > end ? end : pages.hi };
}

static struct ummgr_interval
pages_all (const struct ummgr_object *object)
{
  return pages_of (object, 0, (int64_t) object->view.size);
}

/* Those that are in no other part than one that begins with LO and ends with HI: a page with a
   border goes to the first of its two.  */
static struct ummgr_interval
pages_own (const struct ummgr_object *object, int64_t lo, int64_t hi)
{
  struct ummgr_interval pages = pages_of (object, lo, hi);
  if (lo > 0 && (object->copy.address + lo) % PAGE)
    pages.lo = pages.lo + (int64_t) PAGE < pages.hi ? pages.lo + (int64_t) PAGE : pages.hi;
  return pages;
}

static const unsigned char noted[][2] = {
  { UMMGR_TRACE_NOT_READ_MOSTLY, UMMGR_TRACE_READ_MOSTLY },
  { UMMGR_TRACE_NOT_PREFERRED, UMMGR_TRACE_PREFERRED },
  { UMMGR_TRACE_NOT_ACCESSED_BY, UMMGR_TRACE_ACCESSED_BY }
};

/* Advice that is not taken costs time alone.  */
static void
advise (int device, struct ummgr_interval pages, enum ummgr_device_advice advice, bool on)
{
  struct ummgr_device *d = ummgr_device_of (device);
  size_t size = (size_t) (pages.hi - pages.lo);
  if (pages.hi <= pages.lo || !d->ops->advise
      || d->ops->advise (d, (uintptr_t) pages.lo, size, advice, on) != UMMGR_OK)
    return;
  ummgr_record_advice ((uint64_t) pages.lo, size, device, noted[advice][on]);
}

static void
send (struct ummgr_gpus *gpus, unsigned g, struct ummgr_interval pages)
{
  struct ummgr_device *d = ummgr_device_of (gpus->device[g]);
  if (pages.hi <= pages.lo)
    return;
  size_t size = (size_t) (pages.hi - pages.lo);
  /* What would evict what comes next, or came before, comes by demand.  */
  if (size > gpus->room[g])
    return;
  gpus->room[g] -= size;
  if (d->ops->prefetch (d, (uintptr_t) pages.lo, size, false) == UMMGR_OK)
    ummgr_record_prefetch ((uint64_t) pages.lo, size, gpus->device[g]);
}

/* All of OBJECT, on the host or back.  */
static void
host_home (const struct ummgr_object *object, int device, bool on)
{
  struct ummgr_interval all = pages_all (object);
  struct ummgr_device *d = ummgr_device_of (device);
  size_t size = (size_t) (all.hi - all.lo);
  if (d->ops->keep_on_host (d, (uintptr_t) all.lo, size, on) == UMMGR_OK)
    ummgr_record_advice ((uint64_t) all.lo, size, UMMGR_TRACE_HOST,
			 on ? UMMGR_TRACE_PREFERRED : UMMGR_TRACE_NOT_PREFERRED);
}

/* DEVICE, which has ITS own part, uses what others have where they have it: the page with the
   border, too, or it would go to and fro.  */
static void
advise_far (const struct ummgr_object *object, const struct ummgr_laid *laid, unsigned g,
	    bool on)
{
  const struct ummgr_parts_gpu *its = &laid->parts.gpu[g];
  for (int64_t r = laid->parts.first; r < laid->parts.last; r++)
    {
      int64_t at = r * laid->parts.row, lo = at + its->own.lo;
      struct ummgr_interval border = { pages_of (object, lo, lo).lo,
				       pages_own (object, lo, at + its->own.hi).lo };
      if (its->own.hi > its->own.lo)
	advise (laid->device[g], border, UMMGR_DEVICE_ACCESSED_BY, on);
      for (unsigned i = 0; i < its->far.count; i++)
	advise (laid->device[g],
		pages_of (object, at + its->far.at[i].lo, at + its->far.at[i].hi),
		UMMGR_DEVICE_ACCESSED_BY, on);
    }
}

/* The advice that goes with how LAID has OBJECT.  */
static void
advise_all (const struct ummgr_object *object, const struct ummgr_laid *laid, bool on)
{
  struct ummgr_interval all = pages_all (object);
  const struct ummgr_parts *parts = &laid->parts;
  if (parts->way == UMMGR_PARTS_COPIES)
    advise (laid->device[0], all, UMMGR_DEVICE_READ_MOSTLY, on);
  if (parts->way == UMMGR_PARTS_HOME && laid->home >= 0)
    advise (laid->device[laid->home], all, UMMGR_DEVICE_PREFERRED, on);
  for (unsigned g = 0; g < laid->count; g++)
    if (parts->way == UMMGR_PARTS_HOME && laid->home < 0)
      host_home (object, laid->device[g], on);
    else if (parts->way == UMMGR_PARTS_HOME)
      advise (laid->device[g], all, UMMGR_DEVICE_ACCESSED_BY, on);
    else if (parts->way == UMMGR_PARTS_OWN)
      advise_far (object, laid, g, on);
}

static void
send_all (const struct ummgr_object *object, const struct ummgr_laid *laid,
	  struct ummgr_gpus *gpus)
{
  const struct ummgr_parts *parts = &laid->parts;
  for (unsigned g = 0; g < gpus->count; g++)
    {
      const struct ummgr_parts_gpu *its = &parts->gpu[g];
      for (int64_t r = parts->first; r < parts->last && its->own.hi > its->own.lo; r++)
	send (gpus, g, pages_own (object, r * parts->row + its->own.lo,
				  r * parts->row + its->own.hi));
      for (unsigned i = 0; parts->way == UMMGR_PARTS_COPIES && i < its->far.count; i++)
	send (gpus, g, pages_of (object, its->far.at[i].lo, its->far.at[i].hi));
    }
  if (parts->way == UMMGR_PARTS_HOME && laid->home >= 0)
    send (gpus, (unsigned) laid->home, pages_all (object));
}

/* Send the G-th GPU what of ONE, which it is to have, is in WHERE: whole pages.  */
static void
send_from (const struct ummgr_object *object, const struct ummgr_gpus *gpus, unsigned g,
	   struct ummgr_interval one, struct ummgr_interval where)
{
  struct ummgr_device *d = ummgr_device_of (gpus->device[g]);
  struct ummgr_interval pages = ummgr_interval_common (one, where);
  pages.lo = (pages.lo + (int64_t) (object->copy.address + PAGE - 1)) & -(int64_t) PAGE;
  pages.hi = (pages.hi + (int64_t) object->copy.address) & -(int64_t) PAGE;
  size_t size = pages.lo < pages.hi ? (size_t) (pages.hi - pages.lo) : 0;
  if (size && size <= gpus->room[g]
      && d->ops->prefetch (d, (uintptr_t) pages.lo, size, false) == UMMGR_OK)
    ummgr_record_prefetch ((uint64_t) pages.lo, size, gpus->device[g]);
}

/* In so many turns each of COUNT GPUs exchanges with each other once: COUNT - 1, or, where COUNT is odd, COUNT, in each
   of which another has nobody.  */
static unsigned
turns_of (unsigned count)
{
  return (count - 1) | 1;
}

/* Whom the G-th of them exchanges with in that TURN; itself: nobody.  Who would have nobody among an odd number has the
   last one of an even number.  */
static unsigned
partner_of (unsigned g, unsigned turn, unsigned count)
{
  const unsigned odd = turns_of (count);
  if (g == odd)
    return turn * (odd + 1) / 2 % odd;
  const unsigned partner = (turn + odd - g) % odd;
  return partner == g && odd < count ? odd : partner;
}

/* Send what GPUs have of one another's by BEFORE, one piece each, and are to have by LAID: by
   turns, so that each has another partner in each turn, and none waits for a third.  */
static void
send_in_pairs (const struct ummgr_object *object, const struct ummgr_parts *before,
	       const struct ummgr_laid *laid, const struct ummgr_gpus *gpus)
{
  const struct ummgr_parts *parts = &laid->parts;
  for (unsigned turn = 0; turn < turns_of (gpus->count); turn++)
    for (unsigned g = 0; g < gpus->count; g++)
      {
	unsigned partner = partner_of (g, turn, gpus->count);
	const struct ummgr_parts_gpu *its = &parts->gpu[g];
	struct ummgr_interval theirs = before->gpu[partner].own;
	if (partner == g || parts->way == UMMGR_PARTS_HOME)
	  continue;
	for (int64_t r = parts->first; r < parts->last && its->own.lo < its->own.hi; r++)
	  send_from (object, gpus, g,
		     (struct ummgr_interval) { r * parts->row + its->own.lo,
					       r * parts->row + its->own.hi }, theirs);
	for (unsigned i = 0; parts->way == UMMGR_PARTS_COPIES && i < its->far.count; i++)
	  send_from (object, gpus, g, its->far.at[i], theirs);
      }
}

static bool
is_near (struct ummgr_interval a, struct ummgr_interval b)
{
  int64_t much = (a.hi - a.lo) / 32 > (int64_t) PAGE ? (a.hi - a.lo) / 32 : (int64_t) PAGE;
  bool none = a.lo >= a.hi, neither = b.lo >= b.hi;
  return none == neither && (none || (llabs (a.lo - b.lo) <= much && llabs (a.hi - b.hi) <= much));
}

/* Does LAID do for what PARTS want on GPUS?  What differs by little is not moved: regions that
   take turns may want a row more or less.  */
static bool
will_do (const struct ummgr_laid *laid, const struct ummgr_parts *parts,
	 const struct ummgr_gpus *gpus)
{
  bool same = laid && laid->count == gpus->count && laid->parts.way == parts->way
    && memcmp (laid->device, gpus->device, gpus->count * sizeof *gpus->device) == 0;
  if (!same || parts->way == UMMGR_PARTS_HOME)
    return same;
  if (laid->parts.row != parts->row || laid->parts.first > parts->first
      || laid->parts.last < parts->last)
    return false;
  /* What GPUs have no copy of yet they get (copies_further).  */
  for (unsigned g = 0; parts->way == UMMGR_PARTS_OWN && same && g < gpus->count; g++)
    same = is_near (laid->parts.gpu[g].own, parts->gpu[g].own);
  return same;
}

/* ONE with what lies beside it: a short copy takes as long as a longer one, and the next launch
   may want that.  */
static struct ummgr_interval
copy_around (const struct ummgr_object *object, struct ummgr_interval one)
{
  const int64_t least = UMMGR_PARTS_LEAST;
  int64_t size = (int64_t) object->view.size, hi = (one.hi + least - 1) & -least;
  return (struct ummgr_interval) { one.lo & -least, hi < size ? hi : size };
}

/* LAID's copies are of all that surrounds them.  */
static void
copies_widen (const struct ummgr_object *object, struct ummgr_laid *laid)
{
  for (unsigned g = 0; g < laid->count; g++)
    {
      struct ummgr_intervals *far = &laid->parts.gpu[g].far, wanted = *far;
      for (unsigned i = 0; i < wanted.count; i++)
	{
	  struct ummgr_interval one = copy_around (object, wanted.at[i]);
	  ummgr_intervals_add (far, one.lo, one.hi);
	}
    }
}

/* Send the G-th of GPUS what of NOW it does not have BEFORE.  */
static void
send_new (const struct ummgr_object *object, struct ummgr_gpus *gpus, unsigned g,
	  const struct ummgr_intervals *before, const struct ummgr_intervals *now)
{
  for (unsigned i = 0; i < now->count; i++)
    {
      int64_t at = now->at[i].lo;
      for (unsigned k = 0; k < before->count; k++)
	{
	  if (before->at[k].lo > at && before->at[k].lo <= now->at[i].hi)
	    send (gpus, g, pages_of (object, at, before->at[k].lo));
	  if (before->at[k].hi > at)
	    at = before->at[k].hi;
	}
      if (at < now->at[i].hi)
	send (gpus, g, pages_of (object, at, now->at[i].hi));
    }
}

/* LAID does, but for copies that GPUs have none of yet: another launch may read other bytes.
   Those that they have stay.  */
static void
copies_further (const struct ummgr_object *object, struct ummgr_laid *laid,
		const struct ummgr_parts *parts, struct ummgr_gpus *gpus)
{
  for (unsigned g = 0; parts->way == UMMGR_PARTS_COPIES && g < laid->count; g++)
    {
      struct ummgr_intervals *known = &laid->parts.gpu[g].far, before = *known;
      for (unsigned i = 0; i < parts->gpu[g].far.count; i++)
	{
	  struct ummgr_interval one = copy_around (object, parts->gpu[g].far.at[i]);
	  ummgr_intervals_add (known, one.lo, one.hi);
	}
      if (!laid->moved)
	send_new (object, gpus, g, &before, known);
    }
}

/* LAID does, but for what GPUs use of others' parts: advise of what is new in it.  */
static void
reach_further (const struct ummgr_object *object, struct ummgr_laid *laid,
	       const struct ummgr_parts *parts)
{
  for (unsigned g = 0; parts->way == UMMGR_PARTS_OWN && g < laid->count; g++)
    {
      struct ummgr_intervals *known = &laid->parts.gpu[g].far, before = *known;
      for (unsigned i = 0; i < parts->gpu[g].far.count; i++)
	{
	  struct ummgr_interval one = parts->gpu[g].far.at[i];
	  ummgr_intervals_add (known, one.lo, one.hi);
	}
      /* What it is to have now, and doesn't.  */
      ummgr_intervals_add_beyond (known, parts->gpu[g].own, laid->parts.gpu[g].own);
      if (memcmp (known, &before, sizeof before) != 0)
	advise_far (object, laid, g, true);
    }
}

static const struct ummgr_gpus *over;	/* Atomic.  */

void
ummgr_parts_over (const struct ummgr_gpus *gpus)
{
  __atomic_store_n (&over, gpus, __ATOMIC_RELEASE);
}

static bool whole;		/* Launches go to the first alone.  Atomic.  */

void
ummgr_parts_whole (bool on)
{
  __atomic_store_n (&whole, on, __ATOMIC_RELAXED);
}

/* Do equal parts of SIZE bytes push nothing out of the first COUNT of GPUS?  */
static bool
has_room (const struct ummgr_gpus *gpus, unsigned count, uint64_t size)
{
  uint64_t unused, total;
  for (unsigned g = 0; g < count; g++)
    {
      struct ummgr_device *d = ummgr_device_of (gpus->device[g]);
      if (d->ops->memory (d, &unused, &total) != UMMGR_OK || unused / 2 < size / count)
	return false;
    }
  return true;
}

void
ummgr_parts_begin (struct ummgr_object *object)
{
  const struct ummgr_gpus *gpus = __atomic_load_n (&over, __ATOMIC_ACQUIRE);
  unsigned count = !gpus ? 0 : __atomic_load_n (&whole, __ATOMIC_RELAXED) ? 1 : gpus->count;
  if (object->laid || !count || object->copy.chunk || !ummgr_copy_is_managed (&object->copy)
      || !has_room (gpus, count, object->view.size)
      || !(object->laid = calloc (1, sizeof *object->laid)))
    return;
  struct ummgr_laid *laid = object->laid;
  /* From the host they come side by side, so that shorter ones are worth it.  */
  if (object->view.size < UMMGR_PARTS_LEAST
      || !ummgr_parts_even (&laid->parts, count, object->view.size, PAGE, PAGE))
    {
      free (laid);
      object->laid = NULL;
      return;
    }
  laid->begun = true;
  laid->parts.way = UMMGR_PARTS_OWN;
  laid->parts.last = 1;
  laid->count = count;
  memcpy (laid->device, gpus->device, sizeof laid->device);
  laid->ever = (struct ummgr_interval) { 0, (int64_t) object->view.size };
}

/* What is shared and written has its home with the GPU that has the most room, or, where GPUs
   don't reach each other, on the host.  */
static int
home_choose (const struct ummgr_gpus *gpus)
{
  int best = 0;
  for (unsigned g = 1; g < gpus->count; g++)
    if (gpus->room[g] > gpus->room[best])
      best = (int) g;
  return gpus->joined ? best : -1;
}

/* Whatever a GPU uses of OBJECT it uses where that is; or no longer.  */
static void
open_all (const struct ummgr_object *object, struct ummgr_laid *laid, bool on)
{
  struct ummgr_interval all = pages_all (object);
  for (unsigned g = 0; over && laid->open != on && g < over->count; g++)
    advise (over->device[g], all, UMMGR_DEVICE_ACCESSED_BY, on);
  laid->open = on;
}

/* Bytes that both have.  */
static uint64_t
common (struct ummgr_interval a, struct ummgr_interval b)
{
  return (uint64_t) ummgr_interval_length (ummgr_interval_common (a, b));
}

/* What DEVICE has of WANTED of OBJECT, in each row of ROW bytes.  Of other rows than it lies in it
   has its share.  */
static uint64_t
present (const struct ummgr_object *object, int device, int64_t row,
	 struct ummgr_interval wanted)
{
  const struct ummgr_laid *laid = object->laid;
  for (unsigned g = 0; g < laid->count; g++)
    {
      const struct ummgr_parts_gpu *its = &laid->parts.gpu[g];
      uint64_t bytes = 0, all = common (wanted, wanted);
      if (laid->device[g] != device)
	continue;
      if (laid->parts.way == UMMGR_PARTS_HOME)
	return laid->home == (int) g ? all : 0;
      if (laid->parts.row != row)
	return all / laid->count;
      for (unsigned i = 0; laid->parts.way == UMMGR_PARTS_COPIES && i < its->far.count; i++)
	bytes += common (wanted, its->far.at[i]);
      return bytes + common (wanted, its->own);
    }
  return 0;
}

static struct ummgr_interval
hull (struct ummgr_interval a, struct ummgr_interval b)
{
  if (!ummgr_interval_length (a) || !ummgr_interval_length (b))
    return ummgr_interval_length (a) ? a : b;
  return (struct ummgr_interval) { a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi };
}

/* LAID is as it is now: what GPUs have.  */
static void
note_ever (const struct ummgr_object *object, struct ummgr_laid *laid)
{
  const struct ummgr_parts *p = &laid->parts;
  struct ummgr_interval all = { 0, (int64_t) object->view.size };
  for (unsigned g = 0; p->way == UMMGR_PARTS_OWN && p->row == 0 && g < laid->count; g++)
    all = g ? hull (all, p->gpu[g].own) : p->gpu[g].own;
  laid->ever = hull (laid->ever, all);
}

/* From the first to the last byte, of each of PARTS' rows, that GPUs have.  */
static struct ummgr_interval
covered (const struct ummgr_object *object, const struct ummgr_parts *parts)
{
  const struct ummgr_laid *laid = object->laid;
  struct ummgr_interval all = { INT64_MAX, 0 };
  if (parts->row == 0)
    return laid->ever;
  if (laid->parts.way == UMMGR_PARTS_HOME || laid->parts.row != parts->row)
    return (struct ummgr_interval) { 0, INT64_MAX };
  for (unsigned g = 0; g < laid->count; g++)
    {
      const struct ummgr_parts_gpu *its = &laid->parts.gpu[g];
      unsigned copies = laid->parts.way == UMMGR_PARTS_COPIES ? its->far.count : 0;
      for (unsigned i = 0; i <= copies; i++)
	{
	  struct ummgr_interval one = i < copies ? its->far.at[i] : its->own;
	  if (one.lo < one.hi && one.lo < all.lo)
	    all.lo = one.lo;
	  if (one.lo < one.hi && one.hi > all.hi)
	    all.hi = one.hi;
	}
    }
  return all;
}

void
ummgr_parts_missing (const struct ummgr_object *object, const struct ummgr_parts *parts,
		     const struct ummgr_gpus *gpus, uint64_t *bytes)
{
  const struct ummgr_laid *laid = object->laid;
  bool there_is = laid && !laid->moved;
  struct ummgr_interval there = there_is ? covered (object, parts)
    : (struct ummgr_interval) { 0, INT64_MAX };
  if (parts->way == UMMGR_PARTS_UNUSED)
    return;
  for (unsigned g = 0; g < gpus->count; g++)
    {
      const struct ummgr_parts_gpu *its = &parts->gpu[g];
      uint64_t rows = (uint64_t) (parts->last - parts->first), far = 0;
      for (unsigned i = 0; i < its->far.count; i++)
	far += common (its->far.at[i], there)
	       - (parts->way == UMMGR_PARTS_OWN || !there_is ? 0
		  : present (object, gpus->device[g], parts->row, its->far.at[i]));
      /* Copies come whole, and those of what the host has from there.  */
      if (parts->way != UMMGR_PARTS_COPIES)
	bytes[g] += ummgr_parts_far (parts, g, far * rows);
      else if (there_is)
	bytes[g] += far * rows;
      if (there_is)
	bytes[g] += ummgr_parts_far (parts, g,
				     rows * (common (its->own, there)
					     - present (object, gpus->device[g], parts->row, its->own)));
    }
}

void
ummgr_parts_together (const struct ummgr_object *object, const struct ummgr_parts *parts,
		      const struct ummgr_gpus *gpus, uint64_t *held, uint64_t *sent)
{
  const struct ummgr_laid *laid = object->laid;
  for (unsigned g = 0; g < gpus->count; g++)
    if (laid && !laid->moved)
      held[g] += ummgr_parts_held (object, gpus->device[g]);
    else if (parts->way == UMMGR_PARTS_OWN)
      sent[g] += common (parts->gpu[g].own, parts->gpu[g].own)
		 * (uint64_t) (parts->last - parts->first);
}

/* The bytes that go elsewhere where OBJECT is laid as PARTS.  Where these are of less than half of
   what GPUs have of it, that is forgotten, and must be laid again: it counts as if it went.  */
static uint64_t
to_move (const struct ummgr_object *object, const struct ummgr_parts *parts,
	 const struct ummgr_gpus *gpus)
{
  uint64_t own = 0, there = 0, has = 0;
  for (unsigned g = 0; g < gpus->count; g++)
    {
      own += common (parts->gpu[g].own, parts->gpu[g].own);
      there += present (object, gpus->device[g], parts->row, parts->gpu[g].own);
      has += ummgr_parts_held (object, gpus->device[g]);
    }
  uint64_t rows = (uint64_t) (parts->last - parts->first);
  return parts->way == UMMGR_PARTS_HOME || own * rows < has / 2 ? has - has / gpus->count
	 : (own - there) * rows;
}

/* PARTS are wanted of OBJECT, which lies otherwise: does it stay so?  As long as what launches
   have used from afar, but would not have, is not twice what is to be moved: the worst order
   of launches then costs a few times the best place.  What nobody has wanted so goes sooner, if
   the launch is expected AGAIN.  */
static bool
stays (struct ummgr_object *object, const struct ummgr_parts *parts,
       const struct ummgr_gpus *gpus, bool again)
{
  struct ummgr_laid *laid = object->laid;
  uint64_t missing = 0, bytes[UMMGR_PARTS_GPUS] = { 0 };
  if (!laid || laid->moved || !gpus->joined || laid->parts.way != UMMGR_PARTS_OWN
      || parts->way == UMMGR_PARTS_COPIES)
    return false;
  struct ummgr_interval there = covered (object, parts);
  for (unsigned g = 0; g < gpus->count; g++)
    {
      const struct ummgr_parts_gpu *its = &parts->gpu[g];
      /* What nobody has is to be sent.  */
      if (its->own.lo < its->own.hi && (its->own.lo < there.lo || its->own.hi > there.hi))
	return false;
      for (unsigned i = 0; parts->way != UMMGR_PARTS_OWN && i < its->far.count; i++)
	if (its->far.at[i].lo < there.lo || its->far.at[i].hi > there.hi)
	  return false;
    }
  ummgr_parts_missing (object, parts, gpus, bytes);
  for (unsigned g = 0; g < gpus->count; g++)
    missing += bytes[g];
  laid->against += missing;
  uint64_t moved = to_move (object, parts, gpus);
  if (laid->against > 2 * moved || (laid->begun && again && missing > moved / 2))
    return false;
  open_all (object, laid, true);
  return true;
}

/* OBJECT lies as PARTS want it: what speaks for another place is that much less.  */
static void
confirm (struct ummgr_laid *laid, const struct ummgr_object *object)
{
  uint64_t most = object->view.size - object->view.size / laid->count;
  laid->against -= laid->against < most ? laid->against : most;
}

void
ummgr_parts_lay (struct ummgr_object *object, const struct ummgr_parts *parts,
		 struct ummgr_gpus *gpus, bool now, bool again)
{
  struct ummgr_laid *laid = object->laid;
  if (parts->way == UMMGR_PARTS_UNUSED)
    return;
  if (will_do (laid, parts, gpus))
    {
      confirm (laid, object);
      laid->begun = false;
      reach_further (object, laid, parts);
      copies_further (object, laid, parts, gpus);
      if (laid->moved)
	{
	  laid->ever = (struct ummgr_interval) { 0, 0 };
	  send_all (object, laid, gpus);
	}
      note_ever (object, laid);
      laid->moved = false;
      return;
    }
  if (!now && stays (object, parts, gpus, again))
    return;
  if (!laid && !(laid = object->laid = calloc (1, sizeof *laid)))
    return;			/* It comes by demand.  */
  bool pairs = laid->parts.way == UMMGR_PARTS_OWN && laid->parts.row == 0 && !laid->moved
    && laid->count == gpus->count
    && memcmp (laid->device, gpus->device, gpus->count * sizeof *gpus->device) == 0;
  struct ummgr_parts before = laid->parts;
  advise_all (object, laid, false);
  open_all (object, laid, false);
  laid->against = 0;
  laid->begun = false;
  if (laid->moved)
    laid->ever = (struct ummgr_interval) { 0, 0 };
  laid->parts = *parts;
  laid->count = gpus->count;
  memcpy (laid->device, gpus->device, sizeof laid->device);
  laid->home = parts->way == UMMGR_PARTS_HOME ? home_choose (gpus) : 0;
  laid->moved = false;
  note_ever (object, laid);
  /* Copies come once it is known that they may be several.  */
  if (parts->way == UMMGR_PARTS_COPIES)
    {
      copies_widen (object, laid);
      advise_all (object, laid, true);
    }
  if (pairs)
    send_in_pairs (object, &before, laid, gpus);
  send_all (object, laid, gpus);
  if (parts->way != UMMGR_PARTS_COPIES)
    advise_all (object, laid, true);
}

void
ummgr_parts_moved (struct ummgr_object *object)
{
  if (object->laid)
    object->laid->moved = true;
}

/* The bytes of OBJECT in pages of row R that the G-th GPU was sent.  */
static struct ummgr_interval
sent (const struct ummgr_object *object, const struct ummgr_laid *laid, unsigned g, int64_t r)
{
  struct ummgr_interval own = laid->parts.gpu[g].own;
  int64_t base = (int64_t) object->copy.address, at = r * laid->parts.row;
  if (own.lo >= own.hi || r < laid->parts.first || r >= laid->parts.last)
    return (struct ummgr_interval) { 0, 0 };
  struct ummgr_interval pages = pages_own (object, at + own.lo, at + own.hi);
  return (struct ummgr_interval) { pages.lo - base, pages.hi - base };
}

/* The part that has byte LO of OBJECT, which goes to *HI_P; -1: none, to *HI_P.  A row's last
   page is also its neighbour's.  */
static int
part_at (const struct ummgr_object *object, int64_t lo, int64_t *hi_p)
{
  const struct ummgr_laid *laid = object->laid;
  int64_t row = laid->parts.row ? lo / laid->parts.row : 0, next = *hi_p;
  for (int64_t r = row > 0 ? row - 1 : 0; r <= row + 1; r++)
    for (unsigned g = 0; g < laid->count; g++)
      {
	struct ummgr_interval own = sent (object, laid, g, r);
	if (own.lo <= lo && lo < own.hi)
	  {
	    *hi_p = own.hi < *hi_p ? own.hi : *hi_p;
	    return (int) g;
	  }
	if (own.lo > lo && own.lo < own.hi && own.lo < next)
	  next = own.lo;
      }
  *hi_p = next;
  return -1;
}

/* Copy [LO, HI) of OBJECT between D, which has it, and the program's memory.  */
static bool
copy_part (const struct ummgr_object *object, struct ummgr_device *d, size_t lo, size_t hi,
	   bool in)
{
  char *theirs = (char *) object->view.base + lo;
  uintptr_t ours = object->copy.address + lo;
  return (in ? d->ops->copy_in (d, ours, theirs, hi - lo)
	       : d->ops->copy_out (d, theirs, ours, hi - lo)) == UMMGR_OK;
}

bool
ummgr_parts_copy (const struct ummgr_object *object, size_t lo, size_t hi, bool in,
		  void (*left) (const struct ummgr_object *object, size_t lo, size_t hi, bool in))
{
  const struct ummgr_laid *laid = object->laid;
  bool parts = laid && laid->parts.way == UMMGR_PARTS_OWN && !laid->moved;
  if (!laid || object->copy.chunk || (in && !parts))
    return false;
  struct ummgr_forked forked = ummgr_forked_begin (object->copy.device->ops);
  for (int64_t at = (int64_t) lo, end; at < (int64_t) hi; at = end)
    {
      end = (int64_t) hi;
      /* What is in no part one of them copies from wherever it is.  */
      int g = parts ? part_at (object, at, &end) : -1;
      struct ummgr_device *d = ummgr_device_of (laid->device[g < 0 ? 0 : g]);
      if (!copy_part (object, d, (size_t) at, (size_t) end, in))
	left (object, (size_t) at, (size_t) end, in);
      ummgr_forked_next (&forked);
    }
  ummgr_forked_end (&forked);
  return true;
}

uint64_t
ummgr_parts_held (const struct ummgr_object *object, int device)
{
  if (!object->laid)
    return 0;
  const struct ummgr_parts *parts = &object->laid->parts;
  struct ummgr_interval row = { 0, parts->row ? parts->row : (int64_t) object->view.size };
  return present (object, device, parts->row, row) * (uint64_t) (parts->last - parts->first);
}
