/* A launch by hand: what each warp does is a function of the test's.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"
#include "gpu/gpu.h"

#include <math.h>
#include <string.h>

enum { SOURCE_WARPS = 1024, SOURCE_LANES = 64 };

/* Where memory lies: managed memory of RANGE_BLOCKS blocks, the GPU's own, the host's; below
   and above is none.  */
#define MANAGED (UINT64_C (1) << 32)
#define LOCAL (UINT64_C (2) << 32)
#define REMOTE (UINT64_C (3) << 32)
#define NOTHING (UINT64_C (4) << 32)

struct source;

/* Step K of WARP of TEAM: in STEP, whose accesses there is room for.  */
typedef enum ummgr_gpu_next source_step (struct source *s, uint32_t team, unsigned warp,
					 unsigned k, struct ummgr_gpu_step *step,
					 struct ummgr_gpu_access *access);

struct source
{
  source_step *step;
  struct uvm *uvm;
  struct uvm_range *range;
  uint32_t teams;
  unsigned warps, per_sm, whole;
  uint64_t shared;
  uint64_t held_from, held;	/* Address and bytes that the last-level cache has.  */
  uint64_t left;		/* Sectors of the host's that it has written at the end.  */
  struct ummgr_gpu_laid laid;	/* LOCAL.  */
  unsigned sends;		/* Sectors of the host's that each use has it write back.  */
  unsigned refuses;		/* Team that does not begin, and 1.  */
  const struct ummgr_device_watch *watch;
  struct ummgr_device_shape shape; /* For that.  */
  struct ummgr_gpu_result result;
  /* What was seen.  */
  uint32_t team[SOURCE_WARPS];
  unsigned k[SOURCE_WARPS];
  uint32_t begun;
  uint64_t used, remote, peer;	/* Sectors.  */
  uint32_t by_gpu[UMMGR_FIGURES_GPUS]; /* Likewise, who used them.  */
  uint32_t pairs[UMMGR_FIGURES_GPUS][UMMGR_FIGURES_GPUS + 1]; /* And whose memory.  */
  uint64_t hash;		/* Of who does what when.  */
  uint64_t changes;
};

/* Of a warp's step.  */
static struct ummgr_gpu_access source_access[SOURCE_WARPS][SOURCE_LANES];

static void
source_hash (struct source *s, uint64_t word)
{
  s->hash = (s->hash ^ word) * UINT64_C (0x100000001b3);
}

static bool
source_begin (void *data, unsigned slot, uint32_t team)
{
  struct source *s = data;
  CHECK (team == s->begun || s->uvm->device[0].figures.gpus);
  CHECK (team < s->teams && (slot + 1) * s->warps <= SOURCE_WARPS);
  s->begun++;
  for (unsigned i = 0; i < s->warps; i++)
    {
      s->team[slot * s->warps + i] = team;
      s->k[slot * s->warps + i] = 0;
    }
  return team + 1 != s->refuses;
}

static enum ummgr_gpu_next
source_next (void *data, unsigned warp, struct ummgr_gpu_step *step)
{
  struct source *s = data;
  CHECK (ummgr_gpu_running () && warp < SOURCE_WARPS);
  *step = (struct ummgr_gpu_step) { .access = source_access[warp] };
  source_hash (s, warp);
  return s->step (s, s->team[warp], warp, s->k[warp]++, step,
		  source_access[warp]);
}

static void
source_place (void *data, uint64_t address, struct ummgr_gpu_place *p)
{
  struct source *s = data;
  uint64_t base = address & -MANAGED;
  *p = (struct ummgr_gpu_place) {
    .base = base, .end = base + MANAGED, .laid = base == LOCAL ? &s->laid : NULL,
    .kind = base == LOCAL ? UMMGR_GPU_LOCAL : base == REMOTE ? UMMGR_GPU_REMOTE : UMMGR_GPU_NONE
  };
  if (base != MANAGED)
    return;
  uint64_t size = s->range->count * s->uvm->block_bytes;
  if (address < MANAGED + size)
    {
      p->end = MANAGED + size;
      p->kind = UMMGR_GPU_MANAGED;
      p->range = s->range;
    }
  else
    p->base = MANAGED + size;
}

/* The last-level cache has all there is of some, from the beginning.  */
static bool
source_held (void *data, const struct ummgr_gpu_place *p, uint64_t sector, bool write,
	     unsigned gpu)
{
  struct source *s = data;
  (void) p;
  (void) write;
  (void) gpu;
  return s->held && sector * UMMGR_GPU_SECTOR - s->held_from < s->held;
}

static struct ummgr_gpu_moved
source_use (void *data, const struct ummgr_gpu_place *p, uint64_t sector, bool write,
	    unsigned gpu, unsigned home)
{
  struct source *s = data;
  uint64_t address = sector * UMMGR_GPU_SECTOR;
  CHECK (p->kind != UMMGR_GPU_NONE && address >= p->base && address < p->end);
  s->used++;
  s->remote += home == UMMGR_GPU_ELSEWHERE;
  s->peer += home != UMMGR_GPU_ELSEWHERE && home != gpu;
  s->pairs[gpu][home]++;
  s->by_gpu[gpu]++;
  source_hash (s, sector << 1 | write);
  return (struct ummgr_gpu_moved) { !source_held (data, p, sector, write, gpu), s->sends };
}

static uint64_t
source_left (void *data, unsigned gpu)
{
  const struct source *s = data;
  (void) gpu;
  return s->left;
}

/* Begin all over, and run.  */
static enum ummgr_gpu_end
source_run (struct source *s)
{
  s->begun = 0;
  s->used = s->remote = s->peer = 0;
  memset (s->by_gpu, 0, sizeof s->by_gpu);
  memset (s->pairs, 0, sizeof s->pairs);
  s->hash = UINT64_C (0xcbf29ce484222325);
  struct ummgr_gpu_options o = {
    .uvm = s->uvm, .device = 0, .teams = s->teams, .warps = s->warps, .per_sm = s->per_sm,
    .whole = s->whole, .shared = s->shared, .changes = &s->changes, .data = s,
    .memory = s, .watch = s->watch, .shape = s->shape,
    .begin = source_begin, .next = source_next, .place = source_place,
    .held = source_held, .use = source_use, .left = source_left
  };
  uvm_launch_begin (s->uvm, 0);
  enum ummgr_gpu_end end = ummgr_gpu_run (&o, &s->result);
  uvm_launch_end (s->uvm, 0);
  CHECK (!ummgr_gpu_running ());
  return end;
}
