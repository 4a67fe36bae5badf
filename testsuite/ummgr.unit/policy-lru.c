/* Breaks if lru stops keeping the most recently used objects on the device,
   moves more than it must, evicts what a region uses, what is pinned or what
   runs, or places a part where it may not.  Sequences worked by hand.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "policy-apply.h"
#include "policy-given.h"

#define MB ((size_t) 1 << 20)

static const struct ummgr_policy_ops *lru;
static void *state;
static struct ummgr_plan plan;
static struct ummgr_object_view o[8];
static struct ummgr_placed placed[8];

static void
start (uint64_t budget, bool partial)
{
  struct ummgr_policy_config config
    = policy_config (budget, "hybrid", partial, 0, 0);
  lru = ummgr_policy_find ("lru");
  state = calloc (1, lru->state_size);
  CHECK (lru->init (state, &config) == UMMGR_OK);
  for (int i = 0; i < 8; i++)
    policy_clear (&o[i], &placed[i]);
}

static void
stop (void)
{
  lru->fini (state);
  free (state);
}

/* Object I of SIZE comes; is it given the device at once?  */
static bool
map (int i, size_t size)
{
  o[i].id = i;
  o[i].size = size;
  policy_map (lru, state, &o[i], &plan);
  policy_apply (&plan);
  return o[i].placed->place == UMMGR_PLACE_DEVICE;
}

/* A region with the objects named in ARGS; leaves the plan to be seen.  */
static size_t
region (const char *args)
{
  struct ummgr_object_view *objects[8];
  size_t n = 0;
  for (const char *p = args; *p; p++)
    objects[n++] = &o[*p - '0'];
  policy_begin (lru, state, objects, n, &plan);
  return plan.count;
}

/* The plan in short: "-1" object 1 leaves, "+2" object 2 comes whole, "*2"
   a part of it.  Then it is applied.  */
static bool
plan_is (const char *text)
{
  char got[64] = "";
  for (size_t i = 0; i < plan.count; i++)
    {
      const struct ummgr_decision *d = &plan.decisions[i];
      bool in = d->place == UMMGR_PLACE_DEVICE;
      sprintf (got + strlen (got), "%c%d",
	       !in ? '-' : d->hi == d->object->size ? '+' : '*',
	       (int) d->object->id);
    }
  policy_apply (&plan);
  if (strcmp (got, text))
    fprintf (stderr, "plan %s, expected %s\n", got, text);
  return strcmp (got, text) == 0;
}

static void
whole_objects (void)
{
  start (10 * MB, false);
  CHECK (map (1, 4 * MB));
  CHECK (map (2, 4 * MB));
  CHECK (!map (3, 4 * MB));	/* No room, and nobody asked for it yet.  */
  CHECK_EQ (region ("12"), 0);
  CHECK_EQ (region ("1"), 0);
  region ("3");			/* 2 is the least recent.  */
  CHECK (plan_is ("-2+3"));
  region ("2");			/* Now 1 is.  */
  CHECK (plan_is ("-1+2"));
  /* 3 and 2 are more recent than 1, which stays out: no thrashing within a
     region, and none when it is repeated.  2 was used last.  */
  for (int i = 0; i < 3; i++)
    CHECK_EQ (region ("123"), 0);
  CHECK_EQ (region ("2233"), 0);	/* An object given twice.  */
  /* 8 MB can't stand beside 2, whose use was later: it stays out.  */
  map (4, 8 * MB);
  region ("2");
  CHECK_EQ (region ("42"), 0);
  /* Alone it pushes out both.  */
  region ("4");
  CHECK (plan_is ("-3-2+4"));
  /* Larger than the device: stays, and nothing leaves for it.  */
  map (5, 11 * MB);
  CHECK_EQ (region ("5"), 0);
  /* What goes makes room without an eviction.  */
  lru->on_unmap (state, &o[4]);
  placed[4].place = UMMGR_PLACE_HOST;
  region ("23");
  CHECK (plan_is ("+2+3"));
  stop ();
}

static void
what_may_not_move (void)
{
  start (10 * MB, false);
  map (1, 4 * MB);
  map (2, 4 * MB);
  map (3, 4 * MB);
  o[1].pinned = true;
  region ("3");
  CHECK (plan_is ("-2+3"));
  o[3].running = 1;
  CHECK_EQ (region ("2"), 0);	/* 1 is pinned, 3 runs.  */
  o[3].running = 0;
  region ("2");
  CHECK (plan_is ("-3+2"));
  /* Unpinned and used again, 1 is an object like any other.  */
  o[1].pinned = false;
  CHECK_EQ (region ("1"), 0);
  region ("2");
  region ("3");
  CHECK (plan_is ("-1+3"));
  stop ();
}

static void
pressure_and_failure (void)
{
  start (10 * MB, false);
  map (1, 4 * MB);
  map (2, 4 * MB);
  map (3, 2 * MB);
  plan.count = 0;
  lru->on_pressure (state, 5 * MB, &plan);
  CHECK (plan_is ("-1-2"));
  plan.count = 0;
  lru->on_pressure (state, 100 * MB, &plan);
  CHECK (plan_is ("-3"));
  /* A plan that could not be applied is planned again.  */
  region ("1");
  CHECK (plan.count == 1);
  plan.count = 0;
  region ("1");
  CHECK (plan_is ("+1"));
  CHECK_EQ (region ("1"), 0);
  stop ();
}

static void
parts (void)
{
  start (10 * MB, true);
  map (1, 8 * MB);
  map (2, 8 * MB);
  map (3, 8 * MB);
  CHECK_EQ (region ("1"), 0);
  /* 1 is more recent and whole; 3, mapped later than 2, comes next and gets
     the rest; 2 nothing.  */
  region ("123");
  CHECK (plan_is ("*3"));
  CHECK_EQ (o[3].placed->hi, 2 * MB);
  CHECK_EQ (region ("123"), 0);
  /* 3 becomes whole, and 1, used with it but before it, leaves.  */
  region ("3");
  CHECK (plan_is ("-1+3"));
  CHECK_EQ (o[3].placed->hi, 8 * MB);
  region ("2");
  CHECK (plan_is ("-3+2"));
  /* An object larger than the device: its first part.  */
  map (4, 30 * MB);
  region ("4");
  CHECK (plan_is ("-2*4"));
  CHECK_EQ (o[4].placed->hi, 10 * MB);
  /* 4 shrinks for 3, which is more recent, and is not sent out and back.  */
  region ("3");
  CHECK (plan_is ("-4+3"));
  region ("34");
  CHECK (plan_is ("*4"));
  CHECK_EQ (o[4].placed->hi, 2 * MB);
  region ("4");
  CHECK (plan_is ("-3*4"));
  region ("3");
  CHECK (plan_is ("-4+3"));
  region ("4");
  CHECK (plan_is ("-3*4"));
  map (5, 6 * MB);
  region ("45");		/* 5 is newer: 4 keeps what is left.  */
  CHECK (plan_is ("-4+5"));
  CHECK_EQ (o[4].placed->hi, 4 * MB);
  region ("4");
  CHECK (plan_is ("-5*4"));
  CHECK_EQ (region ("54"), 0);	/* Now 4 is, and takes all of it.  */
  stop ();
}

/* What the host shares comes only when it is sent, and may have gone back.  */
static void
shared (void)
{
  start (10 * MB, false);
  map (1, 4 * MB);
  o[1].path = UMMGR_PATH_UNIFIED;
  for (int i = 0; i < 2; i++)
    {
      region ("1");
      CHECK (plan_is ("+1"));
    }
  o[1].running = 1;
  CHECK_EQ (region ("1"), 0);
  stop ();
}

int
main (void)
{
  whole_objects ();
  shared ();
  what_may_not_move ();
  pressure_and_failure ();
  parts ();
  free (plan.decisions);
  return 0;
}
