/* `ummgr --list WHAT': the policies that options take, one a line, each with
   what it does.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/cli.h"

#include "base/log.h"
#include "paging/params.h"
#include "policy/policy.h"

#include <stdio.h>
#include <string.h>

static void
put (const char *name, const char *description)
{
  printf ("%-14s %s\n", name, description);
}

static void
put_paging (const struct ummgr_paging_ops *const *all)
{
  for (; *all; all++)
    put ((*all)->name, (*all)->description);
}

int
ummgr_cli_list (const char *what)
{
  static const struct ummgr_paging_ops *const of_driver[] = {
#define UMMGR_PAGING(NAME) &ummgr_paging_##NAME,
#define UMMGR_PAGING_VARIANT(NAME, WORD)
#include "paging/paging.def"
    NULL
  };
  if (what && strcmp (what, "policies") == 0)
    for (size_t i = 0; ummgr_policy_all[i]; i++)
      put (ummgr_policy_all[i]->name, ummgr_policy_all[i]->description);
  else if (what && strcmp (what, "evict") == 0)
    put_paging (of_driver);
  else if (what && strcmp (what, "replay-evict") == 0)
    {
      put_paging (ummgr_paging_all);
      put (ummgr_paging_ideal.name, ummgr_paging_ideal.description);
    }
  else
    {
      ummgr_error ("--list: expected policies, evict or replay-evict");
      return UMMGR_EXIT_FAILURE;
    }
  return 0;
}
