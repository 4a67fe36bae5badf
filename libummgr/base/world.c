/* Which rank of an MPI program this process is.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "base/world.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 24 };

/* MPI's own launchers come first: where one was started by Slurm, Slurm's variables are about the
   launcher.  Of the last nobody says how many there are.  */
static const struct launcher { const char *number, *count; } launchers[] = {
  { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" }, /* Open MPI.  */
  { "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE" }, /* MVAPICH2.  */
  { "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE" }, /* IBM's jsrun.  */
  { "PMI_RANK", "PMI_SIZE" },	/* MPICH, Intel MPI, Cray.  */
  { "SLURM_PROCID", "SLURM_STEP_NUM_TASKS" },
  { "PMIX_RANK", NULL }
};

static const char *const jobs[] = { "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID", "PALS_APID" };

static bool
take (const char *name, unsigned *out)
{
  const char *text = name ? getenv (name) : NULL;
  char *end;
  if (!text || !isdigit ((unsigned char) *text))
    return false;
  unsigned long value = strtoul (text, &end, 10);
  *out = (unsigned) value;
  return !*end && value <= MOST;
}

/* A batch script has Slurm's variables, too, and is no step's task.  */
static const char *
slurm_step (void)
{
  const char *step = getenv ("SLURM_STEP_ID");
  return step ? step : getenv ("SLURM_STEPID");
}

static void
find_job (struct ummgr_world *out)
{
  const char *job = getenv ("SLURM_JOB_ID"), *step = slurm_step ();
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
    if (getenv (jobs[i]))
      {
	snprintf (out->job, sizeof out->job, "%s", getenv (jobs[i]));
	return;
      }
  if (job && step)
    snprintf (out->job, sizeof out->job, "%s.%s", job, step);
}

bool
ummgr_world_find (struct ummgr_world *out)
{
  *out = (struct ummgr_world) { 0 };
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
    {
      const struct launcher *l = &launchers[i];
      bool slurm = l->number[0] == 'S';
      if ((slurm && !slurm_step ()) || !take (l->number, &out->number))
	continue;
      if (!take (l->count, &out->count) || out->number >= out->count)
	out->count = 0;
      find_job (out);
      return true;
    }
  return false;
}
