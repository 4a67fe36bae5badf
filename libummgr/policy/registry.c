/* The policies there are.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A new policy is one file, one line in policies.h, one line here, and its
   name in the option table.  */

#include "config.h"
#include "policy/policies.h"

#include <string.h>

const struct ummgr_policy_ops *const ummgr_policy_all[] = {
  &ummgr_policy_explicit,
  &ummgr_policy_um,
  &ummgr_policy_prefetch,
  &ummgr_policy_host,
  &ummgr_policy_lru,
  &ummgr_policy_otm,
  &ummgr_policy_rlm,
  &ummgr_policy_glm,
  &ummgr_policy_rdm,
  NULL
};

const struct ummgr_policy_ops *
ummgr_policy_find (const char *name)
{
  for (const struct ummgr_policy_ops *const *p = ummgr_policy_all; *p; p++)
    if (strcmp ((*p)->name, name) == 0)
      return *p;
  return NULL;
}
