/* The same accesses fault, migrate and evict alike whether the simulator learns
   of them by traps or by reports: one by one, or a launch's reports all before
   the first access, or none.  And data survives it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (UINT64_C (1) << 20)
#define OBJECTS 5
#define SIZE (MIB + MIB / 2)
#define LAUNCHES 60
#define MOST 400

enum mode { TOUCH, EACH, BEFORE, NEVER };

struct result
{
  bool ran;
  struct ummgr_counters c[2];
};

static unsigned *base[OBJECTS];
static uint32_t state = 1;

static uint32_t
draw (uint32_t below)
{
  state = state * 1664525 + 1013904223;
  return (uint64_t) (state >> 4) * below >> 28;
}

static void
set_up (void)
{
  machine_start ("1/16", "4M", "2");
  for (int i = 0; i < OBJECTS; i++)
    {
      struct sim_alloc *a;
      CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, SIZE, false, &a),
		CUDA_SUCCESS);
      base[i] = (unsigned *) a->base;
    }
  CHECK_EQ (sim_mem_advise ((uintptr_t) base[1], SIZE,
			    CU_MEM_ADVISE_SET_READ_MOSTLY, 0), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_advise ((uintptr_t) base[2], SIZE,
			    CU_MEM_ADVISE_SET_PREFERRED_LOCATION, SIM_HOST),
	    CUDA_SUCCESS);
  CHECK_EQ (sim_mem_advise ((uintptr_t) base[3], SIZE,
			    CU_MEM_ADVISE_SET_ACCESSED_BY, 0), CUDA_SUCCESS);
}

struct access
{
  unsigned *word;
  bool write;
};

static void
make (const struct access *a, unsigned *value)
{
  CHECK_EQ (*(volatile unsigned *) a->word, *value);
  if (a->write)
    *(volatile unsigned *) a->word = ++*value;
}

static void
report (const struct access *a)
{
  sim_mem_access ((uintptr_t) a->word, 0, 1, sizeof *a->word, 1);
  if (a->write)
    sim_mem_access ((uintptr_t) a->word, 4, 1, sizeof *a->word, 2);
}

/* Random accesses, mostly near the one before.  */
static void
launch (enum mode mode, unsigned (*value)[SIZE / 4096])
{
  static struct access list[MOST];
  static unsigned *expected[MOST];
  int n = 1 + draw (MOST);
  for (int i = 0, o = 0, page = 0; i < n; i++)
    {
      if (i == 0 || draw (8) == 0)
	{
	  o = draw (OBJECTS);
	  page = draw (SIZE / 4096);
	}
      page = (page + draw (3)) % (SIZE / 4096);
      list[i] = (struct access) { base[o] + page * 1024,
				  draw (3) == 0 };
      expected[i] = &value[o][page];
    }
  int device = draw (2);
  sim_mem_launch_begin (device, NULL, 0);
  for (int i = 0; i < n && mode == BEFORE; i++)
    report (&list[i]);
  for (int i = 0; i < n; i++)
    {
      if (mode == EACH)
	report (&list[i]);
      make (&list[i], expected[i]);
    }
  sim_mem_launch_end (device);
  CHECK (sim_mem_check ());
  /* The host takes some back.  */
  for (int i = draw (30); i > 0; i--)
    {
      int o = draw (OBJECTS), page = draw (SIZE / 4096);
      struct access a = { base[o] + page * 1024, draw (2) };
      make (&a, &value[o][page]);
    }
}

static struct result
run (enum mode mode)
{
  struct result r = { .ran = false };
  int ends[2];
  CHECK (pipe (ends) == 0);
  pid_t child = fork ();
  if (child == 0)
    {
      static unsigned value[OBJECTS][SIZE / 4096];
      set_up ();
      r.ran = sim_mem_kernel_faults ();
      if (mode != TOUCH)
	CHECK (sim_mem_set_access (true));
      for (int i = 0; i < LAUNCHES && r.ran; i++)
	launch (mode, value);
      for (int d = 0; d < 2; d++)
	CHECK (sim_mem_device_counters (d, &r.c[d]));
      CHECK (write (ends[1], &r, sizeof r) == sizeof r);
      _exit (0);
    }
  int status;
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  CHECK (read (ends[0], &r, sizeof r) == sizeof r);
  close (ends[0]);
  close (ends[1]);
  return r;
}

int
main (void)
{
  struct result touch = run (TOUCH);
  if (!touch.ran)
    return 0;
  for (enum mode mode = EACH; mode <= NEVER; mode++)
    {
      struct result r = run (mode);
      for (int d = 0; d < 2; d++)
	{
	  const struct ummgr_counters *a = &touch.c[d], *b = &r.c[d];
	  CHECK_EQ (a->gpu_faults, b->gpu_faults);
	  CHECK_EQ (a->cpu_faults, b->cpu_faults);
	  CHECK_EQ (a->evictions, b->evictions);
	  CHECK_EQ (a->h2d_bytes, b->h2d_bytes);
	  CHECK_EQ (a->d2h_bytes, b->d2h_bytes);
	  CHECK_EQ (a->device_peak_bytes, b->device_peak_bytes);
	  CHECK (a->gpu_faults > 300 && a->evictions > 30);
	  /* Sectors instead of granules.  */
	  if (mode == NEVER)
	    CHECK_EQ (a->remote_bytes, b->remote_bytes);
	  else
	    CHECK (b->remote_bytes && b->remote_bytes < a->remote_bytes);
	}
    }
  return 0;
}
