/* Diagnosis: the facts of objects, phase by phase.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What findings need is summed up here at once; the facts themselves are kept
   for reports, up to a limit for the whole trace.  */

#include "config.h"
#include "diagnose/traced.h"

#include "base/log.h"

#include <string.h>

/* Of all that is kept.  Then sums go on, and single phases are left out.  */
#define KEPT_BYTES (192u << 20)

/* Parts of an object in a phase that are looked through for the same.  */
enum { PARTS = 256 };

/* A word in STATE counts WORDS times.  */
static void
add_state (struct ummgr_facts *f, uint8_t state, uint64_t words)
{
  bool cpu = state & UMMGR_SHADOW_CPU, gpu = state & UMMGR_SHADOW_GPU;
  bool last = state & UMMGR_SHADOW_LAST_GPU;
  f->cpu_wrote += state & UMMGR_SHADOW_CPU_WROTE ? words : 0;
  f->gpu_wrote += state & UMMGR_SHADOW_GPU_WROTE ? words : 0;
  f->c_c += state & UMMGR_SHADOW_C_C ? words : 0;
  f->c_g += state & UMMGR_SHADOW_C_G ? words : 0;
  f->g_c += state & UMMGR_SHADOW_G_C ? words : 0;
  f->g_g += state & UMMGR_SHADOW_G_G ? words : 0;
  f->last_gpu += last ? words : 0;
  f->accessed += cpu || gpu ? words : 0;
  f->gpu_accessed += gpu ? words : 0;
  f->alternating += ummgr_shadow_alternates (state) ? words : 0;
  if (last && (state & UMMGR_SHADOW_UNREAD)
      && (state & UMMGR_SHADOW_GPU_WROTE))
    f->overwritten += words;
}

static void
add_facts (struct ummgr_facts *to, const struct ummgr_facts *from)
{
  to->words += from->words;
  to->cpu_wrote += from->cpu_wrote;
  to->gpu_wrote += from->gpu_wrote;
  to->c_c += from->c_c;
  to->c_g += from->c_g;
  to->g_c += from->g_c;
  to->g_g += from->g_g;
  to->last_gpu += from->last_gpu;
  to->accessed += from->accessed;
  to->gpu_accessed += from->gpu_accessed;
  to->alternating += from->alternating;
  to->overwritten += from->overwritten;
}

static struct ummgr_cells_seen *
see_cells (struct ummgr_diagnosing *g, struct ummgr_cells_seen **seen_p,
	   const struct ummgr_trace_facts *facts)
{
  struct ummgr_cells_seen *seen = *seen_p;
  if (!facts->cells || !facts->cell_words)
    return NULL;
  if (!seen)
    {
      *seen_p = seen = ummgr_arena_get (&g->arena, sizeof *seen);
      if (!seen)
	return NULL;
      seen->cells = facts->cells;
      seen->cell_words = facts->cell_words;
      seen->offset = facts->offset;
    }
  if (seen->cells != facts->cells || seen->cell_words != facts->cell_words
      || seen->offset != facts->offset)
    {
      seen->mixed = true;
      return NULL;
    }
  uint32_t at = 0;
  for (uint32_t i = 0; i < facts->run_count; i++)
    {
      const struct ummgr_trace_cells *run = &facts->runs[i];
      uint32_t end = at + run->length;
      for (; at < end && at < UMMGR_TRACE_CELLS_MAX; at++)
	{
	  uint64_t bit = UINT64_C (1) << at % 64;
	  if (run->state & UMMGR_SHADOW_GPU_WROTE)
	    seen->gpu_wrote[at / 64] |= bit;
	  if (run->state & UMMGR_SHADOW_GPU)
	    seen->gpu[at / 64] |= bit;
	  if (ummgr_shadow_alternates (run->state))
	    seen->alternating[at / 64] |= bit;
	}
    }
  return seen;
}

/* Pages of SIZE bytes that hold alternating words in this phase.  */
static uint64_t
alternating_pages (const struct ummgr_trace_facts *facts, uint64_t words,
		   uint64_t size)
{
  uint64_t page_words = size / 4 ? size / 4 : 1, pages = 0, next = 0, at = 0;
  for (uint32_t i = 0; i < facts->run_count; i++)
    {
      const struct ummgr_trace_cells *run = &facts->runs[i];
      uint64_t begin = at * facts->cell_words;
      at += run->length;
      uint64_t end = at * facts->cell_words;
      if (!ummgr_shadow_alternates (run->state) || end <= begin)
	continue;
      uint64_t first = begin / page_words, last = (end - 1) / page_words;
      if (first < next)
	first = next;
      if (last < first)
	continue;
      pages += last - first + 1;
      next = last + 1;
    }
  if (!pages)
    pages = (words + page_words - 1) / page_words;
  return pages < words ? pages : words;
}

static void
judge_alternating (struct ummgr_diagnosing *g, struct ummgr_traced *t,
		   const struct ummgr_trace_facts *facts,
		   const struct ummgr_facts *f)
{
  bool gpu_writes = false;
  for (uint32_t i = 0; i < facts->state_count; i++)
    gpu_writes |= ummgr_shadow_alternates (facts->states[i].state)
		  && (facts->states[i].state & UMMGR_SHADOW_GPU_WROTE);
  /* Advice that matches the accesses is the remedy.  */
  if (!f->alternating || t->mapped || (t->read_mostly && !gpu_writes))
    return;
  const struct ummgr_trace_device *device
      = ummgr_diagnose_device (g, t->device);
  uint64_t page = device && device->fault_size ? device->fault_size : 65536;
  if (!t->alternating_phases)
    t->alternating_phase = facts->phase;
  if (t->alternating_last != facts->phase)
    t->alternating_phases++;
  t->alternating_last = facts->phase;
  t->alternating_cost += alternating_pages (facts, f->alternating, page);
  if (t->alternating_words < f->alternating)
    t->alternating_words = f->alternating;
  uint64_t cpu = 0;
  for (uint32_t i = 0; i < facts->state_count; i++)
    if (ummgr_shadow_alternates (facts->states[i].state))
      {
	t->alternating_states |= facts->states[i].state;
	if (facts->states[i].state & UMMGR_SHADOW_CPU_WROTE)
	  cpu += facts->states[i].words;
      }
  if (t->alternating_cpu < cpu)
    t->alternating_cpu = cpu;
}

/* The recorder ends UNREAD with the phase in which the GPU overwrote a word of
   unified memory, so that each is counted once.  */
static void
judge_overwritten (struct ummgr_traced *t,
		   const struct ummgr_trace_facts *facts,
		   const struct ummgr_facts *f)
{
  uint64_t words = f->overwritten;
  if (t->written < f->cpu_wrote)
    t->written = f->cpu_wrote;
  if (!t->overwritten && words)
    t->overwritten_phase = facts->phase;
  t->overwritten += words;
}

static void
judge_density (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	       const struct ummgr_trace_facts *facts,
	       const struct ummgr_facts *f)
{
  if (!f->gpu_accessed)
    return;
  uint64_t blocks = 0, block_words = g->d.run.block / 4;
  for (int i = 1; i < 11; i++)
    blocks += facts->blocks[i];
  uint64_t touched = facts->words, sample = g->d.run.sample;
  /* Of a sampled object fewer words than there are are counted.  */
  if (sample > 1)
    block_words = block_words > sample ? block_words / sample : 1;
  if (blocks && block_words && facts->words / block_words >= blocks)
    touched = blocks * block_words;
  /* A file made with intent may say that it accessed more than there is.  */
  double density = touched > f->gpu_accessed
		   ? (double) f->gpu_accessed / touched : 1;
  bool again = t->used_last == facts->phase;
  t->used_last = facts->phase;
  t->used_phases += !again;
  if (t->densest < density)
    t->densest = density;
  if (density >= g->options.density)
    return;
  uint64_t untouched = 4 * (touched - f->gpu_accessed);
  if (sample > 1)
    untouched *= sample;
  if (!t->low_phases)
    t->low_phase = facts->phase;
  t->low_phases += !again || !t->low_phases;
  t->low_accessed += f->gpu_accessed;
  t->low_touched += touched;
  t->low_blocks += blocks;
  t->low_sum += untouched;
  if (t->low_most < untouched)
    t->low_most = untouched;
}

/* Room for BYTES of facts, unless they are too many.  */
static bool
may_keep (struct ummgr_diagnosing *g, size_t bytes)
{
  if (g->facts_bytes + bytes <= KEPT_BYTES)
    {
      g->facts_bytes += bytes;
      return true;
    }
  if (g->facts_bytes <= KEPT_BYTES)
    ummgr_warn ("trace: %s: too many objects and phases to show each: from "
		"phase %u on only sums are kept; trace fewer phases "
		"(--phase)", g->d.path, ummgr_diagnose_phase (g));
  g->facts_bytes = KEPT_BYTES + 1;
  return false;
}

/* The cells of RUNS, or-ed to what CELLS have; each of the length 1.  */
static void
spread (struct ummgr_trace_cells *cells, const struct ummgr_trace_cells *runs,
	uint32_t count)
{
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t n = runs[i].length; n && at < UMMGR_TRACE_CELLS_MAX; n--)
      {
	struct ummgr_trace_cells *cell = &cells[at++];
	cell->state |= runs[i].state;
	for (size_t b = 0; b < sizeof cell->part; b++)
	  if (cell->part[b] < runs[i].part[b])
	    cell->part[b] = runs[i].part[b];
      }
}

static bool
look_same (const struct ummgr_trace_cells *a,
	   const struct ummgr_trace_cells *b)
{
  return a->state == b->state && !memcmp (a->part, b->part, sizeof a->part);
}

/* Make P's picture that of both copies.  One that can't be made stays.  */
static void
add_picture (struct ummgr_diagnosing *g, struct ummgr_phase_facts *p,
	     const struct ummgr_trace_facts *facts)
{
  struct ummgr_trace_cells cells[UMMGR_TRACE_CELLS_MAX] = { 0 };
  uint32_t count = p->cells, runs = 0;
  if (!count || count > UMMGR_TRACE_CELLS_MAX || count != facts->cells
      || p->cell_words != facts->cell_words)
    return;
  spread (cells, p->runs, p->run_count);
  spread (cells, facts->runs, facts->run_count);
  for (uint32_t i = 0; i < count; i++)
    {
      bool more = runs && look_same (&cells[runs - 1], &cells[i]);
      if (!more)
	{
	  cells[runs] = cells[i];
	  cells[runs++].length = 0;
	}
      cells[runs - 1].length++;
    }
  /* The arena's own: the picture may be written again.  */
  struct ummgr_trace_cells *to = (struct ummgr_trace_cells *) p->runs;
  if (runs > p->run_count
      && (!may_keep (g, runs * sizeof *to)
	  || !(to = ummgr_arena_get (&g->arena, runs * sizeof *to))))
    return;
  memcpy (to, cells, runs * sizeof *to);
  p->runs = to;
  p->run_count = runs;
}

/* What is kept of another copy of the same part in the same phase.  A part that
   comes back after very many others is another line.  */
static struct ummgr_phase_facts *
same_part (const struct ummgr_traced_object *o,
	   const struct ummgr_trace_facts *facts)
{
  size_t first = o->facts_count > PARTS ? o->facts_count - PARTS : 0;
  for (size_t i = o->facts_count; i-- > first;)
    {
      struct ummgr_phase_facts *p = &o->facts[i];
      if (p->phase != facts->phase)
	break;
      if (p->device == facts->device && p->offset == facts->offset
	  && ummgr_phase_words (p) == facts->words)
	return p;
    }
  return NULL;
}

/* Keep the phase's facts, unless there are too many.  */
static void
keep (struct ummgr_diagnosing *g, struct ummgr_traced *t,
      const struct ummgr_trace_facts *facts, const struct ummgr_facts *f)
{
  struct ummgr_traced_object *o = &t->o;
  struct ummgr_phase_facts *p = same_part (o, facts);
  if (p && p->copies < UINT32_MAX)
    {
      add_facts (&p->facts, f);
      p->copies++;
      for (int i = 0; i < 11; i++)
	p->blocks[i] += facts->blocks[i];
      add_picture (g, p, facts);
      return;
    }
  size_t bytes = facts->run_count * sizeof *facts->runs;
  if (!may_keep (g, bytes + 2 * sizeof *p))
    return;
  struct ummgr_trace_cells *runs
      = bytes ? ummgr_arena_get (&g->arena, bytes) : NULL;
  if ((bytes && !runs)
      || !ummgr_arena_grow (&g->arena, &o->facts, o->facts_count,
			    &t->facts_room, sizeof *o->facts))
    return;
  if (bytes)
    memcpy (runs, facts->runs, bytes);
  p = &o->facts[o->facts_count++];
  *p = (struct ummgr_phase_facts) {
    .phase = facts->phase, .device = facts->device, .offset = facts->offset,
    .copies = 1, .facts = *f, .cells = facts->cells,
    .cell_words = facts->cell_words, .runs = runs,
    .run_count = facts->run_count
  };
  memcpy (p->blocks, facts->blocks, sizeof p->blocks);
}

void
ummgr_diagnose_facts (struct ummgr_diagnosing *g,
		      const struct ummgr_trace_facts *facts)
{
  struct ummgr_traced *t = ummgr_diagnose_find (g, facts->object);
  /* Its phase is the one that is about to end: an absurd number is none.  */
  if (!t || facts->phase != ummgr_diagnose_phase (g))
    return;
  bool host = facts->device == UMMGR_TRACE_HOST;
  struct ummgr_facts f = { .words = facts->words };
  for (uint32_t i = 0; i < facts->state_count; i++)
    add_state (&f, facts->states[i].state, facts->states[i].words);
  g->phase_open = true;
  add_facts (host ? &t->o.host : &t->o.device, &f);
  see_cells (g, host ? &t->host_cells : &t->device_cells, facts);
  if (f.gpu_accessed)
    t->device_used = true;
  if (host && t->unified)
    {
      judge_alternating (g, t, facts, &f);
      judge_overwritten (t, facts, &f);
    }
  if (host == t->unified)
    judge_density (g, t, facts, &f);
  keep (g, t, facts, &f);
}
