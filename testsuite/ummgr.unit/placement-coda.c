/* CODA's placement against the paper's text (Kim et al., ACM TACO 15(3), 2018): pages that lie
   with another GPU than the one whose teams use them, memory that is shared or irregular and
   not interleaved, objects that are laid anew too often, or never.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "placement/coda.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, GPUS = 16 };

static struct ummgr_device_use
use_of (uint64_t address, uint64_t size, uint64_t trip, int64_t stride)
{
  struct ummgr_device_use u = { .address = address, .size = size, .object = 1,
				.hint = UMMGR_HINT_UNKNOWN };
  u.hint.known = true;
  u.hint.density = 1;
  u.exclusive = (struct ummgr_exclusive) { .pace = (double) stride, .iterations = trip,
					   .first = stride < 0 ? (double) size : 0 };
  return u;
}

static struct ummgr_layout
layout_of (const struct ummgr_device_use *use, const struct ummgr_device_spread *spread)
{
  struct ummgr_layout l;
  memset (&l, 0x5a, sizeof l);
  ummgr_coda_layout (use, spread, &l);
  return l;
}

/* Where team TEAM of TEAMS begins in N iterations: as GCC 12 shares them out
   (expand_omp_for_static_nochunk, gcc/omp-expand.cc).  */
static uint64_t
begin_of (uint64_t n, unsigned teams, unsigned team)
{
  uint64_t q = n / teams, rest = n % teams;
  return q * team + (team < rest ? team : rest);
}

/* Each page is with the GPU that uses most of it, but where GPUs meet: there a share that is
   off by some iterations may decide.  */
static void
against_teams (uint64_t n, unsigned stride, bool down, unsigned teams, unsigned in_flight,
	       unsigned gpus)
{
  static uint64_t used[1 << 12][GPUS];
  const uint64_t base = 1 << 20, size = n * stride;
  const struct ummgr_device_use use = use_of (base, size, n, down ? -(int64_t) stride : stride);
  const struct ummgr_device_spread spread
    = { teams, ummgr_layout_together (teams, in_flight, gpus, UMMGR_SCHEDULING_AFFINITY), gpus };
  const struct ummgr_layout l = layout_of (&use, &spread);
  unsigned least = teams < in_flight ? teams : in_flight;
  unsigned per_gpu = (least + gpus - 1) / gpus;
  uint64_t wrong = 0, meet = 2;
  memset (used, 0, sizeof used);
  CHECK (size / PAGE < sizeof used / sizeof *used);
  if (l.grain != PAGE)
    {
      CHECK ((double) n * stride * per_gpu / teams < PAGE);
      return;
    }
  for (unsigned t = 0; t < teams; t++)
    {
      unsigned gpu = t / per_gpu % gpus;
      meet += t && gpu != (t - 1) / per_gpu % gpus;
      for (uint64_t i = begin_of (n, teams, t); i < begin_of (n, teams, t + 1); i++)
	used[(down ? n - 1 - i : i) * stride / PAGE][gpu] += stride;
    }
  for (uint64_t p = 0; p < size / PAGE; p++)
    {
      unsigned home = ummgr_layout_home (&l, base + p * PAGE, gpus);
      CHECK (home < gpus);
      for (unsigned g = 0; g < gpus; g++)
	if (used[p][g] > used[p][home])
	  {
	    wrong++;
	    break;
	  }
    }
  /* Up to a quarter of the teams' iterations are elsewhere than equal shares have them.  */
  CHECK (wrong <= meet * (1 + (uint64_t) teams / 4 * stride / PAGE));
}

/* N iterations of STRIDE bytes, of which TEAMS take CHUNK by turns, as dist_schedule has it: each
   page is with the GPU that uses most of it, or all of them are shared out by lines, and that
   is so where BY_LINES.  */
static void
against_chunks (uint64_t n, unsigned stride, unsigned chunk, unsigned teams, unsigned in_flight,
		unsigned gpus, bool by_lines)
{
  static uint64_t used[1 << 12][GPUS];
  const uint64_t base = 1 << 20, size = n * stride;
  struct ummgr_device_use use = use_of (base, size, n, stride);
  const struct ummgr_device_spread spread
    = { teams, ummgr_layout_together (teams, in_flight, gpus, UMMGR_SCHEDULING_AFFINITY), gpus };
  use.exclusive.chunk = chunk;
  const struct ummgr_layout l = layout_of (&use, &spread);
  CHECK_EQ (l.grain == 128, by_lines);
  if (by_lines)
    return;
  memset (used, 0, sizeof used);
  for (uint64_t i = 0; i < n; i++)
    used[i * stride / PAGE][i / chunk % teams / spread.together % gpus] += stride;
  for (uint64_t p = 0; p < size / PAGE; p++)
    {
      unsigned home = ummgr_layout_home (&l, base + p * PAGE, gpus);
      for (unsigned g = 0; g < gpus; g++)
	CHECK (used[p][g] <= used[p][home] + stride);
    }
}

/* Random ones: what is used from afar shares a page with another GPU's, or with what would be
   that, unless all of it lies by lines.  How many do not.  */
static unsigned
random_chunks (void)
{
  static uint64_t used[1 << 12][GPUS];
  unsigned laid = 0;
  for (unsigned round = 0; round < 3000; round++)
    {
      uint64_t n = 1 + rand () % 100000, base = (1 << 20) + 8 * (rand () % 512), afar = 0;
      unsigned teams = 1 + rand () % 200, gpus = 2 + rand () % 7;
      struct ummgr_device_use use = use_of (base, n * 8, n, 8);
      const struct ummgr_device_spread spread
	= { teams, ummgr_layout_together (teams, gpus + rand () % 64, gpus,
					  UMMGR_SCHEDULING_AFFINITY), gpus };
      use.exclusive.chunk = 1 + rand () % 3000;
      const struct ummgr_layout l = layout_of (&use, &spread);
      if (l.grain != PAGE)
	continue;
      laid++;
      uint64_t first = base / PAGE, borders = 0;
      unsigned before = 0;
      memset (used, 0, sizeof used);
      for (uint64_t i = 0; i < n; i++)
	{
	  unsigned gpu = i / use.exclusive.chunk % teams / spread.together % gpus;
	  used[(base + i * 8) / PAGE - first][gpu] += 8;
	  borders += i && gpu != before;
	  before = gpu;
	}
      for (uint64_t p = 0; p <= (base + n * 8) / PAGE - first; p++)
	for (unsigned g = 0; g < gpus; g++)
	  if (g != ummgr_layout_home (&l, (first + p) * PAGE, gpus))
	    afar += used[p][g];
      CHECK (afar <= (borders + 1) * PAGE);
    }
  return laid;
}

static void
chunks (void)
{
  CHECK (random_chunks () > 1000);
  /* Rounds that go on with the next GPU, and that begin again: the header's example.  */
  against_chunks (400000, 8, 512, 64, 64, 4, false);
  against_chunks (400000, 8, 512, 100, 64, 4, false);
  against_chunks (400000, 8, 500, 100, 64, 4, false);
  /* Fewer chunks than teams, which equal pieces would have with other GPUs.  */
  against_chunks (40000, 8, 512, 1000, 64, 4, false);
  against_chunks (300000, 16, 256, 7, 64, 4, false);
  /* Shorter than a page: nobody has one.  */
  against_chunks (400000, 8, 4, 64, 64, 4, true);
  struct ummgr_device_use use = use_of (1 << 20, 3200000, 400000, 8);
  struct ummgr_device_spread spread = { 100, 16, 4 };
  use.exclusive.chunk = 512;
  struct ummgr_layout l = layout_of (&use, &spread);
  CHECK (l.chunk == 65536 && l.row == 409600 && l.grain == PAGE);
  /* Columns, each of which rounds go through: only if they go on.  */
  use.exclusive.row = 3200000;
  CHECK_EQ (layout_of (&use, &spread).grain, 128);
  spread.teams = 128;
  l = layout_of (&use, &spread);
  CHECK (l.chunk == 65536 && l.row == 3200000);
  /* By parts: 64 of 6,250 iterations; 16 teams have 8,192 and then 320.  */
  use.exclusive.row = 0;
  use.exclusive.parts = UMMGR_EXCLUSIVE_PARTS;
  for (unsigned i = 0; i <= UMMGR_EXCLUSIVE_PARTS; i++)
    use.exclusive.at[i] = (int64_t) i * 50000;
  l = layout_of (&use, &spread);
  CHECK (l.parts == UMMGR_EXCLUSIVE_PARTS && l.together == 8192 / 6250.0);
  use.exclusive.chunk = 20;
  use.exclusive.pace = 800;
  CHECK_EQ (layout_of (&use, &spread).grain, 128);
  use.exclusive.chunk = 512;
  spread.teams = 100;
  CHECK_EQ (layout_of (&use, &spread).grain, 128);
}

static void
example (void)
{
  struct ummgr_device_use use = use_of (1 << 20, 96000, 12000, 8);
  const struct ummgr_device_spread spread = { 24, 6, 4 };
  struct ummgr_layout l = layout_of (&use, &spread);
  CHECK (l.origin == 1 << 20 && l.grain == PAGE && l.chunk == 24000 && !l.backward);
  CHECK_EQ (ummgr_layout_home (&l, (1 << 20) + 5 * PAGE, 4), 0);
  CHECK_EQ (ummgr_layout_home (&l, (1 << 20) + 6 * PAGE, 4), 1);
  /* A part of it.  */
  use.exclusive.first = 16000;
  l = layout_of (&use, &spread);
  CHECK_EQ (l.origin, (1 << 20) + 16000);
  use.exclusive.pace = -8;
  l = layout_of (&use, &spread);
  CHECK (l.origin == (1 << 20) + 16000 && l.backward);
  /* Shared, or irregular; of a loop that is not known; too finely shared out.  */
  use.exclusive.pace = 0;
  CHECK_EQ (layout_of (&use, &spread).chunk, 128);
  use.exclusive.pace = 8;
  use.exclusive.iterations = 0;
  CHECK_EQ (layout_of (&use, &spread).chunk, 128);
  use.exclusive.iterations = 1200;
  CHECK_EQ (layout_of (&use, &spread).chunk, 128);
}

/* --- several regions -------------------------------------------------------------------- */

static const struct ummgr_device_spread four = { 64, 16, 4 };

/* A launch whose iterations are STRIDE apart in OBJECT.  The chunk it gets.  */
static uint64_t
launch (uint64_t object, int64_t stride)
{
  struct ummgr_device_use use = use_of (object << 30, 1 << 20, 131072, stride);
  struct ummgr_layout l;
  use.object = object;
  ummgr_coda_decide (&use, 1, &four, &l);
  return l.chunk;
}

static void
regions (void)
{
  const uint64_t eight = 8 * 131072 / 4, four_ = eight / 2;
  /* The first one decides; one that comes as often changes nothing; one that comes more
     often does, once it has lost twice what moving costs.  */
  CHECK_EQ (launch (1, 8), eight);
  for (int i = 0; i < 100; i++)
    {
      CHECK_EQ (launch (1, 4), eight);
      CHECK_EQ (launch (1, 8), eight);
    }
  CHECK_EQ (launch (1, 4), eight);
  CHECK_EQ (launch (1, 4), eight);
  CHECK_EQ (launch (1, 4), four_);
  /* And back, as dearly.  */
  CHECK_EQ (launch (1, 8), four_);
  CHECK_EQ (launch (1, 8), four_);
  CHECK_EQ (launch (1, 8), eight);
  /* More layouts than are kept, one of them as often as all others together: it is soon
     found, and stays.  */
  for (int round = 0; round < 50; round++)
    for (int stride = 1; stride < 8; stride++)
      {
	uint64_t before = launch (2, stride);
	CHECK (launch (2, 8) == eight || (round == 0 && before != eight));
      }
  /* Another object, in the place of one that has gone.  */
  CHECK_EQ (launch (1 + 256, 4), four_);
  CHECK_EQ (launch (1, 8), eight);
}

/* A launch of REGION, which is launched FREQUENCY times, with STRIDE in OBJECT, when OTHER is known, which will be
   OTHERS times and has OTHER_STRIDE.  The chunk it gets.  */
static uint64_t
foreseen (uint64_t object, uint64_t region, double frequency, int64_t stride, uint64_t other, double others,
	  int64_t other_stride)
{
  struct ummgr_device_use use = use_of (object << 30, 1 << 20, 131072, stride);
  struct ummgr_layout l;
  use.object = object;
  use.region = region;
  use.hint.frequency = frequency;
  if (other)
    {
      use.others[0].region = other;
      use.others[0].frequency = others;
      use.others[0].exclusive = use.exclusive;
      use.others[0].exclusive.pace = (double) other_stride;
      use.other_count = 1;
    }
  ummgr_coda_decide (&use, 1, &four, &l);
  return l.chunk;
}

/* What regions will want, as often as they will be launched.  */
static void
ahead (void)
{
  const uint64_t eight = 8 * 131072 / 4, four_ = eight / 2;
  /* A few by the first, many by the other; of as many, the first's.  */
  CHECK_EQ (foreseen (3, 1, 2, 8, 2, 20, 4), four_);
  CHECK_EQ (foreseen (3, 1, 2, 8, 0, 0, 0), four_);
  CHECK_EQ (foreseen (3, 2, 20, 4, 0, 0, 0), four_);
  CHECK_EQ (foreseen (4, 1, 20, 8, 2, 20, 4), eight);
  CHECK_EQ (foreseen (4, 2, 20, 4, 0, 0, 0), eight);
  /* Not known before: anew with its first launch, if that is more than twice what moves; what the first will do counts,
     but not what it has done.  */
  for (int i = 0; i < 10; i++)
    CHECK_EQ (foreseen (5, 1, 10, 8, 0, 0, 0), eight);
  CHECK_EQ (foreseen (5, 2, 3, 4, 0, 0, 0), four_);
  for (int i = 0; i < 10; i++)
    CHECK_EQ (foreseen (6, 1, 10, 8, 0, 0, 0), eight);
  CHECK_EQ (foreseen (6, 2, 2, 4, 0, 0, 0), eight);
  CHECK_EQ (foreseen (7, 1, 10, 8, 0, 0, 0), eight);
  CHECK_EQ (foreseen (7, 2, 11, 4, 0, 0, 0), eight);
  /* How often was wrong: what was seen counts.  */
  CHECK_EQ (foreseen (8, 1, 1, 8, 2, 1000, 4), four_);
  CHECK_EQ (foreseen (8, 1, 1, 8, 0, 0, 0), four_);
  CHECK_EQ (foreseen (8, 1, 1, 8, 0, 0, 0), eight);
  for (int i = 0; i < 100; i++)
    CHECK_EQ (foreseen (8, 1, 1, 8, 0, 0, 0), eight);
  /* More regions than are asked.  */
  for (uint64_t region = 1; region < 30; region++)
    {
      uint64_t chunk = foreseen (9, region, 1, (int64_t) region, 100 + region, 1, 8);
      CHECK (chunk % 32768 == 0 && chunk <= 30 * 32768);
    }
}

/* The other region's teams are spread as its own number asks, or as many iterations need.  */
static void
other_teams (void)
{
  const struct ummgr_device_spread one = { .teams = 1, .together = 1, .gpus = 4, .threads = 256, .in_flight = 64 };
  struct ummgr_device_use use = use_of (UINT64_C (10) << 30, 1 << 20, 256, 4096);
  struct ummgr_layout l;
  use.object = 10;
  use.region = 1;
  use.hint.frequency = 1;
  use.other_count = 1;
  use.others[0].region = 2;
  use.others[0].frequency = 10;
  use.others[0].exclusive = (struct ummgr_exclusive) { .pace = 8, .iterations = 131072 };
  /* 512 teams, of which 16 go together: 64 are in flight.  */
  ummgr_coda_decide (&use, 1, &one, &l);
  CHECK_EQ (l.chunk, 8 * 16 * 256);
  /* It asks for 8: two go together.  */
  use.object++;
  use.others[0].teams = 8;
  ummgr_coda_decide (&use, 1, &one, &l);
  CHECK_EQ (l.chunk, 8 * 2 * 131072 / 8);
}

int
main (void)
{
  unsigned seed = 1;
  example ();
  chunks ();
  for (unsigned i = 0; i < 2000; i++)
    {
      unsigned r[5];
      for (unsigned k = 0; k < 5; k++)
	{
	  seed = seed * 1103515245 + 12345;
	  r[k] = seed >> 12;
	}
      unsigned stride = 1 + r[0] % 64, teams = 1 + r[2] % 300;
      against_teams (teams + r[1] % (200 * PAGE / stride), stride, i & 1, teams, 1 + r[3] % 200,
		     2 + r[4] % (GPUS - 1));
    }
  regions ();
  ahead ();
  other_teams ();
  return 0;
}
