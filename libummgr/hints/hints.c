/* What the compiler's tables say of one launch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the answers given so far, by region and arguments' values; one that is in
   the place of another replaces it.  Moves nothing, decides nothing.  */

#include "config.h"
#include "hints/hints.h"

#include "hints/cover.h"
#include "hints/data.h"
#include "hints/footprint.h"
#include "hints/live.h"
#include "hints/passes.h"
#include "hints/slope.h"
#include "ummgr-table.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* References of one argument that are looked at; beyond, it is not known.  */
enum { BOXES_MAX = 64 };

/* Weights above this are 1 but for rounding.  */
static const double sure = 0.999999;

/* An argument's use being put together.  */
struct use
{
  const struct ummgr_table_arg *arg;
  const struct ummgr_code_inputs *inputs;
  struct ummgr_hint_extent extent;
  /* What samples say of its references, or NULL; which of their numbers.  */
  const struct ummgr_data_ref *data;
  enum ummgr_data_variant variant;
  enum ummgr_data_granule granule;
  struct ummgr_box boxes[BOXES_MAX];
  size_t box_count;
  double accesses, bytes;	/* In all.  */
  double random, random_bytes;	/* Where the place is not known.  */
  double random_most;		/* The bytes that these make the driver move, all
				   guesses at their worst.  */
  bool estimated, overflow, unbounded;
  bool sloped;			/* Some loop's length depends on another's iteration.  */
  struct ummgr_slope_cover cover; /* Then, where it is known, what all references touch.  */
  /* The pages of the link that samples say and that random places are, in bytes,
     and what they and the bytes of all accesses can be at most.  */
  double link, link_most, bytes_most;
  double anywhere, away;	/* Bytes that accesses bring over the link where data says where, and those of
				   them that the cache doesn't have when they are used again.  */
  const char *reason;
};

static void
reason_set (struct use *u, const char *why)
{
  if (!u->reason && *why)
    u->reason = why;
}

/* How often REF is executed.  */
static bool
ref_accesses (struct use *u, const struct ummgr_table_ref *ref,
	      double *accesses)
{
  *accesses = ref->frequency;
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      int64_t count, extent;
      if (!ummgr_code_evaluate (ref->dims[i].count, u->inputs, &count))
	return false;
      if (count > 0)
	*accesses *= (double) count;
      /* In the average iteration of the loops around it none, but in some: where
	 the count goes down evenly, in half of them or less, and half of the
	 extent or less in these.  */
      else if (!(ref->flags & UMMGR_REF_EXACT)
	       && ummgr_code_evaluate (ref->dims[i].extent, u->inputs, &extent)
	       && extent > 0)
	*accesses *= (double) extent / 4;
      else
	*accesses = 0;
    }
  return true;
}

/* The most that it can be: a frequency above 1 is a guess at a loop, and says
   nothing of how long that may be; below 1 it is one at a condition.  */
static double
ref_most (const struct use *u, const struct ummgr_table_ref *ref)
{
  double most = ref->frequency > 1 ? INFINITY : 1;
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      int64_t extent;
      if (!ummgr_code_evaluate (ref->dims[i].extent, u->inputs, &extent))
	return INFINITY;
      most *= extent > 0 ? (double) extent : 1;
    }
  return most;
}

/* Add BOX.  What is accessed in the same places as before, as the write of
   a[i] += b is, is no more of them.  */
static void
box_keep (struct use *u, const struct ummgr_box *box)
{
  for (size_t i = 0; i < u->box_count; i++)
    {
      struct ummgr_box *old = &u->boxes[i];
      size_t dims = box->dims * sizeof *box->stride;
      if (old->base == box->base && old->run == box->run
	  && old->dims == box->dims
	  && memcmp (old->stride, box->stride, dims) == 0
	  && memcmp (old->count, box->count, dims) == 0)
	{
	  if (old->weight < box->weight)
	    old->weight = box->weight;
	  return;
	}
    }
  u->boxes[u->box_count++] = *box;
}

/* What DATA, of a sample of U, says of the link.  Of later launches the data may
   have changed.  */
static void
link_add_sampled (struct use *u, const struct ummgr_table_ref *ref,
		  const struct ummgr_data_ref *data)
{
  double size = (double) u->extent.size;
  const double *share = data->share[u->variant];
  bool now = u->variant == UMMGR_DATA_NOW
    || memcmp (share, data->share[UMMGR_DATA_NOW], sizeof data->share[0]) == 0;
  u->link += share[UMMGR_DATA_LINK] * size;
  u->link_most += now ? data->most_link
    : data->guessed ? INFINITY
    : data->share[UMMGR_DATA_ANY][UMMGR_DATA_LINK] * size;
  u->bytes_most += (now ? data->most_accesses
		    : data->guessed ? INFINITY : data->accesses[UMMGR_DATA_ANY])
		   * ref->element_size;
}

/* Accesses where data says where bring BYTES, a part FAR of which the cache doesn't have for long; negative: they go
   anywhere, and it has as large a part of them as of the object.  */
static void
anywhere_add (struct use *u, double bytes, double far)
{
  u->anywhere += bytes;
  u->away += bytes * (far >= 0 ? far : fmax (0, 1 - (double) u->extent.remote.cache / (double) u->extent.size));
}

/* REF, of which a sample says DATA.  */
static void
ref_add_sampled (struct use *u, const struct ummgr_table_ref *ref,
		 const struct ummgr_data_ref *data)
{
  struct ummgr_box box;
  double accesses = data->accesses[u->variant];
  u->accesses += accesses;
  u->bytes += accesses * ref->element_size;
  if (!(ref->flags & UMMGR_REF_AFFINE))
    anywhere_add (u, accesses * data->brings, data->far);
  link_add_sampled (u, ref, data);
  u->estimated = true;
  reason_set (u, ref->why);
  /* Of no weight: its places are counted by the sample.  */
  if ((ref->flags & UMMGR_REF_AFFINE) && u->box_count < BOXES_MAX
      && ummgr_ref_box (ref, u->inputs, u->extent.offset, false, &box))
    {
      box.weight = 0;
      box_keep (u, &box);
    }
  else
    u->unbounded = true;
}

static void
ref_add (struct use *u, const struct ummgr_table_ref *ref)
{
  double accesses;
  bool exact = ref->flags & UMMGR_REF_EXACT;
  if (u->data && u->data[ref - u->arg->use.refs].known)
    {
      ref_add_sampled (u, ref, &u->data[ref - u->arg->use.refs]);
      return;
    }
  if (ref->flags & UMMGR_REF_SLOPED && ummgr_slope_accesses (ref, u->inputs, &accesses))
    exact = u->sloped = true;
  else if (!ref_accesses (u, ref, &accesses))
    {
      u->overflow = true;
      reason_set (u, "a count could not be evaluated");
      return;
    }
  if (accesses <= 0)
    {
      /* What is never executed as far as GCC guesses.  */
      u->estimated |= ref->frequency <= 0;
      return;
    }
  u->accesses += accesses;
  u->bytes += accesses * ref->element_size;
  if (!exact)
    u->estimated = true;
  u->bytes_most += (exact ? accesses : ref_most (u, ref))
		   * ref->element_size;
  reason_set (u, ref->why);
  struct ummgr_box box;
  if ((ref->flags & UMMGR_REF_AFFINE) && u->box_count < BOXES_MAX
      && ummgr_ref_box (ref, u->inputs, u->extent.offset, false, &box))
    {
      double most = accesses * ref->element_size / ummgr_box_bytes (&box);
      box.weight = ref->flags & UMMGR_REF_EXACT || most > 1 ? 1 : most;
      box_keep (u, &box);
      return;
    }
  u->estimated = true;
  u->random += accesses;
  u->random_bytes += accesses * ref->element_size;
  anywhere_add (u, accesses * ref->element_size, -1);
  u->random_most += ref_most (u, ref) * UMMGR_DATA_PAGE;
  double pages = (double) u->extent.size / u->extent.remote.grain;
  if (pages > 0)
    u->link += -pages * expm1 (-accesses / pages) * u->extent.remote.grain;
  u->link_most += ref_most (u, ref) * u->extent.remote.grain;
}

/* Expected bytes of SIZE that BOXES, which are U's or made of them, touch.  */
static double
boxes_expected (struct use *u, const struct ummgr_box *boxes, double size)
{
  bool exact = true;
  double left = 1, all = 0;
  double certain = ummgr_boxes_cover (boxes, u->box_count, (uint64_t) size,
				      sure, &exact);
  for (size_t i = 0; i < u->box_count; i++)
    if (u->boxes[i].weight < sure)
      left *= 1 - u->boxes[i].weight;
  if (left < 1)
    {
      all = ummgr_boxes_cover (boxes, u->box_count, (uint64_t) size, 0, &exact);
      if (all > certain)
	certain += (all - certain) * (1 - left);
    }
  if (!exact)
    u->estimated = true;
  return certain;
}

/* What of the object sampled references leave out; those of the same places
   count once.  MOST: a sample in which a loop's passes are guessed says nothing. */
static double
sampled_left (const struct use *u, bool most)
{
  const struct ummgr_table_ref *refs = u->arg->use.refs;
  double left = 1;
  for (unsigned i = 0; u->data && i < u->arg->use.ref_count; i++)
    {
      const unsigned char *place = refs[i].sample.address;
      bool counted = false;
      double share = 0;
      for (unsigned j = 0; j < u->arg->use.ref_count; j++)
	if (u->data[j].known
	    && (i == j || ummgr_code_equal (place, refs[j].sample.address)))
	  {
	    counted |= j < i;
	    share = fmax (share, most && u->data[j].guessed ? 1
			  : u->data[j].share[u->variant][u->granule]);
	  }
      if (u->data[i].known && !counted)
	left *= 1 - share;
    }
  return left;
}

/* The density if all that is guessed is at its worst.  */
static double
density_most (struct use *u)
{
  double size = (double) u->extent.size;
  bool exact = true;
  /* Boxes of no weight are the samples'.  */
  double bytes = u->box_count
    ? ummgr_boxes_cover (u->boxes, u->box_count, u->extent.size, DBL_MIN, &exact)
    : 0;
  bytes = fmin (size, bytes + u->random_most);
  return 1 - (1 - bytes / size) * sampled_left (u, true);
}

/* The density: K random accesses of E bytes find N (1 - (1 - 1/N)^K) of the N
   elements.  */
static void
density_fill (struct use *u, struct ummgr_hint *out)
{
  double size = (double) u->extent.size;
  bool sloped = u->sloped;
  bool covered = u->sloped && !u->estimated
    && ummgr_slope_cover (&u->arg->use, u->inputs, u->extent.offset, u->extent.size, &u->cover);
  double bytes = covered ? u->cover.bytes
    : u->box_count ? boxes_expected (u, u->boxes, size) : 0;
  u->sloped = covered;
  u->estimated |= sloped && !covered;
  if (u->random > 0)
    {
      double element = u->random_bytes / u->random;
      double n = element > 0 ? size / element : 0;
      double part = n > 1 ? -expm1 (u->random * log1p (-1 / n)) : 1;
      bytes += (size - bytes) * part;
    }
  out->density = 1 - (1 - bytes / size) * sampled_left (u, false);
  out->density_most = u->estimated ? density_most (u) : out->density;
  out->density_sc19 = u->bytes / size;
}

/* BOX with the pages of PAGE bytes that its runs are in.  */
static struct ummgr_box
box_pages (const struct ummgr_box *box, unsigned page)
{
  struct ummgr_box wide = { .base = box->base - page / 2,
			    .run = box->run + page - 1,
			    .weight = box->weight };
  for (unsigned i = 0; i < box->dims; i++)
    ummgr_box_add (&wide, (int64_t) box->stride[i], box->count[i]);
  ummgr_box_end (&wide);
  return wide;
}

/* What accesses anywhere bring: the first ones to each place, 1 - exp (-K) of the object if they bring K bytes for each
   of its; of the rest the cache has what isn't away.  An example: 2^22 reads that bring 32 bytes each from anywhere in
   64 MiB, with a cache of 16: of two bytes for each, 0.86 are new, and of the rest 3 of 4 go over the link again.  */
static double
link_anywhere (const struct use *u)
{
  double size = (double) u->extent.size;
  double first = -size * expm1 (-u->anywhere / size);
  return u->anywhere > 0 && u->extent.remote.cache > 0 ? first + (u->anywhere - first) * u->away / u->anywhere : 0;
}

/* What goes over the link if the object stays on the host.  */
static void
remote_fill (struct use *u, struct ummgr_hint *out)
{
  double size = (double) u->extent.size;
  struct ummgr_box pages[BOXES_MAX];
  bool exact = true;
  for (size_t i = 0; i < u->box_count; i++)
    pages[i] = box_pages (&u->boxes[i], u->extent.remote.grain);
  if (u->box_count)
    {
      u->link += boxes_expected (u, pages, (double) u->extent.size);
      u->link_most += ummgr_boxes_cover (pages, u->box_count, u->extent.size,
					 DBL_MIN, &exact);
    }
  /* References that samples speak of may be to the same places.  */
  double once = fmin (u->link, size + u->extent.remote.grain);
  out->remote = fmax (1, fmax (once, link_anywhere (u)));
  out->remote_most = fmax (out->remote, fmax (u->link_most, u->bytes_most));
}

/* [lo, hi) where all places are known.  */
static void
bounds_fill (struct use *u, struct ummgr_hint *out)
{
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  if (u->random > 0 || u->unbounded || !u->box_count)
    return;
  if (u->sloped)
    {
      lo = u->cover.lo;
      hi = u->cover.hi;
    }
  for (size_t i = 0; !u->sloped && i < u->box_count; i++)
    {
      int64_t limit = ummgr_box_limit (&u->boxes[i]);
      lo = u->boxes[i].base < lo ? u->boxes[i].base : lo;
      hi = limit > hi ? limit : hi;
    }
  lo = lo < 0 ? 0 : lo;
  if (u->extent.size && hi > (int64_t) u->extent.size)
    hi = (int64_t) u->extent.size;
  if (lo < hi)
    {
      out->lo = lo;
      out->hi = hi;
    }
}

void
ummgr_hints_with_data (const struct ummgr_table_arg *arg,
		       const struct ummgr_code_inputs *inputs,
		       struct ummgr_hint_extent extent,
		       const struct ummgr_data_ref *data,
		       enum ummgr_data_variant variant,
		       enum ummgr_data_granule granule, struct ummgr_hint *out)
{
  struct use u = { .arg = arg, .inputs = inputs, .extent = extent,
		   .data = data, .variant = variant, .granule = granule };
  if (!u.extent.remote.grain)
    u.extent.remote.grain = UMMGR_DATA_LINK_PAGE;
  *out = (struct ummgr_hint) UMMGR_HINT_UNKNOWN;
  if (!(arg->use.flags & UMMGR_USE_ANALYSED))
    return;
  out->known = true;
  out->read = arg->use.flags & UMMGR_USE_READ;
  out->write = arg->use.flags & UMMGR_USE_WRITE;
  reason_set (&u, arg->use.why);
  for (unsigned i = 0; i < arg->use.ref_count; i++)
    ref_add (&u, &arg->use.refs[i]);
  out->locality = u.accesses;
  out->estimated = u.estimated;
  bool unknown = (arg->use.flags & UMMGR_USE_UNKNOWN) || u.overflow;
  if (unknown)
    out->estimated = true;
  else
    {
      if (extent.size)
	{
	  density_fill (&u, out);
	  remote_fill (&u, out);
	}
      else
	{
	  u.estimated |= u.sloped;
	  u.sloped = false;
	}
      bounds_fill (&u, out);
      out->estimated = u.estimated;
      out->overwritten = ummgr_live_overwritten (arg, inputs, extent);
    }
  out->reason = u.reason;
  ummgr_live_fill (arg, out);
}

/* An answer: its key follows the hints.  */
struct answer
{
  const struct ummgr_table_region *region;
  size_t words;
  struct ummgr_hint hints[];
};

enum { ANSWERS = 1024, KEY_MAX = 3 * UMMGR_CODE_ARGS + 1, LOADED_MAX = 256 };
static struct answer *answers[ANSWERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t
mix (uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 29;
}

/* The bytes that expressions may load, as a word.  */
static uint64_t
loaded_hash (const void *from, size_t size)
{
  uint64_t hash = size;
  const char *p = from;
  for (size_t at = 0; from && at < size; at += 8)
    {
      uint64_t word = 0;
      memcpy (&word, p + at, size - at < 8 ? size - at : 8);
      hash = mix (hash, word);
    }
  return hash;
}

/* What the answer depends on, in words; returns how many, or 0: more than are
   kept.  */
static size_t
key_make (const struct ummgr_table_region *region,
	  const struct ummgr_code_inputs *inputs,
	  const struct ummgr_hint_extent *extents, uint64_t *key)
{
  size_t n = 0;
  if (region->arg_count > (KEY_MAX - 1) / 3)
    return 0;
  key[n++] = region->arg_count && region->args[0].call_live_count ? ummgr_live_call () : 0;
  for (unsigned i = 0; i < region->arg_count; i++)
    {
      uint64_t word = 0;
      if (ummgr_code_has (&region->inputs.values, i))
	word = (uintptr_t) inputs->hostaddrs[i];
      if (ummgr_code_has (&region->inputs.loads, i))
	{
	  if (inputs->sizes[i] > LOADED_MAX)
	    return 0;
	  word = mix (word, loaded_hash (inputs->hostaddrs[i],
					 inputs->sizes[i]));
	}
      if (ummgr_code_has (&region->inputs.sizes, i))
	word = mix (word, inputs->sizes[i]);
      key[n++] = word;
      key[n++] = extents ? extents[i].offset : 0;
      key[n++] = !extents ? inputs->sizes[i]
	: mix (mix (extents[i].size, extents[i].remote.grain), extents[i].remote.cache);
    }
  return n;
}

static size_t
key_place (const struct ummgr_table_region *region, const uint64_t *key,
	   size_t words)
{
  uint64_t hash = (uintptr_t) region;
  for (size_t i = 0; i < words; i++)
    hash = mix (hash, key[i]);
  return hash % ANSWERS;
}

static bool
answer_find (const struct ummgr_table_region *region, const uint64_t *key,
	     size_t words, struct ummgr_hint *out)
{
  size_t hints = region->arg_count * sizeof *out;
  pthread_mutex_lock (&lock);
  const struct answer *a = answers[key_place (region, key, words)];
  bool found = a && a->region == region && a->words == words
	       && memcmp (a->hints + region->arg_count, key,
			  words * sizeof *key) == 0;
  if (found)
    memcpy (out, a->hints, hints);
  pthread_mutex_unlock (&lock);
  return found;
}

static void
answer_keep (const struct ummgr_table_region *region, const uint64_t *key,
	     size_t words, const struct ummgr_hint *out)
{
  size_t hints = region->arg_count * sizeof *out;
  struct answer *a = malloc (sizeof *a + hints + words * sizeof *key);
  if (!a)
    return;
  a->region = region;
  a->words = words;
  memcpy (a->hints, out, hints);
  memcpy (a->hints + region->arg_count, key, words * sizeof *key);
  struct answer **place = &answers[key_place (region, key, words)];
  pthread_mutex_lock (&lock);
  struct answer *old = *place;
  *place = a;
  pthread_mutex_unlock (&lock);
  free (old);
}

bool
ummgr_hints_evaluate (const struct ummgr_table_region *region,
		      void *const *hostaddrs, const size_t *sizes,
		      const struct ummgr_hint_extent *extents,
		      struct ummgr_hint *out)
{
  uint64_t key[KEY_MAX];
  bool known = false;
  for (unsigned i = 0; i < region->arg_count && !known; i++)
    known = region->args[i].use.flags & UMMGR_USE_ANALYSED;
  if (!known)
    return false;
  const struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
  size_t words = key_make (region, &inputs, extents, key);
  if (words && answer_find (region, key, words, out))
    return true;
  for (unsigned i = 0; i < region->arg_count; i++)
    ummgr_hints_with_data (&region->args[i], &inputs,
			   extents ? extents[i]
			   : (struct ummgr_hint_extent) { .size = sizes[i] },
			   NULL, UMMGR_DATA_LASTING, UMMGR_DATA_BYTES, &out[i]);
  if (extents)
    ummgr_passes_fill (region, &inputs, extents, out);
  if (words)
    answer_keep (region, key, words, out);
  return true;
}

bool
ummgr_hints_can_follow (const struct ummgr_table_region *region)
{
  const struct ummgr_table_split *split = &region->split;
  /* Else nobody looked.  */
  bool known = split->lo >= 0 || *split->why;
  return known && region->member_count && !(split->flags & UMMGR_SPLIT_POINTERS);
}

struct ummgr_table_use
ummgr_hints_use (const struct ummgr_table_region *region, size_t i)
{
  if (i >= region->arg_count)
    return region->members[i - region->arg_count].use;
  struct ummgr_table_use use = region->args[i].use;
  if (!(use.flags & UMMGR_USE_BEHIND) || region->split.flags & UMMGR_SPLIT_POINTERS)
    return use;
  use.flags = UMMGR_USE_ANALYSED;
  for (unsigned k = 0; k < use.ref_count; k++)
    use.flags |= use.refs[k].flags & (UMMGR_REF_READ | UMMGR_REF_WRITE);
  return use;
}

const char *
ummgr_hints_member_name (const struct ummgr_table_region *region, unsigned k)
{
  for (unsigned i = 0; i < region->field_count; i++)
    if (region->fields[i].arg == region->members[k].arg
	&& region->fields[i].offset == region->members[k].offset)
      return region->fields[i].name;
  return "";
}

/* The hint of argument I, counted as ummgr_hints_use does.  */
static void
follow (const struct ummgr_table_region *region, size_t i, const struct ummgr_code_inputs *inputs,
	struct ummgr_hint_extent extent, struct ummgr_hint *out)
{
  struct ummgr_table_arg arg = { .name = "", .use = ummgr_hints_use (region, i) };
  if (i < region->arg_count)
    {
      arg.name = region->args[i].name;
      arg.live = *ummgr_live_of (&region->args[i]);
    }
  ummgr_hints_with_data (&arg, inputs, extent, NULL, UMMGR_DATA_LASTING, UMMGR_DATA_BYTES, out);
  out->estimated = true;
  out->overwritten = false;
}

void
ummgr_hints_follow (const struct ummgr_table_region *region, void *const *hostaddrs,
		    const size_t *sizes, const struct ummgr_hint_extent *extents,
		    const struct ummgr_hint_extent *members, struct ummgr_hint *out,
		    struct ummgr_hint *members_out)
{
  const struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
  for (unsigned i = 0; i < region->arg_count; i++)
    if (region->args[i].use.flags & UMMGR_USE_BEHIND)
      follow (region, i, &inputs, extents ? extents[i]
	      : (struct ummgr_hint_extent) { .size = sizes[i] }, &out[i]);
  for (unsigned k = 0; k < region->member_count; k++)
    follow (region, region->arg_count + k, &inputs, members[k], &members_out[k]);
}

bool
ummgr_hints_trip (const struct ummgr_table_region *region,
		  void *const *hostaddrs, const size_t *sizes, uint64_t *trip)
{
  const struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
  int64_t value;
  if (!ummgr_code_evaluate (region->trip, &inputs, &value))
    return false;
  *trip = value > 0 ? value : 0;
  return true;
}

/* The stride of REF over its work-shared dimensions taken as one: each must go
   on where the one within it ends.  */
static bool
ref_stride (const struct ummgr_table_ref *ref,
	    const struct ummgr_code_inputs *inputs, int64_t *out)
{
  bool any = false;
  int64_t next = 0;
  for (unsigned i = ref->dim_count; i-- > 0;)
    {
      int64_t stride = 0, count;
      if (!ref->dims[i].shared)
	continue;
      if ((ref->dims[i].stride
	   && !ummgr_code_evaluate (ref->dims[i].stride, inputs, &stride))
	  || !ummgr_code_evaluate (ref->dims[i].count, inputs, &count))
	return false;
      if (any && count > 1 && stride != next)
	return false;
      if (!any)
	*out = stride;
      if (__builtin_mul_overflow (stride, count, &next))
	return false;
      any = true;
    }
  return any;
}

bool
ummgr_hints_stride (const struct ummgr_table_region *region, unsigned arg,
		    const struct ummgr_code_inputs *inputs, int64_t *stride)
{
  const struct ummgr_table_use *use = &region->args[arg].use;
  bool any = false;
  if (use->flags & UMMGR_USE_UNKNOWN)
    return false;
  for (unsigned i = 0; i < use->ref_count; i++)
    {
      int64_t mine;
      if (!(use->refs[i].flags & UMMGR_REF_AFFINE)
	  || !ref_stride (&use->refs[i], inputs, &mine)
	  || (any && mine != *stride))
	return false;
      *stride = mine;
      any = true;
    }
  return any;
}

/* Densities of parts of one object, which are taken to differ.  */
static double
density_sum (double a, double b, double most)
{
  return a < 0 || b < 0 ? -1 : fmin (a + b, most);
}

void
ummgr_hint_merge (struct ummgr_hint *to, const struct ummgr_hint *from)
{
  if (!to->known || !from->known)
    {
      to->known = false;
      return;
    }
  bool bounded = to->hi && from->hi;
  to->read |= from->read;
  to->write |= from->write;
  to->overwritten &= !from->read && !from->write;
  to->estimated = true;
  to->corrected |= from->corrected;
  ummgr_live_merge (to, from);
  to->locality += from->locality;
  to->density = density_sum (to->density, from->density, 1);
  to->density_most = density_sum (to->density_most, from->density_most, 1);
  to->density_sc19 = density_sum (to->density_sc19, from->density_sc19,
				  INFINITY);
  to->scatter = fmax (to->scatter, from->scatter);
  bool remote = to->remote > 0 && from->remote > 0;
  to->remote = remote ? to->remote + from->remote : 0;
  to->remote_most += from->remote_most;
  to->lo = bounded ? (to->lo < from->lo ? to->lo : from->lo) : 0;
  to->hi = bounded ? (to->hi > from->hi ? to->hi : from->hi) : 0;
  if (!to->reason)
    to->reason = from->reason;
}
