/* Instrumented code under the simulated driver: who it is (place), what it may
   report, and what that counts as; variables count where the GPU has them.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-additional-options "-fopenmp" } */
/* { dg-ummgr-env "UMMGR_PROFILE=v100-nvlink2 UMMGR_GPUS=2" } */

#include "driver-test.h"
#include "device/sim-api.h"

#include <omp.h>

extern bool GOMP_teams4 (unsigned, unsigned, unsigned, bool);

enum { TEAMS = 5, THREADS = 3 };
static const struct ummgr_device_ops *api;
static struct ummgr_device devices[] = { { .number = 0 }, { .number = 1 } };
static int seen[TEAMS][THREADS], wrong, device_wanted;
static unsigned *memory;
static unsigned global[64];
static const unsigned constant[64] = { 1 };

static bool
at (int device, unsigned team, unsigned thread)
{
  const struct ummgr_device_place *p = api->place ();
  return p->device == device && p->team == team && p->thread == thread;
}

/* Each thread of each team reads a sector of its own, twice.  */
static void
team (void)
{
  unsigned t = omp_get_team_num ();
  CHECK (at (device_wanted, t, 0));
#pragma omp parallel num_threads(THREADS)
  {
    unsigned n = omp_get_thread_num ();
    const struct ummgr_device_place *mine = api->place ();
    if (!at (device_wanted, t, n))
#pragma omp atomic
      wrong++;
    seen[t][n]++;
    for (int i = 0; i < 2; i++)
      api->access ((uintptr_t) &memory[8 * (t * THREADS + n)], 0, 1, 4, 1);
    /* Within: one that has two, and one of its own.  */
#pragma omp parallel num_threads(2)
    if (!at (device_wanted, t, omp_get_thread_num ()))
#pragma omp atomic
      wrong++;
    if (!at (device_wanted, t, n) || api->place () != mine)
#pragma omp atomic
      wrong++;
  }
  CHECK (at (device_wanted, t, 0));
}

static void
kernel (void *data)
{
  bool first = true;
  while (GOMP_teams4 (0, 0, 0, first))
    {
      team ();
      first = false;
    }
}

/* Uses variables, by the host's names for them.  */
static void
variables (void *data)
{
  int stack = 0;
  for (int i = 0; i < 64; i++)
    {
      api->access ((uintptr_t) &global[i], 0, 1, 4, 1);
      api->access ((uintptr_t) &constant[i], 0, 1, 4, 1);
      api->access ((uintptr_t) &stack, 0, 1, 4, 2);
    }
}

static const char ptx[]
  = ".version 6.3\n.target sm_75\n"
    ".visible .global .align 4 .b8 global[256];\n"
    ".visible .global .align 4 .b8 constant[256];\n"
    ".visible .entry kernel (.param .u64 %in) { ret; }\n"
    ".visible .entry variables (.param .u64 %in) { ret; }\n";
OFFLOAD_FUNCTIONS functions[] = { kernel, variables };
OFFLOAD_VARIABLES variable_table[]
  = { { global, sizeof global }, { (void *) constant, sizeof constant } };
static const struct test_function function_names[]
  = { { "kernel", { 0 } }, { "variables", { 0 } } };
static const char *const variable_names[] = { "global", "constant" };
static const struct test_ptx texts[] = { { ptx, sizeof ptx } };
extern const struct test_description description;
const struct test_description description = { texts, 1, variable_names, 2,
					      function_names, 2 };

static uint64_t
local (int device)
{
  struct ummgr_counters c;
  CHECK (api->counters (&devices[device], &c));
  CHECK_EQ (c.remote_bytes, 0);
  return c.local_bytes;
}

static void
on_device (int device)
{
  CUcontext context = start (device);
  CUmodule module = load (ptx, sizeof ptx);
  CUfunction f;
  CUdeviceptr p;
  OK (cuMemAlloc_v2 (&p, 4096));
  memory = (unsigned *) p;
  device_wanted = device;
  memset (seen, 0, sizeof seen);
  OK (cuModuleGetFunction (&f, module, "kernel"));
  uint64_t before = local (device);
  OK (launch (f, TEAMS, NULL, NULL));
  OK (cuCtxSynchronize ());
  CHECK_EQ (wrong, 0);
  uint64_t sectors = 0;
  for (int t = 0; t < TEAMS; t++)
    for (int n = 0; n < THREADS; n++)
      sectors += seen[t][n];
  CHECK (sectors >= TEAMS && sectors <= TEAMS * THREADS);
  CHECK_EQ (local (device) - before, 32 * sectors);
  CHECK (at (-1, 0, 0));

  /* 256 bytes each, where the driver has them.  */
  OK (cuModuleGetFunction (&f, module, "variables"));
  before = local (device);
  OK (launch (f, 1, NULL, NULL));
  OK (cuCtxSynchronize ());
  CHECK_EQ (local (device) - before, 2 * 256);
  /* The CPU's side reports nothing.  */
  before = local (device);
  api->access (p, 4, 1024, 4, 1);
  CHECK_EQ (local (device), before);
  OK (cuCtxDestroy_v2 (context));
}

int
main (void)
{
  OK (cuInit (0));
  api = &ummgr_sim_api ()->ops;
  CHECK (at (-1, 0, 0) && api->place () == api->place ());
  struct ummgr_figures l;
  CHECK (!api->figures (&(struct ummgr_device) { api, -1 }, &l));
  CHECK (!api->figures (&(struct ummgr_device) { api, 2 }, &l));
  CHECK (api->figures (&devices[1], &l));
  CHECK (l.h2d_rate > 1e9 && l.d2h_rate > 1e9 && l.link_latency > 0);
  CHECK (ummgr_figures_gpu_fault_ns (&l) > 0);
  CHECK (l.cpu_fault_cost * 1e9 >= ummgr_figures_gpu_fault_ns (&l));
  CHECK_EQ (l.fault_granularity, 65536);
  CHECK (strcmp (api->fidelity (), "touch") == 0);
  CHECK (api->set_access_fidelity (true));
  CHECK (strcmp (api->fidelity (), "access") == 0);
  on_device (0);
  on_device (1);
  return 0;
}
