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

/* What the replacement policy called by the N letters at NAME does; that of placement.  */
static const char *
paging_description (const char *name, size_t n)
{
  if (strlen (ummgr_paging_ideal.name) == n && memcmp (ummgr_paging_ideal.name, name, n) == 0)
    return ummgr_paging_ideal.description;
  for (const struct ummgr_paging_ops *const *all = ummgr_paging_all; *all; all++)
    if (strlen ((*all)->name) == n && memcmp ((*all)->name, name, n) == 0)
      return (*all)->description;
  return "";
}

static const char *
policy_description (const char *name, size_t n)
{
  for (size_t i = 0; ummgr_policy_all[i]; i++)
    if (strlen (ummgr_policy_all[i]->name) == n
	&& memcmp (ummgr_policy_all[i]->name, name, n) == 0)
      return ummgr_policy_all[i]->description;
  return "";
}

void
ummgr_cli_list_words (const char *option, const char *words)
{
  size_t n;
  for (const char *w = words; *(w += strspn (w, " ")); w += n)
    {
      n = strcspn (w, " ");
      const char *about = strcmp (option, "policy") == 0 ? policy_description (w, n)
	: strcmp (option, "evict") == 0 ? paging_description (w, n) : "";
      printf ("%-*.*s%s%s\n", *about ? 14 : 0, (int) n, w, *about ? " " : "", about);
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
