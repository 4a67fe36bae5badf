/* `ummgr run --trace' and `--stats' without a file's name.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The files under these names are always of one run, the last that left some: all of an
   earlier one's move aside.  No state.  */

#include "config.h"
#include "cli/run.h"

#include "base/log.h"
#include "base/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const ummgr_last_trace[] = { UMMGR_TRACE_FILE, NULL };
const char *const ummgr_last_run[] = { UMMGR_STATS_FILE, UMMGR_TRACE_FILE, NULL };

/* NAME as this process, which may be a rank of MPI, has it, which the caller frees.  */
static char *
own_name (const char *name)
{
  char *ranked = ummgr_output_for_rank (name), *own = ranked ? ummgr_output_expand (ranked, getpid ()) : NULL;
  free (ranked);
  return own;
}

/* False after a message.  */
static bool
move_aside (const char *name)
{
  struct stat st;
  char old[PATH_MAX];
  if (lstat (name, &st) != 0 || !S_ISREG (st.st_mode))
    return true;
  snprintf (old, sizeof old, "%s" UMMGR_OLD_SUFFIX, name);
  if (rename (name, old) == 0)
    return true;
  ummgr_error ("run: can't rename '%s', which an earlier run left, to '%s': %s; the program is not started",
	       name, old, strerror (errno));
  return false;
}

/* Is the value of the option called NAME the one that stands for none?  */
static bool
is_default (struct ummgr_run *run, const char *name)
{
  const char *text = *ummgr_run_text (run, name);
  const struct ummgr_option *o = ummgr_option_table;
  while (strcmp (o->name, name) != 0)
    o++;
  return text && text == o->absent;
}

int
ummgr_run_default_files (struct ummgr_run *run)
{
  const struct { const char *option, *file, **value; } all[] = {
    { "stats", UMMGR_STATS_FILE, &run->options.stats },
    { "trace", UMMGR_TRACE_FILE, &run->options.trace }
  };
  if (!is_default (run, "stats") && !is_default (run, "trace"))
    return 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      char *own = own_name (all[i].file);
      if (!own)
	ummgr_error ("run: out of memory");
      if (!own || !move_aside (own))
	{
	  free (own);
	  return UMMGR_EXIT_FAILURE;
	}
      free (own);
      if (is_default (run, all[i].option))
	*all[i].value = *ummgr_run_text (run, all[i].option) = all[i].file;
    }
  return 0;
}
