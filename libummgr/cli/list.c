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

/* What NAME of the option called OPTION does, or "".  */
static const char *
describe (const char *option, const char *name)
{
  const struct ummgr_policy_ops *policy
    = strcmp (option, "policy") == 0 ? ummgr_policy_find (name) : NULL;
  const struct ummgr_paging_ops *paging
    = strcmp (option, "evict") != 0 ? NULL
      : strcmp (name, ummgr_paging_ideal.name) == 0 ? &ummgr_paging_ideal : ummgr_paging_find (name);
  return policy ? policy->description : paging ? paging->description : "";
}

void
ummgr_cli_list_words (const char *option, const char *words)
{
  char name[64];
  size_t n;
  for (const char *w = words; *(w += strspn (w, " ")); w += n)
    {
      n = strcspn (w, " ");
      snprintf (name, sizeof name, "%.*s", (int) n, w);
      const char *about = describe (option, name);
      if (*about)
	put (name, about);
      else
	puts (name);
    }
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
