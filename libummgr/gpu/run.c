/* A GPU that runs a launch: teams, warps, caches, time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns where each warp is in its step, the first-level caches, and the clock.  */

#include "config.h"
#include "gpu/buffer.h"
#include "gpu/queue.h"
#include "gpu/steps.h"
#include "gpu/teams.h"

#include "base/grow.h"
#include "trace/bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PAGE = 4096,
  SECTORS = 64,			/* Of a step, at most.  */
  PLACES = 64,
  HIT_CYCLES = 30,		/* Of a first-level cache: 28 to 33 since Volta (Jia et
				   al., arXiv:1804.06826).  */
  LINE = 4,			/* Sectors of a line of such.  */
  WAYS = 4,			/* An estimate: not documented.  */
  LATENCIES = 16,		/* That the queue's ring spans.  */
  AHEAD = 3,			/* Accesses, in the processor's fetching.  */
  TOLD = 128 << 20,		/* Bytes of all warps', before they are told, ...  */
  TOLD_LEAST = 16 << 10,	/* ... and of one.  */
  HITS = 128			/* Steps that its SM's cache serves, of one warp, before
				   others'.  */
};

struct warp
{
  double ready;
  bool waits;			/* For the source.  */
  unsigned sm;
  unsigned pending;		/* Pages that it waits for.  */
  uint64_t used;		/* Its micro TLB: how manieth use that was of any.  */
  bool has_step;		/* To be made: it was held.  */
  bool reads;
  const struct ummgr_gpu_access *access; /* LEFT that it has still to make.  */
  unsigned left;
  uint32_t issued;		/* Instructions so far.  */
  unsigned count;
  uint64_t sector[SECTORS];	/* What the step touches beyond the SM's cache, twice,
				   and 1 where it writes.  */
};

/* What a warp has done, for who is told.  */
struct told
{
  unsigned char *bytes;
  size_t size, room;
  struct ummgr_gpu_coder coder;
};

struct sm
{
  double free, cache_free;
};

/* Until when what one of a device's GPUs has is busy; the host's link is IN and OUT, and BOTH, what it carries in
   all.  */
struct gpu
{
  double memory_free, in_free, out_free, both_free;
};

struct ummgr_gpu
{
  const struct ummgr_gpu_options *o;
  const struct ummgr_figures *f;
  struct ummgr_gpu_result *result;
  struct ummgr_gpu_buffer *buffer;
  struct warp *warp;
  unsigned *slot;		/* Of each, warps that have not ended.  */
  struct sm *sm;
  unsigned sms, slots, utlb_sms, utlbs;
  double share;			/* Of its teams that an SM has, where that is scaled.  */
  double latency, remote_latency;
  double ways;			/* ummgr_figures_ways.  */
  uint64_t sets;		/* Of an SM's cache, each of WAYS lines.  */
  uint64_t *cache;		/* One SM's after another.  */
  struct ummgr_gpu_queue ready;
  unsigned *held;		/* Warps.  */
  unsigned holds;
  uint64_t uses;		/* Of micro TLBs, so far.  */
  uint64_t *since;		/* By micro TLB: USES when its faults began, or at the
				   last replay.  */
  struct ummgr_gpu_teams teams;
  struct gpu gpu[UMMGR_FIGURES_GPUS];
  unsigned gpus;
  uint32_t *team;		/* Of each slot.  */
  struct told *told;		/* Of each warp, where steps are told.  */
  size_t told_most;		/* Bytes of a warp, before its team tells a part.  */
  unsigned char *part;		/* Of a team, to be told.  */
  size_t part_room;
  unsigned live;		/* Warps.  */
  unsigned current;		/* The one that goes on.  */
  double now, last;
  struct ummgr_gpu_place place[PLACES];
  double hit, miss_hits;	/* Seconds of a hit in an SM's cache; how many of such
				   one takes that is in the last-level cache.  */
  uint64_t changes;		/* As they were when PLACE was asked for.  */
  bool no_memory;
};

static __thread struct ummgr_gpu *running;

struct ummgr_gpu *
ummgr_gpu_running (void)
{
  return running;
}

unsigned
ummgr_gpu_whole (const struct ummgr_figures *f, unsigned warps, unsigned registers,
		 uint64_t shared)
{
  unsigned threads = warps * UMMGR_GPU_LANES;
  uint64_t n = f->max_threads_per_sm / threads;
  if (f->max_teams_per_sm && n > (unsigned) f->max_teams_per_sm)
    n = f->max_teams_per_sm;
  if (registers && f->registers_per_sm && n > f->registers_per_sm / (registers * threads))
    n = f->registers_per_sm / (registers * threads);
  if (shared && f->shared_per_sm && n > f->shared_per_sm / shared)
    n = f->shared_per_sm / shared;
  return n ? n : 1;
}

unsigned
ummgr_gpu_per_sm (const struct ummgr_figures *f, unsigned whole)
{
  uint64_t sms = ummgr_figures_sms (f), all = (uint64_t) whole * f->sm_count;
  uint64_t n = f->scaled ? (all + f->scaled * sms / 2) / (f->scaled * sms) : whole;
  return n ? n : 1;
}

void
ummgr_gpu_fit (struct ummgr_gpu_options *o, const struct ummgr_device_shape *shape)
{
  const struct ummgr_figures *f = &o->uvm->device[o->device].figures;
  unsigned lie = shape->lie > shape->warps ? shape->lie : shape->warps;
  o->shape = *shape;
  o->teams = shape->teams;
  o->warps = shape->warps;
  o->whole = ummgr_gpu_whole (f, lie, shape->registers, shape->shared);
  o->per_sm = ummgr_gpu_per_sm (f, o->whole);
  o->shared = shape->shared * o->per_sm;
}

unsigned
ummgr_gpu_slots (const struct ummgr_gpu_options *o)
{
  const struct ummgr_figures *f = &o->uvm->device[o->device].figures;
  uint64_t slots = (uint64_t) ummgr_figures_sms (f) * o->per_sm;
  /* Of several GPUs one may need more of its own than it has of the first so many.  */
  return slots < o->teams || ummgr_figures_gpus (f) > 1 ? slots : o->teams;
}

/* --- who is ready --------------------------------------------------------------- */

static void
push (struct ummgr_gpu *g, unsigned w)
{
  g->warp[w].waits = false;
  ummgr_gpu_queue_add (&g->ready, w, g->warp[w].ready);
}

void
ummgr_gpu_wake (struct ummgr_gpu *g, unsigned w)
{
  if (!g->warp[w].waits)
    return;
  if (g->warp[w].ready < g->warp[g->current].ready)
    g->warp[w].ready = g->warp[g->current].ready;
  push (g, w);
}

/* --- memory ---------------------------------------------------------------------- */

static void
tell_area (const struct ummgr_gpu *g, const struct ummgr_gpu_place *p)
{
  const struct ummgr_device_area area = { p->base, p->end, p->key, p->kind };
  if (g->o->watch && g->o->watch->area)
    g->o->watch->area (g->o->device, &area);
}

static struct ummgr_gpu_place *
place_of (struct ummgr_gpu *g, uint64_t address)
{
  struct ummgr_gpu_place *p = &g->place[(address >> 21) % PLACES];
  uint64_t changes = __atomic_load_n (g->o->changes, __ATOMIC_RELAXED);
  if (changes != g->changes)
    memset (g->place, 0, sizeof g->place);
  g->changes = changes;
  if (address - p->base >= p->end - p->base)
    {
      g->o->place (g->o->memory, address, p);
      tell_area (g, p);
    }
  return p;
}

static double
later (double a, double b)
{
  return a > b ? a : b;
}

/* UNTIL that is busy until then, is so for SECONDS more.  */
static double
occupy (const struct ummgr_gpu *g, double *until, double seconds)
{
  if (*until < g->now)
    *until = g->now;
  return *until += seconds;
}

/* The one of the device's GPUs that multiprocessor SM is of.  */
static unsigned
gpu_of (const struct ummgr_gpu *g, unsigned sm)
{
  return sm % g->gpus;
}

/* The one that has SECTOR of P, from now on if USER is the first to use its page.  */
static unsigned
home_of (const struct ummgr_gpu *g, const struct ummgr_gpu_place *p, uint64_t sector,
	 unsigned user)
{
  uint64_t address = sector * UMMGR_GPU_SECTOR;
  struct ummgr_gpu_laid *l = p->laid;
  if (g->gpus == 1)
    return 0;
  while (l->end <= address && l->end < p->end)
    l++;
  if (l->layout.grain)
    return ummgr_layout_home (&l->layout, address, g->gpus);
  unsigned char *first = &l->first[(address - l->from) / PAGE];
  if (!*first)
    *first = 1 + user;
  return *first - 1;
}

/* BYTES go over the links FROM and TO.  When they are there.  */
static double
exchange (struct ummgr_gpu *g, double *from, double *to, uint64_t bytes)
{
  double seconds = bytes / g->f->gpus_rate;
  double out = occupy (g, from, seconds), in = occupy (g, to, seconds);
  return later (out, in);
}

/* Seconds from NOW until a sector is there that no first-level cache has.  */
static double
fetch (struct ummgr_gpu *g, const struct warp *w, const struct ummgr_gpu_place *p,
       uint64_t sector, bool write, bool remote)
{
  unsigned user = gpu_of (g, w->sm), home = remote ? user : home_of (g, p, sector, user);
  struct gpu *own = &g->gpu[user], *other = &g->gpu[home];
  struct ummgr_gpu_moved moved = g->o->use (g->o->memory, p, sector, write, user,
					    remote ? UMMGR_GPU_ELSEWHERE : home);
  uint64_t bytes = (uint64_t) moved.moved * UMMGR_GPU_SECTOR, sent = (uint64_t) moved.sent * UMMGR_GPU_SECTOR;
  /* Nobody waits for what is written back.  */
  if (sent)
    occupy (g, &own->out_free, sent / g->f->remote_rate);
  double both = sent || (remote && bytes)
		? occupy (g, &own->both_free, ((remote ? bytes : 0) + sent) / (g->ways * g->f->remote_rate)) : 0;
  if (!bytes)
    return g->latency;
  double there = remote ? later (both, occupy (g, &own->in_free, bytes / g->f->remote_rate))
		 : occupy (g, &other->memory_free, bytes / g->f->memory_rate);
  if (home != user)
    {
      double passed = write ? exchange (g, &own->out_free, &other->in_free, bytes)
		      : exchange (g, &other->out_free, &own->in_free, bytes);
      there = later (passed, there);
    }
  return later (there - g->now, remote ? g->remote_latency : g->latency);
}

/* Of a line's word, which is its number and a bit for each sector that is there, and that
   was written.  */
static unsigned
bit_of (uint64_t sector, bool write)
{
  return 1u << sector % LINE << (write ? LINE : 0);
}

/* Sets by Fibonacci hashing, which keeps apart what lies equally far from one another.  */
static uint64_t *
set_of (struct ummgr_gpu *g, const struct warp *w, uint64_t sector)
{
  uint32_t hash = (uint32_t) (sector / LINE) * UINT32_C (0x9e3779b1);
  return g->cache + (w->sm * g->sets + (hash * g->sets >> 32)) * WAYS;
}

/* The line of SECTOR in W's SM, now its set's newest; it is taken, empty, where it was
   not there.  */
static uint64_t *
line_of (struct ummgr_gpu *g, const struct warp *w, uint64_t sector)
{
  uint64_t *set = set_of (g, w, sector);
  if (set[0] >> 8 == sector / LINE)
    return set;
  unsigned i = 1;
  while (i < WAYS - 1 && set[i] >> 8 != sector / LINE)
    i++;
  uint64_t word = set[i] >> 8 == sector / LINE ? set[i] : sector / LINE << 8;
  for (; i; i--)
    set[i] = set[i - 1];
  set[0] = word;
  return set;
}

/* W's SM has SECTOR from now on.  */
static void
keep (struct ummgr_gpu *g, const struct warp *w, uint64_t sector, bool written)
{
  *line_of (g, w, sector) |= bit_of (sector, false) | (written ? bit_of (sector, true) : 0);
}

/* The pages that a step faults on, and its sectors there.  */
struct missing
{
  struct uvm_block *block;
  unsigned page;
  bool write;
  uint64_t sectors;
};

/* Of managed memory at ADDRESS.  */
static struct uvm_block *
block_of (const struct ummgr_gpu *g, const struct ummgr_gpu_place *p, uint64_t address,
	  unsigned *page)
{
  uint64_t offset = address - p->base + p->within, mask = g->o->uvm->block_bytes - 1;
  *page = (offset & mask) / PAGE;
  return uvm_range_block (g->o->uvm, p->range, offset >> g->o->uvm->block_shift);
}

/* SECTOR of P is asked for over the link: access counters see that.  */
static void
count_remote (struct ummgr_gpu *g, const struct ummgr_gpu_place *p, uint64_t sector)
{
  unsigned page;
  if (p->kind != UMMGR_GPU_MANAGED || !g->f->access_counter_threshold)
    return;
  struct uvm_block *b = block_of (g, p, sector * UMMGR_GPU_SECTOR, &page);
  if (uvm_used_remotely (g->o->uvm, b, page, g->o->device, 1))
    ummgr_gpu_buffer_notified (g->buffer, g->now);
}

/* W uses its sector I, which it may.  When its data is there.  */
static double
use (struct ummgr_gpu *g, struct warp *w, unsigned i, const struct ummgr_gpu_place *p,
     bool remote)
{
  uint64_t sector = w->sector[i] >> 1;
  bool write = w->sector[i] & 1;
  keep (g, w, sector, write);
  if (remote)
    count_remote (g, p, sector);
  double t = fetch (g, w, p, sector, write, remote);
  return write ? 0 : t;
}

static void
note (struct missing *m, unsigned *count, struct uvm_block *b, unsigned page, bool write,
      unsigned i)
{
  unsigned k = 0;
  while (k < *count && (m[k].block != b || m[k].page != page))
    k++;
  if (k == *count)
    m[(*count)++] = (struct missing) { b, page, false, 0 };
  m[k].write |= write;
  m[k].sectors |= UINT64_C (1) << i;
}

static unsigned
utlb_of (const struct ummgr_gpu *g, const struct warp *w)
{
  return w->sm / g->utlb_sms;
}

/* Whether the GPU may use ADDRESS, in P; if it faults on managed memory, where.  */
static enum uvm_reach
reach_of (const struct ummgr_gpu *g, const struct ummgr_gpu_place *p, uint64_t address,
	  bool write, struct uvm_block **b, unsigned *page)
{
  if (p->kind != UMMGR_GPU_MANAGED)
    return p->kind == UMMGR_GPU_REMOTE ? UVM_REMOTE : UVM_LOCAL;
  *b = block_of (g, p, address, page);
  enum uvm_reach reach = uvm_reaches (g->o->uvm, *b, *page, g->o->device, write);
  return ummgr_gpu_buffer_coming (g->buffer, *b, *page) ? UVM_FAULTS : reach;
}

/* Make the step whose sectors W has, if the last-level cache has them all: nothing else
   in the machine takes part in it.  */
static bool
touch_near (struct ummgr_gpu *g, struct warp *w)
{
  if (!g->o->held)
    return false;
  for (unsigned i = 0; i < w->count; i++)
    {
      uint64_t sector = w->sector[i] >> 1;
      bool write = w->sector[i] & 1;
      struct uvm_block *b;
      unsigned page;
      const struct ummgr_gpu_place *p = place_of (g, sector * UMMGR_GPU_SECTOR);
      if (p->kind == UMMGR_GPU_NONE
	  || reach_of (g, p, sector * UMMGR_GPU_SECTOR, write, &b, &page) != UVM_LOCAL
	  || !g->o->held (g->o->memory, p, sector, write, gpu_of (g, w->sm)))
	return false;
    }
  for (unsigned i = 0; i < w->count; i++)
    use (g, w, i, place_of (g, (w->sector[i] >> 1) * UMMGR_GPU_SECTOR), false);
  w->used = ++g->uses;
  return true;
}

/* Make the step whose sectors W has: what it may access it does, the rest faults.  */
static void
touch (struct ummgr_gpu *g, unsigned number)
{
  struct warp *w = &g->warp[number];
  struct missing missing[SECTORS];
  unsigned faults = 0;
  double latest = 0;
  for (unsigned i = 0; i < w->count; i++)
    {
      uint64_t address = (w->sector[i] >> 1) * UMMGR_GPU_SECTOR;
      bool write = w->sector[i] & 1;
      struct uvm_block *b;
      unsigned page;
      const struct ummgr_gpu_place *p = place_of (g, address);
      if (p->kind == UMMGR_GPU_NONE)
	continue;		/* Since it was collected.  */
      enum uvm_reach reach = reach_of (g, p, address, write, &b, &page);
      if (reach == UVM_FAULTS)
	{
	  note (missing, &faults, b, page, write, i);
	  continue;
	}
      double t = use (g, w, i, p, reach == UVM_REMOTE);
      latest = t > latest ? t : latest;
    }
  w->ready = g->now + latest;
  w->used = ++g->uses;
  w->pending = faults;
  if (!faults)
    {
      push (g, number);
      return;
    }
  if (!ummgr_gpu_buffer_blocked (g->buffer, utlb_of (g, w)))
    g->since[utlb_of (g, w)] = g->uses;
  for (unsigned i = 0; i < faults; i++)
    g->no_memory |= !ummgr_gpu_buffer_fault (g->buffer, utlb_of (g, w), missing[i].block,
					     missing[i].page, missing[i].write, number,
					     missing[i].sectors, g->now);
}

/* A page that warp NUMBER waits for is there, with its SECTORS.  */
static void
done (void *data, unsigned number, uint64_t sectors)
{
  struct ummgr_gpu *g = data;
  struct warp *w = &g->warp[number];
  for (; sectors; sectors &= sectors - 1)
    {
      unsigned i = __builtin_ctzll (sectors), page;
      uint64_t address = (w->sector[i] >> 1) * UMMGR_GPU_SECTOR;
      const struct ummgr_gpu_place *p = place_of (g, address);
      struct uvm_block *b = block_of (g, p, address, &page);
      bool remote = !uvm_mask_test (&b->by[1 + g->o->device].resident, page);
      double there = g->now + use (g, w, i, p, remote);
      w->ready = there > w->ready ? there : w->ready;
    }
  if (!--w->pending)
    {
      if (w->ready < g->now)
	w->ready = g->now;
      push (g, number);
    }
}

/* --- steps ------------------------------------------------------------------------- */

/* W's step touches SECTOR as KIND says: note it, unless W's SM holds it.  */
static void
collect_sector (struct ummgr_gpu *g, struct warp *w, uint64_t sector, unsigned kind)
{
  uint64_t what = sector << 1 | (kind != 0);
  if (place_of (g, sector * UMMGR_GPU_SECTOR)->kind == UMMGR_GPU_NONE)
    return;
  if (kind != 2 && (*line_of (g, w, sector) & bit_of (sector, kind)))
    return;
  unsigned k = w->count;
  while (k && w->sector[k - 1] != what)
    k--;
  if (!k && w->count < SECTORS)
    w->sector[w->count++] = what;
}

/* The sectors of an instruction's COUNT accesses that W's SM does not hold.  How many lines
   it looks up for them.  */
static unsigned
collect (struct ummgr_gpu *g, struct warp *w, const struct ummgr_gpu_access *access,
	 unsigned count)
{
  unsigned lines = 0;
  uint64_t line = UINT64_MAX;
  for (unsigned i = 0; i < count; i++)
    {
      const struct ummgr_gpu_access *a = &access[i];
      int64_t reach = (int64_t) a->stride * (a->lanes - 1);
      uint64_t lo = a->address, size = a->size;
      unsigned lanes = a->lanes;
      /* All sectors between are touched.  */
      if (a->stride >= -UMMGR_GPU_SECTOR && a->stride <= UMMGR_GPU_SECTOR)
	{
	  lo += a->stride < 0 ? reach : 0;
	  size += a->stride < 0 ? -reach : reach;
	  lanes = 1;
	}
      for (unsigned k = 0; k < lanes; k++, lo += a->stride)
	for (uint64_t s = lo / UMMGR_GPU_SECTOR; s <= (lo + size - 1) / UMMGR_GPU_SECTOR; s++)
	  {
	    lines += s / LINE != line;
	    line = s / LINE;
	    collect_sector (g, w, s, a->kind);
	  }
    }
  return lines;
}

/* A is all of an instruction, and its SM's newest line of its set has all of it.  */
static inline bool
is_hit (struct ummgr_gpu *g, const struct warp *w, const struct ummgr_gpu_access *a)
{
  uint64_t s = a->address / UMMGR_GPU_SECTOR;
  if (a->lanes != 1 || a->more || a->kind == 2
      || (a->address + a->size - 1) / UMMGR_GPU_SECTOR != s)
    return false;
  uint64_t word = *set_of (g, w, s);
  return word >> 8 == s / LINE && (word & bit_of (s, a->kind));
}

/* A fault is outstanding in W's micro TLB: it makes one access.  */
static bool
is_blocked (const struct ummgr_gpu *g, const struct warp *w)
{
  return g->f->utlb_sms && ummgr_gpu_buffer_blocked (g->buffer, utlb_of (g, w));
}

/* W has made one since.  */
static bool
has_used (const struct ummgr_gpu *g, const struct warp *w)
{
  return w->used > g->since[utlb_of (g, w)];
}

/* COUNT things at RATE a cycle; nothing, where that or the clock is not known.  */
static double
cycles (const struct ummgr_gpu *g, double count, double rate)
{
  rate *= g->f->clock_mhz * 1e6;
  return rate > 0 ? count / rate : 0;
}

/* W's instructions up to now have been issued, and its SM's cache has looked up LINES.  */
static void
issue (struct ummgr_gpu *g, struct warp *w, uint64_t work, unsigned lines)
{
  struct sm *sm = &g->sm[w->sm];
  double issued = occupy (g, &sm->free, cycles (g, work, g->f->issue_rate));
  double looked = occupy (g, &sm->cache_free, cycles (g, lines, 1));
  w->ready = issued > w->ready ? issued : w->ready;
  w->ready = looked > w->ready ? looked : w->ready;
}

/* --- telling ---------------------------------------------------------------------- */

static bool
tells_steps (const struct ummgr_gpu *g)
{
  return g->o->watch && g->o->watch->steps;
}

/* Tell what the team in SLOT has done since the last part.  */
static void
tell_part (struct ummgr_gpu *g, unsigned slot)
{
  struct told *t = &g->told[slot * g->o->warps];
  size_t size = 0;
  for (unsigned i = 0; i < g->o->warps; i++)
    size += t[i].size + UMMGR_TRACE_VARINT_MAX;
  if (!UMMGR_GROW (g->part, g->part_room, size))
    {
      g->no_memory = true;
      return;
    }
  unsigned char *to = g->part;
  for (unsigned i = 0; i < g->o->warps; i++)
    {
      to = ummgr_trace_put (to, t[i].size);
      to = t[i].size ? mempcpy (to, t[i].bytes, t[i].size) : to;
      t[i].size = 0;
    }
  g->o->watch->steps (g->o->device, g->team[slot], g->part, to - g->part);
}

/* Room for an entry of warp NUMBER's; NULL: no memory.  */
static struct told *
room_for_entry (struct ummgr_gpu *g, unsigned number)
{
  struct told *t = &g->told[number];
  if (t->size > g->told_most)
    tell_part (g, number / g->o->warps);
  if (UMMGR_GROW (t->bytes, t->room, t->size + UMMGR_GPU_ENTRY_BYTES))
    return t;
  g->no_memory = true;
  return NULL;
}

static void
tell_step (struct ummgr_gpu *g, unsigned number, const struct ummgr_gpu_step *step)
{
  struct told *t = room_for_entry (g, number);
  if (t)
    t->size = ummgr_gpu_steps_put (t->bytes + t->size, &t->coder, step) - t->bytes;
}

void
ummgr_gpu_arrives (const struct ummgr_gpu_barrier *b)
{
  struct ummgr_gpu *g = running;
  struct told *t = tells_steps (g) ? room_for_entry (g, g->current) : NULL;
  if (t)
    t->size = ummgr_gpu_steps_put_barrier (t->bytes + t->size, b) - t->bytes;
}

/* Teams that have not ended, too, as where the launch fails.  */
static void
tell_end (struct ummgr_gpu *g)
{
  for (unsigned i = 0; i < g->slots; i++)
    if (g->slot[i])
      tell_part (g, i);
  for (size_t i = 0; i < (size_t) g->slots * g->o->warps; i++)
    free (g->told[i].bytes);
}

/* --- teams ------------------------------------------------------------------------ */

static bool
next_team (struct ummgr_gpu *g, unsigned slot)
{
  uint32_t team;
  if (!ummgr_gpu_teams_take (&g->teams, gpu_of (g, slot % g->sms), &team))
    return true;
  g->team[slot] = team;
  if (!g->o->begin (g->o->data, slot, team))
    return false;
  g->slot[slot] = g->o->warps;
  g->live += g->o->warps;
  for (unsigned i = 0; i < g->o->warps; i++)
    {
      unsigned number = slot * g->o->warps + i;
      struct warp *w = &g->warp[number];
      *w = (struct warp) { .ready = g->now, .sm = slot % g->sms };
      if (g->told)
	memset (&g->told[number].coder, 0, sizeof g->told[number].coder);
      push (g, number);
    }
  return true;
}

static bool
end_warp (struct ummgr_gpu *g, unsigned number)
{
  unsigned slot = number / g->o->warps;
  g->live--;
  if (--g->slot[slot])
    return true;
  if (g->told)
    tell_part (g, slot);
  return next_team (g, slot);
}

/* What W has done in one go.  */
struct run
{
  unsigned steps, lines;
  double waited;		/* For caches, in hits of its SM's.  */
  uint64_t work;
};

/* Make W's next instruction: add what it touches to the step's.  */
static void
make (struct ummgr_gpu *g, unsigned number, struct run *run)
{
  struct warp *w = &g->warp[number];
  const struct ummgr_gpu_access *a = w->access;
  unsigned count = 1 + a->more;
  run->work += a[count - 1].issued - w->issued;
  w->issued = a[count - 1].issued;
  w->access += count;
  w->left -= count < w->left ? count : w->left;
  w->reads |= a->kind == 0;
  if (w->left > AHEAD)
    __builtin_prefetch (set_of (g, w, w->access[AHEAD].address / UMMGR_GPU_SECTOR));
  g->result->accesses++;
  if (g->o->made)
    g->o->made (g->o->data, number, a, count);
  run->lines += is_hit (g, w, a) ? 1 : collect (g, w, a, count);
}

/* Sectors that the instruction of A touches, or more.  */
static unsigned
sectors_of (const struct ummgr_gpu_access *a)
{
  uint64_t stride = llabs (a->stride), each = a->size / UMMGR_GPU_SECTOR + 2;
  return stride > UMMGR_GPU_SECTOR ? a->lanes * each
	 : (1 + a->more) * (stride * (a->lanes - 1) / UMMGR_GPU_SECTOR + each);
}

/* Does W's next instruction go out beside those that its step has already?  */
static bool
joins (const struct warp *w)
{
  return w->left && w->access->joins && w->count + sectors_of (w->access) <= SECTORS;
}

/* W's next step.  True: it needs more than caches, or must wait.  */
static bool
make_step (struct ummgr_gpu *g, unsigned number, bool blocked, struct run *run)
{
  struct warp *w = &g->warp[number];
  w->count = 0;
  w->reads = false;
  do
    make (g, number, run);
  while (joins (w));
  run->steps++;
  if (blocked && has_used (g, w))
    return true;
  if (!w->count)
    run->waited += w->reads;
  else if (!blocked && touch_near (g, w))
    {
      run->waited += w->reads ? g->miss_hits : 0;
      g->result->misses++;
    }
  else
    return true;
  return false;
}

/* Let W go on as long as caches serve it, for some steps: with others in between that
   would come to the same.  True: it is in a step that needs more, or must wait.  */
static bool
advance (struct ummgr_gpu *g, unsigned number, enum ummgr_gpu_next *next_p)
{
  struct warp *w = &g->warp[number];
  struct run run = { 0 };
  bool stops = false, blocked = is_blocked (g, w);
  w->ready = g->now;
  g->current = number;
  *next_p = UMMGR_GPU_STEP;
  while (!stops && run.steps < HITS && run.waited < HITS)
    if (w->left)
      {
	stops = make_step (g, number, blocked, &run);
	if (!stops)
	  w->used = ++g->uses;
      }
    else
      {
	struct ummgr_gpu_step step = { 0 };
	/* Barriers: it arrives when it has done what was before.  */
	if (run.steps)
	  break;
	*next_p = g->o->next (g->o->data, number, &step);
	if (*next_p == UMMGR_GPU_STEP && tells_steps (g))
	  tell_step (g, number, &step);
	w->access = step.access;
	w->left = step.count;
	run.work += step.work;
	if (*next_p != UMMGR_GPU_STEP || !step.count)
	  break;
      }
  g->result->steps += run.steps;
  g->result->instructions += run.work;
  issue (g, w, run.work, run.lines);
  double waited = g->now + run.waited * g->hit;
  w->ready = waited > w->ready ? waited : w->ready;
  return stops;
}

/* W is in a step that needs more than caches, or must wait.  */
static void
miss (struct ummgr_gpu *g, unsigned number)
{
  struct warp *w = &g->warp[number];
  const struct ummgr_gpu_entry *first;
  g->result->misses += w->count > 0;
  if (has_used (g, w) && is_blocked (g, w))
    {
      w->has_step = true;
      g->held[g->holds++] = number;
      g->result->held++;
    }
  /* What was issued before comes first.  */
  else if (w->ready > g->now && (first = ummgr_gpu_queue_first (&g->ready))
	   && first->ready < w->ready)
    {
      w->has_step = true;
      push (g, number);
    }
  else
    {
      g->now = w->ready > g->now ? w->ready : g->now;
      touch (g, number);
    }
}

/* Have the processor fetch what the next warp's step is likely to need.  */
static void
look_ahead (struct ummgr_gpu *g)
{
  const struct ummgr_gpu_entry *e = ummgr_gpu_queue_first (&g->ready);
  if (!e)
    return;
  const struct warp *w = &g->warp[e->number];
  if (w->left)
    __builtin_prefetch (set_of (g, w, w->access->address / UMMGR_GPU_SECTOR));
}

/* FIRST goes on.  False: *END_P says why the launch ends.  */
static bool
go (struct ummgr_gpu *g, const struct ummgr_gpu_entry *first, enum ummgr_gpu_end *end_p)
{
  unsigned number = first->number;
  struct warp *w = &g->warp[number];
  enum ummgr_gpu_next next;
  g->now = w->ready > g->now ? w->ready : g->now;
  ummgr_gpu_queue_take (&g->ready, first);
  look_ahead (g);
  if (w->has_step)
    {
      w->has_step = false;
      touch (g, number);
      return true;
    }
  if (advance (g, number, &next))
    {
      miss (g, number);
      return true;
    }
  g->last = w->ready > g->last ? w->ready : g->last;
  switch (next)
    {
    case UMMGR_GPU_WAITS:
      w->waits = true;
      return true;
    case UMMGR_GPU_ENDS:
      *end_p = UMMGR_GPU_NO_MEMORY;
      return end_warp (g, number);
    case UMMGR_GPU_FAILS:
      *end_p = UMMGR_GPU_FAILED;
      return false;
    default:
      push (g, number);
      return true;
    }
}

static void
replayed (struct ummgr_gpu *g)
{
  for (unsigned i = 0; i < g->utlbs; i++)
    g->since[i] = g->uses;
  for (unsigned i = 0; i < g->holds; i++)
    {
      g->warp[g->held[i]].ready = g->now;
      push (g, g->held[i]);
    }
  g->holds = 0;
}

static enum ummgr_gpu_end
run (struct ummgr_gpu *g)
{
  enum ummgr_gpu_end end = UMMGR_GPU_DONE;
  for (unsigned i = 0; i < g->slots; i++)
    if (!next_team (g, i))
      return UMMGR_GPU_NO_MEMORY;
  while (g->live)
    {
      double driver = ummgr_gpu_buffer_when (g->buffer);
      const struct ummgr_gpu_entry *first = ummgr_gpu_queue_first (&g->ready);
      if (first && first->ready <= driver)
	{
	  if (!go (g, first, &end))
	    return end;
	  end = UMMGR_GPU_DONE;
	}
      else if (isinf (driver))
	return UMMGR_GPU_STUCK;
      else
	{
	  g->now = driver > g->now ? driver : g->now;
	  if (ummgr_gpu_buffer_go (g->buffer, g->result))
	    replayed (g);
	}
      if (g->no_memory)
	return UMMGR_GPU_NO_MEMORY;
    }
  return g->teams.left ? UMMGR_GPU_STUCK : end;
}

/* --- launches ------------------------------------------------------------------------ */

static bool
set_up (struct ummgr_gpu *g)
{
  const struct ummgr_figures *f = g->f;
  g->sms = ummgr_figures_sms (f);
  g->utlb_sms = f->utlb_sms > 0 ? f->utlb_sms : 1;
  g->utlbs = (g->sms + g->utlb_sms - 1) / g->utlb_sms;
  uint64_t slots = (uint64_t) g->sms * g->o->per_sm;
  g->gpus = ummgr_figures_gpus (f);
  ummgr_gpu_teams_begin (&g->teams, g->o->teams, g->gpus, slots, f->scheduling);
  g->result->slots = slots < g->o->teams ? slots : g->o->teams;
  g->slots = ummgr_gpu_slots (g->o);
  if (g->gpus > 1 && g->o->spread)
    g->o->spread (g->o->device, &(struct ummgr_device_spread) {
      g->o->teams, g->teams.together, g->gpus, g->o->warps * UMMGR_GPU_LANES, (unsigned) slots, f->scheduling
    });
  g->share = g->o->whole ? (double) g->o->per_sm / g->o->whole : 1;
  /* The figure is as many times less as the machine is scaled; so are teams in flight, but
     that there are whole ones.  */
  double times = f->scaled && f->sm_count > 0
		 ? (double) f->scaled * g->sms * g->share / f->sm_count : 1;
  g->latency = f->memory_latency * times;
  g->ways = ummgr_figures_ways (f);
  g->remote_latency = later (f->remote_latency, f->memory_latency) * times;
  g->hit = cycles (g, HIT_CYCLES * g->share, 1);
  g->miss_hits = g->hit > 0 ? g->latency / g->hit : HITS;
  uint64_t l1 = f->l1_bytes * g->share;
  uint64_t cache = l1 > g->o->shared ? l1 - g->o->shared : 0;
  g->sets = cache / (WAYS * LINE * UMMGR_GPU_SECTOR);
  g->sets = g->sets ? g->sets : 1;
  size_t warps = (size_t) g->slots * g->o->warps;
  g->warp = calloc (warps, sizeof *g->warp);
  g->held = malloc (warps * sizeof *g->held);
  if (tells_steps (g))
    g->told = calloc (warps, sizeof *g->told);
  g->told_most = TOLD / (warps ? warps : 1);
  g->told_most = g->told_most > TOLD_LEAST ? g->told_most : TOLD_LEAST;
  g->slot = calloc (g->slots, sizeof *g->slot);
  g->team = calloc (g->slots, sizeof *g->team);
  g->sm = calloc (g->sms, sizeof *g->sm);
  g->cache = calloc (g->sms * g->sets * WAYS, sizeof *g->cache);
  g->since = calloc (g->utlbs, sizeof *g->since);
  g->buffer = ummgr_gpu_buffer_create (g->o->uvm, g->o->device, g->utlbs, done, g);
  bool queue = ummgr_gpu_queue_set_up (&g->ready, warps, LATENCIES * g->latency);
  return queue && g->warp && (g->told || !tells_steps (g)) && g->held && g->slot && g->team
	 && g->sm && g->cache && g->since && g->buffer;
}

static void
tear_down (struct ummgr_gpu *g)
{
  free (g->sm);
  free (g->cache);
  free (g->warp);
  ummgr_gpu_queue_tear_down (&g->ready);
  free (g->held);
  free (g->slot);
  free (g->team);
  free (g->told);
  free (g->part);
  free (g->since);
  ummgr_gpu_buffer_destroy (g->buffer);
}

enum ummgr_gpu_end
ummgr_gpu_run (const struct ummgr_gpu_options *o, struct ummgr_gpu_result *result)
{
  struct ummgr_gpu g = { .o = o, .f = &o->uvm->device[o->device].figures,
			 .result = result };
  *result = (struct ummgr_gpu_result) { 0 };
  enum ummgr_gpu_end end = UMMGR_GPU_NO_MEMORY;
  running = &g;
  uvm_launch_told (o->uvm);
  if (o->watch && o->watch->shape)
    o->watch->shape (o->device, &o->shape);
  if (set_up (&g))
    {
      end = run (&g);
      if (g.told)
	tell_end (&g);
    }
  running = NULL;
  double busy = g.last;
  for (unsigned i = 0; g.sm && i < g.sms; i++)
    busy = later (busy, g.sm[i].free);
  for (unsigned i = 0; i < g.gpus; i++)
    {
      busy = later (busy, g.gpu[i].memory_free);
      busy = later (busy, later (g.gpu[i].both_free, later (g.gpu[i].in_free, g.gpu[i].out_free)));
    }
  /* The host may read what was written when the launch is over: then it is there.  */
  double written = 0;
  for (unsigned i = 0; o->left && i < g.gpus; i++)
    written = later (written, o->left (o->memory, i) * UMMGR_GPU_SECTOR / g.f->remote_rate);
  busy += written;
  result->seconds = busy;
  tear_down (&g);
  return end;
}
