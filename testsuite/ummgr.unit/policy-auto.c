/* Breaks if auto doesn't copy into plain memory what fits with all that its construct maps, if
   it does so where something has to leave, or if it goes on doing neither when nothing is
   mapped any more.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "policy-apply.h"
#include "policy-given.h"

enum { UNIT = 1 << 16, ROOM = 10 * UNIT };

static struct ummgr_placed at[4];
static struct ummgr_object_view o[4];
static struct ummgr_plan plan;
static const struct ummgr_policy_ops *p;
static void *state;
static uint64_t ahead;		/* Of what comes.  */

/* Object I of SIZE comes; WITH: bytes of its construct, or 0 if another began it.  It
   is copied?  */
static bool
comes (int i, enum ummgr_data_path path, size_t size, uint64_t with)
{
  policy_clear (&o[i], &at[i]);
  o[i].id = i + 1;
  o[i].base = (uintptr_t) (i + 1) << 32;
  o[i].size = size;
  o[i].path = path;
  o[i].ahead = ahead;
  if (with)
    p->on_construct (state, with);
  policy_map_part (p, state, &o[i], &plan);
  const struct ummgr_decision d = plan.decisions[0];
  policy_apply (&plan);
  o[i].plain = d.plain;
  CHECK (!d.plain || (d.place == UMMGR_PLACE_DEVICE && d.lo == 0 && d.hi == size));
  CHECK (path == UMMGR_PATH_UNIFIED || d.place == UMMGR_PLACE_HOST
	 || d.transfer == UMMGR_TRANSFER_NONE);
  CHECK (d.place == UMMGR_PLACE_DEVICE || d.place == UMMGR_PLACE_HOST);
  return o[i].plain;
}

/* A region on the first N; how much of each is on the device then, in units.  */
static void
region (int n)
{
  struct ummgr_object_view *list[] = { &o[0], &o[1], &o[2], &o[3] };
  policy_begin (p, state, list, n, &plan);
  policy_apply (&plan);
  uint64_t sum = 0;
  for (int i = 0; i < n; i++)
    sum += policy_on_device (&o[i]);
  CHECK (sum <= ROOM);
}

/* A region on object I alone, written, in LOOP, of which TURNS are left; nobody says when it is used next.  REMOTE
   bytes go over the link for it, or as many as it has, if that is 0.  */
static void
turn_of (int i, double turns, uint64_t loop, uint64_t sequence, double remote)
{
  struct ummgr_object_view *list[] = { &o[i] };
  struct ummgr_hint hint = UMMGR_HINT_UNKNOWN;
  hint.known = hint.read = hint.write = true;
  hint.remote = remote;
  const struct ummgr_region_view view = { .region = 1 + i, .name = "r", .invocation = 1, .sequence = sequence,
					  .hints = &hint, .loop = loop, .loop_count = turns > 0, .loops = { { turns, loop } } };
  plan.count = 0;
  p->on_region_begin (state, &view, list, 1, &plan);
  policy_apply (&plan);
}

static void
turn (int i, double turns, uint64_t loop, uint64_t sequence)
{
  turn_of (i, turns, loop, sequence, 0);
}

/* The policy knows nothing any more.  */
static void
restart (const struct ummgr_policy_config *config)
{
  p->fini (state);
  memset (state, 0, p->state_size);
  CHECK (p->init (state, config) == UMMGR_OK);
}

int
main (void)
{
  p = ummgr_policy_find ("auto");
  CHECK (p && p->plain && p->hints && !p->passive);
  /* Parts, though the option says off.  */
  struct ummgr_policy_config config
    = policy_config (ROOM, "hybrid", UMMGR_PARTIAL_OFF, UNIT, 1);
  state = calloc (1, p->state_size);
  CHECK (state && p->init (state, &config) == UMMGR_OK);

  /* Two that fit together, then one that doesn't.  */
  CHECK (comes (0, UMMGR_PATH_MAPPED, 4 * UNIT, 8 * UNIT));
  CHECK (comes (1, UMMGR_PATH_MAPPED, 4 * UNIT, 0));
  region (2);
  CHECK_EQ (policy_on_device (&o[0]), 4 * UNIT);
  CHECK_EQ (policy_on_device (&o[1]), 4 * UNIT);
  CHECK (!comes (2, UMMGR_PATH_MAPPED, 6 * UNIT, 6 * UNIT));
  region (3);
  /* What fits now would have to leave sooner or later.  */
  p->on_unmap (state, &o[2]);
  CHECK (!comes (2, UMMGR_PATH_MAPPED, UNIT, UNIT));
  for (int i = 0; i < 3; i++)
    p->on_unmap (state, &o[i]);

  /* Nothing is left: the next that fits is copied; of a construct that doesn't fit not
     even the first.  */
  CHECK (comes (0, UMMGR_PATH_MAPPED, 10 * UNIT, 10 * UNIT));
  p->on_unmap (state, &o[0]);
  CHECK (!comes (0, UMMGR_PATH_MAPPED, 4 * UNIT, 12 * UNIT));
  CHECK (!comes (1, UMMGR_PATH_MAPPED, 8 * UNIT, 0));
  CHECK_EQ (policy_on_device (&o[0]), 4 * UNIT);
  CHECK_EQ (policy_on_device (&o[1]), 6 * UNIT);
  region (2);
  /* A part of one has what is left.  */
  CHECK_EQ (policy_on_device (&o[0]) + policy_on_device (&o[1]), ROOM);
  p->on_unmap (state, &o[0]);
  p->on_unmap (state, &o[1]);

  /* Managed memory that the host shares is not copied.  */
  CHECK (comes (1, UMMGR_PATH_MAPPED, UNIT, UNIT));
  CHECK (!comes (0, UMMGR_PATH_UNIFIED, UNIT, 0));

  /* Libgomp takes room.  */
  p->on_budget (state, UNIT, &plan);
  policy_apply (&plan);
  CHECK_EQ (policy_on_device (&o[0]) + policy_on_device (&o[1]), UNIT);
  /* Of one that doesn't fit the first leaves the smaller ones their room, whatever comes first.  */
  for (int i = 0; i < 4; i++)
    if (o[i].mark.record)
      p->on_unmap (state, &o[i]);
  p->on_budget (state, ROOM, &plan);
  ahead = 3 * UNIT;
  CHECK (!comes (0, UMMGR_PATH_MAPPED, 12 * UNIT, 15 * UNIT));
  CHECK_EQ (policy_on_device (&o[0]), 7 * UNIT);
  ahead = 0;
  CHECK (!comes (1, UMMGR_PATH_MAPPED, 3 * UNIT, 0));
  CHECK_EQ (policy_on_device (&o[1]), 3 * UNIT);
  for (int i = 0; i < 2; i++)
    p->on_unmap (state, &o[i]);

  /* What was copied there as it was mapped is worth as much in the first region as in later ones: it
     doesn't leave for the rest of another, of which nobody knows more.  */
  restart (&config);
  CHECK (!comes (1, UMMGR_PATH_MAPPED, 3 * UNIT, 15 * UNIT));
  CHECK (!comes (0, UMMGR_PATH_MAPPED, 12 * UNIT, 0));
  for (int i = 0; i < 3; i++)
    region (2);
  CHECK_EQ (policy_on_device (&o[0]), 7 * UNIT);
  CHECK_EQ (policy_on_device (&o[1]), 3 * UNIT);
  for (int i = 0; i < 2; i++)
    p->on_unmap (state, &o[i]);

  /* What is shared keeps its place while others are used that don't fit beside it, but for what no construct maps any
     more, which a copy of it would have left: that is the next one's at once.  */
  for (int over = 0; over < 2; over++)
    {
      restart (&config);
      comes (0, UMMGR_PATH_UNIFIED, 8 * UNIT, 0);
      comes (1, UMMGR_PATH_UNIFIED, 8 * UNIT, 0);
      for (int i = 0; i < 3; i++)
	region (1);
      CHECK_EQ (policy_on_device (&o[0]), 8 * UNIT);
      o[0].over = over;
      struct ummgr_object_view *list[] = { &o[1] };
      policy_begin (p, state, list, 1, &plan);
      policy_apply (&plan);
      CHECK_EQ (policy_on_device (&o[1]), over ? 8 * UNIT : 2 * UNIT);
      CHECK_EQ (policy_on_device (&o[0]), over ? 2 * UNIT : 8 * UNIT);
      for (int i = 0; i < 2; i++)
	p->on_unmap (state, &o[i]);
    }

  /* What came as it was mapped, and no region has used yet, leaves for what is used again soon, not for what is used
     later than it will be, most likely.  What isn't written leaves sooner: it needn't be copied.  */
  for (int later = 0; later < 2; later++)
    {
      restart (&config);
      comes (0, UMMGR_PATH_MAPPED, 6 * UNIT, 16 * UNIT);
      comes (1, UMMGR_PATH_MAPPED, 10 * UNIT, 0);
      CHECK_EQ (policy_on_device (&o[0]), 6 * UNIT);
      struct ummgr_object_view *list[] = { &o[1] };
      struct ummgr_hint hint = UMMGR_HINT_UNKNOWN;
      hint.known = hint.read = true;
      hint.reuse_static = later ? 9 : 8;
      policy_begin_hinted (p, state, 2, list, &hint, 1, &plan);
      policy_apply (&plan);
      CHECK_EQ (policy_on_device (&o[1]), later ? 4 * UNIT : 10 * UNIT);
      CHECK_EQ (policy_on_device (&o[0]), later ? 6 * UNIT : 0);
      for (int i = 0; i < 2; i++)
	p->on_unmap (state, &o[i]);
    }
  /* A loop uses what doesn't fit beside what was used before, and will be, maybe.  To bring it costs one copy each way,
     and one use of the other from the host: 3 turns, or 2 that use it twice, are worth that.  But not if the other one
     is used in that loop, too.  */
  static const struct
  {
    double turns;
    uint64_t loop;
    bool first, second;
  } turns[] = { { 0, 0, false, false }, { 1, 2, false, false }, { 2, 2, false, true }, { 3, 2, true, true },
		{ 9, 1, false, false } };
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
    {
      restart (&config);
      comes (0, UMMGR_PATH_MAPPED, 10 * UNIT, 20 * UNIT);
      comes (1, UMMGR_PATH_MAPPED, 10 * UNIT, 0);
      turn (0, 1, 1, 1);
      CHECK_EQ (policy_on_device (&o[0]), 10 * UNIT);
      turn (1, turns[i].turns, turns[i].loop, 2);
      CHECK_EQ (policy_on_device (&o[1]), turns[i].first ? 10 * UNIT : 0);
      turn (1, turns[i].turns, turns[i].loop, 3);
      CHECK_EQ (policy_on_device (&o[1]), turns[i].second ? 10 * UNIT : 0);
      for (int k = 0; k < 2; k++)
	p->on_unmap (state, &o[k]);
    }
  /* How often the other one was used so far says less than that the loop hasn't used it.  */
  for (int counted = 0; counted < 2; counted++)
    {
      restart (&config);
      comes (0, UMMGR_PATH_MAPPED, 10 * UNIT, 20 * UNIT);
      comes (1, UMMGR_PATH_MAPPED, 10 * UNIT, 0);
      for (int k = 0; k < 3; k++)
	turn (k % 2, 1, 1 + k, 1 + k);
      CHECK_EQ (policy_on_device (&o[0]), 10 * UNIT);
      /* Two regions later than the other one was to come again.  */
      turn (1, counted ? 4 : 0, 4, 7);
      CHECK_EQ (policy_on_device (&o[1]), counted ? 10 * UNIT : 0);
      for (int k = 0; k < 2; k++)
	p->on_unmap (state, &o[k]);
    }
  for (int written = 0; written < 2; written++)
    {
      restart (&config);
      comes (0, UMMGR_PATH_MAPPED, 10 * UNIT, 20 * UNIT);
      comes (1, UMMGR_PATH_MAPPED, 10 * UNIT, 0);
      /* Used again three regions from there; the other one twice before, from the host at 0.8 of what its copy takes.
	 To bring it gains 3 times that and costs one copy, and one of the first, which comes back, and maybe goes.  */
      struct ummgr_object_view *first[] = { &o[0] }, *second[] = { &o[1] };
      struct ummgr_hint hint = UMMGR_HINT_UNKNOWN;
      hint.known = hint.read = true;
      hint.write = written;
      hint.reuse_static = 4;
      policy_begin_hinted (p, state, 1, first, &hint, 1, &plan);
      policy_apply (&plan);
      CHECK_EQ (policy_on_device (&o[0]), 10 * UNIT);
      hint.write = false;
      hint.reuse_static = 1.25;
      hint.remote = hint.remote_most = hint.remote_program = 8 * UNIT;
      policy_begin_hinted (p, state, 2, second, &hint, 1, &plan);
      policy_apply (&plan);
      CHECK_EQ (policy_on_device (&o[1]), written ? 0 : 10 * UNIT);
      for (int i = 0; i < 2; i++)
	p->on_unmap (state, &o[i]);
    }

  /* Of two that a loop uses in each turn, the one that takes more over the link replaces the other as soon as a whole
     turn has shown that: the turns that are left pay for it.  With as few as don't, it waits.  */
  for (int few = 0; few < 2; few++)
    {
      restart (&config);
      CHECK (!comes (0, UMMGR_PATH_MAPPED, ROOM, 2 * ROOM));
      CHECK (!comes (1, UMMGR_PATH_MAPPED, ROOM, 0));
      for (int t = 0; t < 3; t++)
	{
	  double left = (few ? 4 : 40) - t;
	  turn_of (0, left, 9, 1 + 2 * t, 1. * ROOM);
	  turn_of (1, left, 9, 2 + 2 * t, 1.25 * ROOM);
	  CHECK_EQ (policy_on_device (&o[1]), t == 0 || few ? 0 : ROOM);
	  CHECK_EQ (policy_on_device (&o[0]), t == 0 || few ? ROOM : 0);
	}
    }

  p->fini (state);
  free (state);
  free (plan.decisions);
  return 0;
}
