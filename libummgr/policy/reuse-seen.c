/* Reuse distances learned from the regions of this run.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the history: the last regions, and which objects each used with the
   distance to the object's next use, which is known once that has come.

   A program that goes round a loop repeats its regions.  So the present is
   aligned with that moment of the past after which the same regions came:
   as long as they keep coming the alignment moves along, and when one differs
   (an inner loop has ended) it is sought anew, by the longest of several
   contexts that is in the history.  What an object's distance was at that
   moment is what is expected now.  After one round of a loop, nested ones
   included, this is exact; a distance by region alone would be wrong at
   every inner loop's end.  Without an alignment, the object's last distance
   from the same region is taken.

   Numbers are kept in 32 bits: distances that don't fit count as unknown.  */

#include "config.h"
#include "policy/reuse-seen.h"

#include <stdlib.h>
#include <string.h>

/* Powers of two.  The arrays are zero pages until they are used.  */
#define STEPS (UINT64_C (1) << 16)
#define USES (UINT64_C (1) << 18)
#define CONTEXTS (UINT64_C (1) << 17)
#define FIRST_TABLE 64
#define OBJECTS_MAX (UINT32_C (1) << 16)
#define KEYS_MAX (UINT32_C (1) << 18)

/* Contexts of 1, 2, 4 … 32 regions.  */
#define LONGEST 32

/* One region that ran.  */
struct step
{
  uint64_t region;
  uint64_t first_use;		/* Number of its first use.  */
};

struct use
{
  uint32_t object;
  uint32_t distance;		/* 0: not used again yet.  */
};

struct object
{
  uint64_t base;
  uint64_t use;			/* Number of its last use plus 1; 0: none.  */
  uint64_t sequence;		/* When that was.  */
  uint32_t key;			/* From which region: number plus 1.  */
  uint32_t predicted;		/* What was expected then; 0: nothing.  */
};

/* An object's uses by one region.  */
struct key
{
  uint64_t region;
  uint32_t object;
  uint32_t distance;		/* The last one.  */
  int32_t score;		/* Above 0: predictions prove right.  */
};

/* Open addressing: numbers plus 1 of entries in an array; 0 is free.  */
struct table
{
  uint32_t *slots;
  uint32_t mask;		/* Slots less 1.  */
  uint32_t count, capacity;	/* Of the array.  */
};

struct ummgr_seen
{
  struct step *steps;
  struct use *uses;
  uint32_t *contexts;		/* Hash of a context to its last step + 1.  */
  uint64_t step_count, use_count;
  uint64_t match;		/* The step aligned with this one, plus 1.  */
  uint64_t matched;		/* How many have come as they did then.  */
  uint64_t sequence;
  struct object *objects;
  struct key *keys;
  struct table object_table, key_table;
};

static uint64_t
mix (uint64_t x)
{
  x ^= x >> 32;
  x *= UINT64_C (0xd6e8feb86659fd93);
  return x ^ x >> 32;
}

/* --- tables -------------------------------------------------------------- */

static uint64_t
object_hash (const struct ummgr_seen *seen, uint32_t i)
{
  return mix (seen->objects[i].base);
}

static uint64_t
key_hash (const struct ummgr_seen *seen, uint32_t i)
{
  return mix (seen->keys[i].region + mix (seen->keys[i].object));
}

/* Make room for one more entry in TABLE and its ARRAY of elements of SIZE.
   Nothing changes where there is no memory.  */
static bool
table_grow (const struct ummgr_seen *seen, struct table *table, void **array,
	    size_t size,
	    uint64_t (*hash) (const struct ummgr_seen *, uint32_t))
{
  if (table->count < table->capacity)
    return true;
  uint32_t capacity = table->capacity ? 2 * table->capacity : FIRST_TABLE;
  void *grown = realloc (*array, capacity * size);
  if (!grown)
    return false;
  *array = grown;
  uint32_t *slots = calloc (2 * (size_t) capacity, sizeof *slots);
  if (!slots)
    return false;
  uint32_t mask = 2 * capacity - 1;
  for (uint32_t i = 0; i < table->count; i++)
    {
      uint32_t s = hash (seen, i) & mask;
      while (slots[s])
	s = (s + 1) & mask;
      slots[s] = i + 1;
    }
  free (table->slots);
  table->slots = slots;
  table->mask = mask;
  table->capacity = capacity;
  return true;
}

uint32_t
ummgr_seen_object (struct ummgr_seen *seen, uint64_t base)
{
  struct table *t = &seen->object_table;
  uint32_t s = 0;
  if (t->slots)
    for (s = mix (base) & t->mask; t->slots[s]; s = (s + 1) & t->mask)
      if (seen->objects[t->slots[s] - 1].base == base)
	return t->slots[s];
  if (t->count >= OBJECTS_MAX
      || !table_grow (seen, t, (void **) &seen->objects,
		      sizeof *seen->objects, object_hash))
    return 0;
  for (s = mix (base) & t->mask; t->slots[s];)
    s = (s + 1) & t->mask;
  seen->objects[t->count] = (struct object) { .base = base };
  return t->slots[s] = ++t->count;
}

/* The number plus 1 of OBJECT's key with the region at hand; 0 where no more
   can be kept.  */
static uint32_t
find_key (struct ummgr_seen *seen, uint64_t region, uint32_t object)
{
  struct table *t = &seen->key_table;
  uint64_t hash = mix (region + mix (object));
  uint32_t s;
  if (t->slots)
    for (s = hash & t->mask; t->slots[s]; s = (s + 1) & t->mask)
      {
	const struct key *key = &seen->keys[t->slots[s] - 1];
	if (key->region == region && key->object == object)
	  return t->slots[s];
      }
  if (t->count >= KEYS_MAX
      || !table_grow (seen, t, (void **) &seen->keys, sizeof *seen->keys,
		      key_hash))
    return 0;
  for (s = hash & t->mask; t->slots[s];)
    s = (s + 1) & t->mask;
  seen->keys[t->count]
    = (struct key) { .region = region, .object = object };
  return t->slots[s] = ++t->count;
}

struct ummgr_seen *
ummgr_seen_new (void)
{
  struct ummgr_seen *seen = calloc (1, sizeof *seen);
  if (!seen)
    return NULL;
  seen->steps = calloc (STEPS, sizeof *seen->steps);
  seen->uses = calloc (USES, sizeof *seen->uses);
  seen->contexts = calloc (CONTEXTS, sizeof *seen->contexts);
  if (seen->steps && seen->uses && seen->contexts)
    return seen;
  ummgr_seen_free (seen);
  return NULL;
}

void
ummgr_seen_free (struct ummgr_seen *seen)
{
  if (!seen)
    return;
  free (seen->steps);
  free (seen->uses);
  free (seen->contexts);
  free (seen->objects);
  free (seen->object_table.slots);
  free (seen->keys);
  free (seen->key_table.slots);
  free (seen);
}

/* --- alignment ----------------------------------------------------------- */

static const struct step *
step_at (const struct ummgr_seen *seen, uint64_t number)
{
  return &seen->steps[number & (STEPS - 1)];
}

/* Did the COUNT regions up to step A come as those up to step B, both in the
   history?  A comes before B.  */
static bool
same_context (const struct ummgr_seen *seen, uint64_t a, uint64_t b,
	      uint64_t count)
{
  if (a + 1 < count || b - a + count > STEPS)
    return false;
  for (uint64_t i = 0; i < count; i++)
    if (step_at (seen, a - i)->region != step_at (seen, b - i)->region)
      return false;
  return true;
}

/* Align step NOW, which is in the history already, and make it findable.  */
static void
align (struct ummgr_seen *seen, uint64_t now)
{
  if (seen->match
      && step_at (seen, seen->match)->region
      == step_at (seen, now)->region)
    {
      seen->match++;
      seen->matched++;
    }
  else
    seen->match = seen->matched = 0;
  uint64_t hash = 0, length = 0;
  for (uint64_t order = 1; order <= LONGEST && order <= now + 1; order *= 2)
    {
      for (; length < order; length++)
	hash = mix (hash + step_at (seen, now - length)->region);
      uint32_t *last = &seen->contexts[(hash + order) & (CONTEXTS - 1)];
      /* Only the low bits are kept: the rest must be those of now, or of one
	 wrap before.  */
      uint64_t found = (now & ~(uint64_t) UINT32_MAX) | (*last - 1);
      if (*last && order > seen->matched && found < now
	  && same_context (seen, found, now, order))
	{
	  seen->match = found + 1;
	  seen->matched = order;
	}
      *last = (uint32_t) now + 1;
    }
}

void
ummgr_seen_begin (struct ummgr_seen *seen, uint64_t region,
		  uint64_t sequence)
{
  uint64_t now = seen->step_count++;
  seen->steps[now & (STEPS - 1)]
    = (struct step) { region, seen->use_count };
  seen->sequence = sequence;
  align (seen, now);
}

/* What the distance of OBJECT was at the aligned step, whose uses came in the
   same order, as a region's do; 0 if that can't be told.  */
static uint32_t
aligned_distance (const struct ummgr_seen *seen, uint32_t object)
{
  uint64_t now = seen->step_count - 1;
  if (!seen->match || now - (seen->match - 1) >= STEPS)
    return 0;
  uint64_t use = step_at (seen, seen->match - 1)->first_use
    + (seen->use_count - step_at (seen, now)->first_use);
  if (seen->use_count - use >= USES)
    return 0;
  const struct use *u = &seen->uses[use & (USES - 1)];
  return u->object == object ? u->distance : 0;
}

/* OBJECT's last use has its distance now.  */
static void
resolve (struct ummgr_seen *seen, struct object *object)
{
  uint64_t distance = seen->sequence - object->sequence;
  uint32_t kept = distance <= UINT32_MAX ? distance : 0;
  if (seen->use_count - (object->use - 1) < USES)
    seen->uses[(object->use - 1) & (USES - 1)].distance = kept;
  if (!object->key)
    return;
  struct key *key = &seen->keys[object->key - 1];
  key->distance = kept;
  if (!object->predicted)
    return;
  /* One miss among hits, as at the end of an inner loop, unproves nothing.  */
  if (object->predicted != kept)
    key->score -= key->score > 0;
  else if (key->score < 3)
    key->score++;
}

struct ummgr_seen_distance
ummgr_seen_use (struct ummgr_seen *seen, uint32_t number)
{
  struct ummgr_seen_distance unknown = { -1, false };
  if (number == 0)
    return unknown;
  struct object *object = &seen->objects[number - 1];
  if (object->use && object->sequence == seen->sequence)
    return unknown;
  if (object->use)
    resolve (seen, object);
  const struct step *step = step_at (seen, seen->step_count - 1);
  uint32_t k = find_key (seen, step->region, number);
  const struct key *key = k ? &seen->keys[k - 1] : NULL;
  uint32_t distance = aligned_distance (seen, number);
  if (!distance && key)
    distance = key->distance;
  seen->uses[seen->use_count & (USES - 1)] = (struct use) { number, 0 };
  object->use = ++seen->use_count;
  object->sequence = seen->sequence;
  object->key = k;
  object->predicted = distance;
  if (!distance)
    return unknown;
  return (struct ummgr_seen_distance) { distance, key && key->score > 0 };
}
