/* Teams that run twice or not at all, or that do not know their number, for
   code compiled by GCC 11 (GOMP_teams) and later ones (GOMP_teams4).
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-additional-options "-fopenmp -fno-builtin-omp_is_initial_device" } */
/* { dg-ummgr-env "UMMGR_PROFILE=v100-nvlink2" } */

#include "driver-test.h"

#include <omp.h>
#include <signal.h>

extern void GOMP_teams (unsigned, unsigned);
extern bool GOMP_teams4 (unsigned, unsigned, unsigned, bool);

enum { MOST = 64 };
static int ran[MOST], count_seen, wrong, inside, before;
static unsigned lower, upper;

static void
team (void)
{
  int t = omp_get_team_num (), n = omp_get_num_teams ();
  CHECK (t >= 0 && t < MOST);
  ran[t]++;
  count_seen = n;
#pragma omp parallel num_threads(2) reduction(+: inside)
  {
    inside++;
    sigset_t set;
    pthread_sigmask (SIG_BLOCK, NULL, &set);
    if (omp_get_team_num () != t || omp_get_num_teams () != n
	|| omp_is_initial_device () || !sigismember (&set, SIGINT)
	|| sigismember (&set, SIGSEGV))
#pragma omp atomic
      wrong++;
#pragma omp parallel num_threads(2)
    if (omp_get_team_num () != t || omp_get_num_teams () != n)
#pragma omp atomic
      wrong++;
  }
}

/* As GCC 11 compiles `target teams'.  */
static void
old (void *data)
{
  before++;
  GOMP_teams (upper, 0);
  team ();
}

/* As GCC 12 and later do.  */
static void
new (void *data)
{
  before++;
  bool first = true;
  while (GOMP_teams4 (lower, upper, 0, first))
    {
      team ();
      first = false;
    }
}

/* Without teams, and with settings that are its own.  */
static int threads_before, limit_before;
static void
none (void *data)
{
  team ();
  threads_before = omp_get_max_threads ();
  limit_before = omp_get_thread_limit ();
  omp_set_num_threads (3);
  omp_set_dynamic (1);
}

static const char ptx[] = ".version 6.3\n.target sm_75\n"
			  ".visible .entry old (.param .u64 %in) { ret; }\n"
			  ".visible .entry new (.param .u64 %in) { ret; }\n"
			  ".visible .entry none (.param .u64 %in) { ret; }\n";
OFFLOAD_FUNCTIONS functions[] = { old, new, none };
static const struct test_function function_names[]
  = { { "old", { 0 } }, { "new", { 0 } }, { "none", { 0 } } };
static const struct test_ptx texts[] = { { ptx, sizeof ptx } };
extern const struct test_description description;
const struct test_description description = { texts, 1, NULL, 0,
					      function_names, 3 };

static void
run (CUfunction function, unsigned grid, int teams, int starts)
{
  memset (ran, 0, sizeof ran);
  count_seen = inside = before = 0;
  OK (launch (function, grid, NULL, NULL));
  OK (cuCtxSynchronize ());
  CHECK_EQ (count_seen, teams);
  CHECK_EQ (wrong, 0);
  CHECK (inside >= teams && inside <= 2 * teams);
  /* Teams side by side start anew, as a GPU's blocks do.  */
  CHECK (before == starts || before == teams);
  for (int i = 0; i < MOST; i++)
    CHECK_EQ (ran[i], i < teams);
}

int
main (void)
{
  CUfunction f;
  start (0);
  CUmodule module = load (ptx, sizeof ptx);
  OK (cuModuleGetFunction (&f, module, "old"));
  upper = 0;
  run (f, 7, 7, 7);
  upper = 3;
  run (f, 7, 3, 3);
  upper = 9;
  run (f, 7, 7, 7);

  OK (cuModuleGetFunction (&f, module, "new"));
  lower = upper = 0;
  run (f, 5, 5, 1);
  upper = 2;
  run (f, 5, 2, 1);
  lower = upper = 9;	/* num_teams(9), more than the GPU has room for.  */
  run (f, 5, 9, 1);
  lower = 3;
  upper = 8;
  run (f, 5, 5, 1);
  lower = 6;
  run (f, 5, 6, 1);

  OK (cuModuleGetFunction (&f, module, "none"));
  run (f, 1, 1, 0);
  int threads = threads_before, limit = limit_before;
  run (f, 1, 1, 0);
  CHECK (threads_before == threads && limit_before == limit);
  /* This thread is not the GPU's.  */
  CHECK (omp_get_num_teams () == 1 && omp_get_team_num () == 0
	 && omp_is_initial_device ());
  return 0;
}
