/* What iterations have for themselves, against what they access, one by one: memory that would
   lie with the wrong GPU, shared memory that is taken for exclusive, rows that are not there,
   index arrays that are read where they may not be, or not at all.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "hints/exclusive.h"
#include "check.h"
#include "random.h"
#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static uint64_t
below (uint64_t limit)
{
  return random64 (&state) % limit;
}

/* --- expressions and references ------------------------------------------------------ */

enum { CODES = 64 };
static unsigned char code[CODES][10];
static unsigned codes;

static const unsigned char *
number (int64_t n)
{
  unsigned char *c = code[codes++ % CODES];
  c[0] = UMMGR_CODE_CONST64;
  memcpy (c + 1, &n, sizeof n);
  c[9] = UMMGR_CODE_END;
  return c;
}

static struct ummgr_table_dim
dim (bool shared, int64_t stride, int64_t count)
{
  return (struct ummgr_table_dim) { .stride = number (stride), .count = number (count),
				    .extent = number (count), .shared = shared };
}

static struct ummgr_table_ref
affine (int64_t base, const struct ummgr_table_dim *dims, unsigned count)
{
  return (struct ummgr_table_ref) {
    .flags = UMMGR_REF_READ | UMMGR_REF_AFFINE, .base = number (base), .element_size = 8,
    .why = "", .frequency = 1, .dim_count = count, .dims = dims
  };
}

static const struct ummgr_code_inputs none;

static struct ummgr_exclusive
exclusive (const struct ummgr_table_ref *refs, unsigned count,
	   const struct ummgr_code_inputs *inputs, const struct ummgr_code_memory *memory,
	   const unsigned char *trip)
{
  struct ummgr_table_arg arg = { .name = "a", .type = "", .file = "" };
  arg.use = (struct ummgr_table_use) {
    .flags = UMMGR_USE_READ | UMMGR_USE_ANALYSED, .why = "", .ref_count = count, .refs = refs
  };
  const struct ummgr_table_region region = { .name = "r", .arg_count = 1, .args = &arg,
					     .trip = trip };
  struct ummgr_exclusive out;
  ummgr_hints_exclusive (&region, 0, inputs, memory, &out);
  return out;
}

#define ONE(...)                                                                \
  ({ struct ummgr_table_dim dims[] = { __VA_ARGS__ };                           \
     struct ummgr_table_ref ref = affine (0, dims, sizeof dims / sizeof *dims); \
     exclusive (&ref, 1, &none, NULL, NULL); })

/* --- forms, by hand --------------------------------------------------------------------- */

static void
forms (void)
{
  /* a[i]; a[i * m + j], j within; a[j * n + i].  */
  struct ummgr_exclusive e = ONE (dim (true, 8, 1000));
  CHECK (e.pace == 8 && e.row == 0 && e.iterations == 1000 && e.first == 0 && !e.parts);
  e = ONE (dim (true, 1600, 1000), dim (false, 8, 200));
  CHECK (e.pace == 1600 && e.row == 0);
  e = ONE (dim (true, 8, 1000), dim (false, 8000, 200));
  CHECK (e.pace == 8 && e.row == 8000);
  /* Padded; three dimensions; a step that is no whole row.  */
  e = ONE (dim (true, 8, 1000), dim (false, 8192, 200));
  CHECK (e.pace == 8 && e.row == 8192);
  e = ONE (dim (true, 8, 1000), dim (false, 8000 * 50, 7), dim (false, 8000, 50));
  CHECK (e.pace == 8 && e.row == 8000);
  e = ONE (dim (true, 8, 1000), dim (false, 8000, 50), dim (false, 12000, 7));
  CHECK_EQ (e.pace, 0);
  /* The middle of three: planes repeat, of rows that go on.  */
  e = ONE (dim (true, 8000, 50), dim (false, 8000 * 50, 7), dim (false, 8, 1000));
  CHECK (e.pace == 8000 && e.row == 8000 * 50);
  /* collapse: one sequence; the outer loop's; shared.  */
  e = ONE (dim (true, 8000, 20), dim (true, 8, 1000));
  CHECK (e.pace == 8 && e.iterations == 20000);
  e = ONE (dim (true, 8192, 20), dim (true, 8, 1000));
  CHECK (fabs (e.pace - 8.192) < 1e-9);
  e = ONE (dim (true, 8000, 20), dim (true, 0, 1000), dim (false, 8, 1000));
  CHECK (e.pace == 8 && e.iterations == 20000 && e.row == 0);
  e = ONE (dim (true, 0, 20), dim (true, 8, 1000), dim (false, 8000, 1000));
  CHECK_EQ (e.pace, 0);
  CHECK_EQ (ONE (dim (true, 0, 20), dim (false, 8, 100)).pace, 0);
  CHECK_EQ (ONE (dim (false, 8, 100)).pace, 0);
  CHECK_EQ (ONE (dim (true, 8, 1000), dim (true, 8000, 20)).pace, 0);
  /* Down.  */
  CHECK_EQ (ONE (dim (true, -8, 1000)).pace, -8);
  CHECK_EQ (ONE (dim (true, -8000, 20), dim (true, 8, 1000)).pace, 0);
  CHECK_EQ (ONE (dim (true, -8000, 20), dim (true, -8, 1000)).pace, -8);
}

/* A region of 1000 iterations that SHARE shares out, with CONSTRUCTS, and TRIP.  */
static struct ummgr_exclusive
shared_out (struct ummgr_table_share share, uint32_t constructs, const unsigned char *trip)
{
  struct ummgr_table_dim d = dim (true, 8, 1000);
  struct ummgr_table_ref ref = affine (0, &d, 1);
  struct ummgr_table_arg arg = { .name = "a", .type = "", .file = "" };
  arg.use = (struct ummgr_table_use) { UMMGR_USE_READ | UMMGR_USE_ANALYSED, "", 1, &ref };
  const struct ummgr_table_region region
    = { .name = "r", .arg_count = 1, .args = &arg, .trip = trip, .share = share,
	.constructs = constructs };
  struct ummgr_exclusive out;
  memset (&out, 0x5a, sizeof out);
  ummgr_hints_exclusive (&region, 0, &none, NULL, &out);
  return out;
}

/* Who runs an iteration: by equal pieces, by chunks, or nobody knows.  */
static void
teams (void)
{
  const uint32_t teams = UMMGR_CONSTRUCT_TARGET | UMMGR_CONSTRUCT_TEAMS | UMMGR_CONSTRUCT_FOR;
  const uint32_t all = teams | UMMGR_CONSTRUCT_DISTRIBUTE;
  const unsigned char *const trip = number (1000), *const chunk = number (16);
  struct ummgr_table_share s = { .distribute = UMMGR_SCHEDULE_NONE };
  CHECK (shared_out (s, all, trip).pace == 8 && shared_out (s, all, trip).chunk == 0);
  /* Each team runs all of it.  */
  CHECK_EQ (shared_out (s, teams, trip).pace, 0);
  /* Static without a chunk is the same as without the clause.  */
  s.distribute = UMMGR_SCHEDULE_STATIC;
  CHECK (shared_out (s, all, trip).pace == 8 && shared_out (s, all, trip).chunk == 0);
  s.flags = UMMGR_SHARE_DISTRIBUTE_CHUNK;
  s.distribute_chunk = chunk;
  CHECK (shared_out (s, all, trip).pace == 8 && shared_out (s, all, trip).chunk == 16);
  /* How threads share a chunk doesn't matter.  */
  s.loops = UMMGR_SCHEDULE_DYNAMIC;
  CHECK (shared_out (s, all, trip).chunk == 16);
  /* Not known; no chunk; of another loop's iterations; loops that differ.  */
  s.distribute_chunk = NULL;
  CHECK_EQ (shared_out (s, all, trip).pace, 0);
  s.distribute_chunk = number (0);
  CHECK_EQ (shared_out (s, all, trip).pace, 0);
  s.distribute_chunk = chunk;
  CHECK_EQ (shared_out (s, all, number (999)).pace, 0);
  CHECK_EQ (shared_out (s, all, NULL).pace, 0);
  s.flags |= UMMGR_SHARE_NESTED;
  CHECK_EQ (shared_out (s, all, trip).pace, 0);
  s.flags &= ~(uint32_t) UMMGR_SHARE_NESTED;
  s.distribute = UMMGR_SCHEDULE_MIXED;
  CHECK_EQ (shared_out (s, all, trip).pace, 0);
  s.flags = 0;
  CHECK_EQ (shared_out (s, all, trip).pace, 0);
}

static void
several (void)
{
  struct ummgr_table_dim up[] = { dim (true, 800, 1000), dim (false, 8, 98) };
  struct ummgr_table_dim along[] = { dim (true, 8, 1000) };
  struct ummgr_table_dim rare[] = { dim (true, 8, 10) };
  /* A stencil; two that go otherwise; one of these that hardly counts.  */
  struct ummgr_table_ref r[] = { affine (808, up, 2), affine (8, up, 2), affine (1608, up, 2),
				 affine (800, up, 2), affine (816, up, 2) };
  struct ummgr_exclusive e = exclusive (r, 5, &none, NULL, NULL);
  CHECK (e.pace == 800 && fabs (e.first - 808) < 1e-6);
  r[3] = affine (0, along, 1);
  CHECK_EQ (exclusive (r, 4, &none, NULL, NULL).pace, 800);
  r[1] = affine (0, up, 1);
  r[1].dims = along;
  r[1].frequency = 1000;
  CHECK_EQ (exclusive (r, 4, &none, NULL, NULL).pace, 0);
  r[1].dims = rare;
  CHECK_EQ (exclusive (r, 4, &none, NULL, NULL).pace, 800);
  /* In rows the middle is that of a row.  */
  struct ummgr_table_dim columns[] = { dim (true, 8, 1000), dim (false, 8000, 20) };
  struct ummgr_table_ref c[] = { affine (16008, columns, 2), affine (8008 + 8, columns, 2),
				 affine (24000, columns, 2) };
  e = exclusive (c, 3, &none, NULL, NULL);
  CHECK (e.pace == 8 && e.row == 8000 && fabs (e.first - 8) < 1e-6);
  /* Nobody knows where.  */
  c[1].flags = UMMGR_REF_READ;
  CHECK_EQ (exclusive (c, 3, &none, NULL, NULL).pace, 0);
}

/* --- random nests --------------------------------------------------------------------------- */

/* The iterations' quarter that OFFSET is of, as E says.  */
static unsigned
quarter (const struct ummgr_exclusive *e, double offset)
{
  double at = (offset - e->first) * (e->pace < 0 ? -1 : 1);
  if (e->row > 0)
    at -= e->row * floor (at / e->row);
  double i = floor (at / fabs (e->pace) + 1e-9);
  return i < 0 ? 0 : fmin (3, floor (4 * i / (double) e->iterations));
}

static void
nest (unsigned *known, unsigned *unknown)
{
  int64_t stride[4], count[4];
  bool shared[4];
  struct ummgr_table_dim dims[4];
  unsigned n = 1 + below (3), all = 1, right = 0, best = 0;
  uint64_t iterations = 1;
  int64_t span = 8;
  /* Dimensions of an array, in any order, some padded, some gone through in parts.  */
  for (unsigned i = 0; i < n; i++)
    {
      count[i] = 2 + below (20);
      stride[i] = span;
      span *= count[i] + (below (3) ? 0 : below (5));
      if (!below (8))
	stride[i] = 0;
      shared[i] = i == 0 || below (2);
    }
  for (unsigned i = n; i-- > 1;)
    {
      unsigned k = below (i + 1);
      int64_t s = stride[i], c = count[i];
      stride[i] = stride[k], count[i] = count[k];
      stride[k] = s, count[k] = c;
    }
  for (unsigned i = 0; i < n; i++)
    {
      dims[i] = dim (shared[i], stride[i], count[i]);
      all *= count[i];
      iterations *= shared[i] ? count[i] : 1;
    }
  struct ummgr_table_ref ref = affine (0, dims, n);
  struct ummgr_exclusive e = exclusive (&ref, 1, &none, NULL, NULL);
  ++*(e.pace != 0 ? known : unknown);
  if (e.pace == 0)
    return;
  CHECK_EQ (e.iterations, iterations);
  static unsigned used[30 * 30 * 30][4];
  memset (used, 0, sizeof used);
  for (unsigned a = 0; a < all; a++)
    {
      uint64_t rest = a, iteration = 0, weight = 1;
      int64_t offset = 0;
      for (unsigned i = n; i-- > 0; rest /= count[i])
	offset += stride[i] * (int64_t) (rest % count[i]);
      rest = a;
      for (unsigned i = n; i-- > 0; rest /= count[i])
	if (shared[i])
	  {
	    iteration += weight * (rest % count[i]);
	    weight *= count[i];
	  }
      CHECK (offset / 8 < (int64_t) (sizeof used / sizeof *used));
      used[offset / 8][4 * iteration / iterations]++;
    }
  /* Each word with the quarter that uses it most would be best.  Where a step of the outer loop
     is of many iterations, quarters end within.  */
  for (unsigned i = 0; i < sizeof used / sizeof *used; i++)
    {
      unsigned most = 0;
      for (unsigned q = 0; q < 4; q++)
	most = used[i][q] > most ? used[i][q] : most;
      best += most;
      right += used[i][quarter (&e, 8. * i)];
    }
  if (right < 0.7 * best)
    {
      for (unsigned i = 0; i < n; i++)
	fprintf (stderr, "%s %lld x %lld\n", shared[i] ? "shared" : "inner",
		 (long long) stride[i], (long long) count[i]);
      fprintf (stderr, "pace %g, row %g: %u of %u\n", e.pace, e.row, right, best);
      abort ();
    }
}

/* --- by data ------------------------------------------------------------------------------- */

/* for (v < n) for (e = row[v]; e < row[v + 1]; e++) col[e]: arguments n, row, col.  */
#define ELEMENT(I, SIZE) UMMGR_CODE_ELEMENT, I, 0, (unsigned char) (SIZE)
#define ROW UMMGR_CODE_ITERATION, 0, UMMGR_CODE_CONST8, 8, UMMGR_CODE_MUL, ELEMENT (1, -8)
static const unsigned char code_n[] = { UMMGR_CODE_ARG, 0, 0, 0 };
static const unsigned char code_arcs[]
  = { UMMGR_CODE_ITERATION, 0, UMMGR_CODE_CONST8, 8, UMMGR_CODE_MUL, UMMGR_CODE_CONST8, 8,
      UMMGR_CODE_ADD, ELEMENT (1, -8), ROW, UMMGR_CODE_SUB, 0 };
static const unsigned char code_col[]
  = { ROW, UMMGR_CODE_ITERATION, 1, UMMGR_CODE_ADD, UMMGR_CODE_CONST8, 4, UMMGR_CODE_MUL, 0 };
static const unsigned char code_other[]
  = { UMMGR_CODE_ITERATION, 0, UMMGR_CODE_CONST8, 8, UMMGR_CODE_MUL, ELEMENT (1, -8),
      UMMGR_CODE_CONST64, 0xff, 0xff, 0, 0, 0, 0, 0, 0, UMMGR_CODE_MUL, 0 };

static void
edges (uint64_t n, unsigned skew)
{
  int64_t *row = malloc ((n + 1) * sizeof *row);
  static struct ummgr_glimpses glimpses;
  CHECK (row);
  row[0] = 0;
  for (uint64_t v = 0; v < n; v++)
    row[v + 1] = row[v] + (int64_t) (skew ? below (1 + skew * v / n) : 4);
  void *const hostaddrs[] = { (void *) (uintptr_t) n, row, NULL };
  const size_t sizes[] = { 8, (n + 1) * 8, 1 << 30 };
  const struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
  struct ummgr_code_memory memory[3] = { { 0 } };
  const struct ummgr_table_step steps[]
    = { { UMMGR_STEP_SHARED, code_n, 0 }, { UMMGR_STEP_LOOP, code_arcs, 4 } };
  struct ummgr_table_ref ref = { .flags = UMMGR_REF_READ | UMMGR_REF_DATA, .element_size = 4,
				 .why = "", .frequency = 4, .sample = { code_col, 2, 2, steps } };
  /* Nothing may be read.  */
  CHECK_EQ (exclusive (&ref, 1, &inputs, NULL, code_n).pace, 0);
  CHECK_EQ (exclusive (&ref, 1, &inputs, memory, code_n).pace, 0);
  for (int kept = 0; kept < 2; kept++)
    {
      memory[1] = (struct ummgr_code_memory) { .at = (const char *) row, .after = sizes[1] };
      if (kept)
	{
	  memset (&glimpses, 0, sizeof glimpses);
	  glimpses.size = sizes[1];
	  ummgr_glimpses_take (&glimpses, (const char *) row, 0, sizes[1]);
	  memory[1] = (struct ummgr_code_memory) { .glimpses = &glimpses };
	}
      struct ummgr_exclusive e = exclusive (&ref, 1, &inputs, memory, code_n);
      CHECK (e.parts == UMMGR_EXCLUSIVE_PARTS && e.iterations == n && e.pace > 0);
      for (unsigned k = 0; k < e.parts; k++)
	CHECK_EQ (e.at[k], 4 * row[(uint64_t) ((double) n / e.parts * k)]);
      CHECK_EQ (e.at[e.parts], 4 * row[n - 1]);
    }
  /* A part of it is not known; of a small one the next has it.  */
  glimpses.known[5] = false;
  CHECK ((exclusive (&ref, 1, &inputs, memory, code_n).pace == 0) == (n > 10000));
  /* Places that go up and down are no parts.  */
  for (uint64_t v = 0; v <= n; v++)
    row[v] = (int64_t) below (1000);
  memory[1] = (struct ummgr_code_memory) { .at = (const char *) row, .after = sizes[1] };
  ref.sample.address = code_other;
  CHECK_EQ (exclusive (&ref, 1, &inputs, memory, code_n).pace, 0);
  free (row);
}

/* A launch to come, of whose arguments N is known or isn't: a[8 * i], i < N; which asks for N teams, or for 7.  */
static void
ahead (void)
{
  static const unsigned char n_code[] = { UMMGR_CODE_ARG, 1, 0, UMMGR_CODE_END },
			     size_code[] = { UMMGR_CODE_SIZE, 1, 0, UMMGR_CODE_END };
  struct ummgr_table_dim dims[] = { { .stride = number (8), .count = n_code, .extent = n_code, .shared = true } };
  struct ummgr_table_ref ref = affine (16, dims, 1);
  struct ummgr_table_arg args[2] = { { .name = "a", .type = "", .file = "" }, { .name = "n", .type = "", .file = "" } };
  struct ummgr_table_region region = { .name = "r", .arg_count = 2, .args = args, .trip = n_code };
  void *hostaddrs[2] = { NULL, (void *) 1000 };
  size_t sizes[2] = { 0 };
  struct ummgr_code_inputs inputs = { hostaddrs, sizes, NULL };
  struct ummgr_exclusive out;
  unsigned asked = 99;
  args[0].use = (struct ummgr_table_use) {
    .flags = UMMGR_USE_READ | UMMGR_USE_ANALYSED, .why = "", .ref_count = 1, .refs = &ref
  };
  CHECK (ummgr_hints_exclusive_ahead (&region, 0, &inputs, &out, &asked));
  CHECK (out.pace == 8 && out.first == 16 && out.iterations == 1000 && asked == 0);
  region.share.teams = n_code;
  CHECK (ummgr_hints_exclusive_ahead (&region, 0, &inputs, &out, &asked) && asked == 1000);
  hostaddrs[1] = NULL;
  CHECK (!ummgr_hints_exclusive_ahead (&region, 0, &inputs, &out, &asked));
  /* The trip count is known, but not how far it goes; and the other way round.  */
  region.trip = number (1000);
  CHECK (!ummgr_hints_exclusive_ahead (&region, 0, &inputs, &out, &asked));
  dims[0].count = dims[0].extent = number (1000);
  CHECK (ummgr_hints_exclusive_ahead (&region, 0, &inputs, &out, &asked) && out.iterations == 1000 && asked == 0);
  region.share.teams = number (7);
  CHECK (ummgr_hints_exclusive_ahead (&region, 0, &inputs, &out, &asked) && asked == 7);
  region.trip = size_code;
  CHECK (!ummgr_hints_exclusive_ahead (&region, 0, &inputs, &out, &asked));
  /* Data would have to be looked at; nothing is known, and won't be.  */
  region.trip = number (1000);
  ref.flags = UMMGR_REF_READ;
  CHECK (!ummgr_hints_exclusive_ahead (&region, 0, &inputs, &out, &asked));
  ref.flags = UMMGR_REF_READ | UMMGR_REF_AFFINE;
  args[0].use.flags |= UMMGR_USE_UNKNOWN;
  CHECK (ummgr_hints_exclusive_ahead (&region, 0, &inputs, &out, &asked) && out.pace == 0);
  args[0].use.flags = UMMGR_USE_READ;
  CHECK (!ummgr_hints_exclusive_ahead (&region, 0, &inputs, &out, &asked));
}

int
main (void)
{
  unsigned known = 0, unknown = 0;
  forms ();
  teams ();
  several ();
  ahead ();
  for (int i = 0; i < 20000; i++)
    nest (&known, &unknown);
  CHECK (known > 2000 && unknown > 2000);
  edges (64, 0);
  edges (100000, 0);
  edges (65537, 30);
  return 0;
}
