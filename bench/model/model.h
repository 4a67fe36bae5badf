/* What the programs of bench/model share: data and launches as CUDA has them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A block of 256 CUDA threads is a team of 8 OpenMP threads: each is a warp, and
   its simd loop of 32 iterations the warp's lanes, one each.  MODEL_TARGET begins a
   launch, MODEL_BLOCKS goes before what a thread does in each block, MODEL_WARP before
   what each of its lanes does.  As many teams run as the GPU holds at once; when all of a
   team's warps are through with a block, it takes the next that has not begun, as a
   GPU's scheduler gives it out.  (Were a team made for each block, libgomp would do a
   hundred times as much as the program.)

   All data is managed.  The host writes each page of it first (model_fill), so
   that the GPU's first access finds it in the host's memory.  */

#pragma once

#include "common.h"

#define MODEL_PRAGMA(X) _Pragma (#X)

/* Teams that run: at most those that the GPU holds, six of 256 threads on each of an RTX
   3090's 82 SMs.  GCC's code for a kernel has so many registers that libgomp takes two:
   model.sh says UMMGR_KERNEL_REGISTERS=32, as nvcc's code for such kernels needs.  */
enum { MODEL_TEAMS = 492, MODEL_BLOCK = 256, MODEL_LANES = 32 };

/* CUDA's barrier for a team: libgomp's, which can do more, takes hundreds
   of instructions and a lock.  The host's assembler sees a comment: of the alternatives
   that GCC knows there, and which for nvptx are text, it gets the empty one.  So these
   programs need the GPU's own code.  */
#define MODEL_BARRIER                                                         \
  __asm__ volatile ("// {|\n\tbar.sync 2; // }" : : : "memory")

/* Of a launch: what follows is done by each team.  */
#define MODEL_TARGET(TEAMS, WARPS)                                            \
  for (long next_block = 0, once = 1; once; once = 0)                         \
    MODEL_PRAGMA (omp target teams num_teams (TEAMS) thread_limit (WARPS)     \
		  map (tofrom: next_block))                                   \
    for (long own_block = 0, run = 1; run; run = 0)

#define MODEL_BLOCKS(COUNT)                                                   \
  MODEL_PRAGMA (omp parallel)                                                 \
  for (long warp = omp_get_thread_num (), block;                              \
       (block = model_take (&next_block, &own_block, warp)) < (COUNT);)

/* The block that the team of WARP does next, when all of its warps ask: NEXT is all
   teams', NOW the team's.  */
static inline long
model_take (long *next, volatile long *now, long warp)
{
  MODEL_BARRIER;
  if (warp == 0)
    {
      long block;
#pragma omp atomic capture
      block = (*next)++;
      *now = block;
    }
  MODEL_BARRIER;
  return *now;
}

/* T is the lane's number in its block.  */
#define MODEL_WARP                                                            \
  MODEL_PRAGMA (omp simd)                                                     \
  for (long t = warp * MODEL_LANES; t < (warp + 1) * MODEL_LANES; t++)

/* A thread each of N.  */
#define MODEL_THREADS(N)                                                      \
  MODEL_TARGET (MODEL_TEAMS, 8)                                               \
  MODEL_BLOCKS ((N) / MODEL_BLOCK)                                            \
  MODEL_WARP
#define MODEL_THREAD (block * MODEL_BLOCK + t)

/* A thread each point of N by N, in blocks of 32 by 8, row after row of blocks.  */
#define MODEL_POINTS(N) MODEL_THREADS ((N) * (N))
#define MODEL_ROW(N) (block / ((N) / MODEL_LANES) * 8 + t / MODEL_LANES)
#define MODEL_COLUMN(N)                                                       \
  (block % ((N) / MODEL_LANES) * MODEL_LANES + t % MODEL_LANES)

struct model
{
  struct bench_common common;	/* Of which `iterations' are steps.  */
  uint64_t n;
};

#define MODEL_COMMON_OPTIONS(M)                                               \
  { "steps", BENCH_NUMBER, &(M).common.iterations, "how often to repeat" },   \
  { "seed", BENCH_NUMBER, &(M).common.seed, "of the generated input" },       \
  { "footprint", BENCH_SWITCH, &(M).common.footprint,                         \
    "print the bytes of data and stop" },                                     \
  { "no-check", BENCH_SWITCH, &(M).common.no_check,                           \
    "skip the comparison with the host" }

/* Where the size is --n; WHAT it is.  */
static inline void
model_parse (struct model *m, int argc, char **argv, const char *about,
	     const char *what)
{
  m->common.seed = 1;
  const struct bench_option options[] = {
    { "n", BENCH_NUMBER, &m->n, what },
    MODEL_COMMON_OPTIONS (*m),
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, about);
}

/* End the program if only FOOTPRINT was asked for, or if there is no managed
   memory.  */
static inline void
model_begin (struct model *m, uint64_t footprint)
{
  if (m->common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      exit (0);
    }
  m->common.unified = true;
  if (!bench_unified (true))
    exit (2);
}

static inline void
model_multiple (const struct model *m, uint64_t of, uint64_t most)
{
  if (m->n < of || m->n > most || m->n % of != 0)
    bench_fatal ("--n=%llu: expected a multiple of %llu, at most %llu",
		 (unsigned long long) m->n, (unsigned long long) of,
		 (unsigned long long) most);
}

/* COUNT numbers from 0 to 1 in managed memory.  Where nobody looks at the result,
   one a page: the others stay 0.  */
static inline float *
model_fill (const struct model *m, size_t count, uint64_t *state)
{
  size_t step = m->common.no_check ? 4096 / sizeof (float) : 1;
  float *p = bench_alloc (true, count * sizeof *p);
  for (size_t i = 0; i < count; i += step)
    p[i] = bench_uniform (state);
  return p;
}

/* Of two floats; CHECK is written so that a NaN fails, too.  */
static inline bool
model_close (const char *name, size_t at, double is, double expected,
	     double tolerance)
{
  double off = is - expected;
  if ((off < 0 ? -off : off) <= tolerance)
    return true;
  bench_message ("wrong result: %s[%zu] is %.7g, not %.7g", name, at, is,
		 expected);
  return false;
}

/* The line of results.  CHECKSUM is 0 where nothing was looked at.  */
static inline int
model_result (const struct model *m, uint64_t footprint, double seconds,
	      bool correct, uint64_t checksum)
{
  char extra[96];
  snprintf (extra, sizeof extra, "n=%llu checksum=%016llx",
	    (unsigned long long) m->n, (unsigned long long) checksum);
  return bench_result (&m->common, footprint, seconds, !m->common.no_check,
		       correct, extra);
}
