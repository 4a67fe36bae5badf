/* A page's neighbours in order are those of a plain array of flags, whatever is
   added, removed and asked for, on both sides of each level's words, and after the
   set has grown; and to find one far away takes no walk there.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "paging/map.h"
#include "watch.h"

#include <string.h>

enum { MOST = 64 * 64 * 64 * 3 + 100 };

static struct unit_map map;
static unsigned char has[MOST];
static uint32_t units;

static uint32_t
rnd (uint32_t n)
{
  static uint64_t state = 7;
  state = state * UINT64_C (6364136223846793005) + 1442695040888963407u;
  return (uint32_t) (state >> 33) % n;
}

static uint32_t
slow_next (uint32_t from, uint32_t end)
{
  for (uint32_t u = from; u < end; u++)
    if (has[u])
      return u;
  return UMMGR_PAGING_NONE;
}

static uint32_t
slow_previous (uint32_t from, uint32_t end)
{
  for (uint32_t u = from + 1; u-- > end;)
    if (has[u])
      return u;
  return UMMGR_PAGING_NONE;
}

/* Near the borders of words, or anywhere.  */
static uint32_t
place (void)
{
  static const uint32_t steps[] = { 64, 64 * 64, 64 * 64 * 64 };
  uint32_t step = steps[rnd (3)], at = rnd (units);
  return rnd (3) && units > step
    ? (at / step * step + units - 2 + rnd (4)) % units : at;
}

static void
ask (uint32_t a, uint32_t b)
{
  uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
  CHECK_EQ (unit_map_next (&map, lo, hi), slow_next (lo, hi));
  CHECK_EQ (unit_map_next (&map, lo, units), slow_next (lo, units));
  CHECK_EQ (unit_map_previous (&map, hi, lo), slow_previous (hi, lo));
  CHECK_EQ (unit_map_previous (&map, hi, 0), slow_previous (hi, 0));
  CHECK_EQ (unit_map_has (&map, a), has[a]);
}

/* DENSITY of 8 steps add.  */
static void
steps (int count, uint32_t density)
{
  for (int i = 0; i < count; i++)
    {
      uint32_t u = place ();
      if (rnd (8) < density)
	{
	  CHECK_EQ (unit_map_add (&map, u), !has[u]);
	  has[u] = 1;
	}
      else
	{
	  if (rnd (2) && slow_next (u, units) != UMMGR_PAGING_NONE)
	    u = slow_next (u, units);
	  CHECK_EQ (unit_map_remove (&map, u), has[u]);
	  has[u] = 0;
	}
      if (i % 8 == 0)
	ask (place (), place ());
    }
}

static void
grow (uint32_t n)
{
  /* Without memory nothing changes.  */
  for (watch_failing = rnd (3); !unit_map_grow (&map, n);)
    CHECK_EQ (watch_failing, -1);
  watch_failing = -1;
  units = n;
  CHECK_EQ (unit_map_next (&map, 0, n), slow_next (0, n));
}

/* Word by word this is 400,000,000,000 steps.  */
static void
far (void)
{
  const uint32_t n = 1u << 28;
  CHECK (unit_map_grow (&map, n));
  CHECK (unit_map_add (&map, 5) && unit_map_add (&map, n - 3));
  for (int i = 0; i < 100000; i++)
    {
      CHECK_EQ (unit_map_next (&map, 6, n), n - 3);
      CHECK_EQ (unit_map_previous (&map, n - 4, 0), 5);
    }
  unit_map_free (&map);
}

int
main (void)
{
  static const uint32_t sizes[] = { 1, 63, 64, 65, 4095, 4096, 4097, 64 * 64 * 64,
				    64 * 64 * 64 + 1, MOST };
  for (int round = 0; round < 4; round++)
    {
      for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
	{
	  grow (sizes[i]);
	  for (uint32_t density = 1; density < 8; density += 3)
	    steps (units < 5000 ? 1000 : 100, density);
	}
      /* Smaller is nothing.  */
      CHECK (unit_map_grow (&map, 5));
      ask (0, units - 1);
      unit_map_free (&map);
      memset (&map, 0, sizeof map);
      memset (has, 0, sizeof has);
      CHECK_EQ (watch_blocks, 0);
    }
  far ();
  return 0;
}
