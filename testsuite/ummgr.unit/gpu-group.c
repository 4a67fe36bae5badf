/* Several GPUs behind one address space, against CODA's text (Kim et al., ACM TACO 15(3),
   2018): teams on the wrong GPU, left out or run twice; memory that lies elsewhere than the
   paper's figures say; links that carry too much or cost too little.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "gpu/teams.h"
#include "gpu-source.h"

#define US 1e-6

/* --- which team runs where ------------------------------------------------------- */

/* Equation 1, of teams that GPUs take in any order, all of them once.  */
static void
teams (unsigned count, unsigned gpus, unsigned in_flight, enum ummgr_scheduling scheduling,
       unsigned seed)
{
  struct ummgr_gpu_teams t;
  static unsigned char run[4096];
  unsigned least = scheduling < UMMGR_SCHEDULING_BLOCK && in_flight < count ? in_flight : count;
  unsigned per_gpu = least / gpus, left = count, team;
  uint32_t last[UMMGR_FIGURES_GPUS] = { 0 };
  bool done[UMMGR_FIGURES_GPUS] = { false };
  memset (run, 0, sizeof run);
  per_gpu += per_gpu * gpus < least;
  ummgr_gpu_teams_begin (&t, count, gpus, in_flight, scheduling);
  for (unsigned ends = 0; ends < gpus;)
    {
      seed = seed * 1103515245 + 12345;
      unsigned gpu = (seed >> 16) % gpus;
      if (!ummgr_gpu_teams_take (&t, gpu, &team))
	{
	  ends += !done[gpu];
	  done[gpu] = true;
	  continue;
	}
      CHECK (!done[gpu] && team < count && !run[team]++);
      if (scheduling == UMMGR_SCHEDULING_AFFINITY || scheduling == UMMGR_SCHEDULING_BLOCK)
	CHECK (team / per_gpu % gpus == gpu && (!last[gpu] || team >= last[gpu]));
      if (scheduling == UMMGR_SCHEDULING_TURNS)
	CHECK_EQ (team, count - left);
      last[gpu] = team + 1;
      left--;
    }
  CHECK_EQ (left, 0);
}

/* A GPU that is never asked keeps its teams, but from a thief.  */
static void
stolen (void)
{
  struct ummgr_gpu_teams t;
  uint32_t team, order[] = { 0, 1, 4, 5 };
  ummgr_gpu_teams_begin (&t, 8, 2, 4, UMMGR_SCHEDULING_AFFINITY);
  for (unsigned i = 0; i < 4; i++)
    CHECK (ummgr_gpu_teams_take (&t, 0, &team) && team == order[i]);
  CHECK (!ummgr_gpu_teams_take (&t, 0, &team));
  ummgr_gpu_teams_begin (&t, 8, 2, 4, UMMGR_SCHEDULING_STEAL);
  CHECK (ummgr_gpu_teams_take (&t, 1, &team) && team == 4);
  for (unsigned i = 0; i < 4; i++)
    CHECK (ummgr_gpu_teams_take (&t, 0, &team) && team == i);
  for (unsigned i = 5; i < 8; i++)
    CHECK (ummgr_gpu_teams_take (&t, 0, &team) && team == i);
  CHECK (!ummgr_gpu_teams_take (&t, 1, &team));
}

/* --- where memory lies --------------------------------------------------------------- */

enum { LINE = 64 };		/* As the paper's figures have them.  */

static void
figures_2_3_6 (void)
{
  /* 256 bytes to a GPU; four of these.  */
  const struct ummgr_layout fine = { .grain = 256, .chunk = 256 };
  static const unsigned home[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0 };
  for (unsigned i = 0; i < sizeof home / sizeof *home; i++)
    CHECK_EQ (ummgr_layout_home (&fine, 1000 * 1024 + i * LINE, 4), home[i]);
  /* Team 4 uses lines 8 and 9, and goes to GPU 0, if GPUs take teams in turn.  */
  struct ummgr_gpu_teams t;
  uint32_t team;
  ummgr_gpu_teams_begin (&t, 8, 4, 16, UMMGR_SCHEDULING_TURNS);
  for (unsigned i = 0; i < 5; i++)
    CHECK (ummgr_gpu_teams_take (&t, i % 4, &team) && team == i);
  CHECK_EQ (home[8], 2);
  /* Figure 3: team 2 uses lines 6 to 8.  */
  CHECK (home[6] == 1 && home[7] == 1 && home[8] == 2);
  /* Figure 6: 3 lines a team, teams 0 to 3 and lines 0 to 11 on GPU 0, and so on.  */
  unsigned together = ummgr_layout_together (100, 16, 4, UMMGR_SCHEDULING_AFFINITY);
  const struct ummgr_layout coarse = { .origin = 4096, .grain = LINE, .chunk = 3 * LINE * together };
  CHECK_EQ (together, 4);
  for (unsigned i = 0; i < 3 * 100; i++)
    CHECK_EQ (ummgr_layout_home (&coarse, 4096 + i * LINE, 4),
	      i / 3 / together % 4);
}

/* Pages go where their middle is; memory that is used from its end; what lies before.  */
static void
pages (void)
{
  struct ummgr_layout l = { .origin = 8192, .grain = 4096, .chunk = 24000 };
  for (uint64_t a = 8192; a < 8192 + 1000000; a += 512)
    CHECK_EQ (ummgr_layout_home (&l, a, 3), ((a / 4096 * 4096 + 2048 - 8192) / 24000) % 3);
  CHECK_EQ (ummgr_layout_home (&l, 0, 3), 0);
  CHECK_EQ (ummgr_layout_home (&l, 8192 + 5 * 4096, 3), 0);
  CHECK_EQ (ummgr_layout_home (&l, 8192 + 6 * 4096, 3), 1);
  l.backward = 1;
  l.origin = 8192 + 100 * 4096;
  CHECK_EQ (ummgr_layout_home (&l, l.origin - 1, 3), 0);
  CHECK_EQ (ummgr_layout_home (&l, l.origin - 6 * 4096, 3), 0);
  CHECK_EQ (ummgr_layout_home (&l, l.origin - 7 * 4096, 3), 1);
  /* Rows of 10 pages, two to a GPU, and a last one that is half a chunk.  */
  l = (struct ummgr_layout) { .origin = 65536, .grain = 4096, .chunk = 4 * 4096, .row = 10 * 4096 };
  static const unsigned row[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2 };
  for (unsigned i = 0; i < 100; i++)
    CHECK_EQ (ummgr_layout_home (&l, 65536 + i * 4096, 3), row[i % 10]);
  CHECK_EQ (ummgr_layout_home (&l, 65536 - 4096, 3), 2);
  /* Parts of 3, 0, 10 and 1 pages; half a part to a GPU.  */
  l = (struct ummgr_layout) { .origin = 65536, .grain = 4096, .parts = 4, .together = 0.5,
			      .at = { 0, 3 * 4096, 3 * 4096, 13 * 4096, 14 * 4096 } };
  static const unsigned parts[] = { 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1 };
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    CHECK_EQ (ummgr_layout_home (&l, 65536 + i * 4096, 2), parts[i]);
}

/* --- launches ----------------------------------------------------------------------------- */

enum { TEAMS = 64, WARPS = 8, ROUNDS = 50 };

/* A sector takes 1 ns from memory, 10 over a GPU's link; a read at least 500.  */
static struct ummgr_figures figures = {
  .memory_bytes = 64 << 16, .memory_rate = 32e9, .cache_bytes = 1 << 20, .sm_count = 4,
  .max_threads_per_sm = 2048, .max_teams_per_sm = 32, .l1_bytes = 64 << 10, .utlb_sms = 1,
  .clock_mhz = 1000, .issue_rate = 4, .memory_latency = 500e-9, .h2d_rate = 4.096e9,
  .d2h_rate = 4.096e9, .remote_rate = 1.6e9, .fault_batch = 256,
  .fault_granularity = 4 << 12, .block_bytes = 16 << 12, .gpus = 2, .gpus_rate = 3.2e9,
  .scheduling = UMMGR_SCHEDULING_AFFINITY
};

/* Each warp has lines of its own, those of a team together.  */
static enum ummgr_gpu_next
line (const struct source *s, uint32_t team, unsigned warp, unsigned k, int kind,
      uint64_t base, struct ummgr_gpu_step *step, struct ummgr_gpu_access *a)
{
  if (k == ROUNDS)
    return UMMGR_GPU_ENDS;
  uint64_t number = ((uint64_t) team * s->warps + warp % s->warps) * ROUNDS + k;
  step->count = 1;
  *a = (struct ummgr_gpu_access) { .address = base + number * 128, .size = 4, .kind = kind,
				   .lanes = 32, .stride = 4 };
  return UMMGR_GPU_STEP;
}

#define KIND(NAME, KIND, BASE)                                                  \
  static enum ummgr_gpu_next NAME (struct source *s, uint32_t team, unsigned warp, unsigned k, \
				   struct ummgr_gpu_step *step, struct ummgr_gpu_access *a) \
  { return line (s, team, warp, k, KIND, BASE, step, a); }
KIND (reads, 0, LOCAL)
KIND (writes, 1, LOCAL)
KIND (reads_host, 0, REMOTE)

#define BYTES ((double) TEAMS * WARPS * ROUNDS * 128)

/* Sectors that GPUs used of each other's memory in the last launch.  */
static uint32_t pairs[UMMGR_FIGURES_GPUS][UMMGR_FIGURES_GPUS + 1];

static double
pair (unsigned user, unsigned owner)
{
  return (double) pairs[user][owner] * UMMGR_GPU_SECTOR;
}

/* LAYOUT, and what STEP then takes: about SECONDS, and PEER of the bytes from the other.  */
static void
takes (source_step *step, struct ummgr_layout layout, unsigned char *first, double seconds,
       double peer)
{
  struct source s = { .step = step, .teams = TEAMS, .warps = WARPS, .per_sm = 8 };
  struct uvm_config c = uvm_configure (&figures, 1);
  c.paging = ummgr_paging_find ("lru");
  s.uvm = uvm_create (&c);
  CHECK (s.uvm);
  s.range = uvm_range_add (s.uvm, 0, 16, 0, false);
  s.laid = (struct ummgr_gpu_laid) { LOCAL + MANAGED, layout, first, LOCAL };
  CHECK_EQ (source_run (&s), UMMGR_GPU_DONE);
  CHECK_EQ (s.begun, TEAMS);
  CHECK_EQ (s.used * UMMGR_GPU_SECTOR, BYTES);
  for (int i = 0; i < figures.gpus; i++)
    CHECK_EQ (s.by_gpu[i], s.used / figures.gpus);
  CHECK (fabs (s.peer * UMMGR_GPU_SECTOR - peer) < 1);
  memcpy (pairs, s.pairs, sizeof pairs);
  if (s.result.seconds < 0.99 * seconds || s.result.seconds > 1.04 * seconds + US)
    {
      fprintf (stderr, "took %.9g, not %.9g\n", s.result.seconds, seconds);
      abort ();
    }
  uvm_destroy (s.uvm);
}

static void
launches (void)
{
  /* 4 multiprocessors of 8 teams: 16 teams of a GPU go together.  */
  const uint64_t chunk = (uint64_t) 16 * WARPS * ROUNDS * 128;
  const struct ummgr_layout own = { .origin = LOCAL, .grain = 4096, .chunk = chunk };
  const struct ummgr_layout others = { .origin = LOCAL - chunk, .grain = 4096, .chunk = chunk };
  const struct ummgr_layout first = { .origin = LOCAL, .grain = 4096, .chunk = UINT64_C (1) << 40 };
  const struct ummgr_layout lines = { .grain = 128, .chunk = 128 };
  static unsigned char owner[1 << 16];
  takes (reads, own, NULL, BYTES / 2 / 32e9, 0);
  takes (writes, own, NULL, BYTES / 2 / 32e9, 0);
  /* Each link carries half of it in, half out, at once.  */
  takes (reads, others, NULL, BYTES / 2 / 3.2e9, BYTES);
  CHECK (pair (0, 0) == 0 && pair (0, 1) == BYTES / 2 && pair (1, 0) == BYTES / 2 && pair (1, 1) == 0);
  takes (writes, others, NULL, BYTES / 2 / 3.2e9, BYTES);
  CHECK (pair (0, 1) == BYTES / 2 && pair (1, 0) == BYTES / 2);
  /* The second GPU's half comes out of the first.  */
  takes (reads, first, NULL, BYTES / 2 / 3.2e9, BYTES / 2);
  takes (reads, lines, NULL, BYTES / 4 / 3.2e9, BYTES / 2);
  /* Who comes first has it: no page is two GPUs'.  */
  takes (reads, (struct ummgr_layout) { 0 }, owner, BYTES / 2 / 32e9, 0);
  for (unsigned i = 0; i < BYTES / 4096; i++)
    CHECK_EQ (owner[i], 1 + (uint64_t) i * 4096 / chunk % 2);
  /* And keeps it, whoever uses it then.  */
  memset (owner, 1, sizeof owner);
  takes (reads, (struct ummgr_layout) { 0 }, owner, BYTES / 2 / 3.2e9, BYTES / 2);
  figures.gpus = 4;
  takes (reads, first, NULL, BYTES * 3 / 4 / 3.2e9, BYTES * 3 / 4);
  for (unsigned i = 0; i < 4; i++)
    CHECK (pair (i, 0) == BYTES / 4 && pair (i, 1) == 0 && pair (i, 3) == 0);
  takes (writes, first, NULL, BYTES * 3 / 4 / 3.2e9, BYTES * 3 / 4);
  takes (reads, lines, NULL, BYTES / 4 * 3 / 4 / 3.2e9, BYTES * 3 / 4);
  for (unsigned i = 0; i < 16; i++)
    CHECK_EQ (pair (i / 4, i % 4), BYTES / 16);
  figures.gpus = 2;
  /* Fewer multiprocessors than GPUs: each has one, and no team is left.  */
  figures.scaled = 16;
  figures.gpus = 4;
  CHECK_EQ (ummgr_figures_sms (&figures), 4);
  figures.scaled = 0;
  figures.gpus = 2;
  /* Each GPU has a link of its own to the host.  */
  takes (reads_host, own, NULL, BYTES / 2 / 1.6e9, 0);
  CHECK (pair (0, 0) == 0 && pair (0, UMMGR_GPU_ELSEWHERE) == BYTES / 2);
}

int
main (void)
{
  for (unsigned i = 0; i < 4; i++)
    for (unsigned count = 1; count < 200; count += 1 + count / 3)
      for (unsigned gpus = 2; gpus <= 16; gpus += 1 + gpus / 3)
	for (unsigned in_flight = gpus; in_flight < 128; in_flight += in_flight / 2 + 1)
	  teams (count, gpus, in_flight, (enum ummgr_scheduling) i, count + gpus);
  stolen ();
  figures_2_3_6 ();
  pages ();
  launches ();
  return 0;
}
