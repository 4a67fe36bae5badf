/* Ranges of a launch: those of all pieces are its iterations, each once, and none is
   empty; what can't be cut says why, and so does a table that says more than is so.  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "gomp/real.h"
#include "split/split.h"
#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

static int present;

static int
is_present (const void *address, int device)
{
  (void) address;
  (void) device;
  return present;
}

static void
check_ranges (uint64_t trip, uint64_t count)
{
  const struct ummgr_pieces pieces = { count, trip, 0 };
  uint64_t next = 0, least = trip, most = 0;
  for (uint64_t i = 0; i < count; i++)
    {
      uint64_t lo, hi;
      ummgr_pieces_range (&pieces, i, UINT64_MAX, &lo, &hi);
      CHECK_EQ (lo, next);
      next = hi;
      if (i + 1 == count)
	{
	  CHECK_EQ (hi, UINT64_MAX);
	  hi = trip;
	}
      CHECK (hi > lo);
      least = hi - lo < least ? hi - lo : least;
      most = hi - lo > most ? hi - lo : most;
    }
  CHECK (most - least <= 1);
}

/* N, LO and HI, and what N is loaded from.  */
static const unsigned char by_value[] = { UMMGR_CODE_ARG, 0, 0, UMMGR_CODE_END };
static const unsigned char by_load[]
  = { UMMGR_CODE_LOAD, 3, 0, 0, 0, 0, 0, (unsigned char) -8, UMMGR_CODE_END };
static const unsigned char by_zero[]
  = { UMMGR_CODE_CONST8, 1, UMMGR_CODE_CONST8, 0, UMMGR_CODE_DIV, UMMGR_CODE_END };

struct launch
{
  struct ummgr_table_region region;
  void *hostaddrs[4];
  size_t sizes[4];
  unsigned short kinds[4];
};

static struct launch
launch_of (int64_t trip)
{
  static int64_t loaded;
  loaded = trip;
  return (struct launch) {
    { .arg_count = 4, .split = { .lo = 1, .trip = by_value, .why = "" } },
    { (void *) (intptr_t) trip, NULL, (void *) (intptr_t) 1000, &loaded },
    { 0, 0, 0, sizeof loaded },
    { UMMGR_MAP_FIRSTPRIVATE_INT, UMMGR_MAP_FIRSTPRIVATE_INT,
      UMMGR_MAP_FIRSTPRIVATE_INT, UMMGR_MAP_TOFROM }
  };
}

/* LAUNCH in 3 pieces is in COUNT, and, unless WHY is NULL, for that reason.  */
static void
check_plan (struct launch *launch, uint64_t count, const char *why)
{
  const struct ummgr_clauses clauses
    = { 4, launch->hostaddrs, launch->sizes, launch->kinds };
  struct ummgr_pieces pieces;
  const char *said = ummgr_pieces_plan (&launch->region, &clauses, 0, 3, &pieces);
  CHECK_EQ (pieces.count, count);
  CHECK (why ? said && strstr (said, why) : !said);
  if (count > 1)
    CHECK_EQ (pieces.lo, 1);
}

/* What counts iterations is the last of very many arguments.  */
static void
check_many (void)
{
  enum { MANY = UMMGR_CODE_ARGS + 8 };
  static void *hostaddrs[MANY];
  static size_t sizes[MANY];
  static unsigned short kinds[MANY];
  static int64_t trip = 100;
  unsigned char code[] = { UMMGR_CODE_LOAD, 0, 0, 0, 0, 0, 0, (unsigned char) -8, UMMGR_CODE_END };
  const struct ummgr_table_region region
    = { .arg_count = MANY, .split = { .lo = 1, .trip = code, .why = "" } };
  const struct ummgr_clauses clauses = { MANY, hostaddrs, sizes, kinds };
  static const unsigned at[] = { 63, 64, 127, 128, MANY - 1 };
  for (int i = 0; i < MANY; i++)
    kinds[i] = i < 3 ? UMMGR_MAP_FIRSTPRIVATE_INT : UMMGR_MAP_FIRSTPRIVATE;
  hostaddrs[2] = (void *) (intptr_t) 1000;
  for (unsigned i = 0; i < sizeof at / sizeof *at; i++)
    {
      struct ummgr_pieces pieces;
      code[1] = at[i];
      hostaddrs[at[i]] = &trip;
      sizes[at[i]] = sizeof trip;
      kinds[at[i]] = UMMGR_MAP_TOFROM;
      present = 1;
      const char *said = ummgr_pieces_plan (&region, &clauses, 0, 3, &pieces);
      CHECK (said && strstr (said, "what the device has"));
      present = 0;
      CHECK (!ummgr_pieces_plan (&region, &clauses, 0, 3, &pieces) && pieces.count == 3);
      hostaddrs[at[i]] = NULL;
      sizes[at[i]] = 0;
      kinds[at[i]] = UMMGR_MAP_FIRSTPRIVATE;
    }
}

int
main (void)
{
  static const struct ummgr_real_calls calls = { .omp_target_is_present = is_present };
  ummgr_real_use (&calls);
  srand (1);
  for (int i = 0; i < 2000; i++)
    {
      uint64_t trip = 1 + rand () % (i % 2 ? 20 : 100000);
      check_ranges (trip, 1 + rand () % (trip < 50 ? trip : 50));
    }
  check_ranges (UINT64_C (0xffffffff), 7);
  check_ranges (UINT64_C (1) << 62, 1000);

  struct launch l = launch_of (100);
  check_plan (&l, 3, NULL);
  static const int64_t few[] = { 2, 1, 0, -5 };
  for (int i = 0; i < 4; i++)
    {
      l = launch_of (few[i]);
      check_plan (&l, few[i] == 2 ? 2 : 1, NULL);
    }
  l = launch_of (1001);
  check_plan (&l, 1, "more iterations");
  l = launch_of (100);
  l.region.split.trip = by_load;
  check_plan (&l, 3, NULL);
  present = 1;
  check_plan (&l, 1, "what the device has");
  l.kinds[3] = UMMGR_MAP_ALWAYS_TO;
  check_plan (&l, 3, NULL);
  l.kinds[3] = UMMGR_MAP_FROM;
  present = 0;
  check_plan (&l, 1, "what the device has");
  l.kinds[3] = UMMGR_MAP_DELETE;
  check_plan (&l, 1, "kind");
  l = launch_of (100);
  l.region.split.trip = by_zero;
  check_plan (&l, 1, "isn't known");
  l.region.split.trip = NULL;
  check_plan (&l, 1, "isn't known");
  l.region.split.lo = -1;
  check_plan (&l, 1, "split=off");
  l.region.split.why = "a scan";
  check_plan (&l, 1, "a scan");
  l.region.arg_count = 3;
  check_plan (&l, 1, "without the plugin");
  check_many ();
  const struct ummgr_clauses clauses = { 4, l.hostaddrs, l.sizes, l.kinds };
  struct ummgr_pieces pieces;
  CHECK (ummgr_pieces_plan (NULL, &clauses, 0, 3, &pieces) && pieces.count == 1);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
