/* Launches whose times are worked out on paper: a fault that costs too much or nothing, a
   micro TLB that holds up the wrong warps, teams that begin too early or never, a launch that
   hangs or takes no notice of an end.  The bounds of kernels that compute, that read their own
   memory, and that read the host's.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "device/profile.h"
#include "gpu-source.h"
#include "watch.h"

/* A clock is a nanosecond, an instruction a quarter of one.  A sector takes 1 ns from local
   memory and 10 over the link; a read of either 500 at least.  A fault's batch takes 20 us, 5
   for each block, half a one for a page that the CPU has mapped; a page's copy 1.  A block is
   16 pages, a granule 4.  */
static struct ummgr_figures figures;

static void
reset_figures (void)
{
  figures = (struct ummgr_figures) {
    .memory_bytes = 64 << 16, .memory_rate = 32e9, .cache_bytes = 1 << 20, .sm_count = 1,
    .max_threads_per_sm = 2048, .max_teams_per_sm = 32, .l1_bytes = 64 << 10, .utlb_sms = 1,
    .clock_mhz = 1000, .issue_rate = 4, .memory_latency = 500e-9, .h2d_rate = 4.096e9,
    .d2h_rate = 4.096e9, .remote_rate = 3.2e9, .gpu_fault_cost = 20e-6,
    .gpu_block_cost = 5e-6, .host_page_cost = 0.5e-6, .fault_batch = 256,
    .fault_granularity = 4 << 12, .block_bytes = 16 << 12
  };
}

#define US 1e-6
#define BLOCK ((uint64_t) 16 << 12)
#define PAGE ((uint64_t) 4096)

/* A source of TEAMS of WARPS warps; 64 blocks of memory, with ON_HOST the CPU's.  */
static struct source
source (source_step *step, uint32_t teams, unsigned warps, bool on_host)
{
  struct source s = { .step = step, .teams = teams, .warps = warps, .per_sm = 1 };
  struct uvm_config c = uvm_configure (&figures, 1);
  c.paging = ummgr_paging_find ("lru");
  s.uvm = uvm_create (&c);
  CHECK (s.uvm);
  s.range = uvm_range_add (s.uvm, 0, 64 * 16, 0, on_host);
  CHECK (s.range);
  /* The CPU has touched what it has.  */
  for (unsigned i = 0; on_host && i < 64 * 16; i++)
    uvm_mask_set (&uvm_range_block (s.uvm, s.range, i / 16)->on_cpu, i % 16);
  return s;
}

static void
complain (void *data, const char *text)
{
  (void) data;
  fprintf (stderr, "%s\n", text);
}

static void
finish (struct source *s)
{
  CHECK (uvm_check (s->uvm, complain, NULL));
  uvm_destroy (s->uvm);
}

/* S ends well, after SECONDS, to some instructions and looks at caches.  */
static void
takes (struct source *s, double seconds)
{
  CHECK_EQ (source_run (s), UMMGR_GPU_DONE);
  CHECK_EQ (s->begun, s->teams);
  if (fabs (s->result.seconds - seconds) > 0.02 * US)
    {
      fprintf (stderr, "took %.9g, not %.9g\n", s->result.seconds, seconds);
      abort ();
    }
}

/* A step in which one lane accesses ADDRESS.  */
static enum ummgr_gpu_next
one (struct ummgr_gpu_step *step, struct ummgr_gpu_access *a, uint64_t address, int kind)
{
  step->count = 1;
  *a = (struct ummgr_gpu_access) { .address = address, .size = 4, .kind = kind, .lanes = 1 };
  return UMMGR_GPU_STEP;
}

#define STEPS(NAME)                                                             \
  static enum ummgr_gpu_next NAME (__attribute__ ((unused)) struct source *s,   \
				   __attribute__ ((unused)) uint32_t team,       \
				   __attribute__ ((unused)) unsigned warp,       \
				   __attribute__ ((unused)) unsigned k,          \
				   __attribute__ ((unused)) struct ummgr_gpu_step *step, \
				   __attribute__ ((unused)) struct ummgr_gpu_access *a)

/* --- many warps ------------------------------------------------------------------------ */

enum { ROUNDS = 50 };

/* WORK instructions, and a line of which each lane reads a word.  */
static enum ummgr_gpu_next
line (struct ummgr_gpu_step *step, struct ummgr_gpu_access *a, uint64_t base, unsigned work,
      uint64_t number)
{
  one (step, a, base + number * 128, 0);
  step->work = work;
  a->lanes = 32;
  a->stride = 4;
  return UMMGR_GPU_STEP;
}

static uint64_t
number_of (const struct source *s, uint32_t team, unsigned warp, unsigned k)
{
  return ((uint64_t) team * s->warps + warp % s->warps) * ROUNDS + k;
}

STEPS (computes)
{
  return k == ROUNDS ? UMMGR_GPU_ENDS : line (step, a, LOCAL, 1000, team);
}
STEPS (reads)
{
  return k == ROUNDS ? UMMGR_GPU_ENDS : line (step, a, LOCAL, 10, number_of (s, team, warp, k));
}
STEPS (reads_host)
{
  return k == ROUNDS ? UMMGR_GPU_ENDS : line (step, a, REMOTE, 10, number_of (s, team, warp, k));
}

/* --- one warp ------------------------------------------------------------------- */

STEPS (reads_one) { return k ? UMMGR_GPU_ENDS : one (step, a, MANAGED + 5 * PAGE, 0); }
STEPS (writes_one) { return k ? UMMGR_GPU_ENDS : one (step, a, MANAGED + 5 * PAGE, 1); }

/* Two pages in two blocks, one after the other; in one step.  */
STEPS (reads_two) { return k == 2 ? UMMGR_GPU_ENDS : one (step, a, MANAGED + k * BLOCK, 0); }
STEPS (reads_both)
{
  one (step, a, MANAGED, 0);
  a->lanes = 2;
  a->stride = BLOCK;
  return k ? UMMGR_GPU_ENDS : UMMGR_GPU_STEP;
}

/* The same page again, what its granule has, and what it has not.  */
STEPS (reads_near)
{
  static const uint64_t at[] = { 0, 0, 64, 3 * PAGE, 4 * PAGE };
  return k == 5 ? UMMGR_GPU_ENDS : one (step, a, MANAGED + at[k], 0);
}

static void
one_warp (void)
{
  reset_figures ();
  /* Born on the GPU: a batch of one block; then the read itself.  */
  struct source s = source (reads_one, 1, 1, false);
  takes (&s, 25.5 * US);
  CHECK (s.result.batches == 1 && s.result.entries == 1 && !s.result.duplicates);
  CHECK (s.result.steps == 1 && s.used == 1 && !s.result.held);
  /* It is there from now on.  */
  takes (&s, 0.5 * US);
  CHECK (s.result.batches == 0);
  finish (&s);
  /* The granule comes from the CPU: 4 pages are unmapped, then copied.  */
  s = source (reads_one, 1, 1, true);
  takes (&s, (25 + 2 + 4 + 0.5) * US);
  CHECK_EQ (uvm_counters (s.uvm, 0).h2d_bytes, 4 * PAGE);
  finish (&s);
  /* One that writes does not wait for the memory, which takes it.  */
  s = source (writes_one, 1, 1, true);
  takes (&s, (25 + 2 + 4) * US);
  finish (&s);
  s = source (reads_two, 1, 1, false);
  takes (&s, 2 * 25.5 * US);
  CHECK_EQ (s.result.batches, 2);
  finish (&s);
  s = source (reads_both, 1, 1, false);
  takes (&s, (20 + 2 * 5 + 0.5) * US);
  CHECK (s.result.batches == 1 && s.result.entries == 2);
  finish (&s);
  /* The driver has done with the second block after 14 us, and the link with the first one's
     pages after 11; so the second one's are there after 18.  */
  s = source (reads_both, 1, 1, true);
  takes (&s, (20 + 18 + 0.5) * US);
  finish (&s);
  /* 2 faults; beside them a line that its SM has, for 30 ns, and two reads.  */
  s = source (reads_near, 1, 1, false);
  takes (&s, (2 * 25.5 + 0.03 + 2 * 0.5) * US);
  CHECK (s.result.batches == 2 && s.used == 4);
  finish (&s);
}

/* --- unknown ------------------------------------------------------------------------ */

/* Of a GPU whose clock or schedulers are not known, instructions take no time; without a
   cache, and with nothing said of SMs, it goes on as well.  */
static void
unknown_figures (void)
{
  reset_figures ();
  figures.clock_mhz = 0;
  struct source s = source (reads_near, 1, 1, false);
  takes (&s, (2 * 25.5 + 2 * 0.5) * US);
  finish (&s);
  reset_figures ();
  figures.issue_rate = 0;
  s = source (computes, 1, 1, false);
  takes (&s, (0.5 + 0.03 * (ROUNDS - 1)) * US);
  finish (&s);
  reset_figures ();
  figures.sm_count = figures.utlb_sms = figures.l1_bytes = figures.max_teams_per_sm = 0;
  s = source (reads_both, 1, 1, false);
  takes (&s, 30.5 * US);
  finish (&s);
}

/* --- caches -------------------------------------------------------------------------- */

static const char *letters;

/* Accesses to lines named by LETTERS: reads; behind `w' a write, behind `a' an atomic.  */
STEPS (spelt)
{
  const char *at = letters;
  for (unsigned i = 0; i < k && *at; i++)
    at += *at == 'w' || *at == 'a' ? 2 : 1;
  int kind = *at == 'w' ? 1 : *at == 'a' ? 2 : 0;
  return *at ? one (step, a, LOCAL + (at[kind != 0] - 'A') * 128, kind) : UMMGR_GPU_ENDS;
}

STEPS (rows) { return k == 128 ? UMMGR_GPU_ENDS : line (step, a, LOCAL, 0, k % 64); }

static void
caches (void)
{
  static const struct { const char *letters; unsigned used, us; } tries[]
    = { { "A", 1, 500 }, { "AA", 1, 530 }, { "ABCDABCD", 4, 2120 },
	/* Four lines: the one that was used last a fifth takes the place of.  */
	{ "ABCDAEA", 5, 2560 }, { "ABCDEA", 6, 3000 }, { "ABCDAEB", 6, 3030 },
	{ "ABCDAECD", 5, 2590 },
	/* What was written is there; what was read is still to be written.  */
	{ "wAA", 1, 30 }, { "AwA", 2, 500 }, { "aAaA", 2, 0 } };
  reset_figures ();
  figures.l1_bytes = 512;
  for (unsigned i = 0; i < sizeof tries / sizeof *tries; i++)
    {
      letters = tries[i].letters;
      struct source s = source (spelt, 1, 1, false);
      takes (&s, tries[i].us * 1e-9);
      CHECK_EQ (s.used, tries[i].used);
      /* Nothing is left of it in the next launch.  */
      takes (&s, tries[i].us * 1e-9);
      CHECK_EQ (s.used, tries[i].used);
      finish (&s);
    }
  /* 64 lines twice: they fit but where part of the cache is shared memory; each SM has one.  */
  reset_figures ();
  figures.sm_count = 2;
  struct source s = source (rows, 2, 1, false);
  CHECK (source_run (&s) == UMMGR_GPU_DONE && s.used == 2 * 64 * 4);
  s.teams = 1;
  CHECK (source_run (&s) == UMMGR_GPU_DONE && s.used == 64 * 4);
  s.shared = 60 << 10;
  CHECK (source_run (&s) == UMMGR_GPU_DONE && s.used > 100 * 4 && s.used <= 128 * 4);
  finish (&s);
}

/* Accesses by letter, all in one step; small ones wait for those before; behind `w' a write, behind `+' an atomic.  */
STEPS (together)
{
  if (k)
    return UMMGR_GPU_ENDS;
  unsigned n = 0;
  for (const char *at = letters; *at; at++, n++)
    {
      int kind = *at == 'w' ? 1 : *at == '+' ? 2 : 0;
      at += kind != 0;
      one (step, &a[n], LOCAL + warp * 4096 + (*at & 31) * 128, kind);
      a[n].joins = *at < 'a';
      a[n].issued = n + 1;
    }
  step->count = n;
  return UMMGR_GPU_STEP;
}

/* What of one warp is under way at once, and in the last-level cache.  */
static void
at_once (void)
{
  static const struct { const char *letters; unsigned ns; } tries[]
    = { { "A", 500 }, { "AB", 500 }, { "ABCDEFGH", 500 }, { "Ab", 1000 }, { "AbCd", 1500 },
	/* A hit beside a miss; two hits; those that wait for each other.  */
	{ "AbA", 1000 }, { "AaA", 530 }, { "Aaa", 560 },
	/* A store takes no time, and what joins it does not wait; nor does a store wait that
	   joins loads.  */
	{ "wAB", 500 }, { "AwB", 500 }, { "AwbC", 1000 }, { "wAwb", 0 },
	/* An atomic is as a store, whatever the last-level cache has.  */
	{ "+A", 0 }, { "+A+b", 0 }, { "+AB", 500 }, { "A+bC", 1000 } };
  reset_figures ();
  for (unsigned i = 0; i < sizeof tries / sizeof *tries; i++)
    for (int held = 0; held < 2; held++)
      {
	letters = tries[i].letters;
	struct source s = source (together, 1, 1, false);
	s.held_from = LOCAL;
	s.held = held ? 4096 * 32 : 0;
	takes (&s, tries[i].ns * 1e-9);
	finish (&s);
      }
  /* 32 warps read 8 sectors each, in five goes; memory moves one in 100 ns, and what is in
     the last-level cache none.  */
  letters = "AbCdEfGh";
  figures.memory_rate = 0.32e9;
  for (int held = 0; held < 2; held++)
    {
      struct source s = source (together, 1, 32, false);
      s.held_from = LOCAL;
      s.held = held ? 4096 * 32 : 0;
      takes (&s, held ? 2.5 * US : 25.6 * US);
      CHECK_EQ (s.used, 32 * 8);
      finish (&s);
    }
}

/* --- micro TLBs ------------------------------------------------------------------- */

/* Warp 0 faults; warp 1 reads 5 sectors of its own, a little later.  */
STEPS (faults_or_reads)
{
  if (s->warps == 1 ? !team : !warp)
    return reads_one (s, team, warp, k, step, a);
  step->work = k ? 0 : 40;
  return k == 5 ? UMMGR_GPU_ENDS : one (step, a, LOCAL + k * 4096, 0);
}

/* Warp 0 reads 3 sectors and faults; warp 1 reads 8.  */
STEPS (faults_late)
{
  if (!warp && k == 3)
    return one (step, a, MANAGED, 0);
  return k == (warp ? 8 : 4) ? UMMGR_GPU_ENDS : one (step, a, LOCAL + (warp * 99 + k) * 4096, 0);
}

static void
micro_tlbs (void)
{
  reset_figures ();
  /* The other one makes an access at once, and the other four behind the replay, at 25 us.  */
  struct source s = source (faults_or_reads, 1, 2, false);
  takes (&s, (25 + 4 * 0.5) * US);
  CHECK_EQ (s.result.held, 1);
  finish (&s);
  /* Of those after the fault, not before it: 3 reads, the fault at 1.5 us, one more read;
     then the replay, at 26.5, and 4 more.  */
  s = source (faults_late, 1, 2, false);
  takes (&s, (1.5 + 25 + 4 * 0.5) * US);
  CHECK_EQ (s.result.held, 1);
  finish (&s);
  figures.utlb_sms = 0;
  s = source (faults_or_reads, 1, 2, false);
  takes (&s, 25.5 * US);
  CHECK_EQ (s.result.held, 0);
  finish (&s);
  /* On an SM of its own it doesn't wait, but where both have one micro TLB.  */
  figures.sm_count = 2;
  for (figures.utlb_sms = 1; figures.utlb_sms < 3; figures.utlb_sms++)
    {
      s = source (faults_or_reads, 2, 1, false);
      takes (&s, figures.utlb_sms == 2 ? 27 * US : 25.5 * US);
      finish (&s);
    }
}

/* Each of 4 warps faults on a page of its own, in a block of its own.  */
STEPS (all_fault) { return k ? UMMGR_GPU_ENDS : one (step, a, MANAGED + (team + warp) * BLOCK, 0); }
STEPS (same_fault) { return k ? UMMGR_GPU_ENDS : one (step, a, MANAGED + (team + warp) * 8, 0); }

static void
batches (void)
{
  reset_figures ();
  struct source s = source (all_fault, 1, 4, false);
  takes (&s, (20 + 4 * 5 + 0.5) * US);
  CHECK (s.result.batches == 1 && s.result.entries == 4);
  finish (&s);
  /* One page is one request of a micro TLB; of 4, it is 4 entries.  */
  s = source (same_fault, 1, 4, false);
  takes (&s, 25.5 * US);
  CHECK (s.result.entries == 1 && !s.result.duplicates);
  finish (&s);
  figures.sm_count = 4;
  s = source (same_fault, 4, 1, false);
  takes (&s, 25.5 * US);
  CHECK (s.result.batches == 1 && s.result.entries == 4 && s.result.duplicates == 3);
  finish (&s);
  /* A batch takes 2 of them: 30 us each.  What the first one did not take comes again.  */
  figures.sm_count = 1;
  figures.fault_batch = 2;
  s = source (all_fault, 1, 4, false);
  takes (&s, (2 * 30 + 0.5) * US);
  CHECK (s.result.batches == 2 && s.result.entries == 4);
  finish (&s);
}

/* --- access counters ----------------------------------------------------------------- */

static unsigned reads_to_make, apart;	/* Pages between two reads, of a few.  */

/* Sector after sector, each behind the one before: 500 ns, and 1 to look for it in the
   multiprocessor's cache.  */
#define READ (0.501 * US)
STEPS (reads_on)
{
  return k == reads_to_make ? UMMGR_GPU_ENDS
	 : one (step, a, MANAGED + k % 4 % 3 * apart * PAGE + k * 32, 0);
}

/* One that makes READS, of the host's memory, which it may map.  */
static struct source
counted (unsigned reads, unsigned granules)
{
  reads_to_make = reads;
  apart = granules * 4;
  struct source s = source (reads_on, 1, 1, true);
  CHECK (uvm_advise (s.uvm, 0, 64 * BLOCK, UVM_SET_ACCESSED_BY, 0));
  return s;
}

static void
has_counted (const struct source *s, uint64_t notifications, uint64_t pages, uint64_t batches)
{
  const struct ummgr_counters c = uvm_counters (s->uvm, 0);
  CHECK_EQ (c.notifications, notifications);
  CHECK_EQ (c.notified_pages, pages);
  CHECK_EQ (c.h2d_bytes, pages * PAGE);
  CHECK_EQ (c.fault_batches, batches);
  CHECK_EQ (c.gpu_faults, 0);
}

/* Four accesses to a block notify: the fourth, at 1.5 us.  The driver wakes 10 us later.  */
static void
access_counters (void)
{
  reset_figures ();
  figures.access_counter_granularity = BLOCK;
  figures.access_counter_threshold = 4;
  /* The launch is over before; the next one begins with it.  It takes the granule's four
     pages: 5 + 4 * 0.5 us, then 4 * 1 us for the copies, from 10 to 21 us.  The 21st read,
     a moment later, faults.  The driver comes to that at 31 us, finds the page there, and
     replays at 41; there are 9 more reads.  */
  struct source s = counted (10, 0);
  takes (&s, 10 * READ);
  has_counted (&s, 1, 0, 0);
  reads_to_make = 30;
  takes (&s, 41 * US + 10 * READ);
  has_counted (&s, 1, 4, 1);
  CHECK (uvm_mask_count (&uvm_range_block (s.uvm, s.range, 0)->by[1].resident) == 4);
  /* Then it is all local.  */
  takes (&s, 30 * READ);
  has_counted (&s, 1, 4, 1);
  finish (&s);
  /* In one launch: 11.5 to 22.5, and 32.5 to 42.5; of 26 reads the last three are made then.  */
  s = counted (26, 0);
  takes (&s, 42.5 * US + 3 * READ);
  has_counted (&s, 1, 4, 1);
  finish (&s);
  /* Reads of three granules of four, and the tree: the whole block, 5 + 16 * 1.5 us, and half
     a batch before and two behind.  */
  figures.prefetch_threshold = 51;
  s = counted (25, 1);
  takes (&s, (11.5 + 29 + 10 + 10) * US + 2 * READ);
  has_counted (&s, 1, 16, 1);
  finish (&s);
  /* What is to stay with the host stays, for 5 us of the driver's time, and is counted again
     from 11.5 us on.  The launch ends before the driver wakes at 26.5 for that.  */
  s = counted (50, 0);
  CHECK (uvm_advise (s.uvm, 0, 64 * BLOCK, UVM_SET_PREFERRED, UVM_HOST));
  takes (&s, 50 * READ);
  has_counted (&s, 2, 0, 0);
  finish (&s);
  /* No room: not cleared, and so never heard of again.  */
  s = counted (50, 0);
  CHECK (uvm_take (s.uvm, 0, figures.memory_bytes));
  takes (&s, 50 * READ);
  takes (&s, 50 * READ);
  has_counted (&s, 1, 0, 0);
  finish (&s);
  /* Read-mostly: a fault brings a copy, and nothing is used over the link.  */
  s = counted (30, 0);
  CHECK (uvm_advise (s.uvm, 0, 64 * BLOCK, UVM_SET_READ_MOSTLY, 0));
  source_run (&s);
  CHECK_EQ (uvm_counters (s.uvm, 0).notifications, 0);
  finish (&s);
  /* Freed before the driver came to it.  */
  s = counted (10, 0);
  takes (&s, 10 * READ);
  uvm_range_remove (s.uvm, s.range);
  CHECK_EQ (s.uvm->device[0].notified, 0);
  finish (&s);
}

/* --- teams ------------------------------------------------------------------------ */

/* Warp 1 computes for 1 us; warp 0, which waits for it, does so then.  */
STEPS (waits)
{
  if (warp == 0 && k == 0)
    return UMMGR_GPU_WAITS;
  if (k == (warp == 0 ? 2 : 1))
    {
      if (warp == 1)
	ummgr_gpu_wake (ummgr_gpu_running (), 0);
      return UMMGR_GPU_ENDS;
    }
  step->work = 4000;
  return UMMGR_GPU_STEP;
}

STEPS (waits_forever) { return warp || k ? UMMGR_GPU_ENDS : UMMGR_GPU_WAITS; }
STEPS (fails) { return team == 2 ? UMMGR_GPU_FAILS : reads_one (s, team, warp, k, step, a); }
STEPS (reads_own) { return k ? UMMGR_GPU_ENDS : one (step, a, LOCAL + team * 4096, 0); }
STEPS (does_nothing) { return UMMGR_GPU_ENDS; }

static void
teams (void)
{
  reset_figures ();
  struct source s = source (waits, 1, 2, false);
  takes (&s, 2 * US);
  finish (&s);
  s = source (waits_forever, 1, 2, false);
  CHECK_EQ (source_run (&s), UMMGR_GPU_STUCK);
  finish (&s);
  s = source (fails, 4, 1, false);
  CHECK_EQ (source_run (&s), UMMGR_GPU_FAILED);
  CHECK_EQ (s.begun, 3);
  finish (&s);
  s = source (reads_own, 4, 1, false);
  s.refuses = 3;
  CHECK_EQ (source_run (&s), UMMGR_GPU_NO_MEMORY);
  CHECK_EQ (s.begun, 3);
  finish (&s);
  /* 6 teams, of which so many fit.  */
  static const struct { int sms; unsigned per_sm; double us; } fit[]
    = { { 1, 1, 3 }, { 1, 2, 1.5 }, { 2, 1, 1.5 }, { 1, 4, 1 }, { 3, 2, 0.5 }, { 99, 9, 0.5 } };
  for (unsigned i = 0; i < sizeof fit / sizeof *fit; i++)
    {
      figures.sm_count = fit[i].sms;
      s = source (reads_own, 6, 1, false);
      s.per_sm = fit[i].per_sm;
      takes (&s, fit[i].us * US);
      CHECK (s.result.steps == 6 && s.result.misses == 6);
      finish (&s);
    }
  s = source (does_nothing, 300, 4, false);
  takes (&s, 0);
  finish (&s);
}

/* Teams that fit by threads, by their number, by registers, by shared memory.  */
static void
fit (void)
{
  reset_figures ();
  CHECK_EQ (ummgr_gpu_whole (&figures, 8, 0, 0), 8);
  CHECK_EQ (ummgr_gpu_whole (&figures, 1, 0, 0), 32);
  CHECK_EQ (ummgr_gpu_whole (&figures, 32, 0, 0), 2);
  CHECK_EQ (ummgr_gpu_whole (&figures, 65, 0, 0), 1);
  CHECK_EQ (ummgr_gpu_whole (&figures, 8, 128, 0), 8);
  figures.registers_per_sm = 65536;
  figures.shared_per_sm = 96 << 10;
  CHECK_EQ (ummgr_gpu_whole (&figures, 8, 128, 0), 2);
  CHECK_EQ (ummgr_gpu_whole (&figures, 8, 32, 40 << 10), 2);
  CHECK_EQ (ummgr_gpu_whole (&figures, 8, 32, 200 << 10), 1);
  /* 56 multiprocessors, with 8 teams each: 448, and so many times less.  */
  static const struct { unsigned n, sms, teams; } scaled[]
    = { { 0, 56, 8 }, { 8, 7, 8 }, { 32, 2, 7 }, { 40, 1, 11 }, { 56, 1, 8 }, { 64, 1, 7 },
	{ 224, 1, 2 }, { 256, 1, 2 }, { 512, 1, 1 }, { 4096, 1, 1 } };
  figures.sm_count = 56;
  for (unsigned i = 0; i < sizeof scaled / sizeof *scaled; i++)
    {
      figures.scaled = scaled[i].n;
      CHECK_EQ (ummgr_figures_sms (&figures), scaled[i].sms);
      CHECK_EQ (ummgr_gpu_per_sm (&figures, 8), scaled[i].teams);
    }
}

/* --- scales --------------------------------------------------------------------------- */

enum { SIMILAR_TEAMS = 3840, MANY_LINES = 160, FEW_LINES = 8 };

STEPS (reads_far)
{
  return k == ROUNDS ? UMMGR_GPU_ENDS
	 : one (step, a, LOCAL + number_of (s, team, warp, k) * 128, 0);
}
STEPS (hits) { return k == 20 * ROUNDS ? UMMGR_GPU_ENDS : one (step, a, LOCAL + team * 128, 0); }
/* 64 lines of the cache are a team's.  */
STEPS (reads_many)
{
  return k == 4 * MANY_LINES ? UMMGR_GPU_ENDS
	 : one (step, a, LOCAL + (team * MANY_LINES + k % MANY_LINES) * 128, 0);
}
STEPS (reads_few)
{
  return k == 40 * FEW_LINES ? UMMGR_GPU_ENDS
	 : one (step, a, LOCAL + (team * FEW_LINES + k % FEW_LINES) * 128, 0);
}

/* A launch of STEP on a machine 1/N the size of one with 16 multiprocessors and 8 teams on each:
   seconds, and sectors used.  */
static double
on_scale (source_step *step, unsigned n, double *used)
{
  struct ummgr_profile p = { .device_count = 1 };
  struct ummgr_options o = { .scale = n };
  reset_figures ();
  figures.sm_count = 16;
  figures.memory_bytes = (uint64_t) 4096 << 16;
  figures.memory_rate = 1e15;
  p.device[0] = figures;
  CHECK (ummgr_profile_adjust (&p, &o));
  figures = p.device[0];
  struct source s = source (step, SIMILAR_TEAMS / n, 1, false);
  s.whole = 8;
  s.per_sm = ummgr_gpu_per_sm (&figures, s.whole);
  CHECK_EQ (source_run (&s), UMMGR_GPU_DONE);
  *used = (double) s.used * n;
  double seconds = s.result.seconds * n;
  finish (&s);
  return seconds;
}

/* What waits for memory, for its multiprocessor's cache, computes, or needs as much of that
   cache as there is, takes an Nth of the time on a machine 1/N the size.  */
static void
scales (void)
{
  static source_step *const steps[] = { reads_far, hits, computes, reads_many, reads_few };
  for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++)
    {
      double used, whole_used, whole = on_scale (steps[i], 1, &whole_used);
      for (unsigned n = 4; n <= 192; n = n == 64 ? 96 : n * 2)
	{
	  double seconds = on_scale (steps[i], n, &used);
	  if (fabs (seconds / whole - 1) > 0.05 || fabs (used / whole_used - 1) > 0.05)
	    {
	      fprintf (stderr, "step %u at 1/%u: %.9g, %.9g at 1; %g and %g sectors\n", i, n,
		       seconds, whole, used, whole_used);
	      abort ();
	    }
	}
    }
  reset_figures ();
}

/* --- bounds ------------------------------------------------------------------------- */

STEPS (reads_managed)
{
  return k == ROUNDS ? UMMGR_GPU_ENDS : line (step, a, MANAGED, 10, number_of (s, team, warp, k));
}

static void
is_about (struct source *s, double seconds)
{
  CHECK_EQ (source_run (s), UMMGR_GPU_DONE);
  CHECK_EQ (s->result.steps, s->teams * s->warps * ROUNDS);
  if (s->result.seconds < 0.999 * seconds || s->result.seconds > 1.04 * seconds)
    {
      fprintf (stderr, "took %.9g, not %.9g\n", s->result.seconds, seconds);
      abort ();
    }
  finish (s);
}

static void
bounds (void)
{
  reset_figures ();
  figures.sm_count = 8;
  struct source s = source (computes, 128, 8, false);
  s.per_sm = 8;
  double steps = 128. * 8 * ROUNDS;
  is_about (&s, steps * 1000 / (8 * 4 * 1e9));
  s = source (reads, 128, 8, false);
  s.per_sm = 8;
  is_about (&s, steps * 128 / figures.memory_rate);
  s = source (reads_host, 128, 8, false);
  s.per_sm = 8;
  is_about (&s, steps * 128 / figures.remote_rate);
  CHECK_EQ (s.remote, steps * 4);
  /* As much back: beside that, as far as the link carries both.  */
  for (int ways = 4; ways <= 8; ways += 2)
    {
      figures.both_rate = ways == 8 ? 0 : ways / 4. * figures.h2d_rate;
      s = source (reads_host, 128, 8, false);
      s.per_sm = 8;
      s.sends = 1;
      is_about (&s, 2 * steps * 128 / (ways / 4. * figures.remote_rate));
    }
  figures.both_rate = 0;
  /* What the cache has still to write there goes when all warps have ended.  */
  s = source (reads, 128, 8, false);
  s.per_sm = 8;
  s.left = 100000;
  is_about (&s, steps * 128 / figures.memory_rate + 100000 * 32 / figures.remote_rate);
  /* Managed memory that stays with the host, once the first launch has mapped it.  */
  s = source (reads_managed, 64, 8, true);
  s.per_sm = 8;
  CHECK (uvm_advise (s.uvm, 0, 64 * BLOCK, UVM_SET_PREFERRED, UVM_HOST));
  CHECK_EQ (source_run (&s), UMMGR_GPU_DONE);
  CHECK (s.result.batches && s.result.seconds > steps / 2 * 128 / figures.remote_rate);
  is_about (&s, steps / 2 * 128 / figures.remote_rate);
  CHECK (!s.result.batches && s.remote == steps / 2 * 4);
}

/* Each of a warp's reads waits for the one before, and looks at a cache for a clock: over the link longer, never less
   than its own memory's.  */
STEPS (one_far)
{
  return k == ROUNDS ? UMMGR_GPU_ENDS : one (step, a, REMOTE + k * 128, 0);
}

static void
latencies (void)
{
  for (int ns = 300; ns <= 1300; ns += 500)
    {
      reset_figures ();
      figures.remote_latency = ns * 1e-9;
      struct source s = source (one_far, 1, 1, false);
      takes (&s, ROUNDS * ((ns < 500 ? 500 : ns) + 1) * 1e-9);
      finish (&s);
    }
  reset_figures ();
}

/* --- memory --------------------------------------------------------------------------- */

/* All of 64 blocks, page by page, by one warp, twice: half of them fit.  */
STEPS (sweeps)
{
  return k == 2 * 64 * 16 ? UMMGR_GPU_ENDS : one (step, a, MANAGED + k % (64 * 16) * PAGE, 1);
}

static void
too_much (void)
{
  reset_figures ();
  figures.memory_bytes = 32 * BLOCK;
  figures.l1_bytes = 0;
  struct source s = source (sweeps, 1, 1, true);
  CHECK_EQ (source_run (&s), UMMGR_GPU_DONE);
  /* Each granule comes twice, each block leaves but for the last 32.  */
  struct ummgr_counters c = uvm_counters (s.uvm, 0);
  const struct uvm_ledger *l = &s.uvm->device[0].ledger;
  CHECK_EQ (c.h2d_bytes, 2 * 64 * BLOCK);
  CHECK_EQ (c.d2h_bytes, (2 * 64 - 32) * BLOCK);
  CHECK_EQ (c.evictions, 2 * 64 - 32);
  CHECK_EQ (c.gpu_faults, 2 * 64 * 4);
  CHECK (l->in_bytes == c.h2d_bytes && l->out_bytes == c.d2h_bytes && !l->born_bytes);
  CHECK (s.result.batches == 2 * 64 * 4 && !s.result.duplicates);
  /* A batch: 20 + 5 + 4 pages unmapped, while the CPU has them, and copied; each that evicts
     waits for 16 pages before.  */
  double us = 2 * 64 * 4 * 29 + 64 * 4 * 2 + (2 * 64 - 32) * 16;
  /* And a look at the cache for each step, 1 ns.  */
  CHECK (fabs (s.result.seconds - (us + s.result.steps * 1e-3) * US) < 0.1 * US);
  finish (&s);
}

/* Every allocation fails once.  */
static void
no_memory (void)
{
  reset_figures ();
  figures.sm_count = 4;
  bool done = false;
  for (int k = 0; !done; k++)
    {
      CHECK (k < 100);
      struct source s = source (all_fault, 16, 4, false);
      long blocks = watch_blocks;
      watch_failing = k;
      enum ummgr_gpu_end end = source_run (&s);
      done = watch_failing >= 0;
      watch_failing = -1;
      CHECK_EQ (watch_blocks, blocks);
      CHECK_EQ (end, done ? UMMGR_GPU_DONE : UMMGR_GPU_NO_MEMORY);
      finish (&s);
    }
}

/* On a clone a launch does what it then does in the original, which it leaves alone.  */
static void
ahead (void)
{
  reset_figures ();
  figures.memory_bytes = 32 * BLOCK;
  struct source s = source (sweeps, 1, 1, true), c = s;
  struct ummgr_counters before = uvm_counters (s.uvm, 0);
  c.uvm = uvm_clone (s.uvm);
  CHECK (c.uvm);
  c.range = uvm_block_at (c.uvm, 0)->range;
  CHECK_EQ (source_run (&c), UMMGR_GPU_DONE);
  struct ummgr_counters after = uvm_counters (s.uvm, 0);
  CHECK (memcmp (&before, &after, sizeof before) == 0 && !s.uvm->device[0].managed_bytes);
  CHECK_EQ (source_run (&s), UMMGR_GPU_DONE);
  before = uvm_counters (c.uvm, 0);
  after = uvm_counters (s.uvm, 0);
  CHECK (memcmp (&before, &after, sizeof before) == 0);
  CHECK (s.hash == c.hash && s.result.seconds == c.result.seconds);
  finish (&c);
  finish (&s);
}

int
main (void)
{
  one_warp ();
  unknown_figures ();
  caches ();
  at_once ();
  micro_tlbs ();
  batches ();
  access_counters ();
  teams ();
  fit ();
  scales ();
  bounds ();
  latencies ();
  too_much ();
  no_memory ();
  ahead ();
  return 0;
}
