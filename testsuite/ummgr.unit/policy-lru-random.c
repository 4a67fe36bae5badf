/* Breaks if lru, over random sequences of maps, regions, unmaps, pins and
   concurrent regions, ever exceeds its budget or differs in what is on the
   device from a slow reference that knows only time stamps.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "policy-apply.h"
#include "policy-given.h"
#include "random.h"

#define N 24
#define UNIT 65536

static const struct ummgr_policy_ops *lru;
static struct ummgr_plan plan;
static struct ummgr_object_view o[N];
static struct ummgr_placed placed[N];
static bool alive[N];

/* The reference: what each object has on the device, when it was used, and
   the rank among those of one time.  */
static uint64_t has[N], used[N], rank[N], now, budget;
static bool partial;

static unsigned
rnd (unsigned n)
{
  static uint64_t x = 88172645463325252u;
  return random64 (&x) % n;
}

static uint64_t
ref_total (void)
{
  uint64_t sum = 0;
  for (int i = 0; i < N; i++)
    sum += has[i];
  return sum;
}

static bool
ref_older (int i, int j)
{
  return used[i] < used[j] || (used[i] == used[j] && rank[i] > rank[j]);
}

static bool
movable (int i)
{
  return !o[i].pinned && !o[i].running;
}

static void
ref_region (const int *args, int n)
{
  int order[N];
  bool in[N] = { false };
  for (int i = 0; i < n; i++)
    {
      order[i] = args[i];
      in[args[i]] = true;
    }
  for (int i = 1; i < n; i++)	/* Most recent first.  */
    for (int j = i; j > 0 && ref_older (order[j - 1], order[j]); j--)
      {
	int t = order[j];
	order[j] = order[j - 1];
	order[j - 1] = t;
      }
  /* Who can't leave keeps its room.  Grant the rest in order.  */
  uint64_t fixed = 0, others = 0, want[N] = { 0 }, granted = 0;
  for (int i = 0; i < N; i++)
    if (!movable (i))
      fixed += has[i];
    else if (!in[i])
      others += has[i];
  bool parted = !partial;
  for (int k = 0; k < n; k++)
    {
      int i = order[k];
      if (!movable (i))
	continue;
      uint64_t room = budget > fixed + granted ? budget - fixed - granted : 0;
      if (o[i].size <= room)
	want[i] = o[i].size;
      else if (!parted && room >= UNIT)
	{
	  want[i] = room / UNIT * UNIT;
	  parted = true;
	}
      granted += want[i];
      if (want[i])
	/* Others leave, oldest first, until it fits.  */
	while (fixed + granted + others > budget)
	  {
	    int v = -1;
	    for (int j = 0; j < N; j++)
	      if (!in[j] && has[j] && movable (j)
		  && (v < 0 || ref_older (j, v)))
		v = j;
	    CHECK (v >= 0);
	    others -= has[v];
	    has[v] = 0;
	  }
    }
  now++;
  for (int k = 0; k < n; k++)
    {
      int i = order[k];
      if (movable (i))
	has[i] = want[i];
      used[i] = now;
      rank[i] = k;
    }
}

static void
compare (void)
{
  uint64_t total = 0;
  for (int i = 0; i < N; i++)
    if (alive[i])
      {
	CHECK_EQ (policy_on_device (&o[i]), has[i]);
	total += has[i];
      }
  CHECK (total <= budget);
}

static void
step_map (void *state, int i)
{
  policy_clear (&o[i], &placed[i]);
  o[i].id = i;
  o[i].size = 1 + rnd (rnd (8) ? 40 * UNIT : 130 * UNIT);
  policy_map (lru, state, &o[i], &plan);
  policy_apply (&plan);
  alive[i] = true;
  has[i] = ref_total () + o[i].size <= budget ? o[i].size : 0;
  used[i] = ++now;
  rank[i] = 0;
}

static void
step_region (void *state)
{
  int args[N], n = 0, most = 1 + rnd (5);
  struct ummgr_object_view *objects[N];
  for (int tries = 0; tries < 30 && n < most; tries++)
    {
      int i = rnd (N);
      bool twice = false;
      for (int j = 0; j < n; j++)
	twice |= args[j] == i;
      if (alive[i] && !twice)
	args[n++] = i;
    }
  for (int i = 0; i < n; i++)
    objects[i] = &o[args[i]];
  bool frozen[N];
  for (int i = 0; i < N; i++)
    frozen[i] = !movable (i);
  policy_begin (lru, state, objects, n, &plan);
  for (size_t i = 0; i < plan.count; i++)
    CHECK (!frozen[plan.decisions[i].object->id]);
  policy_apply (&plan);
  ref_region (args, n);
}

int
main (void)
{
  lru = ummgr_policy_find ("lru");
  for (int round = 0; round < 40; round++)
    {
      budget = (uint64_t) (20 + rnd (200)) * UNIT + rnd (UNIT);
      partial = round % 2;
      struct ummgr_policy_config config
	= policy_config (budget, "hybrid", partial, 0, 0);
      void *state = calloc (1, lru->state_size);
      CHECK (lru->init (state, &config) == UMMGR_OK);
      memset (alive, 0, sizeof alive);
      memset (has, 0, sizeof has);
      for (int i = 0; i < N; i++)
	policy_clear (&o[i], &placed[i]);
      for (int step = 0; step < 3000; step++)
	{
	  int i = rnd (N);
	  if (!alive[i])
	    step_map (state, i);
	  else if (rnd (12) == 0)
	    {
	      lru->on_unmap (state, &o[i]);
	      alive[i] = false;
	      has[i] = 0;
	      o[i].pinned = false;
	      o[i].running = 0;
	    }
	  else if (rnd (20) == 0)
	    o[i].running = !o[i].running;
	  else if (rnd (40) == 0)
	    o[i].pinned = true;
	  else
	    step_region (state);
	  compare ();
	}
      lru->fini (state);
      free (state);
    }
  free (plan.decisions);
  return 0;
}
