/* Would break: a host version's reports that a GPU goes through otherwise than reports.h
   has it: threads of a warp out of step, or joined too early; a barrier passed before the
   others are there, or never; iterations or references in another order; an update, or a
   large access, of too few instructions; what is lost, told twice, or told of another
   thread; instructions between accesses that come too early, twice or not at all; a single
   access that waits for the one before though it need not, or does not though it must.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "random.h"
#include "gpu/reports.h"

#include <math.h>
#include <stdlib.h>

#define LOCAL (UINT64_C (2) << 32)
#define WARP UMMGR_GPU_LANES
#define TEAMS 12
#define THREADS 70
#define REPORTS 7
#define REFS 4
#define PART 16

struct report
{
  uint32_t step, n;		/* N 0: a single access, in REF[0].  */
  uint32_t work;		/* Before it.  */
  struct ummgr_trace_nest_ref ref[REFS];
};

struct thread
{
  struct report report[REPORTS];
  unsigned count, at;
};

static struct thread given[TEAMS][THREADS];
static unsigned thread_count[TEAMS];

static uint64_t
pick (uint64_t below)
{
  static uint64_t state = 88172645463325252u;
  return (random64 (&state) >> 11) % below;
}

/* --- what is reported ---------------------------------------------------- */

/* Some of several instructions.  */
static uint32_t
random_how (void)
{
  static const uint32_t sizes[] = { 4, 8, 4, 16, 17, 40 }, kinds[] = { 1, 2, 3, 7, 1 };
  return UMMGR_TRACE_HOW (sizes[pick (6)], kinds[pick (5)]);
}

static struct ummgr_trace_nest_ref
random_ref (bool single)
{
  static const int64_t strides[] = { 0, 4, 8, 60, 64, 128, 1000, -4, -64 };
  struct ummgr_trace_nest_ref ref = {
    .address = LOCAL, .count = { 1, 1 },
    .how = random_how (), .work = pick (3) ? 0 : pick (200)
  };
  if (single)
    {
      ref.work = 0;
      ref.how |= UMMGR_TRACE_HOW (0, pick (2) ? UMMGR_TRACE_JOINS : 0);
    }
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
	  if (!common[k].n)
	    continue;
	  inner += pick (3) == 0;
	  common[k].ref[r].inner = inner;
	  if (!inner && !common[k].ref[r].stride[0])
	    common[k].ref[r].stride[0] = 4;
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
	  /* With the access, in a word of its own, more than that holds.  */
	  static const uint32_t most[] = { 1, 64, 200, 5000 };
	  report->work = pick (most[pick (4)]);
	  for (unsigned r = 0; r < REFS; r++)
	    {
	      report->ref[r].address += t * distance;
	      if (!same && pick (3) == 0)
		report->ref[r].count[pick (2)] = pick (4);
	      if (!same && pick (9) == 0)
		report->ref[r].how = random_how ();
	      if (!report->n)
		report->ref[r].count[0] = report->ref[r].count[1] = 1;
	      if (!report->ref[r].inner)
		report->ref[r].count[1] = 1;
	    }
	}
    }
}

static struct ummgr_gpu_reports *
hand_over (unsigned lanes)
{
  struct ummgr_gpu_reports *all = ummgr_gpu_reports_create (lanes, NULL);
  CHECK (all && !ummgr_gpu_reports_bytes (all));
  for (unsigned team = 0; team < TEAMS; team++)
    /* Every other team's threads report backwards, and come again for each report.  */
    for (unsigned i = 0; i < (team & 1 ? REPORTS : 1); i++)
      for (unsigned k = 0; k < thread_count[team]; k++)
	{
	  unsigned t = team & 1 ? thread_count[team] - 1 - k : k;
	  const struct thread *thread = &given[team][t];
	  for (unsigned j = team & 1 ? i : 0; j < (team & 1 ? i + 1 : REPORTS); j++)
	    if (j < thread->count)
	      {
		const struct report *r = &thread->report[j];
		CHECK (ummgr_gpu_reports_add (all, 7 + team, t, r->step, r->ref,
					      r->n ? r->n : 1, r->work));
	      }
	}
  return all;
}

/* --- the definition, word for word -------------------------------------------------- */

struct instruction
{
  uint32_t step, live, size, kind;
  uint64_t issued;		/* Up to it.  */
  uint64_t address[WARP];
};

struct warp
{
  struct instruction *all;
  size_t count, at, room;
  uint64_t issued;		/* All that it does.  */
  uint64_t out, last;		/* What came as work; up to its last access.  */
};

static struct warp warps[TEAMS][THREADS];

/* One instruction for each part of an access, and an update first reads.  */
static void
warp_add (struct warp *w, const struct instruction *access, uint32_t how)
{
  uint32_t size = UMMGR_TRACE_HOW_SIZE (how), kind = UMMGR_TRACE_HOW_KIND (how) & 7;
  for (uint32_t k = kind == 3 ? 1 : kind; k <= (kind == 3 ? 2 : kind); k++)
    for (uint32_t part = 0; part < size; part += PART)
      {
	if (w->count == w->room)
	  {
	    w->room = 2 * w->room + 64;
	    w->all = realloc (w->all, w->room * sizeof *w->all);
	    CHECK (w->all);
	  }
	struct instruction *i = &w->all[w->count++];
	*i = *access;
	i->kind = k;
	i->issued = ++w->issued;
	i->size = size - part < PART ? size - part : PART;
	for (unsigned lane = 0; lane < WARP; lane++)
	  i->address[lane] += part;
      }
}

/* Turn J of turn I of reference R.  */
static void
path_add (struct warp *w, const struct report *const *reports, uint32_t live, unsigned r,
	  uint64_t i, uint64_t j)
{
  struct instruction access = { 0 };
  uint32_t how = 0, work = reports[__builtin_ctz (live)]->ref[r].work;
  for (unsigned k = 0; k < WARP; k++)
    if (live >> k & 1)
      {
	const struct ummgr_trace_nest_ref *ref = &reports[k]->ref[r];
	if (i >= ref->count[0] || j >= ref->count[1])
	  continue;
	access.step = reports[k]->step;
	access.live |= UINT32_C (1) << k;
	access.address[k] = ref->address + i * (uint64_t) ref->stride[0]
			    + j * (uint64_t) ref->stride[1];
	how = ref->how;
      }
  if (access.live)
    {
      w->issued += work;
      warp_add (w, &access, how);
    }
}

/* All accesses of the report that LIVE threads are in.  */
static void
path_fill (struct warp *w, const struct report *const *reports, uint32_t live)
{
  const struct report *leader = reports[__builtin_ctz (live)];
  unsigned n = leader->n ? leader->n : 1;
  uint32_t most = 0;
  for (unsigned k = 0; k < WARP; k++)
    if (live >> k & 1 && reports[k]->work > most)
      most = reports[k]->work;
  w->issued += most;
  for (uint64_t i = 0; i < 8; i++)
    for (unsigned first = 0, end; first < n; first = end)
      {
	for (end = first; end < n
	     && leader->ref[end].inner == leader->ref[first].inner; end++)
	  ;
	for (uint64_t j = 0; j < 8; j++)
	  for (unsigned r = first; r < end; r++)
	    path_add (w, reports, live, r, i, j);
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

/* The next path of the warp of LANES threads of TEAM from FIRST on at STEP.  */
static bool
path_next (struct warp *w, unsigned team, unsigned first, unsigned lanes, uint32_t step)
{
  const struct report *reports[WARP] = { NULL };
  const struct report *leader = NULL;
  uint32_t live = 0;
  for (unsigned k = 0; k < lanes && first + k < thread_count[team]; k++)
    {
      struct thread *t = &given[team][first + k];
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
    path_fill (w, reports, live);
  return live;
}

static void
define (unsigned lanes)
{
  for (unsigned team = 0; team < TEAMS; team++)
    for (unsigned first = 0; first < THREADS; first += lanes)
      {
	struct warp *w = &warps[team][first / lanes];
	w->count = w->at = w->issued = w->out = w->last = 0;
	/* There are as many steps as reports, at most, and one.  */
	for (uint32_t step = 1; step <= REPORTS + 1; step++)
	  while (path_next (w, team, first, lanes, step))
	    ;
      }
}

/* --- a GPU ------------------------------------------------------------------------------ */

static struct uvm *uvm;
static uint64_t changes;
static unsigned lanes_now;

/* All warps of TEAM have made what they do before STEP.  */
static bool
all_at (unsigned team, uint32_t step)
{
  for (unsigned w = 0; w < THREADS; w++)
    {
      const struct warp *warp = &warps[team][w];
      if (warp->at < warp->count && warp->all[warp->at].step < step)
	return false;
    }
  return true;
}

static void
made (void *data, unsigned warp, const struct ummgr_gpu_access *access, unsigned count)
{
  uint32_t team, thread;
  ummgr_gpu_reports_who (data, warp, &team, &thread);
  CHECK (team >= 7 && team < 7 + TEAMS && thread % lanes_now == 0);
  struct warp *w = &warps[team - 7][thread / lanes_now];
  CHECK (w->at < w->count && access->more + 1u == count);
  const struct instruction *i = &w->all[w->at];
  CHECK (all_at (team - 7, i->step));
  w->last = access[count - 1].issued;
  CHECK_EQ (w->last, i->issued - w->out);
  w->at++;
  unsigned lane = 0, lanes = 0;
  for (unsigned k = 0; k < count; k++)
    for (unsigned l = 0; l < access[k].lanes; l++)
      {
	while (!(i->live >> lane & 1))
	  lane++;
	CHECK_EQ (access[k].address + l * (int64_t) access[k].stride, i->address[lane++]);
	CHECK_EQ (access[k].size, i->size);
	CHECK_EQ (access[k].site, i->kind);
	CHECK_EQ (access[k].kind, i->kind & 4 ? 2 : i->kind == 2);
	lanes++;
      }
  CHECK_EQ (lanes, (unsigned) __builtin_popcount (i->live));
}

static enum ummgr_gpu_next (*next) (void *, unsigned, struct ummgr_gpu_step *);

static enum ummgr_gpu_next
note_next (void *data, unsigned warp, struct ummgr_gpu_step *step)
{
  enum ummgr_gpu_next result = next (data, warp, step);
  uint32_t team, thread;
  ummgr_gpu_reports_who (data, warp, &team, &thread);
  if (result == UMMGR_GPU_STEP)
    warps[team - 7][thread / lanes_now].out += step->work;
  return result;
}

static void
all_local (void *data, uint64_t address, struct ummgr_gpu_place *p)
{
  (void) data, (void) address;
  *p = (struct ummgr_gpu_place) { .end = UINT64_MAX, .kind = UMMGR_GPU_LOCAL };
}

static struct ummgr_gpu_moved
no_use (void *data, const struct ummgr_gpu_place *p, uint64_t sector, bool write,
	unsigned gpu, unsigned home)
{
  (void) data, (void) p, (void) sector, (void) write, (void) gpu, (void) home;
  return (struct ummgr_gpu_moved) { 1, 0 };
}

static struct ummgr_gpu_result
go_through (struct ummgr_gpu_reports *all, unsigned per_sm)
{
  struct ummgr_gpu_result result;
  struct ummgr_gpu_options o = {
    .uvm = uvm, .device = 0, .per_sm = per_sm, .changes = &changes,
    .made = made, .place = all_local, .use = no_use
  };
  ummgr_gpu_reports_source (all, &o);
  next = o.next;
  o.next = note_next;
  uvm_launch_begin (uvm, 0);
  CHECK_EQ (ummgr_gpu_run (&o, &result), UMMGR_GPU_DONE);
  uvm_launch_end (uvm, 0);
  ummgr_gpu_reports_clear (all);
  CHECK_EQ (ummgr_gpu_reports_bytes (all), 0);
  return result;
}

/* --- tests ----------------------------------------------------------------- */

static void
compare (unsigned lanes, unsigned per_sm)
{
  for (unsigned team = 0; team < TEAMS; team++)
    {
      thread_count[team] = 1 + pick (THREADS);
      make_team (given[team], thread_count[team]);
    }
  lanes_now = lanes;
  struct ummgr_gpu_reports *all = hand_over (lanes);
  CHECK_EQ (ummgr_gpu_reports_lanes (all), lanes);
  define (lanes);
  go_through (all, per_sm);
  for (unsigned team = 0; team < TEAMS; team++)
    for (unsigned w = 0; w < THREADS; w++)
      {
	CHECK_EQ (warps[team][w].at, warps[team][w].count);
	CHECK_EQ (warps[team][w].last + warps[team][w].out, warps[team][w].issued);
      }
  ummgr_gpu_reports_destroy (all);
}

static void
ignore (void *data, unsigned warp, const struct ummgr_gpu_access *access, unsigned count)
{
  (void) data, (void) warp, (void) access, (void) count;
}

/* One thread reads a word 1000 bytes apart four times; another, whose team they are with
   it, writes one behind a barrier.  A clock is a nanosecond, a read takes 500 of them.  */
static void
barrier_by_hand (void)
{
  struct ummgr_gpu_reports *all = ummgr_gpu_reports_create (1, NULL);
  struct ummgr_trace_nest_ref loop = {
    .address = LOCAL, .stride = { 0, 1000 }, .count = { 1, 4 },
    .how = UMMGR_TRACE_HOW (4, 1), .inner = 1
  }, one = { .address = LOCAL + 8192, .count = { 1, 1 }, .how = UMMGR_TRACE_HOW (4, 1) };
  CHECK (ummgr_gpu_reports_add (all, 0, 0, 1, &loop, 1, 0));
  CHECK (ummgr_gpu_reports_add (all, 0, 1, 2, &one, 1, 0));
  struct ummgr_gpu_result result;
  struct ummgr_gpu_options o = {
    .uvm = uvm, .per_sm = 1, .changes = &changes, .made = ignore,
    .place = all_local, .use = no_use
  };
  ummgr_gpu_reports_source (all, &o);
  CHECK (o.teams == 1 && o.warps == 2);
  CHECK_EQ (ummgr_gpu_run (&o, &result), UMMGR_GPU_DONE);
  CHECK (fabs (result.seconds - 5 * 500e-9) < 20e-9);
  CHECK_EQ (result.steps, 5);
  ummgr_gpu_reports_destroy (all);
}

/* One thread reads two words far apart.  An SM issues four instructions in a nanosecond; a
   read takes 500.  The 2000 before the second read take their time;
   where it joins the first, that goes on behind them: the two are one step.  */
static void
work_by_hand (bool joins)
{
  struct ummgr_gpu_reports *all = ummgr_gpu_reports_create (1, NULL);
  struct ummgr_trace_nest_ref one
    = { .address = LOCAL, .count = { 1, 1 }, .how = UMMGR_TRACE_HOW (4, 1) };
  CHECK (ummgr_gpu_reports_add (all, 0, 0, 1, &one, 1, 0));
  one.address += 8192;
  one.how |= UMMGR_TRACE_HOW (0, joins ? UMMGR_TRACE_JOINS : 0);
  CHECK (ummgr_gpu_reports_add (all, 0, 0, 1, &one, 1, 2000));
  struct ummgr_gpu_result result;
  struct ummgr_gpu_options o = {
    .uvm = uvm, .per_sm = 1, .changes = &changes, .made = ignore,
    .place = all_local, .use = no_use
  };
  ummgr_gpu_reports_source (all, &o);
  CHECK_EQ (ummgr_gpu_run (&o, &result), UMMGR_GPU_DONE);
  CHECK (fabs (result.seconds - (500 + (joins ? 1 : 2) * 500) * 1e-9) < 20e-9);
  CHECK_EQ (result.steps, joins ? 1 : 2);
  CHECK_EQ (result.accesses, 2);
  CHECK_EQ (result.instructions, 2002);
  ummgr_gpu_reports_destroy (all);
}

int
main (void)
{
  struct ummgr_figures figures = {
    .memory_bytes = 64 << 16, .memory_rate = 32e9, .sm_count = 2,
    .max_threads_per_sm = 2048, .max_teams_per_sm = 32, .l1_bytes = 4 << 10, .utlb_sms = 1,
    .clock_mhz = 1000, .issue_rate = 4, .memory_latency = 500e-9, .h2d_rate = 4.096e9,
    .d2h_rate = 4.096e9, .remote_rate = 3.2e9, .gpu_fault_cost = 20e-6,
    .fault_batch = 256, .fault_granularity = 4 << 12, .block_bytes = 16 << 12
  };
  struct uvm_config c = uvm_configure (&figures, 1);
  c.paging = ummgr_paging_find ("lru");
  uvm = uvm_create (&c);
  CHECK (uvm);
  barrier_by_hand ();
  work_by_hand (false);
  work_by_hand (true);
  for (int round = 0; round < 150; round++)
    compare (pick (2) ? 1 : WARP, 1 + pick (TEAMS));
  uvm_destroy (uvm);
  return 0;
}
