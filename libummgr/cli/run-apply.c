/* `ummgr run --apply=FILE': remedies from an earlier trace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The library knows objects by name and place: what a file says becomes a list of those.  No
   state.  */

#include "config.h"
#include "cli/remedies.h"
#include "cli/run.h"

#include "base/log.h"

#include <stdlib.h>

/* Under the policy that this run is to have, on its machine.  */
static struct ummgr_options
options_of (const struct ummgr_run *run)
{
  struct ummgr_options o = run->options;
  if (!run->simulated && !*ummgr_run_text ((struct ummgr_run *) run, "profile"))
    o.profile = NULL;
  return o;
}

int
ummgr_run_apply (struct ummgr_run *run)
{
  struct ummgr_remedies asked;
  const char **text = ummgr_run_text (run, "apply");
  if (!*text || ummgr_remedies_parse (*text, &asked))
    return 0;
  int status = 0;
  if (asked.path)
    {
      const struct ummgr_options o = options_of (run);
      char *list = ummgr_remedies_of_file (asked.path, &o, &asked);
      if (!list)
	status = UMMGR_EXIT_FAILURE;
      else if (!*list)
	ummgr_warn ("run: --apply=%s: it proposes nothing that a run can apply", asked.path);
      else
	ummgr_info ("run: --apply=%s", list);
      unsetenv ("UMMGR_APPLY");
      *text = list && *list ? list : NULL;
    }
  ummgr_remedies_free (&asked);
  return status;
}
