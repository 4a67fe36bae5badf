/* Going through what the threads of a warp have reported.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state but the warp's.  Where the threads of a path are in the same loops, and the
   same distance apart, one look tells what all of them access.  */

#include "config.h"
#include "gpu/lockstep.h"

#include <string.h>

typedef struct ummgr_trace_nest_ref nest_ref;

enum
{
  PART = 16,			/* Bytes of an instruction, for each thread.  */
  READ = 1, WRITE = 2, ATOMIC = 4
};

/* The next report of lane K, which has one.  */
static const uint64_t *
report_of (const struct ummgr_gpu_lockstep *w, uint32_t k)
{
  return w->words + w->segments[w->lane[k]].at;
}

static bool
is_single (uint64_t head)
{
  return UMMGR_GPU_WORD_KIND (head);
}

/* Is HEAD the word of what comes before a report?  */
static bool
is_before (uint64_t head)
{
  return !is_single (head) && !(uint32_t) head;
}

static const nest_ref *
refs_of (const uint64_t *report)
{
  return (const nest_ref *) (report + 1);
}

/* Reference R of what lane K is in.  */
static nest_ref
ref_of (const struct ummgr_gpu_lockstep *w, uint32_t k, uint32_t r)
{
  const uint64_t *report = report_of (w, k);
  if (!w->path.single)
    return refs_of (report)[r];
  uint64_t word = *report;
  return (nest_ref) {
    .address = word & UMMGR_GPU_WORD_ADDRESS, .count = { 1, 1 },
    .how = UMMGR_TRACE_HOW (UMMGR_GPU_WORD_SIZE (word), UMMGR_GPU_WORD_KIND (word))
  };
}

/* Has lane K of W a report for STEP?  Then it is the next word.  */
static bool
has_next (struct ummgr_gpu_lockstep *w, uint32_t k, uint32_t step)
{
  if (w->lane[k] == UMMGR_GPU_NO_SEGMENT || w->segments[w->lane[k]].step != step)
    return false;
  if (is_before (*report_of (w, k)))
    {
      w->before[k] += *report_of (w, k) >> 32;
      w->segments[w->lane[k]].at++;
    }
  return true;
}

/* Are A and B at the same place of the program, as far as can be seen?  */
static bool
same_form (const uint64_t *a, const uint64_t *b)
{
  const uint64_t work = UINT64_C (0x3f) << 55;
  if (is_single (*a))
    return (*a & ~work) >> 48 == (*b & ~work) >> 48;
  if (*a != *b)
    return false;
  const nest_ref *x = refs_of (a), *y = refs_of (b);
  for (uint32_t r = 0; r < *a; r++)
    if (x[r].how != y[r].how || x[r].inner != y[r].inner)
      return false;
  return true;
}

/* Do all threads go round equally often, and by the same strides?  */
static bool
same_shape (const struct ummgr_gpu_lockstep *w, uint32_t first)
{
  const struct ummgr_gpu_path *path = &w->path;
  if (path->single)
    return true;
  const nest_ref *x = refs_of (report_of (w, first));
  for (uint32_t k = first + 1; k < w->lanes; k++)
    if (path->live >> k & 1)
      {
	const nest_ref *y = refs_of (report_of (w, k));
	for (uint32_t r = 0; r < path->n; r++)
	  if (memcmp (x[r].stride, y[r].stride, sizeof x[r].stride) != 0
	      || memcmp (x[r].count, y[r].count, sizeof x[r].count) != 0)
	    return false;
      }
  return true;
}

/* Are the accesses of R equally far apart?  */
static struct ummgr_gpu_fast
fast_of (const struct ummgr_gpu_lockstep *w, uint32_t first, uint32_t r)
{
  struct ummgr_gpu_fast fast = { .valid = true };
  uint64_t last = 0;
  unsigned count = 0;
  for (uint32_t k = first; k < w->lanes; k++)
    if (w->path.live >> k & 1)
      {
	uint64_t at = ref_of (w, k, r).address;
	if (!count++)
	  fast.address = at;
	else if (count == 2)
	  fast.stride = at - last;
	else if (at - last != (uint64_t) fast.stride)
	  return (struct ummgr_gpu_fast) { .valid = false };
	last = at;
      }
  fast.valid = fast.stride == (int32_t) fast.stride;
  return fast;
}

/* The references of the inner loop that begins with FIRST.  */
static void
begin_inner (struct ummgr_gpu_lockstep *w, uint32_t first)
{
  struct ummgr_gpu_path *path = &w->path;
  path->first = path->ref = path->end = first;
  path->j = path->most[1] = 0;
  path->part = 0;
  bool begun = false;
  uint32_t inner = 0;
  for (uint32_t k = 0; k < w->lanes; k++)
    {
      if (!(path->live >> k & 1))
	continue;
      for (uint32_t r = first; r < path->n; r++)
	{
	  nest_ref ref = ref_of (w, k, r);
	  if (!begun)
	    inner = ref.inner;
	  begun = true;
	  if (ref.inner != inner)
	    break;
	  path->end = r + 1;
	  if (path->i < ref.count[0] && ref.count[1] > path->most[1])
	    path->most[1] = ref.count[1];
	}
      if (path->same)
	break;
    }
}

/* Issue what threads of the path that begins do before it.  */
static void
issue_before (struct ummgr_gpu_lockstep *w)
{
  uint32_t most = 0;
  for (uint32_t k = 0; k < w->lanes; k++)
    if (w->path.live >> k & 1)
      {
	uint32_t n = w->before[k];
	if (w->path.single)
	  n += UMMGR_GPU_WORD_WORK (*report_of (w, k));
	most = n > most ? n : most;
	w->before[k] = 0;
      }
  w->issued += most;
}

/* Find threads that have something to report in STEP: the first of them, and those on its
   path.  */
static bool
begin_path (struct ummgr_gpu_lockstep *w, uint32_t step)
{
  struct ummgr_gpu_path *path = &w->path;
  uint32_t first = 0;
  while (first < w->lanes && !has_next (w, first, step))
    first++;
  if (first == w->lanes)
    return false;
  const uint64_t *leader = report_of (w, first);
  path->live = 0;
  path->single = is_single (*leader);
  path->joins = path->single && *leader & UMMGR_GPU_WORD_JOINS;
  path->n = path->single ? 1 : *leader;
  path->i = path->most[0] = 0;
  for (uint32_t k = first; k < w->lanes; k++)
    if (has_next (w, k, step) && same_form (leader, report_of (w, k)))
      {
	path->live |= UINT32_C (1) << k;
	for (uint32_t r = 0; r < path->n; r++)
	  {
	    nest_ref ref = ref_of (w, k, r);
	    if (ref.count[0] > path->most[0])
	      path->most[0] = ref.count[0];
	  }
      }
  path->same = same_shape (w, first);
  for (uint32_t r = 0; r < path->n && r < UMMGR_GPU_FAST; r++)
    path->fast[r] = path->same ? fast_of (w, first, r)
			       : (struct ummgr_gpu_fast) { .valid = false };
  issue_before (w);
  begin_inner (w, 0);
  return true;
}

static void
end_path (struct ummgr_gpu_lockstep *w)
{
  for (uint32_t k = 0; k < w->lanes; k++)
    if (w->path.live >> k & 1)
      {
	struct ummgr_gpu_segment *s = &w->segments[w->lane[k]];
	s->at += w->path.single ? 1 : 1 + w->path.n * (uint64_t) UMMGR_GPU_REF_WORDS;
	if (s->at == s->end)
	  w->lane[k] = s->next;
      }
  w->path.live = 0;
}

static uint32_t
parts_of (uint32_t how)
{
  return (UMMGR_TRACE_HOW_SIZE (how) + PART - 1) / PART;
}

/* Of how many instructions is an access that is made as HOW says?  */
static uint32_t
instructions_of (uint32_t how)
{
  return parts_of (how) * (UMMGR_TRACE_HOW_KIND (how) == (READ | WRITE) ? 2 : 1);
}

/* An instruction of KIND comes: may it go out beside the one before?  SAID: the report says
   so.  */
static bool
joins (struct ummgr_gpu_lockstep *w, unsigned kind, bool said)
{
  bool joins = said || w->wrote || (w->turns && kind == READ);
  w->wrote = kind == WRITE;
  w->turns = true;
  return joins;
}

/* LANES threads, STRIDE apart from ADDRESS on, make the path's instruction of an access
   as HOW says.  */
static void
add (struct ummgr_gpu_lockstep *w, uint64_t address, int64_t stride, unsigned lanes,
     uint32_t how)
{
  unsigned kind = UMMGR_TRACE_HOW_KIND (how);
  uint32_t parts = parts_of (how), part = w->path.part;
  if (kind == (READ | WRITE))
    kind = part < parts ? READ : WRITE;
  uint32_t done = part % parts * PART, left = UMMGR_TRACE_HOW_SIZE (how) - done;
  w->log[w->made++] = (struct ummgr_gpu_access) {
    .address = address + done, .stride = stride, .size = left < PART ? left : PART,
    .kind = kind & ATOMIC ? 2 : kind == WRITE, .lanes = lanes, .site = kind,
    .issued = w->issued + 1, .joins = joins (w, kind, w->path.joins && !part)
  };
}

/* Where the path is now, for a thread whose reference is REF.  */
static uint64_t
address_of (const struct ummgr_gpu_path *path, const nest_ref *ref, uint64_t from)
{
  return from + path->i * (uint64_t) ref->stride[0] + path->j * (uint64_t) ref->stride[1];
}

static bool
has_turn (const struct ummgr_gpu_path *path, const nest_ref *ref)
{
  return path->i < ref->count[0] && path->j < ref->count[1];
}

/* Make the path's instruction, if any thread has it; *HOW_P is how.  True if one has.  */
static bool
make (struct ummgr_gpu_lockstep *w, uint32_t *how_p)
{
  struct ummgr_gpu_path *path = &w->path;
  uint32_t k = (uint32_t) __builtin_ctz (path->live), r = path->ref;
  nest_ref ref = ref_of (w, k, r);
  unsigned before = w->made;
  *how_p = ref.how;
  if (!UMMGR_TRACE_HOW_SIZE (ref.how))
    return false;
  uint32_t issued = w->issued;
  if (!path->part)
    w->issued += ref.work;
  if (r < UMMGR_GPU_FAST && path->fast[r].valid)
    {
      if (has_turn (path, &ref))
	add (w, address_of (path, &ref, path->fast[r].address), path->fast[r].stride,
	     __builtin_popcount (path->live), ref.how);
    }
  else
    for (; k < w->lanes; k++)
      if (path->live >> k & 1)
	{
	  ref = ref_of (w, k, r);
	  if (has_turn (path, &ref))
	    add (w, address_of (path, &ref, ref.address), 0, 1, ref.how);
	}
  if (w->made == before)
    {
      w->issued = issued;
      return false;
    }
  w->log[before].more = w->made - before - 1;
  w->issued++;
  return true;
}

/* Go on to the next instruction, reference, turn or inner loop; of this reference, if MADE,
   comes the next instruction as HOW says.  False: the path has ended.  */
static bool
advance (struct ummgr_gpu_lockstep *w, bool made, uint32_t how)
{
  struct ummgr_gpu_path *path = &w->path;
  if (made && ++path->part < instructions_of (how))
    return true;
  path->part = 0;
  if (++path->ref < path->end)
    return true;
  w->turns = false;
  path->ref = path->first;
  if (++path->j < path->most[1])
    return true;
  if (path->end < path->n)
    begin_inner (w, path->end);
  else if (++path->i < path->most[0])
    begin_inner (w, 0);
  else
    return false;
  return true;
}

/* A thread is a warp, and its next report one instruction, as most are: log it.  */
static bool
go_alone (struct ummgr_gpu_lockstep *w)
{
  uint64_t word = *report_of (w, 0), kind = UMMGR_GPU_WORD_KIND (word);
  struct ummgr_gpu_segment *s = &w->segments[w->lane[0]];
  unsigned size = UMMGR_GPU_WORD_SIZE (word);
  if (!is_single (word) || kind == (READ | WRITE) || size - 1 >= PART)
    return false;
  w->issued += w->before[0] + UMMGR_GPU_WORD_WORK (word) + 1;
  w->before[0] = 0;
  w->log[w->made++] = (struct ummgr_gpu_access) {
    .address = word & UMMGR_GPU_WORD_ADDRESS, .size = size,
    .kind = kind & ATOMIC ? 2 : kind == WRITE, .lanes = 1, .site = kind, .issued = w->issued,
    .joins = joins (w, kind, word & UMMGR_GPU_WORD_JOINS)
  };
  w->turns = false;
  if (++s->at == s->end)
    w->lane[0] = s->next;
  return true;
}

bool
ummgr_gpu_lockstep_go (struct ummgr_gpu_lockstep *w, uint32_t step)
{
  if (w->lanes == 1 && !w->path.live && has_next (w, 0, step) && go_alone (w))
    return true;
  /* Reports may be empty: these are no instruction.  */
  for (;;)
    {
      uint32_t how;
      if (!w->path.live && !begin_path (w, step))
	return false;
      bool made = make (w, &how);
      if (!advance (w, made, how))
	end_path (w);
      if (made)
	return true;
    }
}
