/* Diagnosis: the facts of objects, phase by phase.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What findings need is summed up here at once; the facts themselves are kept
   for reports, up to a limit for the whole trace.  */

#include "config.h"
#include "diagnose-internal.h"

#include "../log.h"

#include <string.h>

/* Of all that is kept.  Then sums go on, and single phases are left out.  */
#define KEPT_BYTES (192u << 20)

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
  double density = touched ? (double) f->gpu_accessed / touched : 1;
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

/* Keep the phase's facts, unless there are too many.  */
static void
keep (struct ummgr_diagnosing *g, struct ummgr_traced *t,
      const struct ummgr_trace_facts *facts, const struct ummgr_facts *f)
{
  struct ummgr_traced_object *o = &t->o;
  struct ummgr_phase_facts *last
      = o->facts_count ? &o->facts[o->facts_count - 1] : NULL;
  /* Another temporary of this phase.  */
  if (last && last->phase == facts->phase && last->device == facts->device
      && last->offset == facts->offset && o->merged > 1)
    {
      add_facts (&last->facts, f);
      for (int i = 0; i < 11; i++)
	last->blocks[i] += facts->blocks[i];
      return;
    }
  size_t bytes = facts->run_count * sizeof *facts->runs;
  size_t all = bytes + 2 * sizeof *last;
  if (g->facts_bytes + all > KEPT_BYTES)
    {
      if (g->facts_bytes <= KEPT_BYTES)
	ummgr_warn ("trace: %s: too many objects and phases to show each: from "
		    "phase %u on only sums are kept; trace fewer phases "
		    "(--phase)", g->d.path, facts->phase);
      g->facts_bytes = KEPT_BYTES + 1;
      return;
    }
  g->facts_bytes += all;
  struct ummgr_trace_cells *runs
      = bytes ? ummgr_arena_get (&g->arena, bytes) : NULL;
  if ((bytes && !runs)
      || !ummgr_arena_grow (&g->arena, &o->facts, o->facts_count,
			    &t->facts_room, sizeof *o->facts))
    return;
  if (bytes)
    memcpy (runs, facts->runs, bytes);
  struct ummgr_phase_facts *p = &o->facts[o->facts_count++];
  *p = (struct ummgr_phase_facts) {
    .phase = facts->phase, .device = facts->device, .offset = facts->offset,
    .facts = *f, .cells = facts->cells, .cell_words = facts->cell_words,
    .runs = runs, .run_count = facts->run_count
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
