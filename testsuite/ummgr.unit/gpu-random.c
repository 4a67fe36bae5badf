/* Launches whose warps do anything, on GPUs of any shape, with memory for few blocks, with
   advice and access counters: one that does not end, goes wrong in memory, wakes or ends a warp twice, accesses
   what is out of reach, or does not do the same again, nor when what it said of its warps'
   steps (gpu/steps.h) is gone through.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "gpu-source.h"
#include "gpu/steps.h"

#include <stdlib.h>

enum { TEAM_WARPS = 4, BARRIER = 7 };

static uint64_t random_state;
static unsigned seed;
static uint64_t notified_pages;

static unsigned
rnd (unsigned n)
{
  random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
  return (random_state >> 33) % n;
}

/* What a launch is like; warps' steps follow from SEED and from what they are.  */
static struct
{
  unsigned steps, blocks, pages, granule;
  bool barriers, narrow, joins;
} shape;

/* Of each team in flight, by its first warp: who waits, and who has ended.  */
static unsigned waiting[SOURCE_WARPS], ended[SOURCE_WARPS];
static bool waits[SOURCE_WARPS];

static void
pass_barrier (unsigned first)
{
  for (unsigned i = first; i < first + TEAM_WARPS; i++)
    if (waits[i])
      {
	waits[i] = false;
	ummgr_gpu_wake (ummgr_gpu_running (), i);
      }
  waiting[first] = 0;
}

static void
random_access (struct ummgr_gpu_access *a)
{
  static const uint64_t base[] = { MANAGED, MANAGED, MANAGED, MANAGED, LOCAL, REMOTE, NOTHING };
  static const int64_t stride[]
    = { 0, 1, 4, 8, 16, 32, 33, 64, 128, 4096, 65536, -4, -32, -100, -4096 };
  uint64_t block = (uint64_t) shape.pages * 4096;
  uint64_t at = base[rnd (7)] + rnd (shape.narrow ? 2 : shape.blocks + 1) * block;
  at += rnd (2) ? rnd (block) : rnd (shape.pages) * 4096 + (rnd (2) ? 4095 - rnd (8) : rnd (64));
  *a = (struct ummgr_gpu_access) {
    .address = at, .stride = stride[rnd (15)], .size = 1u << rnd (5), .kind = rnd (3),
    .lanes = rnd (2) ? 32 : 1 + rnd (32), .joins = shape.joins && rnd (2)
  };
}

static enum ummgr_gpu_next
anything (struct source *s, uint32_t team, unsigned warp, unsigned k,
	  struct ummgr_gpu_step *step, struct ummgr_gpu_access *a)
{
  unsigned first = warp - warp % s->warps;
  bool barriers = shape.barriers && s->warps == TEAM_WARPS;
  CHECK (!waits[warp]);
  uint64_t keep = random_state;
  random_state = (((uint64_t) seed * 4096 + team) * 64 + warp % s->warps) * 4096 + k;
  rnd (1);
  rnd (1);
  enum ummgr_gpu_next next = UMMGR_GPU_STEP;
  if (k == shape.steps + (team + warp % s->warps) % 3)
    {
      next = UMMGR_GPU_ENDS;
      if (++ended[first] == s->warps)
	ended[first] = 0;
      else if (barriers && waiting[first] + ended[first] == TEAM_WARPS)
	pass_barrier (first);
    }
  else if (barriers && k % BARRIER == BARRIER - 1)
    {
      ummgr_gpu_arrives (&(struct ummgr_gpu_barrier) { .waits = true });
      waiting[first]++;
      waits[warp] = true;
      next = UMMGR_GPU_WAITS;
      if (waiting[first] + ended[first] == TEAM_WARPS)
	{
	  /* The last one doesn't wait.  */
	  waits[warp] = false;
	  pass_barrier (first);
	  step->work = 1;
	  next = UMMGR_GPU_STEP;
	}
    }
  else
    {
      step->work = rnd (4) ? rnd (100) : 0;
      step->count = rnd (4) ? 1 : rnd (SOURCE_LANES + 1);
      for (unsigned i = 0; i < step->count; i++)
	random_access (&a[i]);
      for (unsigned i = 0; i < step->count; i += 1 + a[i].more)
	a[i].more = rnd (3) ? 0 : rnd (step->count - i);
    }
  random_state = keep;
  return next;
}

static void
complain (void *data, const char *text)
{
  (void) data;
  fprintf (stderr, "seed %u: %s\n", seed, text);
}

static struct ummgr_figures
random_figures (void)
{
  static const unsigned pages[] = { 1, 8, 16, 64, 512 };
  shape.pages = pages[rnd (5)];
  shape.granule = 1u << rnd (__builtin_ctz (shape.pages) + 1);
  shape.blocks = 1 + rnd (20);
  shape.narrow = rnd (2);
  shape.barriers = rnd (2);
  shape.joins = rnd (2);
  shape.steps = 1 + rnd (30);
  return (struct ummgr_figures) {
    .memory_bytes = (uint64_t) (1 + rnd (6)) * shape.pages * 4096, .memory_rate = 7e11,
    .cache_bytes = 1 << 20, .sm_count = 1 + rnd (6), .max_threads_per_sm = 2048,
    .l1_bytes = rnd (3) * 1000, .utlb_sms = rnd (4), .clock_mhz = 1000, .issue_rate = 2,
    .memory_latency = 3e-7, .h2d_rate = 1e10, .d2h_rate = 1e10, .remote_rate = 8e9,
    .gpu_fault_cost = rnd (4) ? 2e-5 : 0, .gpu_block_cost = 5e-6, .host_page_cost = 3e-7,
    .fault_batch = rnd (3) ? 1 + rnd (64) : 256,
    .fault_granularity = (uint64_t) shape.granule * 4096,
    .block_bytes = (uint64_t) shape.pages * 4096, .prefetch_threshold = rnd (2) ? 51 : 0,
    .access_counter_granularity = (uint64_t) (rnd (2) ? shape.pages : shape.granule) * 4096,
    .access_counter_threshold = rnd (2) ? 1 + rnd (50) : 0
  };
}

/* Advice, and accesses by the CPU.  */
static void
between (struct source *s)
{
  uint64_t pages = (uint64_t) s->range->count * shape.pages;
  for (unsigned n = rnd (6); n > 0; n--)
    {
      unsigned lo = rnd (pages), count = 1 + rnd (pages - lo);
      CHECK (uvm_advise (s->uvm, lo * UINT64_C (4096), count * UINT64_C (4096), 1 + rnd (6),
			 (int) rnd (2) - 1));
    }
  for (unsigned n = rnd (100); n > 0; n--)
    {
      unsigned page = rnd (pages);
      uvm_access (s->uvm, uvm_range_block (s->uvm, s->range, page / shape.pages),
		  page % shape.pages, UVM_CPU, rnd (2));
    }
}

static void
launch (struct source *s)
{
  memset (waiting, 0, sizeof waiting);
  memset (ended, 0, sizeof ended);
  memset (waits, 0, sizeof waits);
  CHECK_EQ (source_run (s), UMMGR_GPU_DONE);
  const struct ummgr_gpu_result *r = &s->result;
  CHECK (s->begun == s->teams && isfinite (r->seconds) && r->seconds > 0);
  CHECK (r->misses <= r->steps && r->duplicates <= r->entries);
  CHECK (r->batches <= r->entries && r->entries <= r->batches * 256);
  CHECK (uvm_check (s->uvm, complain, NULL));
}

/* --- by what it said of its steps ------------------------------------------------ */

static struct ummgr_gpu_steps *told;

static void
hear_shape (int device, const struct ummgr_device_shape *of)
{
  CHECK_EQ (device, 0);
  CHECK ((told = ummgr_gpu_steps_create (of)));
}

static void
hear_area (int device, const struct ummgr_device_area *area)
{
  CHECK (device == 0 && area->base < area->end && area->kind <= UMMGR_GPU_MANAGED);
}

static void
hear_steps (int device, uint32_t team, const void *bytes, size_t size)
{
  struct ummgr_gpu_part *part = ummgr_gpu_part_create (bytes, size);
  CHECK (device == 0 && part && ummgr_gpu_steps_add (told, team, part));
  ummgr_gpu_part_leave (part);
}

static const struct ummgr_device_watch watch
  = { .shape = hear_shape, .area = hear_area, .steps = hear_steps };

/* The launch of S, which has run in another instance, in C.  */
static void
launch_again (const struct source *s, struct source *c)
{
  struct ummgr_gpu_options o = {
    .uvm = c->uvm, .changes = &c->changes, .memory = c, .place = source_place,
    .held = source_held, .use = source_use
  };
  c->used = c->remote = 0;
  c->hash = 0;
  CHECK (ummgr_gpu_steps_source (told, &o));
  CHECK (o.per_sm == s->per_sm && o.teams == s->teams && o.warps == s->warps);
  uvm_launch_begin (c->uvm, 0);
  CHECK_EQ (ummgr_gpu_run (&o, &c->result), UMMGR_GPU_DONE);
  uvm_launch_end (c->uvm, 0);
  CHECK (memcmp (&c->result, &s->result, sizeof c->result) == 0);
  CHECK (c->used == s->used && c->remote == s->remote);
  struct ummgr_counters a = uvm_counters (s->uvm, 0), b = uvm_counters (c->uvm, 0);
  CHECK (memcmp (&a, &b, sizeof a) == 0);
  ummgr_gpu_steps_destroy (told);
}

static struct source
clone_of (const struct source *s)
{
  struct source c = *s;
  c.uvm = uvm_clone (s->uvm);
  CHECK (c.uvm);
  c.range = uvm_block_at (c.uvm, 0)->range;
  return c;
}

static void
play (void)
{
  random_state = seed;
  struct ummgr_figures figures = random_figures ();
  struct uvm_config config = uvm_configure (&figures, 1);
  config.paging = ummgr_paging_find ("lru");
  struct source s = {
    .step = anything, .uvm = uvm_create (&config), .teams = 1 + rnd (40),
    .warps = rnd (2) ? TEAM_WARPS : 1 + rnd (8)
  };
  CHECK (s.uvm);
  s.shape = (struct ummgr_device_shape) { s.teams, s.warps, 16u << rnd (3), 0, 0 };
  s.whole = s.per_sm = ummgr_gpu_whole (&figures, s.shape.lie, 0, 0);
  s.range = uvm_range_add (s.uvm, 0, shape.blocks * shape.pages, 0, rnd (2));
  CHECK (s.range);
  for (int n = 0; n < 3; n++)
    {
      between (&s);
      struct source c = clone_of (&s), again = clone_of (&s);
      c.watch = &watch;
      launch (&c);
      launch_again (&c, &again);
      uvm_destroy (again.uvm);
      launch (&s);
      struct ummgr_counters a = uvm_counters (s.uvm, 0), b = uvm_counters (c.uvm, 0);
      CHECK (memcmp (&a, &b, sizeof a) == 0);
      CHECK (memcmp (&s.result, &c.result, sizeof s.result) == 0 && s.hash == c.hash);
      const struct uvm_ledger *l = &s.uvm->device[0].ledger;
      CHECK_EQ (l->in_bytes, a.h2d_bytes);
      notified_pages += a.notified_pages;
      CHECK (l->out_bytes + l->dropped_bytes <= l->in_bytes + l->born_bytes);
      uvm_destroy (c.uvm);
    }
  uvm_destroy (s.uvm);
}

int
main (int argc, char **argv)
{
  unsigned first = argc > 1 ? atoi (argv[1]) : 1, count = argc > 2 ? atoi (argv[2]) : getenv ("UMMGR_ALL") ? 50 : 20;
  for (seed = first; seed < first + count; seed++)
    play ();
  CHECK (count < 20 || notified_pages > 0);
  return 0;
}
