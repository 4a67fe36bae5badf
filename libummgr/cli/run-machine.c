/* `ummgr run`: which GPU, and whether the machine asked for can exist.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state but what it fills in struct ummgr_run.  The profile is read here
   only to refuse a bad one before the program starts; the simulated driver
   reads it again.  */

#include "config.h"
#include "cli/run.h"
#include "base/human.h"
#include "base/log.h"
#include "device/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t
host_memory (void)
{
  long pages = sysconf (_SC_PHYS_PAGES), size = sysconf (_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (uint64_t) pages * size : UINT64_MAX;
}

static void
refuse_memory (double asked, uint64_t there, const char *whose)
{
  ummgr_error ("--device-mem: %s is more than %s has (%s)",
	       ummgr_human_bytes (asked).text, whose,
	       ummgr_human_bytes (there).text);
}

static int
check_simulated (struct ummgr_run *run)
{
  struct ummgr_options *o = &run->options;
  if (!*run->paths.sim)
    {
      ummgr_error ("run: the simulated driver (ummgr/sim/libcuda.so.1) is not "
		   "installed with this command");
      return UMMGR_EXIT_FAILURE;
    }
  if (*run->paths.profiles)
    setenv ("UMMGR_PROFILE_PATH", run->paths.profiles, 0);
  /* A machine is too large for the stack.  */
  struct ummgr_profile *profile = calloc (1, sizeof *profile);
  if (!profile)
    return UMMGR_EXIT_FAILURE;
  int status = UMMGR_EXIT_FAILURE;
  if (ummgr_profile_find (o->profile, profile))
    {
      uint64_t devices = o->gpus ? o->gpus : (uint64_t) profile->device_count;
      uint64_t host = host_memory ();
      if (o->device_mem > host / devices)
	refuse_memory ((double) o->device_mem * devices, host,
		       "this host, which must back it,");
      else if (ummgr_profile_adjust (profile, o))
	status = ummgr_run_share (run, (unsigned) profile->device_count);
    }
  free (profile);
  return status;
}

static int
check_real (struct ummgr_run *run)
{
  static const char *const ignored[]
    = { "profile", "gpus", "scale", "access-counters", "evict" };
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    if (*ummgr_run_text (run, ignored[i]))
      ummgr_warn ("run: --%s concerns the simulated GPU only", ignored[i]);
  if (run->options.device_mem > run->gpu.memory && run->gpu.memory)
    {
      refuse_memory (run->options.device_mem, run->gpu.memory, run->gpu.name);
      return UMMGR_EXIT_FAILURE;
    }
  return ummgr_run_share (run, (unsigned) run->gpu.devices);
}

static void
announce (const struct ummgr_run *run)
{
  if (run->silent)
    return;
  if (run->simulated)
    fprintf (stderr, "ummgr: simulated GPU, profile %s: its times are "
	     "modelled\n", run->options.profile);
  else
    fprintf (stderr, "ummgr: real GPU, %s\n", run->gpu.name);
}

int
ummgr_run_choose_gpu (struct ummgr_run *run)
{
  const char *gpu = run->options.gpu;
  if (strcmp (gpu, "sim") != 0)
    ummgr_cli_probe_gpu (&run->gpu);
  if (strcmp (gpu, "cuda") == 0 && run->gpu.devices == 0)
    {
      ummgr_error ("--gpu=cuda: no GPU: libcuda.so.1 is missing or finds no "
		   "device; --gpu=sim simulates one");
      return UMMGR_EXIT_FAILURE;
    }
  run->simulated = run->gpu.devices == 0;
  int status = run->simulated ? check_simulated (run) : check_real (run);
  if (status == 0)
    announce (run);
  return status;
}
