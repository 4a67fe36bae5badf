/* Races between teams of one launch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Of each four bytes a word says who has written and read them in this launch, by atomic
   operations or not at all left out:

     launch:16 | writing team:20 | reading team:20 | bytes written:4 | bytes read:4

   Teams from 1 on; MANY teams read.  Where a team uses other bytes of the four than another did,
   the other is forgotten: nothing is said of a team and bytes that isn't so of both.

   Teams can't wait for each other, but one may be told by an atomic operation, a lock or a fence
   what others have done before.  So a team that has made such an operation is not said to race
   with what came before; what it does after one that comes later, is.

   Owns who has made one.  */

#include "config.h"
#include "check/checker.h"

#include <string.h>

enum { TEAM = 20, MANY = (1 << TEAM) - 1 };

struct word
{
  uint32_t launch, writer, reader, written, read;
};

/* Bit by team.  */
static uint64_t ordered[(1 << TEAM) / 64];
static bool any_ordered;

static struct word
unpack (uint64_t w)
{
  return (struct word) {
    (uint32_t) (w >> 48), (uint32_t) (w >> 28) & MANY, (uint32_t) (w >> 8) & MANY,
    (uint32_t) (w >> 4) & 15, (uint32_t) w & 15
  };
}

static uint64_t
pack (const struct word *w)
{
  return (uint64_t) w->launch << 48 | (uint64_t) w->writer << 28 | (uint64_t) w->reader << 8
    | w->written << 4 | w->read;
}

static uint32_t
team_of (const struct ummgr_check_thread *t)
{
  return t->place->team + 1 < MANY ? t->place->team + 1 : 0;
}

void
ummgr_check_race_order (const struct ummgr_check_thread *t)
{
  uint32_t team = team_of (t);
  __atomic_fetch_or (&ordered[team / 64], UINT64_C (1) << team % 64, __ATOMIC_RELAXED);
  __atomic_store_n (&any_ordered, true, __ATOMIC_RELAXED);
}

static bool
is_ordered (uint32_t team)
{
  return __atomic_load_n (&ordered[team / 64], __ATOMIC_RELAXED) >> team % 64 & 1;
}

void
ummgr_check_race_launch (void)
{
  if (any_ordered)
    memset (ordered, 0, sizeof ordered);
  any_ordered = false;
}

/* Bytes at HOME of SECTION: T's team and another, OTHER, use them.  PLACE: of the other's write, or
   0.  */
static void __attribute__ ((noinline))
race_found (struct ummgr_check_thread *t, struct ummgr_check_section *section, uint64_t home,
	    uint64_t size, unsigned kind, uint32_t other, uint32_t place)
{
  if (is_ordered (team_of (t)) || t->busy)
    return;
  t->busy = true;
  struct ummgr_check_finding f = {
    .fault = UMMGR_CHECK_RACE, .place = t->at, .other = place, .kind = kind, .size = size,
    .region = ummgr_checker.region, .teams = { t->place->team, other == MANY ? 0 : other - 1 }
  };
  /* A write is what is to be mended.  */
  if (!(kind & UMMGR_CHECK_WRITE) && place)
    {
      f.place = place;
      f.other = t->at;
      f.kind = UMMGR_CHECK_WRITE;
    }
  pthread_mutex_lock (&ummgr_checker.lock);
  /* What teams write at the directive itself is the compiler's: what is last private of a loop without
     an iteration, the same from all.  */
  if (!ummgr_check_is_directive (f.place, f.region) || !ummgr_check_is_directive (f.other, f.region))
    {
      ummgr_check_name (&f, section, home);
      ummgr_check_found (&f);
    }
  pthread_mutex_unlock (&ummgr_checker.lock);
  t->busy = false;
}

/* BYTES of W, which are 4 from HOME & -4 on.  */
static void
reads (struct word *w, uint32_t team, uint32_t bytes)
{
  if (!(w->read & bytes) || !w->reader)
    {
      w->reader = team;
      w->read = bytes;
    }
  else if (w->reader == team)
    w->read |= bytes;
  else if (w->reader != MANY)
    {
      w->reader = MANY;
      w->read &= bytes;
    }
}

/* Is W, as it is, what TEAM's use of BYTES would make of it, and nothing to find?  Most are: a loop's.  */
static inline bool
is_said (uint64_t w, uint32_t team, uint32_t bytes, unsigned kind)
{
  uint32_t writer = (uint32_t) (w >> 28) & MANY, reader = (uint32_t) (w >> 8) & MANY;
  if ((uint32_t) (w >> 48) != ummgr_checker.launch)
    return false;
  if (kind & UMMGR_CHECK_WRITE)
    return writer == team && bytes == ((uint32_t) (w >> 4) & bytes)
	   && (kind & UMMGR_CHECK_READ ? reader == team && bytes == ((uint32_t) w & bytes)
	       : !reader || reader == team);
  return (!writer || writer == team) && (reader == team || reader == MANY) && bytes == ((uint32_t) w & bytes);
}

static void
one_word (struct ummgr_check_thread *t, struct ummgr_check_section *section,
	  struct ummgr_check_chunk *chunk, uint64_t home, uint32_t bytes, uint64_t size,
	  unsigned kind, uint32_t team)
{
  uint64_t index = (home & (UMMGR_CHECK_CHUNK - 1)) / 4;
  uint64_t was = __atomic_load_n (&chunk->word[index], __ATOMIC_RELAXED);
  if (is_said (was, team, bytes, kind))
    {
      if (kind & UMMGR_CHECK_WRITE)
	__atomic_store_n (&chunk->place[index], t->at, __ATOMIC_RELAXED);
      return;
    }
  struct word w = unpack (was);
  if (w.launch != ummgr_checker.launch)
    w = (struct word) { .launch = ummgr_checker.launch };
  if (w.writer && w.writer != team && w.written & bytes)
    race_found (t, section, home, size, kind, w.writer,
		__atomic_load_n (&chunk->place[index], __ATOMIC_RELAXED));
  else if (kind & UMMGR_CHECK_WRITE && w.reader && w.reader != team && w.read & bytes)
    race_found (t, section, home, size, kind, w.reader, 0);
  if (kind & UMMGR_CHECK_WRITE)
    {
      w.written = w.writer == team ? w.written | bytes : bytes;
      w.writer = team;
      __atomic_store_n (&chunk->place[index], t->at, __ATOMIC_RELAXED);
    }
  if (kind & UMMGR_CHECK_READ)
    reads (&w, team, bytes);
  uint64_t is = pack (&w);
  if (is != was)
    __atomic_store_n (&chunk->word[index], is, __ATOMIC_RELAXED);
}

void
ummgr_check_race (struct ummgr_check_thread *t, struct ummgr_check_section *section, uint64_t home,
		  uint64_t size, unsigned kind)
{
  uint32_t team = team_of (t);
  if (kind & UMMGR_CHECK_ATOMIC || !team)
    return;
  struct ummgr_check_chunk *chunk = NULL;
  for (uint64_t at = home, end = home + size; at < end;)
    {
      uint64_t next = (at | 3) + 1;
      uint32_t bytes = 15u << (at & 3);
      if (next > end)
	bytes &= 15u >> (next - end);
      if (!chunk || !(at & (UMMGR_CHECK_CHUNK - 1)))
	chunk = ummgr_check_chunk (at);
      if (chunk)
	one_word (t, section, chunk, at, bytes & 15, size, kind, team);
      at = next;
    }
}
