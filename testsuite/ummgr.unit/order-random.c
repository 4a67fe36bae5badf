/* Would break: a GPU's order that is not the definition's (order.h): teams in
   flight that take another's place too early or on another multiprocessor, warps
   that take two turns, threads out of step, a barrier passed before the others
   are there, iterations or references in another order, reports lost or told
   twice; memory that is not bounded.  */
/* { dg-do run } */

#include "check.h"
#include "gpu-order/order.h"

#include <stdlib.h>
#include <string.h>

#define WARP UMMGR_ORDER_WARP
#define TEAMS 12
#define THREADS 70
#define WARPS ((THREADS + WARP - 1) / WARP)
#define REPORTS 7
#define REFS 4
#define GRAIN 64

struct report
{
  uint32_t step, n;		/* N 0: a single access, in REF[0].  */
  struct ummgr_trace_nest_ref ref[REFS];
};

struct thread
{
  struct report report[REPORTS];
  unsigned count, at;
};

static struct thread given[TEAMS][THREADS];
static unsigned thread_count[TEAMS];

/* What is told: the cells of each turn, none twice.  */
struct event
{
  uint64_t turn, cell;
  unsigned kind, sm;
  uint32_t team;
};

struct list
{
  struct event *event;
  size_t count, room;
};

static struct list fast, slow;

static uint64_t
pick (uint64_t below)
{
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 11) % below;
}

static void
add (struct list *list, const struct ummgr_order_touch *t)
{
  for (uint64_t cell = t->lo / GRAIN; cell <= (t->hi - 1) / GRAIN; cell++)
    {
      struct event event = { t->turn, cell, t->kind, t->sm, t->team };
      bool had = false;
      for (size_t i = list->count;
	   i-- > 0 && list->event[i].turn == t->turn && !had;)
	had = list->event[i].cell == cell;
      if (had)
	continue;
      if (list->count == list->room)
	{
	  list->room = 2 * list->room + 1024;
	  list->event
	    = realloc (list->event, list->room * sizeof *list->event);
	  CHECK (list->event);
	}
      list->event[list->count++] = event;
    }
}

static void
take (void *data, const struct ummgr_order_touch *t)
{
  CHECK (t->lo < t->hi);
  add (data, t);
}

/* --- what is reported ---------------------------------------------------- */

static struct ummgr_trace_nest_ref
random_ref (bool single)
{
  static const int64_t strides[] = { 0, 4, 8, 60, 64, 128, 1000, -4, -64 };
  struct ummgr_trace_nest_ref ref = {
    .address = 1 << 20, .count = { 1, 1 },
    .how = UMMGR_TRACE_HOW (4 << pick (2), 1 + pick (3)), .inner = 1
  };
  ref.address += 4 * pick (2000);
  if (!single)
    for (int i = 0; i < 2; i++)
      {
	ref.stride[i] = strides[pick (9)];
	ref.count[i] = pick (5);
      }
  return ref;
}

/* The same program in all threads of a team, most of the time: the same forms,
   at distances that are equal or not; sometimes other counts, or another
   path.  */
static void
make_team (struct thread *threads, unsigned count)
{
  unsigned reports = pick (REPORTS + 1);
  struct report common[REPORTS];
  uint32_t step = 1;
  for (unsigned k = 0; k < reports; k++)
    {
      step += pick (4) == 0;
      common[k].step = step;
      common[k].n = pick (3) ? 1 + pick (REFS) : 0;
      uint32_t inner = pick (2);
      for (unsigned r = 0; r < REFS; r++)
	{
	  common[k].ref[r] = random_ref (!common[k].n);
	  inner += pick (3) == 0;
	  common[k].ref[r].inner = inner;
	  if (!inner)
	    common[k].ref[r].count[1] = 1;
	}
    }
  static const uint64_t distances[] = { 0, 4, 8, 64, 100, 4096 };
  uint64_t distance = distances[pick (6)];
  bool same = pick (3) != 0;
  for (unsigned t = 0; t < count; t++)
    {
      threads[t].count = threads[t].at = 0;
      for (unsigned k = 0; k < reports; k++)
	{
	  struct report *report = &threads[t].report[threads[t].count];
	  if (!same && pick (4) == 0)
	    continue;
	  *report = common[k];
	  threads[t].count++;
	  for (unsigned r = 0; r < REFS; r++)
	    {
	      report->ref[r].address += t * distance;
	      if (!same && pick (3) == 0)
		report->ref[r].count[pick (2)] = pick (4);
	      if (!same && pick (9) == 0)
		report->ref[r].how = UMMGR_TRACE_HOW (4, 1 + pick (3));
	      if (!report->n)
		report->ref[r].count[0] = report->ref[r].count[1] = 1;
	      if (!report->ref[r].inner)
		report->ref[r].count[1] = 1;
	    }
	}
    }
}

static void
hand_over (struct ummgr_order *order)
{
  for (unsigned team = 0; team < TEAMS; team++)
    /* Every other team's threads report backwards.  */
    for (unsigned k = 0; k < thread_count[team]; k++)
      {
	unsigned t = team & 1 ? thread_count[team] - 1 - k : k;
	const struct thread *thread = &given[team][t];
	for (unsigned i = 0; i < thread->count; i++)
	  {
	    const struct report *r = &thread->report[i];
	    CHECK (r->n ? ummgr_order_nest (order, team, t, r->step, r->ref,
					    r->n)
		   : ummgr_order_access (order, team, t, r->step,
					 r->ref[0].address, r->ref[0].how));
	  }
      }
  ummgr_order_end (order);
}

/* --- the definition, word for word ---------------------------------------- */

/* One access of a path: for each thread that has it, where.  */
struct step
{
  uint32_t live;
  uint64_t address[WARP];
  uint32_t how;
};

/* What a warp does from one report of its threads to the next.  */
struct path
{
  struct step *steps;
  size_t count, at, room;
};

struct running
{
  unsigned team;
  bool taken;
  uint32_t step;
  struct path path[WARPS];
};

static void
path_add (struct path *path, const struct report *const *reports,
	  uint32_t live, unsigned r, uint64_t i, uint64_t j)
{
  struct step step = { 0 };
  for (unsigned k = 0; k < WARP; k++)
    if (live >> k & 1)
      {
	const struct ummgr_trace_nest_ref *ref = &reports[k]->ref[r];
	if (i >= ref->count[0] || j >= ref->count[1])
	  continue;
	step.live |= UINT32_C (1) << k;
	step.address[k] = ref->address + i * (uint64_t) ref->stride[0]
			  + j * (uint64_t) ref->stride[1];
	step.how = ref->how;
      }
  if (!step.live)
    return;
  if (path->count == path->room)
    {
      path->room = 2 * path->room + 64;
      path->steps = realloc (path->steps, path->room * sizeof *path->steps);
      CHECK (path->steps);
    }
  path->steps[path->count++] = step;
}

/* All accesses of the report that LIVE threads are in.  */
static void
path_fill (struct path *path, const struct report *const *reports,
	   uint32_t live)
{
  const struct report *leader = reports[__builtin_ctz (live)];
  unsigned n = leader->n ? leader->n : 1;
  path->count = path->at = 0;
  for (uint64_t i = 0; i < 8; i++)
    for (unsigned first = 0, end; first < n; first = end)
      {
	for (end = first; end < n
	     && leader->ref[end].inner == leader->ref[first].inner; end++)
	  ;
	for (uint64_t j = 0; j < 8; j++)
	  for (unsigned r = first; r < end; r++)
	    path_add (path, reports, live, r, i, j);
      }
}

static bool
same_form (const struct report *a, const struct report *b)
{
  if (a->n != b->n)
    return false;
  for (unsigned r = 0; r < (a->n ? a->n : 1); r++)
    if (a->ref[r].how != b->ref[r].how
	|| (a->n && a->ref[r].inner != b->ref[r].inner))
      return false;
  return true;
}

/* The next path of warp W of TEAM at STEP.  */
static bool
path_next (struct path *path, unsigned team, unsigned w, uint32_t step)
{
  const struct report *reports[WARP] = { NULL };
  const struct report *leader = NULL;
  uint32_t live = 0;
  for (unsigned k = 0; k < WARP && w * WARP + k < thread_count[team]; k++)
    {
      struct thread *t = &given[team][w * WARP + k];
      if (t->at == t->count || t->report[t->at].step != step)
	continue;
      reports[k] = &t->report[t->at];
      if (!leader)
	leader = reports[k];
      if (!same_form (leader, reports[k]))
	continue;
      live |= UINT32_C (1) << k;
      t->at++;
    }
  if (live)
    path_fill (path, reports, live);
  return live;
}

/* One access of warp W.  */
static bool
warp_go (struct running *r, unsigned w, unsigned sm, uint64_t turn)
{
  struct path *path = &r->path[w];
  while (path->at == path->count)
    if (!path_next (path, r->team, w, r->step))
      return false;
  const struct step *step = &path->steps[path->at++];
  for (unsigned k = 0; k < WARP; k++)
    if (step->live >> k & 1)
      {
	struct ummgr_order_touch t = {
	  .lo = step->address[k],
	  .hi = step->address[k] + UMMGR_TRACE_HOW_SIZE (step->how),
	  .turn = turn, .kind = UMMGR_TRACE_HOW_KIND (step->how), .sm = sm,
	  .team = r->team
	};
	add (&slow, &t);
      }
  return true;
}

static bool
least_step (struct running *r)
{
  bool any = false;
  for (unsigned t = 0; t < thread_count[r->team]; t++)
    {
      struct thread *thread = &given[r->team][t];
      if (thread->at == thread->count)
	continue;
      uint32_t step = thread->report[thread->at].step;
      if (!any || step < r->step)
	r->step = step;
      any = true;
    }
  return any;
}

/* Does R go on?  */
static bool
team_go (struct running *r, unsigned sm, uint64_t *turn)
{
  do
    {
      bool any = false;
      for (unsigned w = 0; w * WARP < thread_count[r->team]; w++)
	any |= warp_go (r, w, sm, (*turn)++);
      if (any)
	return true;
    }
  while (least_step (r));
  return false;
}

static void
take_next (struct running *slot, unsigned *next)
{
  slot->taken = false;
  for (; *next < TEAMS && !slot->taken; ++*next)
    {
      slot->team = *next;
      slot->taken = thread_count[*next] > 0 && least_step (slot);
      for (unsigned w = 0; w < WARPS; w++)
	slot->path[w].count = slot->path[w].at = 0;
    }
}

static void
define (unsigned in_flight, unsigned sms)
{
  static struct running slots[TEAMS];
  unsigned next = 0, live = 0;
  uint64_t turn = 0;
  for (unsigned s = 0; s < in_flight; s++)
    {
      take_next (&slots[s], &next);
      live += slots[s].taken;
    }
  for (unsigned s = 0; live; s = (s + 1) % in_flight)
    if (slots[s].taken && !team_go (&slots[s], s % sms, &turn))
      {
	take_next (&slots[s], &next);
	live -= !slots[s].taken;
      }
}

/* --- tests ----------------------------------------------------------------- */

static void
make_all (void)
{
  for (unsigned team = 0; team < TEAMS; team++)
    {
      thread_count[team] = 1 + pick (THREADS);
      make_team (given[team], thread_count[team]);
    }
}

static void
compare (unsigned in_flight, unsigned sms)
{
  const struct ummgr_order_options options = {
    .teams = in_flight, .sms = sms, .gap = GRAIN, .memory = 1 << 30,
    .touch = take, .data = &fast
  };
  struct ummgr_order *order = ummgr_order_create (&options);
  CHECK (order);
  make_all ();
  fast.count = slow.count = 0;
  hand_over (order);
  define (in_flight, sms);
  CHECK_EQ (ummgr_order_relieved (order), 0);
  CHECK_EQ (fast.count, slow.count);
  /* Turns are counted where nobody has anything to do, too, which is not part
     of the definition.  */
  uint64_t turns[2] = { 0, 0 };
  for (size_t i = 0; i < fast.count; i++)
    {
      const struct event *a = &fast.event[i], *b = &slow.event[i];
      CHECK_EQ (a->cell, b->cell);
      CHECK_EQ (a->kind, b->kind);
      CHECK_EQ (a->sm, b->sm);
      CHECK_EQ (a->team, b->team);
      CHECK_EQ (a->turn != turns[0], b->turn != turns[1]);
      turns[0] = a->turn;
      turns[1] = b->turn;
    }
  ummgr_order_destroy (order);
}

/* With no memory, all is told all the same.  */
static void
short_of_memory (void)
{
  static struct list plenty;
  struct ummgr_order_options options = {
    .teams = 5, .sms = 2, .gap = GRAIN, .memory = 1 << 30, .touch = take,
    .data = &plenty
  };
  make_all ();
  struct ummgr_order *order = ummgr_order_create (&options);
  hand_over (order);
  ummgr_order_destroy (order);
  fast.count = 0;
  options.memory = 4096;
  options.data = &fast;
  order = ummgr_order_create (&options);
  hand_over (order);
  CHECK (ummgr_order_relieved (order) > 0);
  ummgr_order_destroy (order);
  /* The same cells for the same kinds, in whatever order.  */
  for (int turn = 0; turn < 2; turn++)
    {
      const struct list *a = turn ? &fast : &plenty;
      const struct list *b = turn ? &plenty : &fast;
      for (size_t i = 0; i < a->count; i++)
	{
	  bool found = false;
	  for (size_t j = 0; j < b->count && !found; j++)
	    found = a->event[i].cell == b->event[j].cell
	      && a->event[i].kind == b->event[j].kind
	      && a->event[i].team == b->event[j].team;
	  CHECK (found);
	}
    }
}

int
main (void)
{
  for (int round = 0; round < 150; round++)
    {
      unsigned in_flight = 1 + pick (TEAMS);
      compare (in_flight, 1 + pick (in_flight));
    }
  short_of_memory ();
  return 0;
}
