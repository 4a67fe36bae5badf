/* Breaks if what comes over the link in a launch's steps is not that of a slow cache, the least recently
   used leaves, which threads go through side by side: matrix products, streams, rows of a stencil, a vector
   that all iterations read; caches that hold all, or little; if what data says where counts so; or if what few threads
   wait for costs no more than the link.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "hints/hints.h"
#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 60, GRAIN = 32, ELEMENT = 4, LINES = 3 * N * N * ELEMENT / GRAIN };

static const unsigned char zero[] = { UMMGR_CODE_CONST8, 0, 0 };
static const unsigned char four[] = { UMMGR_CODE_CONST8, ELEMENT, 0 };
static const unsigned char row[] = { UMMGR_CODE_CONST64, 240, 0, 0, 0, 0, 0, 0, 0, 0 };
static const unsigned char rows[] = { UMMGR_CODE_CONST8, N, 0 };
static const unsigned char all[] = { UMMGR_CODE_CONST64, 16, 14, 0, 0, 0, 0, 0, 0, 0 };
_Static_assert (N * ELEMENT == 240 && N * N == 14 * 256 + 16, "row and all");

/* --- the slow one ------------------------------------------------------------------------ */

/* Lines, the last used last.  */
static int order[LINES], held;
static double brought[3];	/* By argument.  */

static void
touch (int arg, int byte, int cache)
{
  int line = (arg * N * N * ELEMENT + byte) / GRAIN, at = 0;
  while (at < held && order[at] != line)
    at++;
  if (at == held)
    {
      brought[arg] += GRAIN;
      if (held < cache / GRAIN)
	held++;
      else
	at = 0;
      at = at < held ? at : held - 1;
    }
  memmove (order + at, order + at + 1, (held - 1 - at) * sizeof *order);
  order[held - 1] = line;
}

/* What iteration I does in its step K, of STEPS.  */
struct nest
{
  const char *name;
  int trip, inner;
  void (*step) (int i, int k, int cache);
  int loops[3];			/* By argument: which of the tables below it is.  */
};

static void
run (const struct nest *nest, int threads, int cache)
{
  held = 0;
  memset (brought, 0, sizeof brought);
  int share = (nest->trip + threads - 1) / threads;
  for (int s = 0; s < share; s++)
    for (int k = 0; k < nest->inner; k++)
      for (int t = 0; t < threads; t++)
	if (t * share + s < nest->trip)
	  nest->step (t * share + s, k, cache);
}

/* c[i][j] += a[i][k] * b[k][j].  */
static void
multiply (int i, int k, int cache)
{
  touch (0, (i / N * N + k) * ELEMENT, cache);
  touch (1, (k * N + i % N) * ELEMENT, cache);
  touch (2, i * ELEMENT, cache);
}

/* c[i] = a[i] + b[i].  */
static void
add (int i, int k, int cache)
{
  (void) k;
  for (int arg = 0; arg < 3; arg++)
    touch (arg, i * ELEMENT, cache);
}

/* c[i] += a[i][k] * b[k].  */
static void
vector (int i, int k, int cache)
{
  touch (0, (i * N + k) * ELEMENT, cache);
  touch (1, k * ELEMENT, cache);
  touch (2, i * ELEMENT, cache);
}

/* --- the tables --------------------------------------------------------------------------- */

/* Loops of references: strides and counts, the outermost first.  */
static const struct ummgr_table_dim dims[][3] = {
  { { row, rows, rows, true }, { NULL, rows, rows, true }, { four, rows, rows, false } },	/* [i][k], j, too */
  { { NULL, rows, rows, true }, { four, rows, rows, true }, { row, rows, rows, false } },	/* [k][j], i, too */
  { { row, rows, rows, true }, { four, rows, rows, true }, { NULL, rows, rows, false } },	/* [i][j], k, too */
  { { four, all, all, true }, { NULL, four, four, false }, { NULL, four, four, false } },	/* [i] of all */
  { { row, rows, rows, true }, { four, rows, rows, false } },					/* [i][k] */
  { { NULL, rows, rows, true }, { four, rows, rows, false } },					/* [k], i, too */
  { { four, rows, rows, true }, { NULL, rows, rows, false } }					/* [i], k, too */
};
static const unsigned dim_count[] = { 3, 3, 3, 1, 2, 2, 2 };

static struct ummgr_table_ref refs[3];
static struct ummgr_table_arg args[3];
/* Answers are kept by a region's address.  */
static struct ummgr_table_region regions[32], *region = regions;

static void
setup (const struct nest *nest)
{
  region++;
  for (int i = 0; i < 3; i++)
    {
      int which = nest->loops[i];
      refs[i] = (struct ummgr_table_ref) {
	.flags = UMMGR_REF_READ | UMMGR_REF_AFFINE | UMMGR_REF_EXACT, .base = zero, .element_size = ELEMENT, .why = "",
	.frequency = 1, .dim_count = dim_count[which], .dims = dims[which]
      };
      args[i].use = (struct ummgr_table_use) { UMMGR_USE_ANALYSED | UMMGR_USE_READ, "", 1, &refs[i] };
    }
  region->arg_count = 3;
  region->args = args;
  region->file = "f.c";
  region->trip = nest->trip == N ? rows : all;
}

static void
evaluate (int threads, int cache, double waited, struct ummgr_hint *out)
{
  static char data[3];
  void *hostaddrs[3] = { data, data + 1, data + 2 };
  size_t sizes[3] = { N * N * ELEMENT, N * N * ELEMENT, N * N * ELEMENT };
  struct ummgr_hint_extent extents[3];
  for (int i = 0; i < 3; i++)
    extents[i] = (struct ummgr_hint_extent) {
      .size = sizes[i], .remote = { .grain = GRAIN, .threads = threads, .waited = waited, .cache = cache }
    };
  CHECK (ummgr_hints_evaluate (region, hostaddrs, sizes, extents, out));
}

int
main (void)
{
  static const struct nest nests[] = {
    { "product", N * N, N, multiply, { 0, 1, 2 } }, { "stream", N * N, 1, add, { 3, 3, 3 } },
    { "vector", N, N, vector, { 4, 5, 6 } }
  };
  /* No thread is whole rows from another: else all are in one column all the time, as on no GPU, where they
     don't keep pace.  */
  static const struct { int threads, cache; } machines[]
    = { { 32, 6144 }, { 32, 4096 }, { 7, 1536 }, { 32, 3 * N * N * ELEMENT } };
  struct ummgr_hint out[3];
  for (unsigned n = 0; n < 3; n++)
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++)
      {
	setup (&nests[n]);
	run (&nests[n], machines[m].threads, machines[m].cache);
	evaluate (machines[m].threads, machines[m].cache, 0, out);
	for (int i = 0; i < 3; i++)
	  {
	    double ratio = out[i].remote / brought[i];
	    printf ("%s, %d threads, %d bytes, argument %d: %.0f, brought %.0f\n", nests[n].name, machines[m].threads,
		    machines[m].cache, i, out[i].remote, brought[i]);
	    CHECK (out[i].remote_most >= out[i].remote);
	    CHECK (ratio > 0.55 && ratio < 1.4);
	  }
      }

  /* What is known of each argument alone, where nobody knows the machine.  */
  setup (&nests[0]);
  evaluate (0, 0, 1e6, out);
  for (int i = 0; i < 3; i++)
    CHECK (fabs (out[i].remote - N * N * ELEMENT) < GRAIN);
  /* Data says where b is read, 60 times as many bytes as it has, of which the cache has some.  */
  setup (&nests[0]);
  refs[1].flags = UMMGR_REF_READ | UMMGR_REF_DATA;
  evaluate (32, 4096, 0, out);
  double size = N * N * ELEMENT;
  CHECK (out[1].estimated && fabs (out[1].remote - size * (1 + 59 * (1 - 4096 / size))) < GRAIN);
  CHECK (out[0].remote > 900000);
  /* 32 threads ask for 1024 bytes at a time; a link that carries less meanwhile is the bound, else it waits.  */
  struct ummgr_hint few[3];
  for (int k = 1; k <= 4; k *= 2)
    {
      setup (&nests[1]);
      evaluate (32, 4096, 512. * k, few);
      setup (&nests[1]);
      evaluate (32, 4096, 0, out);
      for (int i = 0; i < 3; i++)
	{
	  CHECK (fabs (few[i].remote - out[i].remote * (k > 2 ? 2 : 1)) < 1);
	  CHECK (few[i].remote_most >= few[i].remote);
	}
    }
  return 0;
}
