/* `ummgr run`: what the trace that the run has left says to change first.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/run.h"

#include "base/output.h"
#include "cli/advise.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line at the end is worth a second; a larger trace takes `ummgr advise'.  */
enum { LARGEST = 4 << 20 };

/* A change that brings less than this part of all copies is none to speak of.  */
static const double least = 0.1;

static bool
is_small (const char *file)
{
  struct stat st;
  return stat (file, &st) == 0 && S_ISREG (st.st_mode) && st.st_size > 0 && st.st_size <= LARGEST;
}

static bool
is_worth (const struct ummgr_advice *advice)
{
  const struct ummgr_diagnosis *d = advice->diagnosis;
  const struct ummgr_change *first = advice->changes;
  if (!advice->count || d->cut || !first->bytes)
    return false;
  return d->copy_seconds > 0 ? first->seconds >= least * d->copy_seconds
	 : (double) first->bytes >= least * (double) (d->copied_in + d->copied_out);
}

void
ummgr_run_advise (const struct ummgr_run *run)
{
  if (run->silent || !run->told_trace || ummgr_output_has_pid (run->told_trace))
    return;
  char *file = ummgr_output_expand (run->told_trace, getpid ());
  struct ummgr_diagnosis *d = file && is_small (file) ? ummgr_diagnose (file, NULL) : NULL;
  struct ummgr_advice *advice = d ? ummgr_cli_advice (d, false) : NULL;
  if (advice && is_worth (advice))
    ummgr_advice_first (stderr, advice);
  ummgr_advice_free (advice);
  ummgr_diagnosis_free (d);
  free (file);
}
