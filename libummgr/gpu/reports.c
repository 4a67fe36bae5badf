/* What the threads of a launch report: kept, and gone through team by team.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the reports, in the order in which they came, and of the teams in flight how far
   each thread is.  */

#include "config.h"
#include "gpu/lockstep.h"
#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 1 << 20 };	/* Words whose memory stays for the next launch.  */

struct team
{
  uint32_t number;
  uint32_t threads;		/* That have reported.  */
  size_t first, end;		/* Segments.  */
};

/* Where a team in flight lies.  */
struct slot
{
  uint32_t team;
  uint32_t step;		/* At which all warps are.  */
  unsigned live, waiting;	/* Warps: that have not ended; of these, at a barrier.  */
  struct ummgr_gpu_lockstep *warp;
  size_t *lane;
};

struct ummgr_gpu_reports
{
  unsigned lanes;		/* Of a warp.  */
  uint64_t (*where) (uint64_t address);
  unsigned warps;		/* Of a team.  */
  uint64_t *words;
  size_t used, room;
  struct ummgr_gpu_segment *segments;
  size_t segment_count, segment_room;
  struct team *teams;
  size_t team_count, team_room;
  struct slot *slots;
  size_t slot_count, slot_room;
};

struct ummgr_gpu_reports *
ummgr_gpu_reports_create (unsigned lanes, uint64_t (*where) (uint64_t address))
{
  struct ummgr_gpu_reports *r = calloc (1, sizeof *r);
  if (r)
    *r = (struct ummgr_gpu_reports) { .lanes = lanes, .where = where };
  return r;
}

unsigned
ummgr_gpu_reports_lanes (const struct ummgr_gpu_reports *r)
{
  return r->lanes;
}

void
ummgr_gpu_reports_clear (struct ummgr_gpu_reports *r)
{
  for (size_t i = 0; i < r->slot_count; i++)
    {
      free (r->slots[i].warp);
      free (r->slots[i].lane);
    }
  free (r->slots);
  r->slots = NULL;
  r->slot_count = r->slot_room = 0;
  r->used = r->segment_count = r->team_count = 0;
  if (r->room > KEPT)
    {
      free (r->words);
      r->words = NULL;
      r->room = 0;
    }
}

void
ummgr_gpu_reports_destroy (struct ummgr_gpu_reports *r)
{
  if (!r)
    return;
  ummgr_gpu_reports_clear (r);
  free (r->words);
  free (r->segments);
  free (r->teams);
  free (r);
}

uint64_t
ummgr_gpu_reports_bytes (const struct ummgr_gpu_reports *r)
{
  return r->used * sizeof *r->words + r->segment_count * sizeof *r->segments;
}

/* --- taking down ---------------------------------------------------------------- */

/* The segment that THREAD of TEAM reports into, at STEP; NULL: no memory.  */
static struct ummgr_gpu_segment *
open_segment (struct ummgr_gpu_reports *r, uint32_t team, uint32_t thread, uint32_t step)
{
  struct team *t = r->team_count ? &r->teams[r->team_count - 1] : NULL;
  if (!t || t->number != team)
    {
      if (!UMMGR_GROW (r->teams, r->team_room, r->team_count + 1))
	return NULL;
      t = &r->teams[r->team_count++];
      *t = (struct team) { team, 0, r->segment_count, r->segment_count };
    }
  struct ummgr_gpu_segment *s
    = t->end > t->first ? &r->segments[r->segment_count - 1] : NULL;
  if (!s || s->thread != thread || s->step != step)
    {
      if (!UMMGR_GROW (r->segments, r->segment_room, r->segment_count + 1))
	return NULL;
      s = &r->segments[r->segment_count++];
      *s = (struct ummgr_gpu_segment) { r->used, r->used, thread, step,
					UMMGR_GPU_NO_SEGMENT };
      t->end++;
      t->threads = thread >= t->threads ? thread + 1 : t->threads;
    }
  return s;
}

static uint64_t
address_of (const struct ummgr_gpu_reports *r, const struct ummgr_trace_nest_ref *ref)
{
  return r->where ? r->where (ref->address) : ref->address;
}

/* REF, if it is of no loop, in one word, but for its work; 0: it takes more.  */
static uint64_t
single_word (const struct ummgr_gpu_reports *r, const struct ummgr_trace_nest_ref *ref)
{
  uint64_t address = address_of (r, ref);
  uint64_t size = UMMGR_TRACE_HOW_SIZE (ref->how);
  uint64_t kind = UMMGR_TRACE_HOW_KIND (ref->how) & 7;
  if (ref->inner || ref->stride[0] || ref->count[0] != 1 || ref->count[1] != 1
      || size > UMMGR_GPU_WORD_MOST || address & ~UMMGR_GPU_WORD_ADDRESS)
    return 0;
  bool joins = UMMGR_TRACE_HOW_KIND (ref->how) & UMMGR_TRACE_JOINS;
  return kind << 61 | size << 48 | (joins ? UMMGR_GPU_WORD_JOINS : 0) | address;
}

bool
ummgr_gpu_reports_add (struct ummgr_gpu_reports *r, uint32_t team, uint32_t thread,
		       uint32_t step, const struct ummgr_trace_nest_ref *refs, uint32_t n,
		       uint64_t work)
{
  if (!n)
    return true;
  uint64_t word = n == 1 ? single_word (r, refs) : 0;
  bool single = UMMGR_GPU_WORD_KIND (word);
  size_t count = single ? 1 : 1 + n * (size_t) UMMGR_GPU_REF_WORDS;
  bool alone = work > (single ? UMMGR_GPU_WORD_MOST : 0);
  if (!UMMGR_GROW (r->words, r->room, r->used + alone + count))
    return false;
  struct ummgr_gpu_segment *s = open_segment (r, team, thread, step);
  if (!s)
    return false;
  if (alone)
    r->words[r->used++] = (work < UMMGR_GPU_ALONE_MOST ? work : UMMGR_GPU_ALONE_MOST) << 32;
  r->words[r->used] = !single ? n : alone ? word : word | work << 55;
  struct ummgr_trace_nest_ref *own
    = (struct ummgr_trace_nest_ref *) &r->words[r->used + 1];
  for (uint32_t i = 0; !single && i < n; i++)
    {
      own[i] = refs[i];
      own[i].address = address_of (r, &refs[i]);
      own[i].how &= ~UMMGR_TRACE_HOW (0, UMMGR_TRACE_JOINS);
    }
  s->end = r->used += count;
  return true;
}

/* --- teams in flight -------------------------------------------------------------- */

static bool
make_slot (const struct ummgr_gpu_reports *r, struct slot *s)
{
  size_t threads = (size_t) r->warps * r->lanes;
  if (!s->warp)
    s->warp = calloc (r->warps, sizeof *s->warp);
  if (!s->lane)
    s->lane = malloc (threads * sizeof *s->lane);
  if (!s->warp || !s->lane)
    return false;
  for (size_t i = 0; i < threads; i++)
    s->lane[i] = UMMGR_GPU_NO_SEGMENT;
  for (unsigned i = 0; i < r->warps; i++)
    {
      struct ummgr_gpu_lockstep *w = &s->warp[i];
      w->words = r->words;
      w->segments = r->segments;
      w->lane = s->lane + (size_t) i * r->lanes;
      w->lanes = r->lanes;
      w->issued = w->told = w->path.live = 0;
      memset (w->before, 0, sizeof w->before);
      w->waits = false;
    }
  return true;
}

/* All threads of S begin their next step.  */
static void
begin_step (const struct ummgr_gpu_reports *r, struct slot *s)
{
  s->step = UINT32_MAX;
  s->waiting = 0;
  for (size_t i = 0; i < (size_t) r->warps * r->lanes; i++)
    if (s->lane[i] != UMMGR_GPU_NO_SEGMENT && r->segments[s->lane[i]].step < s->step)
      s->step = r->segments[s->lane[i]].step;
}

static bool
begin (void *data, unsigned slot, uint32_t index)
{
  struct ummgr_gpu_reports *r = data;
  const struct team *t = &r->teams[index];
  if (slot >= r->slot_count)
    {
      if (!UMMGR_GROW (r->slots, r->slot_room, slot + 1))
	return false;
      memset (r->slots + r->slot_count, 0, (slot + 1 - r->slot_count) * sizeof *r->slots);
      r->slot_count = slot + 1;
    }
  struct slot *s = &r->slots[slot];
  if (!make_slot (r, s))
    return false;
  s->team = t->number;
  s->live = r->warps;
  for (size_t k = t->end; k-- > t->first;)
    {
      size_t *lane = &s->lane[r->segments[k].thread];
      r->segments[k].next = *lane;
      *lane = k;
    }
  begin_step (r, s);
  return true;
}

/* --- steps --------------------------------------------------------------------------- */

/* All warps of S, whose first is numbered FIRST, are at the barrier.  */
static void
pass (const struct ummgr_gpu_reports *r, struct slot *s, unsigned first)
{
  begin_step (r, s);
  for (unsigned i = 0; i < r->warps; i++)
    if (s->warp[i].waits)
      {
	s->warp[i].waits = false;
	ummgr_gpu_wake (ummgr_gpu_running (), first + i);
      }
}

static bool
has_more (const struct ummgr_gpu_lockstep *w)
{
  for (uint32_t i = 0; i < w->lanes; i++)
    if (w->lane[i] != UMMGR_GPU_NO_SEGMENT)
      return true;
  return false;
}

static enum ummgr_gpu_next
next (void *data, unsigned number, struct ummgr_gpu_step *out)
{
  struct ummgr_gpu_reports *r = data;
  unsigned first = number / r->warps * r->warps;
  struct slot *s = &r->slots[number / r->warps];
  struct ummgr_gpu_lockstep *w = &s->warp[number - first];
  for (;;)
    {
      w->made = 0;
      while (w->made <= UMMGR_GPU_LOG - UMMGR_GPU_LANES && ummgr_gpu_lockstep_go (w, s->step))
	;
      if (w->made)
	{
	  w->told = w->log[w->made - 1].issued;
	  out->access = w->log;
	  out->count = w->made;
	  return UMMGR_GPU_STEP;
	}
      /* Behind its last access for now.  */
      if (w->issued != w->told)
	{
	  out->work = w->issued - w->told;
	  w->issued = w->told;
	  return UMMGR_GPU_STEP;
	}
      if (!has_more (w))
	{
	  if (--s->live && s->waiting == s->live)
	    pass (r, s, first);
	  return UMMGR_GPU_ENDS;
	}
      ummgr_gpu_arrives (&(struct ummgr_gpu_barrier) { .waits = true });
      if (s->waiting + 1 < s->live)
	{
	  s->waiting++;
	  w->waits = true;
	  return UMMGR_GPU_WAITS;
	}
      pass (r, s, first);
    }
}

void
ummgr_gpu_reports_source (struct ummgr_gpu_reports *r, struct ummgr_gpu_options *o)
{
  uint32_t threads = 1;
  for (size_t i = 0; i < r->team_count; i++)
    threads = r->teams[i].threads > threads ? r->teams[i].threads : threads;
  r->warps = (threads + r->lanes - 1) / r->lanes;
  o->teams = (uint32_t) r->team_count;
  o->warps = r->warps;
  o->data = r;
  o->begin = begin;
  o->next = next;
}

void
ummgr_gpu_reports_who (const struct ummgr_gpu_reports *r, unsigned warp, uint32_t *team_p,
		       uint32_t *thread_p)
{
  *team_p = r->slots[warp / r->warps].team;
  *thread_p = warp % r->warps * r->lanes;
}
