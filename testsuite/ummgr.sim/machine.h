/* A known machine for the tests of the memory half, whatever the caller's
   environment says.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"
#include "simcuda/memory/mem.h"

#include <math.h>

static void
machine_set (const char *variable, const char *value)
{
  if (value)
    setenv (variable, value, 1);
  else
    unsetenv (variable);
}

/* The V100 of the shipped profiles, changed as UMMGR_SCALE, UMMGR_DEVICE_MEM,
   UMMGR_GPUS and UMMGR_EVICT would; NULL: not.  */
static inline void
machine_start_evict (const char *scale, const char *memory, const char *gpus,
		     const char *evict)
{
  machine_set ("UMMGR_PROFILE_PATH", UMMGR_TEST_PROFILES);
  machine_set ("UMMGR_PROFILE", "v100-nvlink2");
  machine_set ("UMMGR_EVICT", evict);
  machine_set ("UMMGR_SCALE", scale);
  machine_set ("UMMGR_DEVICE_MEM", memory);
  machine_set ("UMMGR_GPUS", gpus);
  CHECK_EQ (sim_mem_init (), CUDA_SUCCESS);
}

static inline void
machine_start (const char *scale, const char *memory, const char *gpus)
{
  machine_start_evict (scale, memory, gpus, NULL);
}

/* Modelled seconds, up to rounding.  */
static inline void
machine_near (double got, double wanted)
{
  if (fabs (got - wanted) > 1e-12)
    {
      fprintf (stderr, "modelled %.15g, expected %.15g\n", got, wanted);
      abort ();
    }
}
