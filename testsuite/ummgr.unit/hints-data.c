/* What samples and earlier launches say of data-dependent references: would break
   if a sample read beyond the arrays, if a junk index or a loop that overflows
   were believed, if the share that it predicts were not what the loop accesses,
   if what came in earlier launches were read wrongly, or if one region's launches
   made another's be forgotten.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "random.h"
#include "hints/data.h"
#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* for (v = 0; v < n; v++) if (mask[v]) for (e = row[v]; e < row[v + 1]; e++)
   seen[col[e]] with n argument 0, mask 1, row 2 (8 bytes), col 3 (4 bytes), seen
   4 (1 byte).  */
enum { N, MASK, ROW, COL, SEEN, ARGS };

#define LOOP(K) UMMGR_CODE_ITERATION, K
#define TIMES(K) UMMGR_CODE_CONST8, K, UMMGR_CODE_MUL
#define ELEMENT(I, SIZE)                                                      \
  UMMGR_CODE_ELEMENT, I, 0, (unsigned char) (SIZE)
#define ROW_OF_V LOOP (0), TIMES (8), ELEMENT (ROW, -8)
#define COL_AT ROW_OF_V, LOOP (1), UMMGR_CODE_ADD, TIMES (4)

static const unsigned char code_n[] = { UMMGR_CODE_ARG, N, 0, 0 };
static const unsigned char code_mask[] = { LOOP (0), ELEMENT (MASK, 1), 0 };
static const unsigned char code_arcs[]
  = { LOOP (0), TIMES (8), UMMGR_CODE_CONST8, 8, UMMGR_CODE_ADD,
      ELEMENT (ROW, -8), ROW_OF_V, UMMGR_CODE_SUB, 0 };
static const unsigned char code_col[] = { COL_AT, 0 };
static const unsigned char code_seen[] = { COL_AT, ELEMENT (COL, -4), 0 };

static const struct ummgr_table_step steps[] = {
  { UMMGR_STEP_SHARED, code_n, 0 }, { UMMGR_STEP_NONZERO, code_mask, 0.3 },
  { UMMGR_STEP_LOOP, code_arcs, 8 }
};

/* Here mask[col[e]] is asked for each arc.  */
static const unsigned char code_reached[]
  = { COL_AT, ELEMENT (COL, -4), ELEMENT (MASK, 1), 0 };
static const struct ummgr_table_step steps_inside[] = {
  { UMMGR_STEP_SHARED, code_n, 0 }, { UMMGR_STEP_LOOP, code_arcs, 8 },
  { UMMGR_STEP_NONZERO, code_reached, 0.3 }
};

static const struct ummgr_table_ref ref_col = {
  .flags = UMMGR_REF_READ | UMMGR_REF_DATA, .element_size = 4, .why = "",
  .frequency = 1, .sample = { code_col, 2, 3, steps }
};
static const struct ummgr_table_ref ref_seen = {
  .flags = UMMGR_REF_READ | UMMGR_REF_DATA, .element_size = 1, .why = "",
  .frequency = 1, .sample = { code_seen, 2, 3, steps }
};

static const struct ummgr_table_ref ref_inside = {
  .flags = UMMGR_REF_READ | UMMGR_REF_DATA, .element_size = 4, .why = "",
  .frequency = 1, .sample = { code_col, 2, 3, steps_inside }
};

/* Nobody knows how many arcs there are.  */
static const struct ummgr_table_step steps_guessed[] = {
  { UMMGR_STEP_SHARED, code_n, 0 }, { UMMGR_STEP_LOOP, NULL, 8 },
  { UMMGR_STEP_NONZERO, code_reached, 0.3 }
};
static const struct ummgr_table_ref ref_guessed = {
  .flags = UMMGR_REF_READ | UMMGR_REF_DATA, .element_size = 4, .why = "",
  .frequency = 8, .sample = { code_col, 2, 3, steps_guessed }
};

static uint64_t state = 88172645463325252ull;

static uint64_t
below (uint64_t limit)
{
  return (random64 (&state) >> 11) % limit;
}

struct graph
{
  int64_t n, m;
  unsigned char *mask;
  int64_t *row;
  int32_t *col;
};

/* Of N nodes with DEGREE arcs on average; arcs lead among the first NEAR nodes;
   LIVE percent of the nodes are masked, the first ones where SORTED.  */
static struct graph
graph_new (int64_t n, uint64_t degree, int64_t near, unsigned live, bool sorted)
{
  struct graph g = { .n = n };
  g.mask = malloc (n);
  g.row = malloc ((n + 1) * sizeof *g.row);
  CHECK (g.mask && g.row);
  for (int64_t v = 0; v < n; v++)
    {
      g.row[v] = g.m;
      g.m += below (2 * degree + 1);
      g.mask[v] = sorted ? v < n * live / 100 : below (100) < live;
    }
  g.row[n] = g.m;
  g.col = malloc (g.m * sizeof *g.col + 1);
  CHECK (g.col);
  for (int64_t e = 0; e < g.m; e++)
    g.col[e] = below (near);
  return g;
}

static void
graph_free (struct graph *g)
{
  free (g->mask);
  free (g->row);
  free (g->col);
}

/* What the tests change of how a graph is given to the sampler.  */
struct view
{
  int64_t n;
  struct ummgr_code_memory memory[ARGS];
};

static struct view
view_of (const struct graph *g)
{
  return (struct view) {
    g->n, { { NULL, 0, 0, NULL }, { (char *) g->mask, 0, g->n, NULL },
	    { (char *) g->row, 0, (g->n + 1) * sizeof *g->row, NULL },
	    { (char *) g->col, 0, g->m * sizeof *g->col, NULL },
	    { NULL, 0, 0, NULL } }
  };
}

static struct ummgr_data_ref
sample (const struct view *v, const struct ummgr_table_ref *ref, uint64_t size,
	uint64_t transient)
{
  void *hostaddrs[ARGS] = { (void *) (intptr_t) v->n };
  size_t sizes[ARGS] = { 0 };
  const struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
  struct ummgr_data_ref out;
  ummgr_data_sample (ref, &inputs, v->memory, transient,
		     (struct ummgr_hint_extent) { .size = size },
		     UMMGR_DATA_SAMPLE, &out);
  return out;
}

/* What the loop accesses: of SIZE bytes in units of UNIT, of ref_col or ref_seen;
   *ACCESSES of them.  */
static double
truth (const struct graph *g, bool of_col, uint64_t size, uint64_t unit,
       double *accesses)
{
  unsigned char *touched = calloc (size / unit + 1, 1);
  uint64_t count = 0;
  CHECK (touched);
  *accesses = 0;
  for (int64_t v = 0; v < g->n; v++)
    if (g->mask[v])
      for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
	{
	  touched[(of_col ? (uint64_t) e * 4 : (uint64_t) g->col[e]) / unit]
	    = 1;
	  ++*accesses;
	}
  for (uint64_t i = 0; i <= size / unit; i++)
    count += touched[i];
  free (touched);
  return fmin (1, (double) count * (double) unit / (double) size);
}

static void
compare (const struct graph *g, bool of_col)
{
  struct view v = view_of (g);
  uint64_t size = of_col ? g->m * 4 : g->n;
  struct ummgr_data_ref s
    = sample (&v, of_col ? &ref_col : &ref_seen, size, 0);
  double accesses;
  double bytes = truth (g, of_col, size, of_col ? 4 : 1, &accesses);
  double pages = truth (g, of_col, size, UMMGR_DATA_PAGE, &accesses);
  CHECK (s.known && s.complete);
  CHECK (s.sampled == (g->n < UMMGR_DATA_SAMPLE ? g->n : UMMGR_DATA_SAMPLE));
  CHECK (s.iterations == (uint64_t) g->n);
  const double *now = s.share[UMMGR_DATA_NOW];
  /* Four standard deviations of a share seen by 256 samples are 0.125.  */
  CHECK (fabs (now[UMMGR_DATA_BYTES] - bytes) < 0.15);
  /* Of few pages each is much.  */
  if (size > 16 * UMMGR_DATA_PAGE)
    CHECK (fabs (now[UMMGR_DATA_PAGES] - pages) < 0.2);
  CHECK (fabs (s.accesses[UMMGR_DATA_NOW] - accesses)
	 < 0.15 * (double) g->m + 1);
  CHECK (s.share[UMMGR_DATA_ANY][UMMGR_DATA_BYTES]
	 >= now[UMMGR_DATA_BYTES] - 1e-9);
  double link = truth (g, of_col, size, UMMGR_DATA_LINK_PAGE, &accesses);
  bool large = size > 16 * UMMGR_DATA_LINK_PAGE;
  CHECK (!large || fabs (now[UMMGR_DATA_LINK] - link) < 0.2);
  CHECK (!large || s.most_link >= 0.97 * link * (double) size);
  CHECK (s.most_accesses >= 0.85 * accesses);
}

/* Predicted against what is accessed, on random graphs.  */
static void
check_graphs (void)
{
  static const unsigned live[] = { 0, 10, 25, 50, 100 };
  for (unsigned i = 0; i < 60; i++)
    {
      int64_t n = i < 10 ? 1 + (int64_t) below (300)
			 : 20000 + (int64_t) below (200000);
      struct graph g = graph_new (n, 1 + below (12), 1 + (int64_t) below (n),
				  live[i % 5], i % 2);
      if (g.m)
	{
	  compare (&g, true);
	  compare (&g, false);
	}
      graph_free (&g);
    }
}

/* A mask that regions write holds for one launch only.  */
static void
check_transient (void)
{
  struct graph g = graph_new (50000, 8, 50000, 0, true);
  struct view v = view_of (&g);
  struct ummgr_data_ref s = sample (&v, &ref_col, g.m * 4, 1 << MASK);
  CHECK (s.accesses[UMMGR_DATA_NOW] == 0);
  CHECK (fabs (s.accesses[UMMGR_DATA_LASTING]
	       - 0.3 * s.accesses[UMMGR_DATA_ANY]) < 1);
  CHECK (fabs (s.accesses[UMMGR_DATA_ANY] - (double) g.m) < 0.2 * g.m);
  CHECK (s.share[UMMGR_DATA_ANY][UMMGR_DATA_BYTES] > 0.9);
  /* An iteration goes along its row, and to as many places as that names.  */
  CHECK (s.scatter == 1);
  double with = 0;
  for (int64_t i = 0; i < g.n; i++)
    with += g.row[i] < g.row[i + 1];
  s = sample (&v, &ref_seen, g.n, 1 << MASK);
  CHECK (fabs (s.scatter - (double) g.m / with) < 0.2 * (double) g.m / with);
  /* Not readable: as the compiler expects.  */
  v.memory[MASK].at = NULL;
  s = sample (&v, &ref_col, g.m * 4, 0);
  CHECK (s.known && !s.complete && s.accesses[UMMGR_DATA_NOW] > 0.2 * g.m);
  v.memory[ROW].at = NULL;
  CHECK (!sample (&v, &ref_col, g.m * 4, 0).known);
  graph_free (&g);
}

/* for (i = 0; i < n; i++) x += a[i / 16 * 1024], of 8 bytes: each page of two, and
   in some iterations only.  */
static const unsigned char code_row[]
  = { LOOP (0), UMMGR_CODE_CONST8, 16, UMMGR_CODE_DIV, TIMES (64), TIMES (64),
      UMMGR_CODE_CONST8, 2, UMMGR_CODE_MUL, 0 };
static const struct ummgr_table_step steps_row[]
  = { { UMMGR_STEP_SHARED, code_n, 0 }, { UMMGR_STEP_NONZERO, code_mask, 0.3 } };

static void
check_rows (void)
{
  const uint64_t rows = 2048, size = rows * 8192;
  struct graph g = graph_new (16 * rows, 1, 1, 0, false);
  struct view v = view_of (&g);
  struct ummgr_table_ref ref = {
    .flags = UMMGR_REF_READ, .element_size = 8, .why = "", .frequency = 1,
    .sample = { code_row, 2, 1, steps_row }
  };
  double page = UMMGR_DATA_LINK_PAGE;
  /* No two of the sample are in one row: each iteration may have its page.  */
  struct ummgr_data_ref s = sample (&v, &ref, size, 0);
  CHECK (s.known && s.complete && s.share[UMMGR_DATA_NOW][UMMGR_DATA_LINK] > 0.98);
  /* Eight are.  */
  v.n = 16 * 32;
  s = sample (&v, &ref, size, 0);
  double link = s.share[UMMGR_DATA_NOW][UMMGR_DATA_LINK] * (double) size;
  CHECK (link >= 31 * page && link <= 33 * page);
  CHECK (s.most_link >= link && s.most_accesses == 16 * 32);

  /* None is found of 4096 where 256 are looked at: three in 256 may be.  */
  ref.sample.step_count = 2;
  v.n = 4096;
  s = sample (&v, &ref, size, 0);
  CHECK (s.share[UMMGR_DATA_NOW][UMMGR_DATA_LINK] == 0);
  CHECK (fabs (s.most_accesses - 3 * 16) < 1e-6);
  CHECK (fabs (s.most_link - 3 * 16 * (page + 8)) < 1e-3);
  /* All are looked at.  */
  v.n = 200;
  s = sample (&v, &ref, size, 0);
  CHECK (s.most_link == 0 && s.most_accesses == 0);
  /* What can't be told may be all.  */
  v.memory[MASK].at = NULL;
  s = sample (&v, &ref, size, 0);
  CHECK (!s.complete && s.accesses[UMMGR_DATA_NOW] < 100);
  CHECK (s.most_accesses == 200);
  graph_free (&g);
}

/* for (i = 0; i < n; i++) x += table[col[i]], of 4 bytes, one iteration after the other; each brings a sector of 32
   bytes, and a cache of CACHE bytes drops what was used longest ago.  The bytes that come.  */
static double
gathered (const struct graph *g, uint64_t size, uint64_t cache)
{
  const uint64_t sectors = size / 32;
  uint64_t *used = calloc (sectors, sizeof *used), *order = calloc (g->n, sizeof *order), come = 0, kept = 0, old = 0;
  CHECK (used && order);
  for (int64_t i = 0; i < g->n; i++)
    {
      uint64_t at = (uint64_t) g->col[i] * 4 / 32;
      /* Used by step K: K + 1.  */
      bool there = used[at] != 0;
      come += !there;
      kept += !there;
      used[at] = (uint64_t) i + 1;
      order[i] = at;
      for (; kept > cache / 32; old++)
	if (used[order[old]] == old + 1)
	  {
	    used[order[old]] = 0;
	    kept--;
	  }
    }
  free (used);
  free (order);
  return (double) come * 32;
}

/* What a gather brings over the link from a table of 4 MiB that stays on the host, with a cache of one: from anywhere;
   from about where it was, as unknowns are numbered; eight from each sector, from sectors anywhere.  */
static void
check_gathers (void)
{
  enum { ENTRIES = 1 << 20, CACHE = 1 << 20 };
  static const unsigned char code_table[] = { LOOP (0), TIMES (4), ELEMENT (COL, -4), TIMES (4), 0 };
  const struct ummgr_table_ref ref = {
    .flags = UMMGR_REF_READ | UMMGR_REF_DATA, .element_size = 4, .why = "", .frequency = 1,
    .sample = { code_table, 2, 1, steps }
  };
  const struct ummgr_table_arg arg
    = { .use = { .flags = UMMGR_USE_ANALYSED | UMMGR_USE_READ, .ref_count = 1, .refs = &ref, .why = "" } };
  for (int kind = 0; kind < 12; kind++)
    {
      struct graph g = { .n = ENTRIES * (1 + kind / 3), .m = ENTRIES * (1 + kind / 3) };
      g.col = malloc (g.m * sizeof *g.col);
      CHECK (g.col);
      for (int64_t i = 0; i < g.n; i++)
	{
	  int64_t along = (int64_t) ((double) i / g.n * ENTRIES);
	  int64_t to = kind % 3 == 0 ? (int64_t) below (ENTRIES)
	    : kind % 3 == 1 ? along + (int64_t) below (1024) - 512
	    : i % 8 ? g.col[i - 1] + 1 : (int64_t) below (ENTRIES / 8) * 8;
	  g.col[i] = to < 0 ? 0 : to < ENTRIES ? to : ENTRIES - 1;
	}
      struct view v = view_of (&g);
      void *hostaddrs[ARGS] = { (void *) (intptr_t) v.n };
      size_t sizes[ARGS] = { 0 };
      const struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
      const struct ummgr_hint_extent extent = { .size = 4 * ENTRIES, .remote = { .grain = 32, .cache = CACHE } };
      struct ummgr_data_ref s;
      struct ummgr_hint hint;
      ummgr_data_sample (&ref, &inputs, v.memory, 0, extent, UMMGR_DATA_SAMPLE, &s);
      CHECK (s.known && s.complete);
      ummgr_hints_with_data (&arg, &inputs, extent, &s, UMMGR_DATA_NOW, UMMGR_DATA_PAGES, &hint);
      double come = gathered (&g, 4 * ENTRIES, CACHE);
      if (!(hint.remote > 0.8 * come && hint.remote < 1.25 * come))
	{
	  fprintf (stderr, "kind %d of %d passes: %g bytes come, %g were said\n", kind % 3, 1 + kind / 3, come, hint.remote);
	  CHECK (false);
	}
      free (g.col);
    }
}

/* Few of the accesses of an iteration pass, but some in each page.  */
static void
check_inside (void)
{
  struct graph g = graph_new (500, 2000, 500, 3, false);
  struct view v = view_of (&g);
  struct ummgr_data_ref s = sample (&v, &ref_inside, g.m * 4, 0);
  const double *now = s.share[UMMGR_DATA_NOW];
  CHECK (s.known && s.complete && s.each && s.accesses[UMMGR_DATA_NOW] > 0);
  CHECK (!s.guessed && sample (&v, &ref_guessed, g.m * 4, 0).guessed);
  CHECK (sample (&v, &ref_guessed, g.m * 4, 0).most_link == INFINITY);
  CHECK (!sample (&v, &ref_col, g.m * 4, 0).each);
  CHECK (now[UMMGR_DATA_BYTES] < 0.1);
  CHECK (now[UMMGR_DATA_PAGES] > 0.95);
  graph_free (&g);
}

/* Arrays that are too short, at odd addresses, with what no graph has.  */
static void
check_junk (void)
{
  struct graph g = graph_new (5000, 8, 5000, 100, true);
  struct view v = view_of (&g);
  uint64_t size = g.m * 4;
  for (unsigned i = 0; i < 4000; i++)
    {
      struct view u = v;
      struct ummgr_code_memory *m = &u.memory[MASK + below (3)];
      m->after = below (3) ? below (m->after + 1) : 0;
      /* Where a sanitizer sees the end.  */
      char *copy = malloc (m->after + 1);
      CHECK (copy);
      memcpy (copy + 1, m->at, m->after);
      m->at = copy + 1;
      struct ummgr_data_ref s
	= sample (&u, below (2) ? &ref_col : &ref_seen, below (2) ? size : 77, 0);
      CHECK (!s.known || (s.share[0][0] >= 0 && s.share[0][0] <= 1));
      free (copy);
    }
  for (unsigned i = 0; i < 2000; i++)
    {
      int64_t *at = &g.row[below (g.n + 1)], old = *at;
      static const int64_t junk[]
	= { INT64_MIN, INT64_MAX, -1, INT64_MAX / 4, 1 << 30 };
      *at = junk[below (5)];
      struct ummgr_data_ref s
	= sample (&v, below (2) ? &ref_col : &ref_seen, size, 0);
      CHECK (!s.known || (s.share[2][1] >= 0 && s.share[2][1] <= 1
			  && s.accesses[2] >= 0 && isfinite (s.accesses[2])));
      if (below (4))
	*at = old;
    }
  v.n = INT64_MAX;
  CHECK (!sample (&v, &ref_col, size, 0).known);
  v.n = -3;
  CHECK (!sample (&v, &ref_col, size, 0).known);
  graph_free (&g);
}

static int64_t
element (const struct ummgr_code_memory *memory, int64_t at, int size)
{
  unsigned char code[] = { UMMGR_CODE_CONST64, 0, 0, 0, 0, 0, 0, 0, 0,
			   ELEMENT (0, size), UMMGR_CODE_END };
  int64_t value = -77;
  memcpy (code + 1, &at, sizeof at);
  CHECK (ummgr_code_check_sample (code, sizeof code, 1, 0));
  CHECK (!ummgr_code_check (code, sizeof code, 1));
  const struct ummgr_code_inputs inputs = { .sizes = NULL };
  const struct ummgr_code_sample s = { NULL, memory };
  bool good = ummgr_code_evaluate_sample (code, &inputs, &s, &value);
  CHECK (!ummgr_code_evaluate (code, &inputs, &value));
  return good ? value : -77;
}

static uintptr_t limit;

static bool
first_half (uintptr_t address, size_t size)
{
  return address + size <= limit;
}

/* Every byte around the argument's address that may be read, and no other.  */
static void
check_bounds (void)
{
  char bytes[16];
  for (int i = 0; i < 16; i++)
    bytes[i] = (char) (200 + i);
  struct ummgr_code_memory m = { bytes + 4, 4, 12, NULL };
  CHECK (element (&m, -4, 1) == 200 && element (&m, 11, 1) == 215);
  CHECK (element (&m, -4, -1) == 200 - 256);
  CHECK (element (&m, -5, 1) == -77 && element (&m, 12, 1) == -77);
  CHECK (element (&m, 9, 4) == -77 && element (&m, 8, 4) != -77);
  CHECK (element (&m, -1, 4) == (int64_t) (203u | 204u << 8 | 205u << 16
					   | 206u << 24));
  CHECK (element (&m, INT64_MIN, 8) == -77 && element (&m, INT64_MAX, 8) == -77);
  CHECK (element (&m, -3, 8) != -77 && element (&m, 5, 8) == -77);
  m.readable = first_half;
  limit = (uintptr_t) bytes + 8;
  CHECK (element (&m, 3, 1) == 207 && element (&m, 4, 1) == -77);
  CHECK (element (&m, 0, 4) != -77 && element (&m, 1, 4) == -77);
  m.readable = NULL;
  m.after = 2;
  CHECK (element (&m, -4, 8) == -77 && element (&m, -2, 4) != -77);
  m.at = NULL;
  CHECK (element (&m, 0, 1) == -77);
}

static double
expect (const struct ummgr_data_growth *g, double launches)
{
  return ummgr_data_growth_expect (g, launches);
}

static void
check_growth (void)
{
  struct ummgr_data_growth g = { 0 };
  ummgr_data_growth_add (&g, 0, 0.01, 1);
  CHECK (expect (&g, 100) == 0);
  /* The same accesses again.  */
  ummgr_data_growth_add (&g, 0.01, 0.01, 1);
  CHECK (expect (&g, 100) == 0);
  /* It doubles: 0.01, 0.02, 0.04; one launch more brings 0.04.  */
  g = (struct ummgr_data_growth) { 0 };
  ummgr_data_growth_add (&g, 0, 0.01, 1);
  ummgr_data_growth_add (&g, 0.01, 0.03, 1);
  CHECK (fabs (expect (&g, 0) - (0.04 + 0.08) / 0.97) < 1e-9);
  CHECK (expect (&g, 100) == 1);
  /* Within a tenth of the object.  */
  g.extent = 0.1;
  CHECK (fabs (expect (&g, 100) - 0.07 / 0.97) < 1e-9);
  /* It slows down: 0.01, 0.02, 0.02: half of that next, an eighth then.  */
  g.extent = 1;
  ummgr_data_growth_add (&g, 0.03, 0.05, 1);
  CHECK (fabs (expect (&g, 5) - (0.01 + 0.0025) / 0.95) < 0.011);
  CHECK (expect (&g, 100) < 0.05);
  /* What left tells nothing of growth.  */
  ummgr_data_growth_add (&g, 0.01, 0.05, 1);
  CHECK (g.launches == 1 && expect (&g, 100) == 0);
  g = (struct ummgr_data_growth) { 0 };
  ummgr_data_growth_add (&g, 0, 1, 1);
  CHECK (expect (&g, 0) == 1);
  /* Each place leads to 8 more: 0.01, then 0.08 and 0.64; within the range.  What
     was seen counts for more.  */
  g = (struct ummgr_data_growth) { .spread = 8 };
  ummgr_data_growth_add (&g, 0, 0.01, 1);
  CHECK (fabs (expect (&g, 3) - 0.72 / 0.99) < 1e-9);
  g.extent = 0.5;
  CHECK (fabs (expect (&g, 3) - 0.49 / 0.99) < 1e-9);
  ummgr_data_growth_add (&g, 0.01, 0.02, 1);
  CHECK (fabs (expect (&g, 3) - 0.02 / 0.98) < 1e-9);
}

/* Sixteen pairs of a region and its objects anywhere, again and again others.  */
static void
check_kept (void)
{
  static const struct ummgr_table_arg arg;
  static const struct ummgr_table_region region
    = { .arg_count = 1, .args = &arg };
  const struct ummgr_code_inputs inputs = { .sizes = NULL };
  const struct ummgr_hint_extent extent = { .size = 4096 };
  uint64_t object[16], seed = 1;
  for (int round = 0; round < 40; round++)
    {
      struct ummgr_data_launch first[16], again;
      struct ummgr_hint hint = { .known = false };
      for (uint64_t i = 0; i < 32; i++)
	{
	  if (i < 16)
	    {
	      seed = seed * 6364136223846793005u + 1442695040888963407u;
	      object[i] = seed >> 33 << 12;
	    }
	  struct ummgr_data_input input = { .object = object[i % 16] };
	  ummgr_data_hints (&region, &inputs, &extent, &input, &hint,
			    i < 16 ? &first[i] : &again);
	  CHECK (i < 16 || (again.state == first[i % 16].state
			    && again.life == first[i % 16].life));
	}
    }
}

int
main (void)
{
  check_bounds ();
  check_graphs ();
  check_transient ();
  check_inside ();
  check_gathers ();
  check_rows ();
  check_junk ();
  check_growth ();
  check_kept ();
  return 0;
}
