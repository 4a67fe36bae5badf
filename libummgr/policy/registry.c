/* The policies there are.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A new policy is one file, one line in policies.def, and its test.  */

#include "config.h"
#include "policy/policies.h"

#include <string.h>

const struct ummgr_policy_ops *const ummgr_policy_all[] = {
#define UMMGR_POLICY(NAME) &ummgr_policy_##NAME,
#include "policy/policies.def"
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
