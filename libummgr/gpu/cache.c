/* A model of a GPU's last-level cache.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the lines of each cache.  Knows nothing of memory, pages or counters;
   cache.h says what is modelled, and where the figures are from.  */

#include "config.h"
#include "gpu/cache.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define WAYS 16
#define SECTORS 4

/* The sectors of a way are 4 bits of VALID and DIRTY.  Dirty and not valid:
   only the bytes in WRITTEN are there.  ORDER has the ways as its digits to base
   16, the most recently used the greatest; empty ones come first.  */
struct set
{
  uint8_t lock;
  bool listed;			/* In the cache's list.  */
  uint64_t order;
  uint64_t valid, dirty;
  uint64_t line[WAYS];		/* 0: none.  */
  ummgr_gpu_cache_owner owner[WAYS];
  uint32_t written[WAYS][SECTORS];
} __attribute__ ((aligned (64)));

struct ummgr_gpu_cache
{
  uint32_t sets, ways;
  unsigned newest;		/* Where the greatest digit of ORDER is.  */
  uint64_t inverse;		/* 2^64 / sets, rounded up.  */
  ummgr_gpu_cache_back *back;
  void *data;
  uint32_t listed;		/* Atomic: length of LIST.  */
  uint32_t *list;		/* Sets that ummgr_gpu_cache_settle has to see.  */
  struct set *set;
};

struct ummgr_gpu_cache *
ummgr_gpu_cache_create (uint64_t bytes, ummgr_gpu_cache_back *back, void *data)
{
  struct ummgr_gpu_cache *c = calloc (1, sizeof *c);
  if (!c)
    return NULL;
  uint64_t lines = bytes / UMMGR_GPU_LINE;
  uint64_t sets = lines / WAYS;
  c->ways = WAYS;
  if (sets == 0)
    {
      sets = 1;
      c->ways = lines ? lines : 1;
    }
  if (sets > UINT32_C (1) << 23)
    sets = UINT32_C (1) << 23;	/* 16 GiB: more than DIVIDE is exact for.  */
  c->sets = sets;
  c->inverse = UINT64_MAX / sets + 1;
  c->back = back;
  c->data = data;
  c->newest = 4 * (c->ways - 1);
  c->set = aligned_alloc (64, sets * sizeof *c->set);
  c->list = calloc (sets, sizeof *c->list);
  if (!c->set || !c->list)
    {
      free (c->set);
      free (c->list);
      free (c);
      return NULL;
    }
  memset (c->set, 0, sets * sizeof *c->set);
  for (uint64_t i = 0; i < sets; i++)
    c->set[i].order
      = UINT64_C (0xfedcba9876543210) & UINT64_MAX >> (60 - c->newest);
  return c;
}

void
ummgr_gpu_cache_destroy (struct ummgr_gpu_cache *c)
{
  if (!c)
    return;
  free (c->set);
  free (c->list);
  free (c);
}

/* LINE is below 2^40 and SETS at most 2^23, so the rounding of INVERSE does
   not reach the quotient.  One set: INVERSE is 0.  */
static struct set *
set_of (struct ummgr_gpu_cache *c, uint64_t line)
{
  if (c->sets == 1)
    return c->set;
  uint64_t q = (unsigned __int128) line * c->inverse >> 64;
  uint64_t hash = q * UINT64_C (0x9e3779b97f4a7c15) >> 32;
  uint64_t i = line - q * c->sets + (hash * c->sets >> 32);
  return &c->set[i < c->sets ? i : i - c->sets];
}

static void
lock (struct set *s)
{
  for (unsigned n = 0; __atomic_exchange_n (&s->lock, 1, __ATOMIC_ACQUIRE);)
    while (__atomic_load_n (&s->lock, __ATOMIC_RELAXED))
      if (++n % 64 == 0)
	sched_yield ();
}

static void
unlock (struct set *s)
{
  __atomic_store_n (&s->lock, 0, __ATOMIC_RELEASE);
}

static unsigned
bits_of (uint64_t nibbles, unsigned way)
{
  return nibbles >> way * SECTORS & 15;
}

/* Take WAY out of the order, and the digits above it one place down.  */
static uint64_t
order_without (uint64_t order, unsigned way)
{
  const uint64_t ones = UINT64_C (0x1111111111111111);
  uint64_t x = order ^ way * ones;
  uint64_t zero = (x - ones) & ~x & ones << 3; /* The lowest is exact.  */
  uint64_t below = ((zero & -zero) >> 3) - 1;
  return (order & below) | (order >> 4 & ~below);
}

static void
empty (struct set *s, unsigned way)
{
  uint64_t bits = UINT64_C (15) << way * SECTORS;
  s->valid &= ~bits;
  s->dirty &= ~bits;
  s->line[way] = 0;
  s->order = order_without (s->order, way) << 4 | way;
}

static void
write_back (struct ummgr_gpu_cache *c, struct set *s, unsigned way)
{
  unsigned dirty = bits_of (s->dirty, way);
  if (dirty)
    c->back (c->data, s->owner[way], __builtin_popcount (dirty));
}

/* The way of LINE, which becomes the newest.  If there was none, it is the
   oldest one.  */
static unsigned
find (struct ummgr_gpu_cache *c, struct set *s, uint64_t line, ummgr_gpu_cache_owner owner)
{
  unsigned way = s->order >> c->newest;
  if (s->line[way] == line)
    return way;
  unsigned there = 0;
  for (unsigned w = 0; w < WAYS; w++)
    there |= (s->line[w] == line) << w;
  if (there)
    way = __builtin_ctz (there);
  else
    {
      way = s->order & 15;
      write_back (c, s, way);
      uint64_t bits = UINT64_C (15) << way * SECTORS;
      s->valid &= ~bits;
      s->dirty &= ~bits;
      s->line[way] = line;
      s->owner[way] = owner;
    }
  s->order = order_without (s->order, way) | (uint64_t) way << c->newest;
  return way;
}

/* Write [LO, HI) of the line in WAY, which covers none of its sectors or some
   only in part.  */
static void
write_part (struct set *s, unsigned way, unsigned lo, unsigned hi)
{
  for (unsigned i = lo / UMMGR_GPU_SECTOR; i <= (hi - 1) / UMMGR_GPU_SECTOR; i++)
    {
      unsigned from = i * UMMGR_GPU_SECTOR, to = from + UMMGR_GPU_SECTOR;
      uint32_t bytes = UINT32_MAX;
      if (lo > from)
	bytes &= UINT32_MAX << (lo - from);
      if (hi < to)
	bytes &= UINT32_MAX >> (to - hi);
      uint64_t bit = UINT64_C (1) << (way * SECTORS + i);
      if (!(s->valid & bit))
	{
	  if (s->dirty & bit)
	    bytes |= s->written[way][i];
	  s->written[way][i] = bytes;
	  if (bytes == UINT32_MAX)
	    s->valid |= bit;
	}
      s->dirty |= bit;
    }
}

int
ummgr_gpu_cache_touch (struct ummgr_gpu_cache *c, uint64_t line, unsigned lo, unsigned hi,
		       unsigned how, ummgr_gpu_cache_owner owner, const uint64_t *epoch_p,
		       uint64_t epoch)
{
  struct set *s = set_of (c, line);
  lock (s);
  if (__atomic_load_n (epoch_p, __ATOMIC_RELAXED) != epoch)
    {
      unlock (s);
      return -1;
    }
  unsigned way = find (c, s, line, owner);
  unsigned first = lo / UMMGR_GPU_SECTOR, last = (hi - 1) / UMMGR_GPU_SECTOR;
  uint64_t used = (uint64_t) ((2u << last) - (1u << first)) << way * SECTORS;
  int fetched = 0;
  if (how & UMMGR_GPU_CACHE_READ)
    {
      fetched = __builtin_popcountll (used & ~s->valid);
      s->valid |= used;
    }
  if (how & UMMGR_GPU_CACHE_WRITE)
    {
      if ((lo | hi) % UMMGR_GPU_SECTOR == 0)
	{
	  s->valid |= used;
	  s->dirty |= used;
	}
      else
	write_part (s, way, lo, hi);
    }
  if (!s->listed && (how & UMMGR_GPU_CACHE_WRITE || owner & UMMGR_GPU_CACHE_REMOTE))
    {
      s->listed = true;
      c->list[__atomic_fetch_add (&c->listed, 1, __ATOMIC_RELAXED)]
	= s - c->set;
    }
  unlock (s);
  return fetched;
}

bool
ummgr_gpu_cache_holds (struct ummgr_gpu_cache *c, uint64_t line, unsigned lo, unsigned hi,
		       unsigned how)
{
  struct set *s = set_of (c, line);
  unsigned first = lo / UMMGR_GPU_SECTOR, last = (hi - 1) / UMMGR_GPU_SECTOR;
  unsigned used = (2u << last) - (1u << first);
  bool holds = false;
  for (unsigned w = 0; w < WAYS && !holds; w++)
    holds = s->line[w] == line
	    && (!(how & UMMGR_GPU_CACHE_READ) || !(used & ~bits_of (s->valid, w)));
  return holds;
}

static void
drop_between (struct ummgr_gpu_cache *c, struct set *s, uint64_t first,
	      uint64_t last)
{
  lock (s);
  for (unsigned w = 0; w < c->ways; w++)
    if (s->line[w] >= first && s->line[w] <= last)
      empty (s, w);
  unlock (s);
}

void
ummgr_gpu_cache_drop (struct ummgr_gpu_cache *c, uint64_t first, uint64_t last)
{
  if (last - first >= c->sets)
    for (uint32_t i = 0; i < c->sets; i++)
      drop_between (c, &c->set[i], first, last);
  else
    for (uint64_t line = first; line <= last; line++)
      drop_between (c, set_of (c, line), line, line);
}

uint64_t
ummgr_gpu_cache_left (struct ummgr_gpu_cache *c)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < c->listed; i++)
    {
      struct set *s = &c->set[c->list[i]];
      lock (s);
      for (unsigned w = 0; w < c->ways; w++)
	if (s->line[w] && (s->owner[w] & UMMGR_GPU_CACHE_REMOTE)
	    && !(s->owner[w] & UMMGR_GPU_CACHE_PEER))
	  sum += __builtin_popcount (bits_of (s->dirty, w));
      unlock (s);
    }
  return sum;
}

void
ummgr_gpu_cache_settle (struct ummgr_gpu_cache *c)
{
  for (uint32_t i = 0; i < c->listed; i++)
    {
      struct set *s = &c->set[c->list[i]];
      s->listed = false;
      for (unsigned w = 0; w < c->ways; w++)
	if (s->line[w])
	  {
	    write_back (c, s, w);
	    if (s->owner[w] & UMMGR_GPU_CACHE_REMOTE)
	      empty (s, w);
	  }
      s->dirty = 0;
    }
  c->listed = 0;
}
